#!/bin/bash
# Tests of integrations/lua51/apply.sh, each a function below.
#
#   apply_test.sh TEST PROJECT LIBRARY LUA_SOURCE CC AR [EMULATOR...]
#
# CC may have options, separated by semicolons. The emulator runs what is built.
set -euo pipefail

test_name=$1 project=$2 library=$3 lua_source=$4 ar=$6
IFS=';' read -ra cc <<<"$5"
emulator=("${@:7}")
export CC="${cc[*]}"
apply_script=$project/integrations/lua51/apply.sh
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT

fail() { echo "apply_test.sh: $test_name: $*" >&2; exit 1; }

# The tree that the tests change, in a path with a space, and how it was.
tree="$scratch/a tree" before=$scratch/before
fresh_tree() {
  cp -R "$lua_source" "$tree"
  keep_state
}
keep_state() {
  rm -rf "$before"
  cp -pR "$tree" "$before"
}
modes() { (cd "$1" && find . -print0 | sort -z | xargs -0 stat -c '%n %a %F'); }
expect_unchanged() {
  diff -r "$before" "$tree" >&2 || fail "the tree changed"
  diff <(modes "$before") <(modes "$tree") >&2 || fail "file modes changed"
}
apply() { "$apply_script" --library "$library" "$@" "$tree/src" >/dev/null; }
revert() { "$apply_script" --revert "$tree/src" >/dev/null; }
# For this machine as anyone calls make.
tools=()
[ ${#emulator[@]} -eq 0 ] || tools=(CC="$CC" AR="$ar rc" RANLIB="$ar s")
make_all=(all MYCFLAGS=-O0 ${tools[@]+"${tools[@]}"})
build() { make -C "$tree/src" "${make_all[@]}" >"$scratch/make.log" 2>&1 || { tail -n 20 "$scratch/make.log" >&2; fail "make failed"; }; }

# Whose luaS_newlstr is in: apply.sh renames that of lstring.c.
has_symbol() { nm "$tree/src/$1" 2>/dev/null | grep -Ec " $2\$" >/dev/null; }
expect_ours() {
  has_symbol lua '[Tt] luaS_newlstr_original' || fail "lua does not have our luaS_newlstr"
  has_symbol liblua.a '[A-TV-Z] mmr3_lua_hash' || fail "liblua.a lacks the library"
  expect_works
}
expect_stock() {
  for file in lua liblua.a; do
    ! has_symbol "$file" '. (luaS_newlstr_original|mmr3_.*)' || fail "$file still has Murmuration"
  done
  expect_works
}
expect_works() {
  local out
  out=$(${emulator[@]+"${emulator[@]}"} "${1-$tree/src/lua}" -e 'local s = ("x"):rep(100000) print(#s, s == ("xx"):rep(50000))')
  [ "$out" = "100000	true" ] || fail "lua printed $out"
}

# expect_refusal PATTERN [ARGUMENT...]: one line on stderr that matches, a
# non-zero status, nothing changed.
expect_refusal() {
  local pattern=$1 status=0
  shift
  "$apply_script" --library "$library" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
  [ "$status" -ne 0 ] || fail "accepted: $*"
  [ "$(wc -l <"$scratch/err")" -eq 1 ] || { cat "$scratch/err" >&2; fail "not one line of error"; }
  [ ! -s "$scratch/out" ] || fail "printed on stdout: $(cat "$scratch/out")"
  grep -Eq -- "$pattern" "$scratch/err" || { cat "$scratch/err" >&2; fail "error does not say $pattern"; }
  expect_unchanged
}
edit() { sed -i "$1" "$tree/src/$2"; keep_state; }

# A CMakeLists.txt of the kind that servers have: a library of Lua's sources, and
# around it a program and a module of that library.
write_cmake_lists() {
  cat >"$tree/CMakeLists.txt" <<'END'
set(sources lapi lauxlib lbaselib lcode ldblib ldebug ldo ldump lfunc lgc linit liolib
  llex lmathlib lmem loadlib lobject lopcodes loslib lparser lstate lstrlib ltable
  ltablib ltm lua lundump lvm lzio)
list(TRANSFORM sources REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/src/\\1.c")
add_library(lua_of_server STATIC ${sources} "${CMAKE_CURRENT_LIST_DIR}/src/lstring.c")
target_compile_options(lua_of_server PRIVATE -fPIC)
END
  mkdir -p "$scratch/server"
  cat >"$scratch/server/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(server C)
add_subdirectory("$tree" lua)
file(WRITE \${CMAKE_BINARY_DIR}/empty.c "int server_of_tests;")
add_executable(server \${CMAKE_BINARY_DIR}/empty.c)
target_link_libraries(server PRIVATE lua_of_server m)
set_property(TARGET server PROPERTY ENABLE_EXPORTS ON)
add_library(module SHARED \${CMAKE_BINARY_DIR}/empty.c)
target_link_libraries(module PRIVATE -Wl,--whole-archive lua_of_server -Wl,--no-whole-archive m)
END
  keep_state
}
cmake_build() {
  { cmake -S "$scratch/server" -B "$scratch/cmake" -DCMAKE_C_COMPILER="${cc[0]}" \
      -DCMAKE_C_FLAGS="${cc[*]:1}" -DCMAKE_BUILD_TYPE=Debug &&
    cmake --build "$scratch/cmake"; } >"$scratch/cmake.log" 2>&1 ||
    { tail -n 20 "$scratch/cmake.log" >&2; fail "cmake failed"; }
}
# expect_cmake_built ours|stock
expect_cmake_built() {
  local file
  for file in server libmodule.so; do
    file=$scratch/cmake/$file
    if nm "$file" | grep -Ec ' [Tt] luaS_newlstr_original$' >/dev/null; then
      [ "$1" = ours ] || fail "$file still has Murmuration"
      nm "$file" | grep -Ec ' [a-zA-Z] mmr3_lua_hash$' >/dev/null || fail "$file lacks the library"
    else
      [ "$1" = stock ] || fail "$file keeps the hash of lstring.c"
    fi
    ! nm -D "$file" | grep ' mmr3_' || fail "$file exports symbols of the library"
  done
  expect_works "$scratch/cmake/server"
}

# ------------------------------------------------------------------- tests

test_apply_and_build() {
  fresh_tree
  apply
  build
  expect_ours
  make -C "$tree/src" clean >/dev/null
  build
  expect_ours
  make -C "$tree/src" -q "${make_all[@]}" || fail "make has work to do after make"
}

test_default_target_stays() {
  fresh_tree
  apply
  make -C "$tree/src" >"$scratch/out"
  grep -q 'choose a platform' "$scratch/out" || fail "make without a target no longer asks for a platform"
}

test_command_line_flags() {
  # what Redis does: variables on the command line of make win over a Makefile
  fresh_tree
  apply
  make -C "$tree/src" all CFLAGS='-O1 -Wall -Werror=implicit-function-declaration' MYLDFLAGS=-rdynamic \
    AR='ar rc' ${tools[@]+"${tools[@]}"} >"$scratch/make.log" 2>&1 || { tail -n 20 "$scratch/make.log" >&2; fail "make failed"; }
  expect_ours
}

test_apply_to_built_tree() {
  fresh_tree
  build
  expect_stock
  apply
  build
  expect_ours
}

test_twice_is_once() {
  fresh_tree
  apply
  keep_state
  apply
  expect_unchanged
  build
  apply
  make -C "$tree/src" -q "${make_all[@]}" || fail "the second apply made work for make"
}

test_second_apply_takes_new_library() {
  fresh_tree
  apply
  build
  printf 'int mmr3_newer;' >"$scratch/newer.c"
  "${cc[@]}" -c "$scratch/newer.c" -o "$scratch/newer.o"
  (cd "$scratch" && ar p "$library" murmuration.o >old.o &&
    "${cc[@]}" -nostdlib -r -o murmuration.o old.o newer.o && "$ar" rc libnewer.a murmuration.o)
  library=$scratch/libnewer.a apply
  build
  expect_ours
  has_symbol lua '. mmr3_newer' || fail "lua has the old library"
}

test_object_instead_of_archive() {
  fresh_tree
  ar p "$library" murmuration.o >"$scratch/some name.o"
  library="$scratch/some name.o" apply
  build
  expect_ours
}

test_symbols_are_hidden() {
  fresh_tree
  apply
  make -C "$tree/src" "${make_all[@]}" MYLDFLAGS=-rdynamic >"$scratch/make.log" 2>&1 ||
    { tail -n 20 "$scratch/make.log" >&2; fail "make failed"; }
  expect_ours
  nm -D "$tree/src/lua" | grep ' lua_pcall' >/dev/null || fail "lua exports nothing: nothing is tested"
  ! nm -D "$tree/src/lua" | grep ' mmr3_' || fail "lua exports symbols of the library"
}

test_cmake() {
  fresh_tree
  write_cmake_lists
  cmake_build
  expect_cmake_built stock
  apply
  cmake_build
  expect_cmake_built ours
  apply --hash every-byte
  grep -q 'COMPARISON_HASH=hash_every_byte' "$tree/CMakeLists.txt" || fail "CMake got another hash"
  apply
  build # both at once
  expect_ours
  revert
  cmake_build
  expect_cmake_built stock
  make -C "$tree/src" clean >/dev/null
  expect_unchanged
}

test_cmake_lines_of_others() {
  local status=0
  fresh_tree
  write_cmake_lists
  apply
  # lines that came after ours stay, and ours go
  echo '# a line of the user' >>"$tree/CMakeLists.txt"
  revert
  echo '# a line of the user' >>"$before/CMakeLists.txt"
  expect_unchanged
  # lines that do what ours do
  echo 'target_sources(lua_of_server PRIVATE "lua/src/murmuration_newlstr.c")' >>"$tree/CMakeLists.txt"
  keep_state
  expect_refusal 'CMakeLists.txt has lines .* remove line [0-9]+, it adds its own' "$tree/src"
  "$apply_script" --revert "$tree/src" >/dev/null 2>"$scratch/err" || status=$?
  [ $status -eq 3 ] || fail "--revert ended with $status, not 3"
  grep -Eq "remove line $(wc -l <"$tree/CMakeLists.txt")\$" "$scratch/err" || fail "--revert names no line"
  expect_unchanged
  # the same, beside lines of ours
  sed -i '$ d' "$tree/CMakeLists.txt"
  keep_state
  apply
  for file in "$tree" "$before"; do echo '# murmuration, by hand' >>"$file/CMakeLists.txt"; done
  status=0
  "$apply_script" --revert "$tree/src" >/dev/null 2>"$scratch/err" || status=$?
  [ $status -eq 3 ] || fail "--revert ended with $status, not 3"
  expect_unchanged
}

test_cmake_odd_lists() {
  fresh_tree
  # two libraries: no telling which one is Lua
  printf 'add_library(a src/lstring.c)\nadd_library(b src/lapi.c)\n' >"$tree/CMakeLists.txt"
  keep_state
  "$apply_script" --library "$library" "$tree/src" >/dev/null 2>"$scratch/err"
  grep -q 'what CMake builds keeps its own hash' "$scratch/err" || fail "nothing says that CMake keeps its hash"
  cmp "$before/CMakeLists.txt" "$tree/CMakeLists.txt" || fail "CMakeLists.txt changed"
  revert
  expect_unchanged
  # another project's file, which is about something else
  echo 'add_library(a other.c)' >"$tree/CMakeLists.txt"
  keep_state
  "$apply_script" --library "$library" "$tree/src" >/dev/null 2>"$scratch/err"
  [ ! -s "$scratch/err" ] || fail "warned of a CMakeLists.txt that is not about Lua"
  revert
  expect_unchanged
  printf 'add_library(a src/lstring.c)' >"$tree/CMakeLists.txt"
  keep_state
  expect_refusal 'does not end with a newline' "$tree/src"
  printf '\n# begin murmuration (apply.sh --revert removes this block)\n' >>"$tree/CMakeLists.txt"
  keep_state
  expect_refusal 'CMakeLists.txt has only part of the murmuration block' "$tree/src"
  expect_refusal 'CMakeLists.txt has only part of the murmuration block' --revert "$tree/src"
}

test_revert_untouched() {
  fresh_tree
  apply
  revert
  expect_unchanged
  revert
  expect_unchanged
}

test_revert_odd_makefiles() {
  local change
  for change in 's/$/\r/' '$ { N; s/\n$// }' '1i # first' 's/lzio\.o$/lzio.o # a comment/'; do
    rm -rf "$tree"
    cp -R "$lua_source" "$tree"
    sed -i "$change" "$tree/src/Makefile"
    printf '# no newline at the end' >>"$tree/src/Makefile"
    chmod 555 "$tree/src/Makefile"
    keep_state
    apply
    build
    expect_ours
    make -C "$tree/src" clean >/dev/null
    revert
    expect_unchanged
  done
}

test_revert_keeps_older_objects() {
  fresh_tree
  build
  keep_state
  apply
  revert
  expect_unchanged
}

test_revert_after_build() {
  fresh_tree
  apply
  build
  revert
  for file in murmuration.o murmuration_newlstr.o lstring.o liblua.a lua luac; do
    [ ! -e "$tree/src/$file" ] || fail "revert left $file"
  done
  [ -e "$tree/src/lvm.o" ] || fail "revert removed lvm.o, which was right"
  build
  expect_stock
  make -C "$tree/src" clean >/dev/null
  expect_unchanged
}

test_hash_variants() {
  local name
  fresh_tree
  for name in every-byte scalar first-64 wide32-no-copy wide32; do
    apply --hash "$name"
    build
    expect_ours
  done
}

test_refusals() {
  fresh_tree
  expect_refusal 'LUA_SRC_DIR is missing'
  expect_refusal 'unknown option --frobnicate' --frobnicate "$tree/src"
  expect_refusal 'unknown hash md5' --hash md5 "$tree/src"
  expect_refusal 'more than one LUA_SRC_DIR' "$tree/src" "$tree/src"
  expect_refusal 'is not a folder' "$tree/nothing"
  expect_refusal 'has no lstring.c' "$tree/test"
  expect_refusal 'cannot read the library' --library "$scratch/nothing.a" "$tree/src"
  echo 'no library' >"$scratch/text.a"
  expect_refusal 'does not define mmr3_lua_hash' --library "$scratch/text.a" "$tree/src"
  expect_refusal 'does not define murmuration_xxh3' --hash xxh3 "$tree/src"
  ar rc "$scratch/empty.a"
  expect_refusal 'has no murmuration.o' --library "$scratch/empty.a" "$tree/src"
}

test_names_the_folder() {
  local above
  fresh_tree
  expect_refusal 'give .*/a tree/src$' "$tree"
  mkdir -p "$scratch/server/deps"
  cp -R "$lua_source" "$scratch/server/deps/lua"
  for above in server server/deps server/deps/lua; do
    expect_refusal "give .*/$above.*/src\$" "$scratch/$above"
  done
}

test_other_architectures() {
  fresh_tree
  ar p "$library" murmuration.o >"$scratch/other.o"
  local machine=18
  [ "$(od -An -t u1 -j 5 -N 1 "$scratch/other.o" | tr -d ' ')" -eq 1 ] || machine=19
  overwrite() { printf '%b' "$2" | dd of="$scratch/other.o" bs=1 seek="$1" conv=notrunc 2>/dev/null; }
  overwrite "$machine" '\0052' # SuperH
  expect_refusal 'is for processor 42 .* compiles for .*endian' --library "$scratch/other.o" "$tree/src"
  (cd "$scratch" && mkdir archive && cp other.o archive/murmuration.o && cd archive && ar rc ../other.a murmuration.o)
  expect_refusal 'is for processor 42 ' --library "$scratch/other.a" "$tree/src"
  ar p "$library" murmuration.o >"$scratch/other.o"
  overwrite 4 '\0003' # neither 32 nor 64 bits
  overwrite 5 '\0002'
  overwrite 18 '\0000\0024'
  expect_refusal 'is for PowerPC \(32 bits, big endian\), and ' --library "$scratch/other.o" "$tree/src"
  CC="$scratch/no-compiler" expect_refusal 'no-compiler does not work: set CC' "$tree/src"
}

test_unknown_trees() {
  fresh_tree
  edit 's/LUA_VERSION_NUM\t501/LUA_VERSION_NUM\t502/' lua.h
  expect_refusal 'LUA_VERSION_NUM as 501' "$tree/src"
  edit 's/LUA_VERSION_NUM\t502/LUA_VERSION_NUM\t501/' lua.h
  edit 's/lstring\.o ltable/ltable/' Makefile
  expect_refusal 'no CORE_O with lstring.o' "$tree/src"
  edit 's/ltable\.o ltm/lstring.o ltable.o ltm/' Makefile
  edit 's/^default:/standard:/' Makefile
  expect_refusal 'no default target' "$tree/src"
  edit 's/^standard:/default:/' Makefile
  edit 's/^TString \*luaS_newlstr (lua_State \*L/& , int extra/' lstring.c
  expect_refusal 'does not define TString \*luaS_newlstr' "$tree/src"
  edit 's/ , int extra//' lstring.c
  edit '$ a LIB = LIBTOOL' Makefile
  expect_refusal 'libtool' "$tree/src"
  edit '$ d' Makefile
  edit '$ a # begin murmuration (apply.sh --revert removes this block)' Makefile
  expect_refusal 'only part of the murmuration block' "$tree/src"
  edit '$ d' Makefile
  echo 'something else' >"$tree/src/murmuration.h"
  keep_state
  expect_refusal 'another murmuration.h' "$tree/src"
  rm "$tree/src/murmuration.h" "$tree/src/Makefile"
  keep_state
  expect_refusal 'has no Makefile' "$tree/src"
  cp "$lua_source/src/Makefile" "$tree/src/"
  apply # the tree is right again, so the refusals were about what was changed
}

test_failure_in_the_middle() {
  # the last file that apply.sh renames cannot be
  fresh_tree
  mkdir "$scratch/bin"
  printf '#!/bin/sh\ncase "$*" in *new/Makefile*) exit 1 ;; esac\nexec /bin/mv "$@"\n' >"$scratch/bin/mv"
  chmod +x "$scratch/bin/mv"
  PATH=$scratch/bin:$PATH expect_refusal 'nothing was changed' "$tree/src"
  apply
  build
  keep_state
  PATH=$scratch/bin:$PATH expect_refusal 'nothing was changed' --hash scalar "$tree/src"
  PATH=$scratch/bin:$PATH expect_refusal 'nothing was changed' --revert "$tree/src"
  revert
  write_cmake_lists
  printf '#!/bin/sh\ncase "$*" in *new/CMakeLists*) exit 1 ;; esac\nexec /bin/mv "$@"\n' >"$scratch/bin/mv"
  PATH=$scratch/bin:$PATH expect_refusal 'nothing was changed' "$tree/src"
  apply
  keep_state
  PATH=$scratch/bin:$PATH expect_refusal 'nothing was changed' --revert "$tree/src"
}

test_read_only_tree() {
  fresh_tree
  chmod 555 "$tree/src"
  keep_state
  if [ -w "$tree/src" ]; then # root, who may write in any folder
    command -v setpriv >/dev/null || { echo "skipped: read_only_tree, no setpriv"; exit 77; }
    printf '#!/bin/sh\nexec setpriv --bounding-set=-dac_override "%s" "$@"\n' "$apply_script" >"$scratch/apply"
    chmod +x "$scratch/apply"
    apply_script=$scratch/apply
  fi
  expect_refusal 'cannot write in' "$tree/src"
}

declare -F "test_$test_name" >/dev/null || fail "no such test"
"test_$test_name"
