#!/bin/bash
# Builds for other architectures and runs their tests in an emulator.
set -euo pipefail

# One line per run: preset (CMakePresets.json), processor model of qemu ("-" for
# its default), the kernel that this model should get, "short" if --short has it.
# check=off: no warnings of what the emulator lacks of a model, which are output
# like any other.
runs='
x86_64-linux-gnu         core2duo            scalar
x86_64-linux-gnu         Nehalem             sse4
x86_64-linux-gnu         Haswell,check=off   avx2
x86_64-linux-gnu         max                 avx2
x86_64-linux-gnu-clang   core2duo            scalar
x86_64-linux-gnu-clang   Nehalem             sse4
x86_64-linux-gnu-clang   Haswell,check=off   avx2
x86_64-linux-musl        core2duo            scalar
x86_64-linux-musl        Nehalem             sse4
x86_64-linux-musl        Haswell,check=off   avx2
x86_64-linux-musl        max                 avx2
i686-linux-gnu           pentium3            scalar
i686-linux-gnu           core2duo,check=off  scalar
i686-linux-gnu           Nehalem,check=off   sse4
i686-linux-gnu           max                 sse4     short
aarch64-linux-gnu        cortex-a53          neon     short
aarch64-linux-gnu        cortex-a72          neon
aarch64-linux-gnu        max                 neon
aarch64-linux-gnu-clang  cortex-a53          neon
aarch64-linux-gnu-clang  max                 neon
arm-linux-gnueabihf      cortex-a7           neon
arm-linux-gnueabihf      cortex-a7,neon=off  scalar
arm-linux-gnueabihf      cortex-a15          neon     short
arm-linux-gnueabihf      cortex-a15,neon=off scalar   short
arm-linux-gnueabihf      max                 neon
s390x-linux-gnu          -                   scalar   short
riscv64-linux-gnu        -                   scalar
powerpc64le-linux-gnu    -                   scalar
'

usage() {
  cat <<'TEXT'
usage: cross-test.sh [--short] [PRESET[/MODEL]...]

Installs what it needs (Debian, as root or through sudo), fetches the sources of
Lua 5.1 (without which the tests of Lua are left out), cross-compiles library, Lua, tests and benchmarks for each preset, and
runs all tests in qemu-user on several processor models, each in a run of its
own; a run also checks the kernel that the model gets, and a C program linked
with the archive alone. Tests that build something (label "build": other
people's projects, Lua trees) are the same on every model and run on the first.
Prints one table at the end. PRESET/MODEL is one run; without any, all of them.

  --short   one or two models each of i686, aarch64, armhf and s390x, without
            benchmarks and without the tests that build something
  --list    print the runs: preset, model, expected kernel
  --help    show this text

Builds in build/PRESET, dependencies in build/dependencies, logs beside them.
Exit status: 0 when all runs passed, 1 when one failed, 2 for wrong usage.
TEXT
}
say() { printf 'cross-test.sh: %s\n' "$*" >&2; }
wrong_usage() { say "$* (see --help)"; exit 2; }

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
short=no
wanted=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --list) awk 'NF { print $1, $2, $3 }' <<<"$runs"; exit 0 ;;
    --short) short=yes ;;
    -*) wrong_usage "unknown option $1" ;;
    *)
      awk -v run="$1" '$1 == run || $1 "/" $2 == run { found = 1 } END { exit !found }' \
        <<<"$runs" || wrong_usage "no run $1: --list has them"
      wanted+=("$1") ;;
  esac
  shift
done

