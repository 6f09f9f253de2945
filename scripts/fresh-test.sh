#!/bin/bash
# The two commands of the README in a fresh Debian 12.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/fresh-test.sh [--keep-log FILE] [FOLDER]

Makes a minimal Debian 12 with debootstrap in a new folder below FOLDER (default:
the folder for temporary files), copies the project into it, and runs in it, by
chroot, the two commands that README.md begins with. The mirror and its key are
those of this machine's own apt. Wants root, 6 GB of room and about ten minutes.
The folder is removed afterwards, whatever happens.

  --keep-log FILE  also write what the commands print to FILE
END
}

fail() { printf 'fresh-test.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'fresh-test.sh: %s (see --help)\n' "$*" >&2; exit 2; }

log=/dev/null below=${TMPDIR:-/tmp}
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --keep-log) [ $# -ge 2 ] || wrong_usage '--keep-log wants a file'; log=$2; shift ;;
    -*) wrong_usage "unknown option $1" ;;
    *) below=$1 ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || fail 'not root: debootstrap and chroot want root'
[ -d "$below" ] || fail "no folder $below"
project=$(cd "$(dirname "$0")/.." && pwd)
"$project/scripts/install-dependencies.sh" debootstrap

# The commands are the blocks of the README before the first heading of second
# order: what is printed is what is run.
commands=$(awk '/^## / { exit } /^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
  "$project/README.md")
[ "$(echo "$commands" | grep -c .)" -eq 2 ] ||
  fail "README.md does not begin with two commands but with: $commands"

# ------------------------------------------------------------ the mirror

# "URI KEYRING" of bookworm's main archive in either form of apt's lists; the
# key ring is empty where apt's own trusted ones are used.
mirror_of_apt() {
  local list
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] || continue
    awk -v RS= '
      {
        uri = suites = key = ""; enabled = 1
        n = split($0, line, "\n")
        for (i = 1; i <= n; i++) {
          m = split(line[i], word, /[ \t]+/)
          if (word[1] == "URIs:") uri = word[2]
          if (word[1] == "Suites:") suites = " " substr(line[i], 8) " "
          if (word[1] == "Signed-By:" && m == 2) key = word[2]
          if (line[i] ~ /^Enabled:[ \t]*no/) enabled = 0
        }
        if (enabled && suites ~ /[ \t](bookworm|stable)[ \t]/) { print uri, key; exit }
      }' <(sed 's/^[[:space:]]*$//; /^#/d' "$list")
  done
  cat /dev/null /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk '$1 == "deb" {
      key = ""
      if ($2 ~ /^\[/) {
        options = $0
        if (match(options, /signed-by=[^] \t]+/)) key = substr(options, RSTART + 10, RLENGTH - 10)
        sub(/\[[^]]*\][ \t]*/, "")
      }
      if ($3 == "bookworm" || $3 == "stable") { print $2, key; exit }
    }'
}
read -r mirror keyring < <(mirror_of_apt) ||
  fail "this machine's apt has no source of Debian bookworm"

# --------------------------------------------------------------- the folder

root=$(mktemp -d "$below/murmuration-fresh.XXXXXX")
clean_up() {
  local status=$?
  trap - EXIT INT TERM HUP
  # Never remove through a mount.
  for _ in 1 2 3 4 5; do
    mountpoint -q "$root/proc" || break
    umount "$root/proc" || sleep 1
  done
  if grep -q " $root/" /proc/self/mounts; then
    echo "fresh-test.sh: something is still mounted below $root: not removed" >&2
    exit 1
  fi
  rm -rf --one-file-system "$root"
  exit $status
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

echo "fresh-test.sh: a minimal Debian 12 in $root" >&2
debootstrap --variant=minbase ${keyring:+--keyring="$keyring"} \
  --include=ca-certificates bookworm "$root" "$mirror" >"$root.log" 2>&1 || {
  tail -n 5 "$root.log" >&2
  rm -f "$root.log"
  fail 'debootstrap failed'
}
rm -f "$root.log"
# The way to the mirror, if apt has one of its own, and the names of hosts.
cp /etc/resolv.conf /etc/hosts "$root/etc/"
apt-config dump --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy \
  >"$root/etc/apt/apt.conf.d/90proxy"
mount -t proc proc "$root/proc"

mkdir "$root/root/checkout"
tar -C "$project" --exclude ./build --exclude ./.git -cf - . | tar -C "$root/root/checkout" -xf -

while read -r command; do
  echo "fresh-test.sh: $command" >&2
  begun=$SECONDS
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    sh -c "cd /root/checkout && $command" </dev/null 2>&1 | tee -a "$log" ||
    fail "failed in a fresh system: $command"
  echo "fresh-test.sh: took $((SECONDS - begun)) seconds" >&2
done <<<"$commands"
echo 'fresh-test.sh: both commands work in a fresh Debian 12'
