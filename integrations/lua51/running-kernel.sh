#!/bin/sh
# Tells which kernel of Murmuration runs in a process, from its memory.
set -eu

usage() {
  cat <<END
usage: running-kernel.sh PID

Prints a line for each Murmuration in the process PID, such as a server that was
built with it: the active kernel, a tab, and the file that it is in, the program or
a module. "none" is a Murmuration that no string has needed yet; it chooses at the
first one of 64 bytes or more.

Linux only. Reads the memory of the process by /proc/PID/mem, which takes the rights
of a debugger: those of its user where the system allows that, or root's. The
process is not stopped and sees nothing of it.

Exit status: 0 found, 1 no Murmuration in the process, 2 wrong usage, 3 its memory
cannot be read.
END
}

fail() { printf 'running-kernel.sh: %s\n' "$2" >&2; exit "$1"; }

case ${1-} in -h | --help) usage; exit 0 ;; esac
[ $# -eq 1 ] || fail 2 "one PID is wanted (see --help)"
case $1 in '' | *[!0-9]*) fail 2 "$1 is not a number of a process (see --help)" ;; esac
process=/proc/$1
[ -d "$process" ] || fail 2 "there is no process $1"

# bytes ADDRESS COUNT: of the memory of the process.
bytes() { dd if="$process/mem" bs=1 skip="$1" count="$2" 2>/dev/null; }
# The size of a pointer: the class of an ELF file is its fifth byte.
case $(od -An -t u1 -j 4 -N 1 "$process/exe" 2>/dev/null | tr -d ' ') in
  1) pointer_size=4 ;;
  2) pointer_size=8 ;;
  *) fail 3 "cannot read $process/exe: this takes the rights of its user, or root's" ;;
esac
# pointer ADDRESS: the pointer there, in decimal.
pointer() { bytes "$1" $pointer_size | od -An -t u$pointer_size | tr -d ' '; }

# lib/dispatch/dispatch.cc has this text, and after it the address of the pointer
# to the active kernel, whose first field points to its name.
mark='murmuration: active kernel' mark_size=32
seen='' readable=no
while read -r range rights _ _ _ file; do
  # Constants with addresses in them: neither code, nor memory without a file.
  case $rights,$file in r?-p,/*) ;; *) continue ;; esac
  begin=$((0x${range%-*})) end=$((0x${range#*-}))
  # one page at least, so that a page that cannot be read shows
  offsets=$(dd if="$process/mem" bs=4096 skip=$((begin / 4096)) count=$(((end - begin) / 4096)) 2>/dev/null |
    LC_ALL=C grep -abo "$mark" | cut -d : -f 1) || true
  if [ $readable = no ] && [ -n "$(bytes $begin 4 | od -An -t u1)" ]; then readable=yes; fi
  for offset in $offsets; do
    # A file's page may be mapped a second time, before the loader has put addresses
    # into it: nothing is at those.
    place=$(pointer $((begin + offset + mark_size)))
    active=$(pointer "${place:-0}")
    case $seen,$active in *" $place "* | *,) continue ;; esac
    seen="$seen $place "
    name=$(bytes "$(pointer "$active")" 32 | tr '\000' '\n' | head -n 1)
    printf '%s\t%s\n' "${name:-none}" "$file"
  done
done <<END
$(cat "$process/maps" 2>/dev/null)
END
[ $readable = yes ] ||
  fail 3 "cannot read the memory of process $1: this takes the rights of a debugger"
[ -n "$seen" ] || fail 1 "there is no Murmuration in process $1"
