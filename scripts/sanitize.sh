#!/bin/bash
# Runs the tests under sanitizers and valgrind.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/sanitize.sh [NAME...]

Builds and tests under each named checker, by default all of them:

  address    AddressSanitizer and its search for leaks
  undefined  UndefinedBehaviorSanitizer, no recovery
  thread     ThreadSanitizer
  memory     MemorySanitizer: the corpora of the fuzz targets and the tests that
             are plain programs (GoogleTest's library is not instrumented)
  fortify    _FORTIFY_SOURCE=3 and the assertions of libstdc++
  valgrind   memcheck on the kernels that it can run (not avx512)

Exit status: 0 no finding, 1 a finding or an error, 2 wrong usage.
END
}
fail() { printf 'sanitize.sh: %s\n' "$*" >&2; exit 1; }

all='address undefined thread memory fortify valgrind'
for argument; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    *)
      [[ " $all " == *" $argument "* ]] ||
        { echo "sanitize.sh: unknown checker $argument (see --help)" >&2; exit 2; } ;;
  esac
done
# shellcheck disable=SC2086 # one argument each
[ $# -gt 0 ] || set -- $all

project=$(cd "$(dirname "$0")/.." && pwd)
cd "$project"
scripts/install-dependencies.sh
scripts/install-dependencies.sh clang libclang-rt-14-dev llvm valgrind
lua=$(scripts/fetch-source.sh lua5.1 build/sources)

build() {
  cmake "$@" >"$project/build/sanitize.log" 2>&1 || { tail -n 30 build/sanitize.log >&2; fail "cmake $* failed"; }
}
# Left out: tests that build other programs with the archive, with flags of their
# own and so without the sanitizer that it needs; those of the archive's form; that
# of two copies in one process, which AddressSanitizer forbids; what a compiler
# refuses; the documents'.
test_in() {
  ctest --test-dir "$1" --output-on-failure --parallel "$(nproc)" \
    -E '^(install_test|installed_|lua_apply|examples_test|archive_|two_copies|docs_|fresh|cpp_header_(prepare|refuses|warnings))' "${@:2}" |
    grep -vE '^ *(Start |[0-9]+/[0-9]+ Test .* Passed)' || fail "a test failed in $1"
}

for name; do
  echo "== $name"
  case $name in
    valgrind)
      build --preset fortify -DMURMURATION_LUA_SOURCE="$lua"
      build --build build/fortify
      # Valgrind 3.19 shows programs a processor without AVX-512, so the best
      # kernel there is avx2. Left out: tests that take it minutes.
      run=(valgrind --quiet --error-exitcode=9 --leak-check=full)
      for program in standard_variants_test wide32_test batch_test stream_test key_test \
        guard_pages_test; do
        "${run[@]}" build/fortify/tests/$program --gtest_brief=1 \
          --gtest_filter='-*avx512*:*EveryLengthAndOffset*:*LargerLengths*' ||
          fail "valgrind has a finding in $program"
      done
      for kernel in scalar sse4 avx2; do
        MURMURATION_KERNEL=$kernel "${run[@]}" \
          build/fortify/tests/lua_stress/lua_stress 20000 || fail "valgrind has a finding in lua_stress"
      done ;;
    memory)
      build --preset memory -DMURMURATION_LUA_SOURCE="$lua"
      build --build build/memory --target fuzz_one_string fuzz_stream fuzz_batch fuzz_lua lua_stress \
        c_link_test before_main_test
      test_in build/memory -R '_corpus$|^lua_stress$|^c_link_test$|^before_main_test$' ;;
    *)
      build --preset "$name" -DMURMURATION_LUA_SOURCE="$lua"
      build --build "build/$name"
      test_in "build/$name" ;;
  esac
done
