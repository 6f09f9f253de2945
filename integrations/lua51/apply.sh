#!/bin/sh
# Puts Murmuration into a Lua 5.1 source tree, or takes it out again.
set -eu

usage() {
  cat <<END
usage: apply.sh [--library FILE] [--hash NAME] LUA_SRC_DIR
       apply.sh --revert LUA_SRC_DIR

Makes the make of a Lua 5.1 source tree (Lua 5.1, Redis, Valkey) build Lua with
Murmuration's luaS_newlstr, and so its CMake where ../CMakeLists.txt lists
lstring.c, as Valkey's does. LUA_SRC_DIR is the folder that holds lstring.c; in a
server's tree that is deps/lua/src.

  --library FILE  libmurmuration.a, or its object file
                  (default: build/libmurmuration.a of this project)
  --revert        remove everything that this script added
  --hash NAME     for benchmarks: wide32 (default), wide32-no-copy, every-byte,
                  scalar, first-64, xxh3 (its library: bench/with-xxh3.sh)
  --help          show this text

CC names the compiler that will build the tree, with the options that say for
which processor if it needs any (default: cc). Other objects of the host see the
library's functions; other libraries and modules in its process do not.

May be run again, to take a newer library. Exit status: 0 done, 1 nothing was
changed because of an error, 2 wrong usage, 3 --revert has removed everything of
this script's, and a CMakeLists.txt has lines about Murmuration that others wrote.
END
}

say() { printf 'apply.sh: %s\n' "$*"; }
warn() { printf 'apply.sh: %s\n' "$*" >&2; }
fail() { warn "$*"; exit 1; }
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
  wide32-no-copy) define='MURMURATION_COPY_MIN=0x7fffffff' ;;
  every-byte) define='MURMURATION_COMPARISON_HASH=hash_every_byte' ;;
  scalar) define='MURMURATION_COMPARISON_HASH=hash_scalar' ;;
  xxh3) define='MURMURATION_COMPARISON_HASH=hash_xxh3' ;;
  first-64) define='MURMURATION_COMPARISON_HASH=hash_first_64' ;;
  *) wrong_usage "unknown hash $hash" ;;
esac

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
project=$(dirname "$(dirname "$here")")

# ------------------------------------------------------- what the tree is

# The tree's CMakeLists.txt, if it has one, lies beside the folder of sources.
path_of() {
  case $1 in
    CMakeLists.txt) printf '%s\n' "$cmake" ;;
    *) printf '%s\n' "$tree/$1" ;;
  esac
}

