#!/bin/bash
# clang-tidy and cppcheck over the library, the integrations, the command, tests and
# fuzzing.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/analyze.sh [--build DIR]

Configures into DIR (default: build/analyze) and runs clang-tidy with the checks
of .clang-tidy and cppcheck. Exit status: 0 no finding, 1 a finding or an error,
2 wrong usage.
END
}
fail() { printf 'analyze.sh: %s\n' "$*" >&2; exit 1; }

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/analyze
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --build)
      [ $# -ge 2 ] || { echo "analyze.sh: --build needs a folder" >&2; exit 2; }
      build=$2; shift ;;
    *) echo "analyze.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done

cd "$project"
scripts/install-dependencies.sh
scripts/install-dependencies.sh clang clang-tidy cppcheck
lua=$(scripts/fetch-source.sh lua5.1 build/sources)
mkdir -p "$build"
# Compiled by nobody: only the commands are wanted, and they have to be clang's.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DMURMURATION_BUILD_BENCHMARKS=OFF \
  -DMURMURATION_LUA_SOURCE="$lua" >"$build/configure.log" 2>&1 ||
  fail "cmake failed (all of its output: $build/configure.log)"

echo "== clang-tidy"
# Some find Lua's headers in a tree that the build makes: here in the sources.
find lib tests fuzz integrations tools -name '*.cc' -o -name '*.c' |
  while read -r file; do
    ! grep -qF "$project/$file" "$build/compile_commands.json" || printf '%s\0' "$file"
  done |
  xargs -0 -P "$(nproc)" -n 1 clang-tidy -p "$build" --quiet --extra-arg="-isystem$lua/src" 2>"$build/clang-tidy.log" ||
  fail "clang-tidy has findings"

echo "== cppcheck"
cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c++17 --std=c99 \
  --enable=warning,performance,portability --suppressions-list=cmake/cppcheck-suppressions.txt \
  -I . -I include -I lib lib integrations/lua51/murmuration_newlstr.c tests/collisions.h \
  tests/lua_stress fuzz || fail "cppcheck has findings"
