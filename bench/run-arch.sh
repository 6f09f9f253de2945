#!/bin/bash
# Compares the kernels of an architecture: by time here, by count in an emulator.
set -euo pipefail

# Preset (CMakePresets.json), processor model of qemu: one with every kernel.
models='
x86_64-linux-gnu         max
x86_64-linux-gnu-clang   max
i686-linux-gnu           max
aarch64-linux-gnu        max
aarch64-linux-gnu-clang  max
arm-linux-gnueabihf      max
s390x-linux-gnu          -
riscv64-linux-gnu        -
powerpc64le-linux-gnu    -
'
# One string, a byte of it or, after an @, a call with so many bytes; batches, of keys
# with so many bytes.
functions=(x86_32 x86_128 x64_128 wide32 wide32_copy wide32@128)
batches=(x86_32/16 x86_128/16 x64_128/16 x86_32/128 x86_128/128 x64_128/128)
# As many digits, so that a program differs in nothing else; and whole groups of
# keys, however many a kernel takes side by side.
short_length=16384 long_length=49152

usage() {
  cat <<TEXT
usage: run-arch.sh [--results DIR] [--native | PRESET...]

--native, and no argument, measure the kernels here, batches included, and write
them into the page of this processor (DIR/SLUG.md) as bench/report.sh does.
With presets, built by scripts/cross-test.sh before, counts the instructions that
each kernel executes for a byte, under qemu-user, where time means nothing: the
difference between $long_length and $short_length bytes, of one string or of keys in a
batch; of wide32@128, for a call with 128 bytes beyond one with none. Prints them as
tables and writes them into DIR/instructions.md, where those of other presets stay.
"all" stands for each preset that was built.

  --results DIR   where the pages are (default: docs/results)
  --rounds N      rounds of --native (default: 9)
  --help          show this text
TEXT
}
fail() { printf 'run-arch.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'run-arch.sh: %s (see --help)\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$top/docs/results
rounds=9
presets=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --results) [ $# -ge 2 ] || wrong_usage '--results needs a folder'; results=$2; shift ;;
    --rounds)
      [[ ${2-} =~ ^([2-9]|[1-9][0-9]+)$ ]] || wrong_usage "--rounds needs a number from 2"
      rounds=$2; shift ;;
    --native) ;;
    all)
      while read -r preset _; do
        [ ! -f "$top/build/${preset:-none}/libmurmuration.a" ] || presets+=("$preset")
      done <<<"$models"
      [ ${#presets[@]} -gt 0 ] || fail 'no preset is built: run scripts/cross-test.sh' ;;
    -*) wrong_usage "unknown option $1" ;;
    *) grep -q "^$1 " <<<"$models" || wrong_usage "no preset $1"; presets+=("$1") ;;
  esac
  shift
done
mkdir -p "$results"

if [ ${#presets[@]} -eq 0 ]; then
  exec "$top/bench/report.sh" --results "$results" --rounds "$rounds" kernels
fi

toolchain_variable() {
  sed -n "s/^set($2 \(.*\))\$/\1/p" "$top/toolchains/$1.cmake"
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Instructions executed: one translated block each, one line each.
count() {
  # shellcheck disable=SC2086 # words, split on purpose
  $emulator $step -d exec,nochain -D /dev/stdout "$scratch/program" "$@" | grep -c '^Trace'
}

# cell KERNEL FUNCTION: instructions a byte, or of a call.
cell() {
  local kernel=$1 function=${2%@*} less=$short_length more=$long_length
  if [[ $2 == *@* ]]; then
    echo $(($(count "$kernel" "$function" "${2#*@}") - $(count "$kernel" "$function" 0)))
    return
  fi
  less=$(count "$kernel" "$function" "$less")
  more=$(count "$kernel" "$function" "$more")
  awk "BEGIN { printf \"%.3f\", ($more - $less) / ($long_length - $short_length) }"
}

# table FUNCTION...: as Markdown, a row for each kernel.
table() {
  local kernel function
  printf '| kernel |'
  printf ' %s |' "$@"
  printf '\n|%s\n' "$(printf ' --- |%.0s' kernel "$@")"
  for kernel in $kernels; do
    printf '| %s |' "$kernel"
    for function; do printf ' %s |' "$(cell "$kernel" "$function")"; done
    echo
  done
}

for preset in "${presets[@]}"; do
  archive=$top/build/$preset/libmurmuration.a
  [ -f "$archive" ] || fail "$preset is not built: run scripts/cross-test.sh $preset"
  model=$(awk -v preset="$preset" '$1 == preset { print $2 }' <<<"$models")
  emulator=$(toolchain_variable "$preset" CMAKE_CROSSCOMPILING_EMULATOR)
  compiler=$(toolchain_variable "$preset" CMAKE_C_COMPILER)
  target=$(toolchain_variable "$preset" CMAKE_C_COMPILER_TARGET)
  unset QEMU_CPU
  [ "$model" = - ] || export QEMU_CPU=$model
  # The option's name since qemu 8.1, and before.
  step=-one-insn-per-tb
  ${emulator%% *} --help | grep -q -- "$step" || step=-singlestep
  # shellcheck disable=SC2086
  $compiler ${target:+--target=$target} -O2 -static -I "$top/include" \
    "$top/bench/instruction_count.c" "$archive" -o "$scratch/program"

  kernels=$(cd "$scratch" && $emulator ./program list)
  { table "${functions[@]}"; echo; table "${batches[@]}"; } >"$scratch/tables"
  echo "$preset"
  cat "$scratch/tables"
  python3 -B "$top/bench/draw.py" --instructions "$results/instructions.md" "$preset" \
    "$scratch/tables"
  echo "run-arch.sh: wrote $preset into $results/instructions.md" >&2
done
