#!/bin/sh
# Makes an object of the library and of XXH3, for apply.sh --hash xxh3.
set -eu

usage() {
  cat <<END
usage: with-xxh3.sh LIBRARY OUTPUT

Writes OUTPUT, one object with the code of LIBRARY (libmurmuration.a) and XXH3 from
libxxhash's header, compiled for the best vectors of this processor:

  apply.sh --library OUTPUT --hash xxh3 LUA_SRC_DIR

CC names the compiler (default cc). Exit status: 0, 1 for an error, 2 for wrong
usage, 3 where there is no xxhash.h (Debian: libxxhash-dev).
END
}

case ${1-} in -h | --help) usage; exit 0 ;; esac
if [ $# -ne 2 ]; then
  echo 'with-xxh3.sh: LIBRARY and OUTPUT are wanted (see --help)' >&2
  exit 2
fi
fail() { printf 'with-xxh3.sh: %s\n' "$*" >&2; exit 1; }

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cc=${CC:-cc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if ! echo '#include <xxhash.h>' | $cc -E -x c - >/dev/null 2>&1; then
  echo 'with-xxh3.sh: no xxhash.h (Debian: libxxhash-dev), so no XXH3 to compare with' >&2
  exit 3
fi
# ar also succeeds where it finds no such member.
ar p "$1" murmuration.o >"$scratch/murmuration.o" 2>/dev/null || true
[ -s "$scratch/murmuration.o" ] || fail "$1 has no murmuration.o: it is not libmurmuration.a"
# shellcheck disable=SC2046 # no flag at all where the default is the best
$cc -O3 $(python3 -B "$here/processor.py" march) -c "$here/xxh3_hash.c" -o "$scratch/xxh3.o" ||
  fail "$cc does not compile xxh3_hash.c"
$cc -r -nostdlib "$scratch/murmuration.o" "$scratch/xxh3.o" -o "$2" ||
  fail "cannot make $2"
