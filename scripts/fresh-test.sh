#!/bin/bash
# The two commands of the README in fresh Debians, in situations that are ordinary.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/fresh-test.sh [OPTION...] [CASE...]

Makes a minimal Debian with debootstrap, copies the project into it, and runs in it,
by chroot, the two commands that README.md begins with, in each situation:

$(cases)

The cases share one system and its build folder, in this order, so a later one costs
less than the first, whose ten minutes are installation and a whole build. Without
CASE: all of them. The mirror and its key are those of this machine's own apt. Wants
root and 6 GB of room.

  --release NAME   bookworm (default) or trixie: Debian 12 or 13
  --system FOLDER  the system's folder: made if it is not there, and kept; by default
                   a new one that is removed afterwards, whatever happens
  --log FOLDER     keep what the commands print there, a file for each case
  --help           show this text

Exit status: 0 every case went as it should, 1 one did not, 2 wrong usage.
END
}

# One case a line: name, what is special about it. The function is case_NAME.
cases() {
  cat <<'END'
  fresh         a checkout with .git, on a system without git
  owner         git is installed, and the checkout belongs to somebody else
  no_lua        the mirror has no file of Lua's source package
  tarball_only  of that package the mirror has the upstream tarball alone
  suites        apt's list names several suites in one stanza
  no_sources    the mirror has no source package at all
  offline       no network, after the commands have run once
  offline_early no network, with the packages installed and no source fetched yet
  read_only     the checkout is read-only, and the build folder elsewhere
  load          twenty other processes want the processor
END
}

fail() { printf 'fresh-test.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'fresh-test.sh: %s (see --help)\n' "$*" >&2; exit 2; }
say() { printf 'fresh-test.sh: %s\n' "$*" >&2; }

release=bookworm system='' logs='' names=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --release | --system | --log)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in
        --release) release=$2 ;;
        --system) system=$2 ;;
        --log) logs=$2 ;;
      esac
      shift ;;
    -*) wrong_usage "unknown option $1" ;;
    *)
      cases | awk -v name="$1" '$1 == name { found = 1 } END { exit !found }' ||
        wrong_usage "no case $1"
      names+=("$1") ;;
  esac
  shift
done
case $release in bookworm | trixie) ;; *) wrong_usage "no release $release" ;; esac
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(cases | awk '{ print $1 }')
[ "$(id -u)" -eq 0 ] || fail 'not root: debootstrap and chroot want root'
project=$(cd "$(dirname "$0")/.." && pwd)
"$project/scripts/install-dependencies.sh" debootstrap python3

# The commands are the blocks of the README before the first heading of second
# order: what is printed is what is run.
mapfile -t commands < <(awk '/^## / { exit } /^```sh$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
  "$project/README.md")
[ "${commands[*]}" = './scripts/demo.sh ./scripts/test.sh' ] ||
  fail "README.md does not begin with the two commands but with: ${commands[*]}"

# ------------------------------------------------------------ the mirror

# "URI KEYRING" of the archive that this machine's own release is from, in either form
# of apt's lists; the key ring is empty where apt's own trusted ones are used.
mirror_of_apt() {
  local list own
  # shellcheck disable=SC1091
  own=$(. /etc/os-release && echo "$VERSION_CODENAME")
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] || continue
    awk -v RS= -v release="$own" '
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
        if (enabled && suites ~ "[ \t](" release "|stable)[ \t]") { print uri, key; exit }
      }' <(sed 's/^[[:space:]]*$//; /^#/d' "$list")
  done
  cat /dev/null /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk -v release="$own" '$1 == "deb" {
      key = ""
      if ($2 ~ /^\[/) {
        options = $0
        if (match(options, /signed-by=[^] \t]+/)) key = substr(options, RSTART + 10, RLENGTH - 10)
        sub(/\[[^]]*\][ \t]*/, "")
      }
      if ($3 == release || $3 == "stable") { print $2, key; exit }
    }'
}
read -r mirror keyring < <(mirror_of_apt) || fail "this machine's apt has no source of its release"

# --------------------------------------------------------------- the system

scratch=$(mktemp -d)
if [ -n "$system" ]; then
  mkdir -p "$system"
  root=$(cd "$system" && pwd)
else
  root=$scratch/system
  mkdir "$root"
