#!/bin/bash
# Runs the fuzz targets, each for a while, and keeps what they find.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/fuzz.sh [--build DIR] [--target NAME]... [SECONDS]

Builds the fuzz targets with clang's libFuzzer and the address and undefined
sanitizers and runs each for SECONDS (default 60) from its corpus in fuzz/corpus.
New inputs go to DIR/corpus, from where --merge takes the useful ones.

  --build DIR    the build folder (default: build/fuzz)
  --target NAME  only this one: one_string, stream, batch or lua; may be repeated
  --merge        afterwards add to fuzz/corpus the inputs that reach new code
  --help         show this text

Exit status: 0 no finding, 1 a finding (its input is named, and stays in DIR) or
an error, 2 wrong usage. A finding is run again with DIR/fuzz/fuzz_NAME FILE.
END
}
fail() { printf 'fuzz.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'fuzz.sh: %s (see --help)\n' "$*" >&2; exit 2; }

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/fuzz
targets=() seconds=60 merge=no
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --build | --target)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in
        --build) build=$2 ;;
        --target) targets+=("$2") ;;
      esac
      shift ;;
    --merge) merge=yes ;;
    *)
      [[ $1 =~ ^[1-9][0-9]*$ ]] || wrong_usage "$1 is no number of seconds"
      seconds=$1 ;;
  esac
  shift
done
[ ${#targets[@]} -gt 0 ] || targets=(one_string stream batch lua)
for target in "${targets[@]}"; do
  [ -d "$project/fuzz/corpus/$target" ] || wrong_usage "no target $target"
done
mkdir -p "$build"
build=$(cd "$build" && pwd)

"$project/scripts/install-dependencies.sh"
"$project/scripts/install-dependencies.sh" clang libclang-rt-14-dev llvm
lua=$("$project/scripts/fetch-source.sh" lua5.1 "$project/build/sources")
cd "$project"
cmake --preset fuzz -B "$build" -DMURMURATION_LUA_SOURCE="$lua" >"$build/configure.log" ||
  fail "cmake failed (all of its output: $build/configure.log)"
cmake --build "$build" --target "${targets[@]/#/fuzz_}" >"$build/build.log" ||
  { tail -n 30 "$build/build.log" >&2; fail "the build failed (all of its output: $build/build.log)"; }

for target in "${targets[@]}"; do
  program=$build/fuzz/fuzz_$target
  found=$build/corpus/$target
  log=$build/$target.log
  mkdir -p "$found" "$build/findings"
  # Leaks are looked for at the end: after every input it is slow.
  if ! "$program" -max_total_time="$seconds" -max_len=4096 -timeout=25 -detect_leaks=0 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$target-" \
    "$found" "fuzz/corpus/$target" >"$log" 2>&1; then
    grep -E 'kernel|ERROR|SUMMARY|runtime error|Test unit written' "$log" >&2 || tail -n 20 "$log" >&2
    fail "fuzz_$target has a finding (all of its output: $log)"
  fi
  printf '%s: %s runs in %s seconds, no finding\n' "$target" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$seconds"
  if [ $merge = yes ]; then
    "$program" -merge=1 -max_len=4096 -detect_leaks=0 "fuzz/corpus/$target" "$found" >"$log.merge" 2>&1 ||
      fail "merging failed (all of its output: $log.merge)"
  fi
done
