#!/bin/sh
# Puts Murmuration into a Lua 5.1 source tree, or takes it out again.
set -eu

usage() {
  cat <<END
usage: apply.sh [--library FILE] [--hash NAME] LUA_SRC_DIR
       apply.sh --revert LUA_SRC_DIR

Makes the make of a Lua 5.1 source tree (Lua 5.1, Redis, Valkey) build Lua with
Murmuration's luaS_newlstr. LUA_SRC_DIR is the folder that holds lstring.c.

  --library FILE  libmurmuration.a, or its object file
                  (default: build/libmurmuration.a of this project)
  --revert        remove everything that this script added
  --hash NAME     for benchmarks: wide32 (default), wide32-no-copy, every-byte,
                  scalar, first-64, xxh3 (its library: bench/with-xxh3.sh)
  --help          show this text

May be run again, to take a newer library. Exit status: 0 done, 1 nothing was
changed because of an error, 2 wrong usage.
END
}

say() { printf 'apply.sh: %s\n' "$*"; }
fail() { printf 'apply.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'apply.sh: %s (see --help)\n' "$*" >&2; exit 2; }

begin_mark='# begin murmuration (apply.sh --revert removes this block)'
end_mark='# end murmuration'
# The object is not called .o in the tree: make clean and .gitignore take those.
added='murmuration_newlstr.c murmuration_comparison.h murmuration.h
murmuration_x86_32.h murmuration.object'
built='murmuration_newlstr.o murmuration.o lstring.o liblua.a lua luac'

# ------------------------------------------------------------- command line

library='' revert=no hash=wide32 tree=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --revert) revert=yes ;;
    --library | --hash)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in --library) library=$2 ;; --hash) hash=$2 ;; esac
      shift ;;
    --library=*) library=${1#*=} ;;
    --hash=*) hash=${1#*=} ;;
    --) shift; break ;;
    -*) wrong_usage "unknown option $1" ;;
    *) [ -z "$tree" ] || wrong_usage "more than one LUA_SRC_DIR"; tree=$1 ;;
  esac
  shift
