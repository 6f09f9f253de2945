#!/bin/bash
# Builds the archive with other compilers and flags, and checks and links each.
set -euo pipefail

# Name, compiler (C++), flags, generator, words for cmake.
variants='
gcc-O0           g++      -O0                               Ninja
gcc-O3           g++      -O3                               Unix_Makefiles
gcc-lto          g++      -O2,-flto                         Ninja           -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
gcc-asan         g++      -O1,-fsanitize=address            Ninja
gcc-coverage     g++      -O0,--coverage                    Ninja
gcc-signed       g++      -O2,-fsigned-char                 Ninja
gcc-unsigned     g++      -O2,-funsigned-char               Ninja
gcc-avx2         g++      -O2,-mavx2,-mbmi2                 Ninja
gcc-m32          g++      -O2,-m32                          Ninja           -DCMAKE_DISABLE_FIND_PACKAGE_CpuFeatures=ON
clang-O0         clang++  -O0                               Ninja
clang-O3         clang++  -O3                               Unix_Makefiles
clang-lto        clang++  -O2,-flto                         Ninja
clang-asan       clang++  -O1,-fsanitize=address,undefined  Ninja
clang-signed     clang++  -O2,-fsigned-char                 Ninja
clang-unsigned   clang++  -O2,-funsigned-char               Ninja
'

usage() {
  cat <<'TEXT'
usage: archive-variants.sh [VARIANT...]

Builds libmurmuration.a with each compiler and set of flags, in a folder with a
space in its name, runs tools/check_archive.py over it, and links and runs a C
program with it. Without variants: all of them. A compiler that is not installed
is skipped, by name.

  --list   print the variants
  --help   show this text
TEXT
}
fail() { printf 'archive-variants.sh: %s\n' "$*" >&2; exit 1; }

case ${1-} in
  --help | -h) usage; exit 0 ;;
  --list) awk 'NF { print $1 }' <<<"$variants"; exit 0 ;;
esac
for name in "$@"; do
  grep -q "^$name " <<<"$variants" ||
    { echo "archive-variants.sh: no variant $name (see --list)" >&2; exit 2; }
done

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Own flags of a compiler around it must not decide what is built here.
unset CFLAGS CXXFLAGS LDFLAGS
done=0 skipped=0
while read -r name compiler flags generator words; do
  [ -n "$name" ] || continue
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  case $compiler in g++) cc=gcc ;; *) cc=clang ;; esac
  if ! command -v "$compiler" >/dev/null; then
    echo "$name: skipped, no $compiler"
    skipped=$((skipped + 1))
    continue
  fi
  # -fsanitize has commas of its own.
  flags=${flags//,-/ -}
  if [[ $flags == *-m32* ]] && ! echo 'int main(void) { return 0; }' |
    "$cc" -m32 -x c - -o "$scratch/m32" 2>/dev/null; then
    echo "$name: skipped, no 32-bit C library (package gcc-multilib)"
    skipped=$((skipped + 1))
    continue
  fi
  build="$scratch/build $name"
  # shellcheck disable=SC2086 # words, split on purpose
  { cmake -S "$top" -B "$build" -G "${generator//_/ }" -DCMAKE_BUILD_TYPE=None \
      -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$compiler" \
      -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
      -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_BENCHMARKS=OFF \
      -DMURMURATION_BUILD_COMMAND=OFF $words &&
    cmake --build "$build" --parallel "$(nproc)"; } >"$scratch/log" 2>&1 ||
    { tail -n 20 "$scratch/log" >&2; fail "$name does not build"; }
  instrumented=''
  [[ $flags != *-fsanitize* && $flags != *--coverage* ]] || instrumented=--instrumented
  "$top/tools/check_archive.py" $instrumented "$build/libmurmuration.a" >"$scratch/log" ||
    { cat "$scratch/log" >&2; fail "$name does not pass the check"; }
  echo "$name: $(cat "$scratch/log")"
  for program in c_link/main kernel_probe; do
    # shellcheck disable=SC2086 # words, split on purpose
    "$cc" $flags -I "$top/include" "$top/tests/$program.c" "$build/libmurmuration.a" \
      -o "$build/program" || fail "$name does not link"
    (cd "$build" && ./program >/dev/null) || fail "$name computes what is wrong ($program.c)"
  done
  rm -rf "$build"
  done=$((done + 1))
done <<<"$variants"
echo "$done passed, 0 failed, $skipped skipped"
