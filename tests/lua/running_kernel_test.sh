#!/bin/bash
# Tests integrations/lua51/running-kernel.sh on running Luas.
#
#   running_kernel_test.sh SCRIPT LUA STOCK_LUA KERNEL_PROBE STRIP
#
# KERNEL_PROBE prints the best kernel of this machine.
set -euo pipefail

script=$1 lua=$2 stock=$3 probe=$4 strip=$5
scratch=$(mktemp -d)
pid=''
end_lua() {
  if [ -n "$pid" ]; then
    kill "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  fi
  pid=''
}
trap 'end_lua; rm -rf "$scratch"' EXIT
fail() { echo "running_kernel_test.sh: $*" >&2; exit 1; }

# run PROGRAM CODE: leaves it running, after the code.
run() {
  end_lua
  mkfifo "$scratch/input" 2>/dev/null || true
  "$1" -e "$2 print('ready') io.flush() io.read()" <>"$scratch/input" >"$scratch/output" &
  pid=$!
  for _ in $(seq 600); do
    if grep -q ready "$scratch/output"; then return; fi
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  fail "$1 did not start"
}
# expect STATUS PATTERN: what the script ends with and prints, on either stream.
expect() {
  local status=0
  "$script" "$pid" >"$scratch/out" 2>"$scratch/err" || status=$?
  if [ $status -eq 3 ]; then
    echo "skipped: running_kernel_test, this system does not let the memory of a process be read"
    exit 77
  fi
  [ $status -eq "$1" ] || fail "status $status, not $1: $(cat "$scratch/out" "$scratch/err")"
  grep -Eq -- "$2" "$scratch/out" "$scratch/err" || fail "not $2: $(cat "$scratch/out" "$scratch/err")"
  [ "$(cat "$scratch/out" "$scratch/err" | wc -l)" -eq 1 ] || fail "not one line: $(cat "$scratch/out")"
}

large="local s = ('x'):rep(1000)"
tab=$'\t'
unset MURMURATION_KERNEL
best=$("$probe")
best=${best%% *}
run "$lua" "$large"
expect 0 "^$best$tab.*/lua\$"
export MURMURATION_KERNEL=scalar
run "$lua" "$large"
expect 0 "^scalar$tab"
cp "$lua" "$scratch/stripped"
"$strip" "$scratch/stripped"
run "$scratch/stripped" "$large"
expect 0 "^scalar$tab$scratch/stripped\$"
run "$stock" "$large"
expect 1 "no Murmuration in process $pid"

for wrong in '' word 0 99999999999; do
  status=0
  "$script" $wrong >"$scratch/out" 2>"$scratch/err" || status=$?
  [ $status -eq 2 ] || fail "'$wrong' ended with $status, not 2"
  [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "'$wrong': not one line of error"
done