done
if [ $# -gt 0 ]; then
  if [ $# -gt 1 ] || [ -n "$tree" ]; then wrong_usage "more than one LUA_SRC_DIR"; fi
  tree=$1
fi
[ -n "$tree" ] || wrong_usage "LUA_SRC_DIR is missing"
case $tree in /*) ;; *) tree=./$tree ;; esac

case $hash in
  wide32) define='' ;;
  wide32-no-copy) define=' -DMURMURATION_COPY_MIN=0x7fffffff' ;;
  every-byte) define=' -DMURMURATION_COMPARISON_HASH=hash_every_byte' ;;
  scalar) define=' -DMURMURATION_COMPARISON_HASH=hash_scalar' ;;
  xxh3) define=' -DMURMURATION_COMPARISON_HASH=hash_xxh3' ;;
  first-64) define=' -DMURMURATION_COMPARISON_HASH=hash_first_64' ;;
  *) wrong_usage "unknown hash $hash" ;;
esac

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(dirname "$(dirname "$here")")

# ------------------------------------------------------- what the tree is

# Prints line numbers of the Makefile: the last line of the definition of
# CORE_O, and where our block begins and ends; 0 for what is not there.
read_makefile() {
  awk -v begin="$begin_mark" -v end="$end_mark" '
    { sub(/\r$/, "") }
    $0 == begin { from = NR }
    $0 == end { to = NR }
    /^CORE_O[ \t]*[:+?]*=/ && !core { inside = 1; has_lstring = 0 }
    inside && /(^|[= \t])lstring\.o([ \t\\]|$)/ { has_lstring = 1 }
    inside && !/\\$/ { inside = 0; if (has_lstring) core = NR }
    END { print core + 0, from + 0, to + 0 }' "$tree/Makefile"
}

[ -d "$tree" ] || fail "$tree is not a folder"
for file in lstring.c lstring.h lobject.h lstate.h lmem.h lgc.h lua.h Makefile; do
  [ -f "$tree/$file" ] || fail "$tree is not a Lua 5.1 source folder: it has no $file"
  [ -r "$tree/$file" ] || fail "cannot read $tree/$file"
done
[ ! -L "$tree/Makefile" ] || fail "$tree/Makefile is a symbolic link"
grep -Eq '^#define[[:space:]]+LUA_VERSION_NUM[[:space:]]+501([^0-9]|$)' "$tree/lua.h" ||
  fail "$tree is not Lua 5.1: its lua.h does not define LUA_VERSION_NUM as 501"
numbers=$(read_makefile)
core_end=${numbers%% *} block_end=${numbers##* }
block_begin=${numbers#* } block_begin=${block_begin% *}
if [ "$block_begin" -ne 0 ] || [ "$block_end" -ne 0 ]; then
  if [ "$block_begin" -eq 0 ] || [ "$block_begin" -gt "$block_end" ]; then
    fail "$tree/Makefile has only part of the murmuration block"
  fi
fi

# ------------------------------------------ all changes at once, or none

# New files are staged in the tree's own folder and renamed into place. What
# they replace waits beside them until the end, and comes back after a failure.
stage=''
created=''
undo() {
  status=$?
  trap - EXIT
  trap '' HUP INT TERM
  for file in $created; do
    [ -e "$stage/new/$file" ] || rm -f "$tree/$file"
  done
  for old in "$stage"/old/*; do
    [ ! -e "$old" ] || mv -f "$old" "$tree/"
  done
  rm -rf "$stage"
  exit "$status"
}
open_stage() {
  stage=$(mktemp -d "$tree/.murmuration.XXXXXX" 2>/dev/null) ||
    fail "cannot write in $tree; nothing was changed"
  trap undo EXIT
  trap 'exit 1' HUP INT TERM
  mkdir "$stage/old" "$stage/new" || fail "cannot write in $tree; nothing was changed"
}
# replace NAME: the staged NAME takes the place of the tree's NAME; without a
# staged one the tree's goes.
replace() {
  if [ -e "$tree/$1" ]; then
    if cmp -s "$stage/new/$1" "$tree/$1"; then return; fi
    mv -f "$tree/$1" "$stage/old/" || fail "cannot replace $tree/$1; nothing was changed"
  fi
  if [ -e "$stage/new/$1" ]; then
    created="$created $1"
    mv -f "$stage/new/$1" "$tree/" || fail "cannot write in $tree; nothing was changed"
  fi
}
close_stage() {
  trap - EXIT HUP INT TERM
  rm -rf "$stage"
}

print_block() {
  cat <<END
$begin_mark
# Our luaS_newlstr takes the place of the one in lstring.c.
CORE_O+= murmuration_newlstr.o murmuration.o

# before the rules below, so that it stays the default target
default:

lstring.o: lstring.c Makefile
	\$(CC) \$(CFLAGS) \$(CPPFLAGS) -DluaS_newlstr=luaS_newlstr_original -c -o \$@ lstring.c

murmuration_newlstr.o: murmuration_newlstr.c murmuration_comparison.h murmuration.h \\
  murmuration_x86_32.h Makefile lua.h luaconf.h lgc.h llimits.h lmem.h lobject.h \\
  lstate.h lstring.h ltm.h lzio.h
	\$(CC) \$(CFLAGS) \$(CPPFLAGS)$define -c -o \$@ murmuration_newlstr.c

murmuration.o: murmuration.object
	cp murmuration.object \$@
$end_mark
END
}

# The Makefile with our block after CORE_O, or with no block; every other byte
# stays, so a file with CRLF or without a last newline does too.
print_makefile() {
  if [ "$block_begin" -gt 0 ]; then
    before=$((block_begin - 1)) after=$((block_end + 1))
  else
    before=$core_end after=$((core_end + 1))
  fi
  head -n "$before" "$tree/Makefile" &&
    if [ "$1" = with ]; then print_block; fi &&
    tail -n "+$after" "$tree/Makefile"
}
stage_makefile() {
  new=$stage/new/Makefile
  if ! cp -p "$tree/Makefile" "$new" || ! chmod u+w "$new" || ! print_makefile "$1" >"$new"; then
    fail "cannot write in $tree; nothing was changed"
  fi
  case $(ls -ld "$tree/Makefile") in
    ??w*) ;;
    *) chmod u-w "$new" ;;
  esac
}

# ---------------------------------------------------------------- revert

if [ $revert = yes ]; then
  if [ "$block_begin" -eq 0 ]; then
    say "$tree has no Murmuration; nothing was changed"
    exit 0
  fi
  open_stage
  stage_makefile without
  # Without our objects nothing was built since, and older products are right.
  ours_built=no
  for file in lstring.o murmuration_newlstr.o murmuration.o liblua.a; do
    if [ -f "$tree/$file" ] && grep -Eq 'luaS_newlstr_original|mmr3_lua_hash' "$tree/$file"; then
      ours_built=yes
    fi
  done
  replace Makefile
  for file in $added; do replace "$file"; done
  if [ $ours_built = yes ]; then
    for file in $built; do replace "$file"; done
  fi
  close_stage
  say "removed Murmuration from $tree"
  exit 0
fi

# ----------------------------------------------------------------- apply

if [ "$block_begin" -eq 0 ]; then
  [ "$core_end" -gt 0 ] ||
    fail "$tree/Makefile defines no CORE_O with lstring.o in it"
  for file in $added murmuration_newlstr.o murmuration.o; do
    if [ -e "$tree/$file" ] && ! grep -qi murmuration "$tree/$file"; then
      fail "$tree has another $file already"
    fi
  done
fi
tail -n "+$((core_end + 1))" "$tree/Makefile" | grep -Eq '^default[[:space:]]*:' ||
  fail "$tree/Makefile has no default target after CORE_O"
! grep -q LIBTOOL "$tree/Makefile" ||
  fail "$tree/Makefile builds with libtool (Debian's patch?): use the upstream source"
space='[[:space:]]*'
grep -Eq "^TString$space\\*${space}luaS_newlstr$space\\(${space}lua_State$space\\*${space}L$space,${space}const char$space\\*${space}str$space,${space}size_t l$space\\)" "$tree/lstring.c" ||
  fail "$tree/lstring.c does not define TString *luaS_newlstr (lua_State *L, const char *str, size_t l)"
! grep -Eq '^[[:space:]]*#[[:space:]]*define[[:space:]]+luaS_newlstr' "$tree"/*.[ch] ||
  fail "$tree defines luaS_newlstr as a macro"
grep -Eq 'unsigned int hash;' "$tree/lobject.h" ||
  fail "$tree/lobject.h does not keep the hash of a string as unsigned int"

if [ -z "$library" ]; then
  library=$project/build/libmurmuration.a
  [ -f "$library" ] ||
    fail "no $library: build it (cmake -S '$project' -B '$project/build' && cmake --build '$project/build') or name one with --library"
fi
case $library in /*) ;; *) library=./$library ;; esac
if [ ! -f "$library" ] || [ ! -r "$library" ]; then fail "cannot read the library $library"; fi
for tool in ar nm; do
  command -v $tool >/dev/null || fail "$tool is missing (package binutils)"
done
for file in "$here/murmuration_newlstr.c" "$here/murmuration_comparison.h" \
  "$project/include/murmuration.h" "$project/include/murmuration_x86_32.h"; do
  [ -r "$file" ] || fail "cannot read $file"
done

open_stage
case $(head -c 7 "$library" | tr -d '\000') in
  '!<arch>')
    # ar also succeeds where it finds no such member: the next line decides
    ar p "$library" murmuration.o >"$stage/new/murmuration.object" 2>/dev/null || true
    [ -s "$stage/new/murmuration.object" ] || fail "$library has no murmuration.o" ;;
  *) cp "$library" "$stage/new/murmuration.object" || fail "cannot copy $library" ;;
esac
nm "$stage/new/murmuration.object" 2>/dev/null | grep -Eq ' [A-TV-Z] _?mmr3_lua_hash$' ||
  fail "$library does not define mmr3_lua_hash: it is not libmurmuration.a"
if [ $hash = xxh3 ]; then
  nm "$stage/new/murmuration.object" 2>/dev/null | grep -Eq ' T _?murmuration_xxh3$' ||
    fail "$library does not define murmuration_xxh3: make one with bench/with-xxh3.sh"
fi
cp "$here/murmuration_newlstr.c" "$here/murmuration_comparison.h" \
  "$project/include/murmuration.h" "$project/include/murmuration_x86_32.h" "$stage/new/" ||
  fail "cannot write in $tree; nothing was changed"
for file in $added; do chmod 644 "$stage/new/$file"; done
stage_makefile with
for file in $added Makefile; do replace "$file"; done
close_stage
say "Murmuration is in $tree now; build it with its own make"