fi
[ -n "$logs" ] || logs=$scratch/logs
mkdir -p "$logs"
logs=$(cd "$logs" && pwd)
children=()
clean_up() {
  local status=$?
  trap - EXIT INT TERM HUP
  [ ${#children[@]} -eq 0 ] || kill "${children[@]}" 2>/dev/null || true
  rm -f "$root/etc/apt/apt.conf.d/99broken"
  # Never remove through a mount.
  local at
  for at in /root/checkout /proc; do
    for _ in 1 2 3 4 5; do
      mountpoint -q "$root$at" || break
      umount "$root$at" || sleep 1
    done
  done
  if grep -q " $root/" /proc/self/mounts; then
    say "something is still mounted below $root: not removed"
    exit 1
  fi
  rm -rf --one-file-system "$scratch"
  exit $status
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

if [ ! -e "$root/etc/debian_version" ]; then
  say "a minimal $release in $root"
  debootstrap --variant=minbase ${keyring:+--keyring="$keyring"} \
    --include=ca-certificates "$release" "$root" "$mirror" >"$logs/debootstrap" 2>&1 ||
    { tail -n 5 "$logs/debootstrap" >&2; fail 'debootstrap failed'; }
fi
grep -q "^VERSION_CODENAME=$release" "$root/etc/os-release" || fail "$root holds another release"
# The way to the mirror, if apt has one of its own, and the names of hosts.
cp /etc/resolv.conf /etc/hosts "$root/etc/"
rm -f "$root/etc/apt/apt.conf.d/99broken"
apt-config dump --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy \
  Acquire::Check-Valid-Until Acquire::Check-Date >"$root/etc/apt/apt.conf.d/90proxy"
mount -t proc proc "$root/proc"

checkout=$root/root/checkout
mkdir -p "$checkout"
# As it is now; the build folder of an earlier run stays.
find "$checkout" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
tar -C "$project" --exclude ./build --exclude ./.git -cf - . | tar -C "$checkout" -xf -
chown -R 0:0 "$checkout"
# The least that git takes for a repository.
mkdir -p "$checkout/.git/objects" "$checkout/.git/refs"
echo 'ref: refs/heads/main' >"$checkout/.git/HEAD"

# ----------------------------------------------------------- what cases need

# inside [OPTION...] COMMAND: in the system, in the checkout; options for unshare.
within=()
inside() {
  ${within[@]+"${within[@]}"} chroot "$root" /usr/bin/env -i HOME=/root \
    PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd /root/checkout && $1" </dev/null
}
# expect STATUS LAST COMMAND: the exit status, and a pattern of the last line.
expect() {
  local begun=$SECONDS status=0 last
  say "$name: $3"
  inside "$3" >"$scratch/out" 2>&1 || status=$?
  cat "$scratch/out" >>"$logs/$name"
  last=$(tail -n 1 "$scratch/out")
  say "$name: exit status $status after $((SECONDS - begun)) seconds; last line: $last"
  if [ $status -ne "$1" ] || ! grep -qE -- "$2" <<<"$last"; then
    tail -n 40 "$scratch/out" >&2
    fail "$name: exit status $1 and a last line like '$2' were wanted"
  fi
}
expect_output() { grep -qE -- "$1" "$scratch/out" || fail "$name: nothing printed matches '$1'"; }
demo=${commands[0]} test=${commands[1]}
test_passes() { expect 0 '^test\.sh: all tests passed$' "$test"; }

# A mirror without the files whose names match: a proxy that refuses them.
break_mirror() {
  python3 "$project/tests/fresh/broken_mirror.py" "$1" >"$scratch/port" &
  children+=($!)
  while [ ! -s "$scratch/port" ]; do sleep 0.1; done
  echo "Acquire::http::Proxy \"http://127.0.0.1:$(cat "$scratch/port")\";" \
    >"$root/etc/apt/apt.conf.d/99broken"
  rm -rf "$checkout/build/sources"
}
mend_mirror() {
  kill "${children[@]}"
  children=()
  rm -f "$root/etc/apt/apt.conf.d/99broken" "$scratch/port"
}
wants_http() { case $mirror in http:*) ;; *) say "$name: skipped: the mirror is not http"; return 1 ;; esac; }

# ------------------------------------------------------------------ the cases

case_fresh() {
  ! inside 'command -v git' || fail "$name: the system has git"
  expect 0 . "$demo"
  test_passes
}

case_owner() {
  inside 'apt-get update && apt-get install -y --no-install-recommends git' >>"$logs/$name" 2>&1 ||
    fail "$name: cannot install git"
  chown -R 12345:12345 "$checkout"
  ! inside 'git status' >"$scratch/out" 2>&1 || fail "$name: git does not mind the owner"
  test_passes
  chown -R 0:0 "$checkout"
}

case_no_lua() {
  wants_http || return 0
  break_mirror '/lua5\.1_'
  expect 0 '^test\.sh: all tests passed but those of Lua, which were left out: .*404' "$test"
  expect_output 'lua_stress .*Skipped'
  expect_output 'lua_apply/apply_and_build .*Skipped'
  expect 0 . "$demo"
  expect_output 'the Lua 5.1.5 that the source of Redis carries'
  mend_mirror
}

case_tarball_only() {
  wants_http || return 0
  break_mirror '/lua5\.1_.*\.(dsc|debian\.tar\.[a-z0-9]+|diff\.gz)$'
  test_passes
  mend_mirror
}

# The version of Redis that fetch-source.sh gets with SUITES in apt's list.
redis_version() {
  rm -rf "$root/etc/apt/sources.list" "$root"/etc/apt/sources.list.d/* "$root/root/fetched"
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\n' "$mirror" "$1" \
    >"$root/etc/apt/sources.list.d/debian.sources"
  inside 'scripts/fetch-source.sh redis /root/fetched' >>"$logs/$name" 2>&1 ||
    fail "$name: cannot fetch: $(tail -n 1 "$logs/$name")"
  sed -n 's/^#define REDIS_VERSION "\(.*\)"/\1/p' "$root/root/fetched/redis/src/version.h"
}
case_suites() {
  local own other several
  cp -a "$root/etc/apt" "$scratch/apt"
  own=$(redis_version "$release")
  several=$(redis_version "unstable $release $release-updates")
  # As a system whose own release is that one.
  cp "$root/usr/lib/os-release" "$scratch/os-release"
  sed -i 's/^VERSION_CODENAME=.*/VERSION_CODENAME=unstable/' "$root/usr/lib/os-release"
  other=$(redis_version unstable) || true
  cp "$scratch/os-release" "$root/usr/lib/os-release"
  rm -rf "$root/etc/apt"
  mv "$scratch/apt" "$root/etc/apt"
  say "$name: Redis $own of $release alone, $several of several suites, $other of unstable"
  [ "$own" = "$several" ] || fail "$name: the source is another release's"
  [ "$own" != "$other" ] || say "$name: this proves nothing while unstable has the same"
}

case_no_sources() {
  wants_http || return 0
  break_mirror '\.(dsc|(orig|debian)\.tar\.[a-z0-9]+)$'
  expect 1 '^run\.sh: no source of Lua 5\.1\.5: unpack lua-5\.1\.5\.tar\.gz' "$demo"
  expect_output 'cannot download the source of lua5\.1: .*404'
  mend_mirror
}

case_offline() {
  inside 'scripts/fetch-source.sh lua5.1 --for build/test' >>"$logs/$name" 2>&1 ||
    fail "$name: cannot fetch Lua's source"
  within=(unshare --net)
  test_passes
  expect 0 . "$demo"
  within=()
}

case_offline_early() {
  rm -rf "$checkout/build/sources"
  within=(unshare --net)
  expect 1 'cannot download the source of lua5\.1: Failed to fetch .* \(all that apt said: .*\.log\)$' \
    'scripts/fetch-source.sh lua5.1 --for build/test'
  expect 1 '^run\.sh: no source of Lua 5\.1\.5' "$demo"
  expect 1 'apt-get failed: Failed to fetch .*missing packages: hello$' \
    'scripts/install-dependencies.sh hello'
  within=()
}

case_read_only() {
  rm -rf "$root/root/elsewhere" "$checkout/build/sources"
  mount --bind "$checkout" "$checkout"
  mount -o remount,bind,ro "$checkout"
  ! touch "$checkout/file" 2>/dev/null || fail "$name: the checkout can be written to"
  expect 0 '^test\.sh: all tests passed$' "$test --build /root/elsewhere/test"
  expect 0 . "$demo --build /root/elsewhere/demo"
  umount "$checkout"
}

case_load() {
  local loops=()
  for _ in $(seq 20); do
    (while :; do :; done) &
    loops+=($!)
  done
  children+=("${loops[@]}")
  expect 0 . 'ctest --test-dir build/test --parallel 2 --output-on-failure --no-tests=error -L build'
  kill "${loops[@]}"
  children=()
}

for name in "${names[@]}"; do
  : >"$logs/$name"
  "case_$name"
done
echo "fresh-test.sh: $release: ${#names[@]} cases went as they should: ${names[*]}"