selected=$(
  while read -r preset model kernel in_short; do
    [ -n "$preset" ] || continue
    [ $short = no ] || [ "$in_short" = short ] || continue
    if [ ${#wanted[@]} -gt 0 ]; then
      [[ " ${wanted[*]} " == *" $preset "* || " ${wanted[*]} " == *" $preset/$model "* ]] ||
        continue
    fi
    echo "$preset $model $kernel"
  done <<<"$runs"
)
[ -n "$selected" ] || wrong_usage 'no run is left'

# A variable that a toolchain file sets.
toolchain_variable() {
  sed -n "s/^set($2 \(.*\))\$/\1/p" "$top/toolchains/$1.cmake"
}

packages() {
  echo build-essential cmake ninja-build dpkg-dev libhwy-dev python3
  local preset
  for preset in $(awk '{ print $1 }' <<<"$selected" | uniq); do
    # The comment of the toolchain file names them.
    sed -n '/^# Packages: / { s///; s/([^)]*)//g; s/,/ /g; s/\.$//; p }' \
      "$top/toolchains/$preset.cmake"
    # What is built from Debian's sources.
    [ "$preset" != riscv64-linux-gnu ] || echo googletest
  done
}
# shellcheck disable=SC2046 # words, split on purpose
"$top/scripts/install-dependencies.sh" $(packages | xargs -n 1 | sort -u)

table=$(mktemp)
trap 'rm -f "$table"' EXIT
failed=no
row() { printf '%-24s %-20s %-8s %s\n' "$@" >>"$table"; }
row architecture model kernel tests

build() {
  local preset=$1 log=$2 triplet=${1%-clang} lua
  lua=$("$top/scripts/fetch-source.sh" lua5.1 "$top/build/sources") || without_lua=yes
  "$top/scripts/cross-dependencies.sh" "$triplet" "$top/build/dependencies/$triplet" &&
    (cd "$top" &&
      cmake --preset "$preset" -DMURMURATION_WARNINGS_AS_ERRORS=ON \
        -DMURMURATION_LUA_SOURCE="$lua" ${options[@]+"${options[@]}"} &&
      cmake --build --preset "$preset") >"$log" 2>&1
}

# cc main.c libmurmuration.a, run on the model that QEMU_CPU names.
run_c_program() {
  local preset=$1 source=$2 folder=$top/build/$1 target compiler emulator
  compiler=$(toolchain_variable "$preset" CMAKE_C_COMPILER)
  target=$(toolchain_variable "$preset" CMAKE_C_COMPILER_TARGET)
  emulator=$(toolchain_variable "$preset" CMAKE_CROSSCOMPILING_EMULATOR)
  # shellcheck disable=SC2046,SC2086 # words, split on purpose
  $compiler ${target:+--target=$target} $(toolchain_variable "$preset" CMAKE_EXE_LINKER_FLAGS_INIT) \
    -I "$top/include" "$source" "$folder/libmurmuration.a" -o "$folder/c_program" &&
    $emulator "$folder/c_program"
}

# What was skipped, and why: kernels that the model lacks, counted; else each.
skips() {
  local log=$1 last name
  last=$(dirname "$log")/Testing/Temporary/LastTest.log
  sed -n 's/.*GetParam() = "\(.*\)" (Skipped)$/no \1 on this processor/p' "$log" | sort | uniq -c
  sed -n '/GetParam()/d; s/^[[:space:]]*[0-9]* - \(.*\) (Skipped)$/\1/p' "$log" |
    while read -r name; do
      awk -v name="$name" '/^[0-9]+\/[0-9]+ Test: / { found = $3 == name }
        found && sub(/^skipped: /, "") { reason = $0 }
        END { print name ": " (reason ? reason : "no reason") }' "$last"
    done
}

options=()
[ $short = no ] || options+=(-DMURMURATION_BUILD_BENCHMARKS=OFF)
built='' usable=no without_lua=no
while read -r preset model expected; do
  folder=$top/build/$preset
  if [ "$preset" != "$built" ]; then
    built=$preset usable=yes left_out=()
    [ $short = no ] || left_out=(--label-exclude build)
    mkdir -p "$folder"
    say "building $preset"
    if ! build "$preset" "$folder/build.log"; then
      say "$preset does not build: $folder/build.log"
      tail -n 20 "$folder/build.log" >&2
      row "$preset" - - 'FAILED: not built'
      usable=no failed=yes
    fi
  fi
  [ $usable = yes ] || continue

  say "testing $preset on $model"
  log=$folder/test-$model.log
  # An empty QEMU_CPU is no model; the default has none in the environment.
  unset QEMU_CPU
  [ "$model" = - ] || export QEMU_CPU=$model
  verdict=passed
  run_c_program "$preset" "$top/tests/c_link/main.c" >"$log" 2>&1 || verdict='FAILED: C program'
  kernel=$(run_c_program "$preset" "$top/tests/kernel_probe.c" 2>>"$log") || verdict='FAILED: kernel probe'
  [ "$kernel" = "$expected" ] || verdict="FAILED: kernel is not $expected"
  if [ -f "$folder/CTestTestfile.cmake" ]; then
    ctest --test-dir "$folder" ${left_out[@]+"${left_out[@]}"} --parallel "$(nproc)" \
      >>"$log" 2>&1 || verdict=FAILED
    left_out=(--label-exclude build)
    summary=$(sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)/\1 \2/p' "$log" | tail -n 1)
    skipped=$(grep -c '(Skipped)$' "$log" || true)
    read -r failures total <<<"${summary:-1 0}"
    tests="$((total - failures - skipped)) passed, $failures failed, $skipped skipped"
    [ "$total" -gt 0 ] || verdict='FAILED: no test ran'
    skips "$log" | sed 's/^/  skipped: /'
  else
    tests='C programs alone'
  fi
  if [ "$verdict" != passed ]; then
    failed=yes
    say "$preset on $model: $verdict ($log)"
    sed -n '/^The following tests FAILED/,/^Errors/p' "$log" >&2
    row "$preset" "$model" "${kernel:-none}" "$verdict; $tests"
  else
    row "$preset" "$model" "$kernel" "$tests"
  fi
done <<<"$selected"

cat "$table"
[ $without_lua = no ] || echo "cross-test.sh: the tests of Lua were left out: no source of Lua 5.1"
[ $failed = no ]
