#!/bin/sh
# Lua 5.1.5 with several string hashes, timed against each other in one run.
set -eu

usage() {
  cat <<END
usage: run.sh [--all | --quick | --demo | --size BYTES...] [OPTION...]

Builds Lua 5.1.5 with these string hashes, all with the same compiler and flags,
and prints what one operation of each workload costs, in microseconds:

  stock       Lua as it is: samples 32 bytes of a string
  every-byte  every byte, one at a time, as Redis does
  scalar      MurmurHash3 x86_32, seeded with the length, as Valkey 8.1 does
  xxh3        XXH3 for the best vectors of this processor; left out without
              xxhash.h (Debian: libxxhash-dev)
  no-hash     the first 64 bytes only: a string without the cost of its hash
  no-copy     wide32, the string copied afterwards (on the best kernel)
  ours:NAME   wide32 with the copy in one pass, on each kernel of this machine
  ours-again  the best of these, measured twice: what the rest can differ by
              without meaning anything

  --all           every workload (default)
  --quick         a few of them, and fewer rounds
  --demo          a short text on strings of 100 KB, as scripts/demo.sh prints it
  --size BYTES    only new and known strings of that size; may be repeated
  --rounds N      how often each is measured, interleaved (default 15, quick 7);
                  new strings three times as often
  --json FILE     write everything measured as JSON
  --csv FILE      one line for each workload and hash
  --build FOLDER  where to build; what is there is used again
                  (default build/bench-lua of the project)
  --help          show this text

Installs missing packages and fetches the source of Lua when it has to.
CC names the compiler of Lua (default cc).
END
}

fail() { printf 'run.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'run.sh: %s (see --help)\n' "$*" >&2; exit 2; }
progress() { printf 'run.sh: %s\n' "$*" >&2; }
is_number() { case $1 in '' | 0* | *[!0-9]*) return 1 ;; esac; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(dirname "$(dirname "$here")")
build=$project/build/bench-lua
choice=all sizes='' rounds='' json='' csv=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --all) choice=all ;;
    --quick) choice=quick ;;
    --demo) choice=demo ;;
    --size | --rounds | --json | --csv | --build)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in
        --size)
          is_number "$2" || wrong_usage "$2 is no size in bytes"
          choice=sizes sizes="$sizes $2" ;;
        --rounds) is_number "$2" || wrong_usage "$2 is no number of rounds"; rounds=$2 ;;
        --json) json=$(absolute "$2") ;;
        --csv) csv=$(absolute "$2") ;;
        --build) build=$(absolute "$2") ;;
      esac
      shift ;;
    *) wrong_usage "unknown argument $1" ;;
  esac
  shift
done

milliseconds=10
case $choice in
  all)
    workloads='fresh:32 fresh:100 fresh:127 fresh:128 fresh:300 fresh:1000 fresh:4096 fresh:16384
      fresh:102400 fresh:1048576
      fresh-big-heap:16384 fresh-big-heap:102400 value:16384 value:102400 hit:300 hit:16384 hit:102400 table-write:12 table-read:12
      table-write:300 table-read:300 concat:100 concat:1000 concat:16384 gsub:1000' ;;
  quick)
    workloads='fresh:32 fresh:128 fresh:1000 fresh:102400 fresh-big-heap:102400 hit:102400 table-write:12 table-read:12'
    [ -n "$rounds" ] || rounds=7 ;;
  demo)
    workloads='fresh:102400 value:102400 hit:102400' ;;
  sizes)
    workloads=''
    for size in $sizes; do workloads="$workloads fresh:$size fresh-big-heap:$size value:$size hit:$size"; done ;;
esac
[ -n "$rounds" ] || rounds=15

# ---------------------------------------------------------------- set-up

"$project/scripts/install-dependencies.sh"
mkdir -p "$build" || fail "cannot write in $build"
cc=${CC:-cc}
jobs=$(nproc 2>/dev/null || echo 2)

# quietly LOG COMMAND...: the log appears only if the command fails.
quietly() {
  log=$1
  shift
  "$@" >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    fail "failed: $* (all of its output: $log)"
  }
}

progress "building the library in $build/library"
quietly "$build/configure.log" cmake -S "$project" -B "$build/library" -DCMAKE_BUILD_TYPE=Release \
  -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_BENCHMARKS=OFF
