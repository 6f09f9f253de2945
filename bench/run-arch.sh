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
# One string; batches, of keys with so many bytes.
functions=(x86_32 x86_128 x64_128 wide32 wide32_copy)
batches=(x86_32/16 x86_128/16 x64_128/16 x86_32/128 x86_128/128 x64_128/128)
# As many digits, so that a program differs in nothing else; and whole groups of
# keys, however many a kernel takes side by side.
short_length=16384 long_length=49152

usage() {
  cat <<TEXT
usage: run-arch.sh [--results DIR] [--native | PRESET...]

--native, and no argument, measure the kernels here, batches included, keep the
medians of interleaved rounds as ARCHITECTURE-CPU.json and print a table of them.
With presets, built by scripts/cross-test.sh before, counts the instructions that
each kernel executes for a byte, under qemu-user, where time means nothing: the
difference between $long_length and $short_length bytes, of one string or of keys in a
batch, kept as ARCHITECTURE-qemu.json, and prints them as tables. "all" stands
for each preset that was built.

  --results DIR   where the files go (default: docs/results)
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

# Letters, digits and dashes of the processor's name.
cpu_name() {
  local name
  name=$(LC_ALL=C lscpu | sed -n 's/^Model name: *//p' | head -n 1)
  sed 's/([A-Za-z]*)//g; s/[^A-Za-z0-9]\{1,\}/-/g; s/-$//' <<<"${name:-unknown}" | tr '[:upper:]' '[:lower:]'
}

if [ ${#presets[@]} -eq 0 ]; then
  build=$top/build/bench
  file=$results/$(uname -m)-$(cpu_name).json
  "$top/scripts/install-dependencies.sh"
  { cmake -S "$top" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DMURMURATION_BUILD_TESTS=OFF && cmake --build "$build"; } >&2
  python3 "$top/bench/measure.py" kernels --build "$build" --rounds "$rounds" --json "$file"
  python3 - "$file" <<'TABLE'
import json
import sys

rows = json.load(open(sys.argv[1], encoding="utf-8"))["rows"]
kernels = [k for k in ("avx512", "avx2", "sse4", "neon", "scalar")
           if f"wide32/{k}/102400" in rows]
lengths = {}  # of each function
for name in rows:
    function, _, length = name.split("/")
    lengths.setdefault(function, set()).add(length)
print("| cycles a byte | bytes | " + " | ".join(kernels) + " |")
print("| --- | --- |" + " --- |" * len(kernels))
for function in sorted(lengths):
    for length in sorted(lengths[function], key=lambda text: [int(n) for n in text.split("-")]):
        cells = [f"{rows[name]['cycles_per_byte']:.3f}" if name in rows else ""
                 for name in (f"{function}/{k}/{length}" for k in kernels)]
        print(f"| {function} | {length} | " + " | ".join(cells) + " |")
TABLE
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

# table FUNCTION...: a row for each kernel.
table() {
  printf '| %s |' "$preset"
  printf ' %s |' "$@"
  printf '\n|%s\n' "$(printf ' --- |%.0s' 0 "$@")"
  local kernel function line short long per_byte
  for kernel in $kernels; do
    line="| $kernel |"
    for function; do
      short=$(count "$kernel" "$function" $short_length)
      long=$(count "$kernel" "$function" $long_length)
      per_byte=$(awk "BEGIN { printf \"%.3f\", ($long - $short) / ($long_length - $short_length) }")
      line="$line $per_byte |"
      rows+=("    {\"kernel\": \"$kernel\", \"function\": \"$function\", \"instructions_per_byte\": $per_byte}")
    done
    echo "$line"
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
  rows=()
  table "${functions[@]}"
  table "${batches[@]}"
  file=$results/$preset-qemu.json
  {
    printf '{\n  "architecture": "%s",\n  "model": "%s",\n  "counts": [\n' "$preset" "${model/#-/default}"
    (IFS=$'\n'; echo "${rows[*]}") | sed '$!s/$/,/'
    printf '  ]\n}\n'
  } >"$file"
  echo "run-arch.sh: wrote $file" >&2
done