# Prints three line numbers of a Makefile or CMakeLists.txt: after which line our
# block goes, and where it begins and ends; 0 for what is not there. In a Makefile
# it goes after the definition of CORE_O, in a CMakeLists.txt after the last line.
read_lines() {
  awk -v begin="$begin_mark" -v end="$end_mark" '
    { sub(/\r$/, "") }
    $0 == begin { from = NR }
    $0 == end { to = NR }
    /^CORE_O[ \t]*[:+?]*=/ && !core { inside = 1; has_lstring = 0 }
    inside && /(^|[= \t])lstring\.o([ \t\\]|$)/ { has_lstring = 1 }
    inside && !/\\$/ { inside = 0; if (has_lstring) core = NR }
    END { print (FILENAME ~ /CMakeLists.txt$/ ? NR : core + 0), from + 0, to + 0 }' "$1"
}
# set_lines FILE: sets insert_after, block_begin and block_end.
set_lines() {
  numbers=$(read_lines "$1")
  insert_after=${numbers%% *} block_end=${numbers##* }
  block_begin=${numbers#* } block_begin=${block_begin% *}
  if [ "$block_begin" -ne 0 ] || [ "$block_end" -ne 0 ]; then
    if [ "$block_begin" -eq 0 ] || [ "$block_begin" -gt "$block_end" ]; then
      fail "$1 has only part of the murmuration block"
    fi
  fi
}

# The name of the only library in a CMakeLists.txt that lists lstring.c, or nothing.
cmake_target() {
  grep -q 'lstring\.c' "$1" &&
    sed -nE 's/^[[:space:]]*add_library[[:space:]]*\([[:space:]]*([A-Za-z0-9_.+-]+).*/\1/p' "$1" |
    awk '{ name = $0 } END { if (NR == 1) print name }'
}
# Numbers of lines about Murmuration outside of our block.
lines_of_others() {
  awk -v begin="$begin_mark" -v end="$end_mark" '
    { line = $0; sub(/\r$/, "", line) }
    line == begin { inside = 1 }
    !inside && tolower(line) ~ /murmuration|luas_newlstr/ { list = list (list ? ", " : "") NR }
    line == end { inside = 0 }
    END { print list }' "$1"
}

[ -d "$tree" ] || fail "$tree is not a folder"
for below in deps/lua/src lua/src src; do
  if [ ! -f "$tree/lstring.c" ] && [ -f "$tree/$below/lstring.c" ]; then
    fail "$tree is not the folder of Lua's sources: give $tree/$below"
  fi
done
for file in lstring.c lstring.h lobject.h lstate.h lmem.h lgc.h lua.h Makefile; do
  [ -f "$tree/$file" ] || fail "$tree is not a Lua 5.1 source folder: it has no $file"
  [ -r "$tree/$file" ] || fail "cannot read $tree/$file"
done
grep -Eq '^#define[[:space:]]+LUA_VERSION_NUM[[:space:]]+501([^0-9]|$)' "$tree/lua.h" ||
  fail "$tree is not Lua 5.1: its lua.h does not define LUA_VERSION_NUM as 501"
build_files=Makefile
cmake=$(CDPATH='' cd -P -- "$tree/.." && pwd)/CMakeLists.txt target=''
if [ -f "$cmake" ]; then
  [ -r "$cmake" ] || fail "cannot read $cmake"
  target=$(cmake_target "$cmake") || target=''
  if [ -n "$target" ] || grep -qxF "$begin_mark" "$cmake"; then
    build_files='Makefile CMakeLists.txt'
  fi
fi
applied=no
for name in $build_files; do
  file=$(path_of "$name")
  [ ! -L "$file" ] || fail "$file is a symbolic link"
  set_lines "$file"
  [ "$block_begin" -eq 0 ] || applied=yes
done

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
    [ -e "$stage/new/$file" ] || rm -f "$(path_of "$file")"
  done
  for old in "$stage"/old/*; do
    [ ! -e "$old" ] || mv -f "$old" "$(path_of "${old##*/}")"
  done
  rm -rf "$stage"
  exit "$status"
}
open_stage() {
  for name in $build_files; do
    folder=$(dirname "$(path_of "$name")")
    [ -w "$folder" ] || fail "cannot write in $folder; nothing was changed"
  done
  stage=$(mktemp -d "$tree/.murmuration.XXXXXX" 2>/dev/null) ||
    fail "cannot write in $tree; nothing was changed"
  trap undo EXIT
  trap 'exit 1' HUP INT TERM
  mkdir "$stage/old" "$stage/new" || fail "cannot write in $tree; nothing was changed"
}
# replace NAME: the staged NAME takes the place of the tree's NAME; without a
# staged one the tree's goes.
replace() {
  place=$(path_of "$1")
  if [ -e "$place" ]; then
    if cmp -s "$stage/new/$1" "$place"; then return; fi
    mv -f "$place" "$stage/old/" || fail "cannot replace $place; nothing was changed"
  fi
  if [ -e "$stage/new/$1" ]; then
    created="$created $1"
    mv -f "$stage/new/$1" "$place" || fail "cannot write $place; nothing was changed"
  fi
}
close_stage() {
  trap - EXIT HUP INT TERM
  rm -rf "$stage"
}

print_make_block() {
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
	\$(CC) \$(CFLAGS) \$(CPPFLAGS)${define:+ -D$define} -c -o \$@ murmuration_newlstr.c

murmuration.o: murmuration.object
	cp murmuration.object \$@
$end_mark
END
}

