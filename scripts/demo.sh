#!/bin/sh
# Shows what Murmuration does for Lua: builds everything and prints one table.
set -eu

if [ "${1-}" = --help ] || [ "${1-}" = -h ]; then
  cat <<END
usage: demo.sh [--build DIR]

On Debian 12, as root or with sudo: installs what is missing, builds the library
and five Luas that hash their strings differently, and prints how long each takes
to make strings of 100 KB. Takes a few minutes; everything it builds is in
DIR (default: build/demo). bench/lua/run.sh measures more.
END
  exit 0
fi
project=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
build=$project/build/demo
if [ "${1-}" = --build ]; then
  [ $# -ge 2 ] || { echo "demo.sh: --build needs a folder" >&2; exit 2; }
  build=$2
  shift 2
fi
if [ $# -gt 0 ]; then
  echo "demo.sh: unknown argument $1 (see --help)" >&2
  exit 2
fi

exec "$project/bench/lua/run.sh" --demo --build "$build"
