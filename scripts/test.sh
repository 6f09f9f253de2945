#!/bin/bash
# Builds everything and runs all quick tests.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/test.sh [--build DIR] [CMAKE_OPTION...]

Installs what is missing (Debian, as root or through sudo), fetches the sources
of Lua 5.1, configures, builds and runs every test through ctest.

  --build DIR     the build folder (default: build/test)
  CMAKE_OPTION    passed on, such as -DCMAKE_CXX_COMPILER=clang++
END
}

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/test
options=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --build)
      [ $# -ge 2 ] || { echo "test.sh: --build needs a folder" >&2; exit 2; }
      build=$2; shift ;;
    -?*) options+=("$1") ;;
    *) echo "test.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done

"$project/scripts/install-dependencies.sh"
lua=$("$project/scripts/fetch-source.sh" lua5.1 "$project/build/sources")
# Warnings are errors where the compilers are known, and nowhere else.
[ "${CI:-}" != true ] || options+=(-DMURMURATION_WARNINGS_AS_ERRORS=ON)
cmake -S "$project" -B "$build" -G Ninja -DMURMURATION_LUA_SOURCE="$lua" \
  "${options[@]}"
cmake --build "$build"
ctest --test-dir "$build" --output-on-failure --parallel "$(nproc)"
