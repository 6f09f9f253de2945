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
[ ${#emulator[@]} -eq 0 ] || tools=(CC="${cc[*]}" AR="$ar rc" RANLIB="$ar s")
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
  out=$(${emulator[@]+"${emulator[@]}"} "$tree/src/lua" -e 'local s = ("x"):rep(100000) print(#s, s == ("xx"):rep(50000))')
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
  expect_refusal 'has no lstring.c' "$tree"
  expect_refusal 'cannot read the library' --library "$scratch/nothing.a" "$tree/src"
  echo 'no library' >"$scratch/text.a"
  expect_refusal 'does not define mmr3_lua_hash' --library "$scratch/text.a" "$tree/src"
  expect_refusal 'does not define murmuration_xxh3' --hash xxh3 "$tree/src"
  ar rc "$scratch/empty.a"
  expect_refusal 'has no murmuration.o' --library "$scratch/empty.a" "$tree/src"
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
