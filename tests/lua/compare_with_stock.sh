#!/bin/sh
# Runs one script of Lua's own test folder in stock Lua and in ours, with the
# arguments and the input that it wants, and compares output and exit status.
#
#   compare_with_stock.sh SCRIPT STOCK_SRC OUR_SRC TEST_FOLDER [EMULATOR...]
set -u

script=$1 stock=$2 ours=$3 tests=$4
shift 4 # what is left runs a program of another architecture

fail() { printf 'compare_with_stock.sh: %s\n' "$*" >&2; exit 1; }

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# run SRC EMULATOR...: the script's way to be run, in the current folder
run() {
  src=$1
  shift
  case $script in
    echo) "$@" "$src/lua" echo.lua one 'two three' '' ;;
    env) env -i USER=tester HOME=/nowhere "$@" "$src/lua" env.lua ;;
    globals | table)
      "$@" "$src/luac" -p -l life.lua >listing || return
      "$@" "$src/lua" globals.lua <listing >globals || return
      LC_ALL=C sort globals | "$@" "$src/lua" table.lua ;;
    luac)
      "$@" "$src/lua" luac.lua sieve.lua && cksum <luac.out && "$@" "$src/lua" luac.out ;;
    trace-calls | trace-globals)
      LUA_PATH='./?.lua' "$@" "$src/lua" "-l$script" bisect.lua ;;
    xd) "$@" "$src/lua" xd.lua <life.lua ;;
    *) "$@" "$src/lua" "$script.lua" </dev/null ;;
  esac
}

# Addresses, and what depends on the clock, differ between any two runs.
comparable() {
  case $script in
    fib) cut -f 1-3,5 ;;
    printf) sed 's/ on .*/ on DATE/' ;;
    *) sed 's/0x[0-9a-f]*/ADDRESS/g' ;;
  esac
}

# readonly.lua ends with an error that it is about
wanted=0
[ "$script" != readonly ] || wanted=1

for which in stock ours; do
  mkdir "$scratch/$which"
  cp "$tests"/*.lua "$scratch/$which/"
  case $which in stock) src=$stock ;; ours) src=$ours ;; esac
  [ -x "$src/lua" ] || fail "there is no $src/lua"
  (cd "$scratch/$which" && run "$src" "$@" >out 2>err)
  status=$?
  [ "$status" -eq "$wanted" ] || fail "$script.lua ended with status $status in $which Lua"
  : >"$scratch/$which.result"
  sed "s#$src#SRC#g" "$scratch/$which/err" "$scratch/$which/out" | comparable >>"$scratch/$which.result"
done

[ -s "$scratch/stock.result" ] || fail "$script.lua printed nothing in stock Lua"
diff "$scratch/stock.result" "$scratch/ours.result" || fail "$script.lua differs from stock Lua"
echo "$script.lua: $(wc -l <"$scratch/ours.result") lines, the same as in stock Lua"