quietly "$build/library.log" cmake --build "$build/library" --parallel "$jobs"
library=$(find "$build/library" -name libmurmuration.a | head -n 1)
[ -n "$library" ] || fail "the build left no libmurmuration.a in $build/library"

# Redis carries Lua 5.1.5 too, with additions of its own.
if ! lua=$("$project/scripts/fetch-source.sh" lua5.1 --for "$build"); then
  progress "trying the Lua 5.1.5 that the source of Redis carries"
  lua=$("$project/scripts/fetch-source.sh" redis --for "$build")/deps/lua ||
    fail "no source of Lua 5.1.5: unpack lua-5.1.5.tar.gz of lua.org as $project/build/sources/lua5.1"
  [ -f "$lua/src/lstring.c" ] || fail "the source of Redis has no Lua in ${lua%/deps/lua}"
  # One of its files includes a header of the server, three folders up.
  ln -sfn "${lua%/deps/lua}/src" "$build/src"
fi

# What a build is made of: it is built again only when this changes.
inputs=$(cat "$library" "$project"/integrations/lua51/murmuration* "$here/lua_bench.c" \
  "$project/bench/xxh3_hash.c" "$project/bench/with-xxh3.sh" \
  "$project/integrations/lua51/apply.sh" "$project/include/murmuration_x86_32.h" "$0" | cksum
  echo "$lua"
  "$cc" --version | head -n 1)

# build_lua NAME [HASH [LIBRARY]]: the tree's own make, with a hash or as it is.
build_lua() {
  tree=$build/lua/$1
  if [ -f "$tree/inputs" ] && [ "$(cat "$tree/inputs")" = "$inputs" ]; then return; fi
  progress "building Lua: $1"
  rm -rf "$tree"
  mkdir -p "$build/lua"
  cp -R "$lua" "$tree"
  define=''
  if [ $# -ge 2 ]; then
    quietly "$build/apply.log" "$project/integrations/lua51/apply.sh" --library "${3-$library}" \
      --hash "$2" "$tree/src"
    define=-DHAVE_MURMURATION
  fi
  quietly "$build/lua-$1.log" make -C "$tree/src" -j "$jobs" a CC="$cc"
  quietly "$build/lua-$1.log" "$cc" -O2 $define -I "$tree/src" -I "$project/include" \
    "$here/lua_bench.c" "$tree/src/liblua.a" -lm -o "$tree/lua_bench"
  echo "$inputs" >"$tree/inputs"
}
others='stock every-byte scalar no-hash'
build_lua stock
build_lua every-byte every-byte
build_lua scalar scalar
build_lua no-hash first-64
if [ $choice != demo ]; then
  build_lua no-copy wide32-no-copy
  others="$others no-copy"
  status=0
  CC=$cc "$project/bench/with-xxh3.sh" "$library" "$build/with-xxh3.o" || status=$?
  case $status in
    0) build_lua xxh3 xxh3 "$build/with-xxh3.o"; others="$others xxh3" ;;
    3) ;;
    *) fail "cannot build XXH3 to compare with" ;;
  esac
fi
build_lua ours wide32

# --------------------------------------------------------------- measure

set -- --workloads "$here/workloads.lua" --compiler "$("$cc" --version | head -n 1)" \
  --rounds "$rounds" --milliseconds "$milliseconds"
[ -z "$json" ] || set -- "$@" --json "$json"
[ -z "$csv" ] || set -- "$@" --csv "$csv"
[ $choice != demo ] || set -- "$@" --first-impression 102400
command=$build/library/murmuration
[ ! -x "$command" ] || set -- "$@" --command "$command"
for name in $others; do
  set -- "$@" --column "$name" "$build/lua/$name/lua_bench" ''
done
program=$build/lua/ours/lua_bench
kernels=$("$program" --kernels)
best=$(echo "$kernels" | head -n 1)
if [ $choice = demo ]; then kernels=$best; fi
for kernel in $kernels; do
  set -- "$@" --column "ours:$kernel" "$program" "$kernel"
done
[ $choice = demo ] || set -- "$@" --column ours-again "$program" "$best"
# shellcheck disable=SC2086 # one argument each
exec python3 -B "$here/measure.py" "$@" $workloads
