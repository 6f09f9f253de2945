#!/bin/bash
# Builds everything and runs all quick tests.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/test.sh [--build DIR] [CMAKE_OPTION...]

Installs what is missing (Debian, as root or through sudo), fetches the sources
of Lua 5.1, configures, builds and runs every test through ctest. Where those
sources are not to be had, the tests that need them are skipped, and the last
line says so.

  --build DIR     the build folder (default: build/test); nothing is written
                  outside of it, or of build/
  CMAKE_OPTION    passed on, such as -DCMAKE_CXX_COMPILER=clang++, or
                  -DMURMURATION_LUA_SOURCE=DIR: sources of Lua 5.1 that you have

Exit status: 0 no test failed, 2 wrong usage, else what failed.
END
}

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/test
options=()
lua_given=no
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --build)
      [ $# -ge 2 ] || { echo "test.sh: --build needs a folder" >&2; exit 2; }
      build=$2; shift ;;
    -?*)
      case $1 in -DMURMURATION_LUA_SOURCE[=:]*) lua_given=yes ;; esac
      options+=("$1") ;;
    *) echo "test.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done

"$project/scripts/install-dependencies.sh"
mkdir -p "$build"
build=$(cd "$build" && pwd)
left_out=''
if [ $lua_given = no ]; then
  lua=$("$project/scripts/fetch-source.sh" lua5.1 --for "$build" 2>"$build/lua-source.log") ||
    left_out=$(sed -n 's/^fetch-source.sh: //p' "$build/lua-source.log")
  cat "$build/lua-source.log" >&2
  options=(-DMURMURATION_LUA_SOURCE="$lua" ${options[@]+"${options[@]}"})
fi
# Warnings are errors where the compilers are known, and nowhere else.
[ "${CI:-}" != true ] || options+=(-DMURMURATION_WARNINGS_AS_ERRORS=ON)
cmake -S "$project" -B "$build" -G Ninja "${options[@]}"
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)"
if [ -n "$left_out" ]; then
  echo "test.sh: all tests passed but those of Lua, which were left out: $left_out"
else
  echo 'test.sh: all tests passed'
fi
