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
functions=(x86_32 x86_128 x64_128 wide32 wide32_copy)
# As many digits, so that a program differs in nothing else.
short_length=1024 long_length=9216

usage() {
  cat <<TEXT
usage: run-arch.sh [--results DIR] [--native | PRESET...]

--native, and no argument, run the benchmark of the kernels here and keep it as
ARCHITECTURE-CPU.json. With presets, built by scripts/cross-test.sh before,
counts the instructions that each kernel executes for a byte, under qemu-user,
where time means nothing: the difference between $long_length and $short_length bytes, kept as
ARCHITECTURE-qemu.json, and prints them as a table. "all" stands for each preset
that was built.

  --results DIR   where the files go (default: docs/results)
  --help          show this text
TEXT
}
fail() { printf 'run-arch.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'run-arch.sh: %s (see --help)\n' "$*" >&2; exit 2; }

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$top/docs/results
presets=()
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --results) [ $# -ge 2 ] || wrong_usage '--results needs a folder'; results=$2; shift ;;
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

# Letters, digits and dashes of the processor's name.
cpu_name() {
  { grep -m 1 -E '^(model name|cpu model|processor|Model)[[:space:]]*:' /proc/cpuinfo || echo : unknown; } |
    sed 's/^[^:]*: *//; s/([A-Za-z]*)//g; s/[^A-Za-z0-9]\{1,\}/-/g; s/-$//' | tr '[:upper:]' '[:lower:]'
}

if [ ${#presets[@]} -eq 0 ]; then
  file=$results/$(uname -m)-$(cpu_name).json
  "$top/bench/kernels.sh" --json "$file"
  echo "run-arch.sh: wrote $file" >&2
  exit 0
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

  file=$results/$preset-qemu.json
  printf '| %s |' "$preset"
  printf ' %s |' "${functions[@]}"
  printf '\n|%s\n' "$(printf ' --- |%.0s' 0 "${functions[@]}")"
  rows=()
  for kernel in $(cd "$scratch" && $emulator ./program list); do
    line="| $kernel |"
    for function in "${functions[@]}"; do
      short=$(count "$kernel" "$function" $short_length)
      long=$(count "$kernel" "$function" $long_length)
      per_byte=$(awk "BEGIN { printf \"%.3f\", ($long - $short) / ($long_length - $short_length) }")
      line="$line $per_byte |"
      rows+=("    {\"kernel\": \"$kernel\", \"function\": \"$function\", \"instructions_per_byte\": $per_byte}")
    done
    echo "$line"
  done
  {
    printf '{\n  "architecture": "%s",\n  "model": "%s",\n  "counts": [\n' "$preset" "${model/-/default}"
    (IFS=$'\n'; echo "${rows[*]}") | sed '$!s/$/,/'
    printf '  ]\n}\n'
  } >"$file"
  echo "run-arch.sh: wrote $file" >&2
done
