#!/bin/bash
# Line and branch coverage of lib/ and integrations/, over native and emulated
# runs together.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/coverage.sh [--native] [--build DIR]

Builds with gcc --coverage for this machine, for 64-bit and 32-bit ARM, 32-bit
x86 and s390x (big-endian), runs the tests, of the foreign ones in qemu-user those
that reach code of their own, and prints gcovr's summary of all together. A page
for each file is DIR/index.html.

  --native     this machine only
  --build DIR  where to build (default: build/coverage)
  --help       show this text

Lines that no run can reach are named in the sources, with the reason
(GCOVR_EXCL). Exit status: 0 every other line was run and at least 95 % of the
branches, 1 not, or an error, 2 wrong usage.
END
}
fail() { printf 'coverage.sh: %s\n' "$*" >&2; exit 1; }

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/coverage
# Tests that build other programs with the archive, without what it needs here.
left_out='^(install_test|lua_apply|examples_test)'
# Each kernel's every length, big-endian loads, detection and choice.
foreign_tests='Vectors|GuardPages|Selection|Translation|Override'
foreign='aarch64-linux-gnu arm-linux-gnueabihf i686-linux-gnu s390x-linux-gnu'
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --native) foreign='' ;;
    --build)
      [ $# -ge 2 ] || { echo "coverage.sh: --build needs a folder" >&2; exit 2; }
      build=$2; shift ;;
    *) echo "coverage.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done
mkdir -p "$build"
build=$(cd "$build" && pwd)
cd "$project"
scripts/install-dependencies.sh
scripts/install-dependencies.sh gcovr
lua=$(scripts/fetch-source.sh lua5.1 build/sources)

quietly() {
  "$@" >"$build/log" 2>&1 || { tail -n 30 "$build/log" >&2; fail "failed: $* (all of its output: $build/log)"; }
}
# measure NAME GCOV TESTS CMAKE_ARGUMENT...: builds, runs the tests that match
# TESTS, writes $build/NAME.json. Of the compiler's branches those for exceptions
# are left out: there are none.
measure() {
  local name=$1 gcov=$2 tests=$3
  shift 3
  echo "coverage.sh: $name" >&2
  quietly cmake "$@" -B "$build/$name" -DMURMURATION_BUILD_BENCHMARKS=OFF
  quietly cmake --build "$build/$name"
  find "$build/$name" -name '*.gcda' -delete
  quietly ctest --test-dir "$build/$name" --parallel "$(nproc)" --output-on-failure \
    --no-tests=error -R "$tests" -E "$left_out"
  gcovr --root "$project" --gcov-executable "$gcov" --filter lib/ --filter integrations/ \
    --exclude-throw-branches --exclude-unreachable-branches --json "$build/$name.json" "$build/$name"
}
measure native gcov . --preset coverage -DMURMURATION_LUA_SOURCE="$lua"
for target in $foreign; do
  # The comment of the toolchain file names its packages.
  # shellcheck disable=SC2046 # words, split on purpose
  scripts/install-dependencies.sh $(sed -n '/^# Packages: / { s///; s/,/ /g; s/\.$//; p }' \
    "toolchains/$target.cmake")
  scripts/cross-dependencies.sh "$target" "build/dependencies/$target"
  measure "$target" "$target-gcov" "$foreign_tests" --preset "$target" -DCMAKE_BUILD_TYPE= \
    '-DCMAKE_C_FLAGS=-O0 --coverage' '-DCMAKE_CXX_FLAGS=-O0 --coverage'
done

traces=()
for name in native $foreign; do traces+=(--add-tracefile "$build/$name.json"); done
gcovr --root "$project" "${traces[@]}" --html-details "$build/index.html" --txt - \
  --fail-under-line 100 --fail-under-branch 95 --print-summary