print_cmake_block() {
  cat <<END
$begin_mark
# Our luaS_newlstr takes the place of the one in lstring.c.
set(MURMURATION_LUA_SRC "\${CMAKE_CURRENT_LIST_DIR}/$(basename "$(CDPATH='' cd -P -- "$tree" && pwd)")")
target_sources($target PRIVATE "\${MURMURATION_LUA_SRC}/murmuration_newlstr.c"
  "\${MURMURATION_LUA_SRC}/murmuration.object")
set_property(SOURCE "\${MURMURATION_LUA_SRC}/murmuration.object" PROPERTY EXTERNAL_OBJECT ON)
set_property(SOURCE "\${MURMURATION_LUA_SRC}/lstring.c"
  APPEND PROPERTY COMPILE_DEFINITIONS luaS_newlstr=luaS_newlstr_original)
END
  [ -z "$define" ] || cat <<END
set_property(SOURCE "\${MURMURATION_LUA_SRC}/murmuration_newlstr.c"
  APPEND PROPERTY COMPILE_DEFINITIONS $define)
END
  echo "$end_mark"
}

# print_file NAME with|without: the file with our block in its place, or with no
# block; every other byte stays, so a file with CRLF or without a last newline does
# too.
print_file() {
  file=$(path_of "$1")
  set_lines "$file"
  if [ "$block_begin" -gt 0 ]; then
    before=$((block_begin - 1)) after=$((block_end + 1))
  else
    before=$insert_after after=$((insert_after + 1))
  fi
  head -n "$before" "$file" &&
    case $1,$2 in
      Makefile,with) print_make_block ;;
      CMakeLists.txt,with) print_cmake_block ;;
    esac &&
    tail -n "+$after" "$file"
}
# stage_file NAME with|without
stage_file() {
  file=$(path_of "$1") new=$stage/new/$1
  if ! cp -p "$file" "$new" || ! chmod u+w "$new" || ! print_file "$1" "$2" >"$new"; then
    fail "cannot write in $tree; nothing was changed"
  fi
  case $(ls -ld "$file") in
    ??w*) ;;
    *) chmod u-w "$new" ;;
  esac
}

# ---------------------------------------------------------------- revert

# Exits with 3 where a CMakeLists.txt still names Murmuration: lines that somebody
# else wrote are for somebody else to remove.
exit_reverted() {
  [ -f "$cmake" ] || exit 0
  others=$(lines_of_others "$cmake")
  [ -n "$others" ] || exit 0
  warn "$cmake still names Murmuration in lines that apply.sh did not write: remove line $others"
  exit 3
}

if [ $revert = yes ]; then
  if [ $applied = no ]; then
    say "$tree has no Murmuration; nothing was changed"
    exit_reverted
  fi
  open_stage
  for name in $build_files; do stage_file "$name" without; done
  # Without our objects nothing was built since, and older products are right.
  ours_built=no
  for file in lstring.o murmuration_newlstr.o murmuration.o liblua.a; do
    if [ -f "$tree/$file" ] && grep -Eq 'luaS_newlstr_original|mmr3_lua_hash' "$tree/$file"; then
      ours_built=yes
    fi
  done
  for file in $build_files $added; do replace "$file"; done
  if [ $ours_built = yes ]; then
    for file in $built; do replace "$file"; done
  fi
  close_stage
  say "removed Murmuration from $tree"
  exit_reverted
fi

# ----------------------------------------------------------------- apply

set_lines "$tree/Makefile"
[ "$insert_after" -gt 0 ] ||
  fail "$tree/Makefile defines no CORE_O with lstring.o in it"
if [ $applied = no ]; then
  for file in $added murmuration_newlstr.o murmuration.o; do
    if [ -e "$tree/$file" ] && ! grep -qi murmuration "$tree/$file"; then
      fail "$tree has another $file already"
    fi
  done
fi
if [ -f "$cmake" ]; then
  others=$(lines_of_others "$cmake")
  [ -z "$others" ] ||
    fail "$cmake has lines about Murmuration that apply.sh did not write: remove line $others, it adds its own"
  case $build_files in
    *CMakeLists.txt)
      [ -n "$target" ] || fail "$cmake has our block, and no library of its own that lists lstring.c"
      [ -z "$(tail -c 1 "$cmake" | tr -d '\n')" ] || fail "$cmake does not end with a newline: add one" ;;
  esac
