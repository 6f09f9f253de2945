#!/usr/bin/env bash
# A server's own tests, and checks of ours, on servers with Murmuration in Lua.
set -euo pipefail

usage() {
  cat <<END
usage: server-test.sh [OPTION...] [CHECK...]

Builds a Redis or Valkey server unmodified and with Murmuration, and runs on
them, by default all of:

  suite        the server's own tests that run scripts, on the unmodified server,
               on Murmuration's scalar kernel and on its best one: no test that
               the unmodified server passes may fail
  order        pairs() in a script gives the same order on every kernel, and the
               order of scalar MurmurHash3 for keys below 64 bytes
  replication  a primary and a replica on different kernels stay equal after
               scripts that write what pairs() yields
  huge         a string of 3 GiB, and its JSON text; skipped, by name, where less
               than 10 or 18 GiB of memory are free, or the system refuses to
               allocate the 32 GiB at once that the server's JSON module asks for

  --source DIR    a Redis 7.0 to 8.6 or Valkey 7.2 to 9.1 tree; it is copied and
                  never changed (default: Redis from this Debian's source package)
  --unit UNIT     for suite: only this unit, such as unit/scripting; may be
                  repeated
  --list          print the units of suite and end
  --build FOLDER  where to build, and the suite's output
                  (default: build/bench-server of the project)
  --help          show this text

Exit status: 0 all passed, 1 something failed, 2 wrong usage.
END
}

fail() { printf 'server-test.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'server-test.sh: %s (see --help)\n' "$*" >&2; exit 2; }
progress() { printf 'server-test.sh: %s\n' "$*" >&2; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

project=$(dirname -- "$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)")
build=$project/build/bench-server
source='' units=() checks=() list=no
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --list) list=yes ;;
    --source | --unit | --build)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in
        --source) source=$(absolute "$2") ;;
        --unit) units+=("$2") ;;
        --build) build=$(absolute "$2") ;;
      esac
      shift ;;
    suite | order | replication | huge) checks+=("$1") ;;
    *) wrong_usage "unknown argument $1" ;;
  esac
  shift
