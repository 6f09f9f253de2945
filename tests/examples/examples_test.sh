#!/bin/bash
# Installs the library, builds the examples against it and looks at what they do.
#
#   examples_test.sh SOURCE BUILD CC CXX [TOOLCHAIN EMULATOR...]
set -euo pipefail

source=$1 build=$2 toolchain=${5-}
if [ -n "$toolchain" ]; then
  compilers=(-DCMAKE_TOOLCHAIN_FILE="$toolchain")
else
  compilers=(-DCMAKE_C_COMPILER="$3" -DCMAKE_CXX_COMPILER="$4")
fi
emulator=("${@:6}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "examples_test.sh: $*" >&2; exit 1; }
quietly() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "failed: $*"; }; }

work="$scratch/a folder"
quietly cmake --install "$build" --prefix "$work/prefix"
quietly cmake -S "$source/examples" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
  "${compilers[@]}" -DCMAKE_C_FLAGS='-Wall -Wextra -Werror' \
  -DCMAKE_CXX_FLAGS='-Wall -Wextra -Werror'
quietly cmake --build "$work/build"
example() { ${emulator[@]+"${emulator[@]}"} "$work/build/$1" "${@:2}"; }

expected=$(python3 "$source/tests/oracle/murmur3_oracle.py" x64_128 68656c6c6f | tr -d ' ')
[ "$(example hello)" = "$expected" ] || fail "hello does not print $expected"

counts=$(echo 'to be or not to be' | example word_count | sort)
[ "$counts" = "$(printf '1 not\n1 or\n2 be\n2 to')" ] || fail "word_count prints $counts"

# 20,000 keys on 9 shards, and on 10: only the keys of the new one move, and
# every shard has its share to a tenth (7 standard deviations).
keys() { seq -f 'user:%.0f' 20000; }
route() { keys | example partitioner "$1"; }
[ "$(route 9 | cut -d ' ' -f 2-)" = "$(keys)" ] || fail 'partitioner changes the keys'
moved=$(paste -d ' ' <(route 9) <(route 10) | awk '$1 != $3 { print $3 }' | sort -u)
[ "$moved" = 9 ] || fail "keys moved to the shards $moved"
route 10 | awk '{ ++keys[$1] }
  END { for (i = 0; i < 10; ++i) if (keys[i] < 1700 || keys[i] > 2300) exit 1 }' ||
  fail 'a shard has more or less than its share'
[ "$(printf '' | example partitioner 3)" = '' ] || fail 'partitioner makes keys up'
status=0
example partitioner none 2>/dev/null </dev/null || status=$?
[ $status -eq 2 ] || fail "wrong usage of partitioner gives $status"