fi
tail -n "+$((insert_after + 1))" "$tree/Makefile" | grep -Eq '^default[[:space:]]*:' ||
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
    fail "no $library: build it (docs/servers.md says how) or name one with --library"
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

# What an ELF file is for: word size, byte order and processor; nothing of others.
target_of() {
  od -An -v -t u1 -N 20 "$1" | tr '\n' ' ' | awk '
    BEGIN {
      split("3 x86 8 MIPS 20 PowerPC 21 PowerPC 22 s390 40 ARM 62 x86-64 183 aarch64 243 RISC-V 258 LoongArch", list)
      for (i = 1; i in list; i += 2) name[list[i]] = list[i + 1]
    }
    $1 == 127 && $2 == 69 && $3 == 76 && $4 == 70 {
      machine = $6 == 2 ? 256 * $19 + $20 : $19 + 256 * $20
      printf "%s (%d bits, %s endian)\n", machine in name ? name[machine] : "processor " machine,
             $5 == 2 ? 64 : 32, $6 == 2 ? "big" : "little"
    }'
}

open_stage
object=$stage/murmuration.o
case $(head -c 7 "$library" | tr -d '\000') in
  '!<arch>')
    # ar also succeeds where it finds no such member: the next line decides
    ar p "$library" murmuration.o >"$object" 2>/dev/null || true
    [ -s "$object" ] || fail "$library has no murmuration.o" ;;
  *) cp "$library" "$object" || fail "cannot copy $library" ;;
esac
# Every symbol becomes hidden: a host that exports its symbols to modules, as
# Redis and Valkey do, must not give its hashes and its secret to a module that
# brings a Murmuration of its own. Linkers take the stricter one of two
# visibilities, so that an object which only names the symbols is enough.
cc=${CC:-cc}
{
  nm -g "$object" 2>/dev/null | awk 'NF == 3 { print "\t.hidden " $3 }'
  printf '\t.section .note.GNU-stack,"",%%progbits\n'
} >"$stage/hidden.s"
# shellcheck disable=SC2086 # CC is a command and its options, as in make
$cc -c -o "$stage/hidden.o" "$stage/hidden.s" 2>"$stage/log" ||
  fail "$cc does not work: set CC to the compiler of the tree ($(head -n 1 "$stage/log"))"
library_target=$(target_of "$object") tree_target=$(target_of "$stage/hidden.o")
if [ -n "$library_target" ] && [ "$library_target" != "$tree_target" ]; then
  fail "$library is for $library_target, and $cc compiles for $tree_target: name another library, or the compiler of the tree in CC"
fi
grep -Eq '\.hidden _?mmr3_lua_hash$' "$stage/hidden.s" ||
  fail "$library does not define mmr3_lua_hash: it is not libmurmuration.a"
# shellcheck disable=SC2086
$cc -nostdlib -r -o "$stage/new/murmuration.object" "$object" "$stage/hidden.o" 2>"$stage/log" ||
  fail "$cc cannot link $library: $(head -n 1 "$stage/log")"
if [ "$hash" = xxh3 ]; then
  grep -Eq '\.hidden _?murmuration_xxh3$' "$stage/hidden.s" ||
    fail "$library does not define murmuration_xxh3: make one with bench/with-xxh3.sh"
fi
cp "$here/murmuration_newlstr.c" "$here/murmuration_comparison.h" \
  "$project/include/murmuration.h" "$project/include/murmuration_x86_32.h" "$stage/new/" ||
  fail "cannot write in $tree; nothing was changed"
for file in $added; do chmod 644 "$stage/new/$file"; done
for name in $build_files; do stage_file "$name" with; done
for file in $added $build_files; do replace "$file"; done
close_stage
case $build_files in
  *CMakeLists.txt) say "Murmuration is in $tree now; build it with its own make or CMake" ;;
  *)
    say "Murmuration is in $tree now; build it with its own make"
    if [ -f "$cmake" ] && grep -q 'lstring\.c' "$cmake"; then
      warn "$cmake lists lstring.c in a way that apply.sh does not know: what CMake builds keeps its own hash"
    fi ;;
esac
