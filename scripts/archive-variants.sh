#!/bin/bash
# Builds the archive with other compilers and flags, and checks and links each.
set -euo pipefail

# Name, compiler (C++), flags, linker that is "ld" for it or "-" for its own,
# generator, words for cmake. (clang's check of called functions' types wants the C++
# runtime, which a C program has not.)
variants='
gcc-O0           g++                        -O0                               -          Ninja
gcc-O3           g++                        -O3                               -          Unix_Makefiles
gcc-lto          g++                        -O2,-flto                         -          Ninja           -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
gcc-asan         g++                        -O1,-fsanitize=address            -          Ninja
gcc-coverage     g++                        -O0,--coverage                    -          Ninja
gcc-signed       g++                        -O2,-fsigned-char                 -          Ninja
gcc-unsigned     g++                        -O2,-funsigned-char               -          Ninja
gcc-avx2         g++                        -O2,-mavx2,-mbmi2                 -          Ninja
gcc-cf           g++                        -O2,-fcf-protection=full          -          Ninja
gcc-plain        g++                        -O2                               -          Ninja           -DMURMURATION_PARTIAL_LINK=OFF
gcc-bfd          g++                        -O2                               ld.bfd     Unix_Makefiles
gcc-gold         g++                        -O2                               ld.gold    Ninja
gcc-lld14        g++                        -O2                               ld.lld-14  Unix_Makefiles
gcc-lld16        g++                        -O2                               ld.lld-16  Ninja
gcc-mold         g++                        -O2                               ld.mold    Unix_Makefiles
gcc-mold-plain   g++                        -O2                               ld.mold    Ninja           -DMURMURATION_PARTIAL_LINK=OFF
clang-O0         clang++                    -O0                               -          Ninja
clang-O3         clang++                    -O3                               -          Unix_Makefiles
clang-lto        clang++                    -O2,-flto                         -          Ninja
clang-asan       clang++                    -O1,-fsanitize=address,undefined,-fno-sanitize=function  -  Ninja
clang-signed     clang++                    -O2,-fsigned-char                 -          Ninja
clang-unsigned   clang++                    -O2,-funsigned-char               -          Ninja
clang-cf         clang++                    -O2,-fcf-protection=full          -          Ninja
clang-plain      clang++                    -O2                               -          Unix_Makefiles  -DMURMURATION_PARTIAL_LINK=OFF
clang-gold       clang++                    -O2                               ld.gold    Unix_Makefiles
clang-lld14      clang++                    -O2                               ld.lld-14  Ninja
clang-lld16      clang++                    -O2                               ld.lld-16  Unix_Makefiles
clang-lld16-plain clang++                   -O2                               ld.lld-16  Ninja           -DMURMURATION_PARTIAL_LINK=OFF
clang-mold       clang++                    -O2                               ld.mold    Ninja
i686-O0          i686-linux-gnu-g++         -O0,-static                       -          Ninja
i686-O3          i686-linux-gnu-g++         -O3,-static                       -          Ninja
aarch64-O0       aarch64-linux-gnu-g++      -O0,-static                       -          Ninja
aarch64-signed   aarch64-linux-gnu-g++      -O2,-static,-fsigned-char         -          Ninja
aarch64-bti      aarch64-linux-gnu-g++      -O2,-static,-mbranch-protection=standard  -  Ninja
arm-O0           arm-linux-gnueabihf-g++    -O0,-static                       -          Ninja
s390x-O0         s390x-linux-gnu-g++        -O0,-static                       -          Ninja
riscv64-O0       riscv64-linux-gnu-g++      -O0,-static                       -          Ninja
'

usage() {
  cat <<'TEXT'
usage: archive-variants.sh [VARIANT...]

Builds libmurmuration.a with each compiler and set of flags, in a folder with a
space in its name, runs tools/check_archive.py over it, and links and runs a C
program with it, in the emulator where it is of another architecture. Without
variants: all of them. A compiler, a linker or an emulator that is not installed skips
the variant, by name.

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
while read -r name compiler flags linker generator words; do
  [ -n "$name" ] || continue
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  case $compiler in
    clang++) cc=clang tools='' ;;
    *) cc=${compiler%g++}gcc tools=${compiler%g++} ;;
  esac
  emulator=''
  case $tools in
    '' | i686-*) ;;
    arm-*) emulator=qemu-arm-static ;;
    *) emulator=qemu-${tools%%-*}-static ;;
  esac
  missing=''
  [ "$linker" != - ] || linker=''
  for program in "$compiler" $emulator $linker; do
    command -v "$program" >/dev/null || missing=$program
  done
  if [ -n "$missing" ]; then
    echo "$name: skipped, no $missing"
    skipped=$((skipped + 1))
    continue
  fi
  # -fsanitize has commas of its own.
  flags=${flags//,-/ -}
  if [ -n "$linker" ]; then
    mkdir -p "$scratch/$linker"
    ln -sf "$(command -v "$linker")" "$scratch/$linker/ld"
    flags="$flags -B$scratch/$linker"
  fi
  plain=''
  [[ $words != *PARTIAL_LINK=OFF* ]] || plain=--plain
  build="$scratch/build $name"
  # shellcheck disable=SC2086 # words, split on purpose
  { cmake -S "$top" -B "$build" -G "${generator//_/ }" -DCMAKE_BUILD_TYPE=None \
      -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$compiler" \
      -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
      -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_BENCHMARKS=OFF \
      -DMURMURATION_BUILD_COMMAND=OFF $words &&
    cmake --build "$build" --parallel "$(nproc)"; } >"$scratch/log" 2>&1 ||
    { tail -n 20 "$scratch/log" >&2; fail "$name does not build"; }
  ! grep -i 'warning' "$scratch/log" >&2 || fail "$name has warnings"
  instrumented=''
  [[ $flags != *-fsanitize* && $flags != *--coverage* ]] || instrumented=--instrumented
  mapfile -t objects < <(find "$build/lib/CMakeFiles" -name '*.o')
  "$top/tools/check_archive.py" --nm "${tools}nm" --objdump "${tools}objdump" \
    --readelf "${tools}readelf" --compiler "$compiler $flags" $instrumented $plain \
    "$build/libmurmuration.a" --objects "${objects[@]}" >"$scratch/log" ||
    { cat "$scratch/log" >&2; fail "$name does not pass the check"; }
  echo "$name: $(cat "$scratch/log")"
  for program in c_link/main kernel_probe; do
    # shellcheck disable=SC2086 # words, split on purpose
    "$cc" $flags -I "$top/include" "$top/tests/$program.c" "$build/libmurmuration.a" \
      -o "$build/program" || fail "$name does not link"
    (cd "$build" && $emulator ./program >/dev/null) || fail "$name computes what is wrong ($program.c)"
  done
  rm -rf "$build"
  done=$((done + 1))
done <<<"$variants"
echo "$done passed, 0 failed, $skipped skipped"