done
[ ${#checks[@]} -gt 0 ] || checks=(suite order replication huge)

"$project/scripts/install-dependencies.sh" python3 tcl procps
build_options=(--build "$build")
[ -z "$source" ] || build_options+=(--source "$source")
lines=$("$project/bench/server/build-variants.sh" "${build_options[@]}" \
  unmodified every-byte scalar murmuration)
declare -A folder
while IFS=$'\t' read -r name path; do folder[$name]=$path; done <<<"$lines"

# ----------------------------------------------------------------- suite

# The units that run scripts.
select_units() {
  local file
  cd -- "${folder[unmodified]}/tree/tests"
  for file in unit/*.tcl unit/type/*.tcl unit/cluster/*.tcl integration/*.tcl; do
    if [ -f "$file" ] &&
      grep -qiE '(^|[^a-z_])(eval|evalsha|eval_ro|evalsha_ro|fcall|fcall_ro) |script load|function load|run_script|redis\.call' "$file"; then
      echo "${file%.tcl}"
    fi
  done
}

# The tests of a unit start servers; all are in the process group of the suite,
# which is ended as a whole should this script be interrupted.
suite_process=''
scratch=''
end_suite() {
  if [ -n "$suite_process" ]; then
    if kill -TERM -- "-$suite_process" 2>/dev/null; then
      sleep 1
      # Most are gone by now, and then there is nothing to kill.
      kill -KILL -- "-$suite_process" 2>/dev/null || true
    fi
    suite_process=''
  fi
  if [ -n "$scratch" ]; then rm -rf -- "$scratch"; fi
}
trap end_suite EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# run_unit NAME VARIANT KERNEL UNIT: leaves NAME.log, and NAME.passed: the names
# of the tests that passed.
run_unit() {
  local name=$1 tree=${folder[$2]}/tree kernel=$3 unit=$4
  progress "$unit on $name"
  # Some tests make Unix sockets in their folder, whose names must be short.
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/mmr.XXXXXX")
  cp -Rp -- "$tree" "$scratch/t"
  (
    cd -- "$scratch/t"
    if [ -n "$kernel" ]; then export MURMURATION_KERNEL=$kernel; else unset MURMURATION_KERNEL; fi
    TERM=dumb exec setsid ./runtest --single "$unit" --clients 1 --timeout 300 --tags -large-memory
  ) >"$results/$name.log" 2>&1 </dev/null &
  suite_process=$!
  # Fails if any test does; what counts is which ones pass, compared below.
  wait "$suite_process" || true
  end_suite
  sed -nE 's/^\[ok\]: (.*) \([0-9]+ ms\)$/\1/p; s/^\[ok\]: (.*[^)])$/\1/p' "$results/$name.log" |
    LC_ALL=C sort -u >"$results/$name.passed"
}

# The tests that passed on the unmodified server and not on NAME.
lost_on() { LC_ALL=C comm -23 "$results/unmodified.passed" "$results/$1.passed"; }

suite_failed=no
compare_unit() {
  local unit=$1 name kernel lost again
  results=$build/suite/$unit
  rm -rf -- "$results"
  mkdir -p -- "$results"
  run_unit unmodified unmodified '' "$unit"
  if [ ! -s "$results/unmodified.passed" ]; then
    echo "FAILED: $unit: no test passes on the unmodified server (see $results/unmodified.log)"
    suite_failed=yes
    return
  fi
  for kernel in "${kernels[@]}"; do
    name=$kernel again=''
    run_unit "$name" murmuration "$kernel" "$unit"
    lost=$(lost_on "$name")
    if [ -n "$lost" ]; then
      # Some tests depend on timing: what fails twice fails.
      again=", some of them at the second attempt: $(echo "$lost" | paste -s -d ';')"
      cp -- "$results/$name.log" "$results/$name.first.log"
      cp -- "$results/$name.passed" "$results/$name.first.passed"
      run_unit "$name" murmuration "$kernel" "$unit"
      lost=$(LC_ALL=C sort -u "$results/$name.passed" "$results/$name.first.passed" |
        LC_ALL=C comm -23 "$results/unmodified.passed" -)
    fi
    if [ -n "$lost" ]; then
      echo "FAILED: $unit, kernel $kernel: these pass on the unmodified server only:"
      while read -r line; do echo "  $line"; done <<<"$lost"
      echo "  (see $results/$name.log)"
      suite_failed=yes
    else
      echo "ok: $unit, kernel $kernel: passes the $(wc -l <"$results/unmodified.passed") tests that the unmodified server passes$again"
    fi
  done
  failed=$(sed -nE 's/^\[(err|exception|timeout)\]: (.*)$/\2/p' "$results/unmodified.log" | head -n 5)
  [ -z "$failed" ] || echo "note: $unit: fails on the unmodified server too: $(echo "$failed" | paste -s -d ';')"
}

if [ "$list" = yes ]; then
  select_units
  exit 0
fi

status=0
ours=()
for check in "${checks[@]}"; do
  if [ "$check" != suite ]; then ours+=("$check"); continue; fi
  mapfile -t all_kernels < <("${folder[murmuration]}/hash_probe" --kernels)
  kernels=("${all_kernels[0]}")
  if [ "${all_kernels[0]}" != scalar ]; then
    kernels=(scalar "${all_kernels[0]}")
  else
    echo "skipped: suite on the best kernel: this machine supports the scalar one only"
  fi
  if [ ${#units[@]} -eq 0 ]; then mapfile -t units < <(select_units); fi
  [ ${#units[@]} -gt 0 ] || fail "the tree has no tests that run scripts"
  for unit in "${units[@]}"; do
    [ -f "${folder[unmodified]}/tree/tests/$unit.tcl" ] || fail "the tree has no unit $unit"
    compare_unit "$unit"
  done
  [ $suite_failed = no ] || status=1
done
if [ ${#ours[@]} -gt 0 ]; then
  arguments=()
  for name in every-byte scalar murmuration; do arguments+=(--variant "$name" "${folder[$name]}"); done
  python3 -B "$project/tests/server/checks.py" "${arguments[@]}" "${ours[@]}" || status=1
fi
exit $status
