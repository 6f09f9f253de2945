#!/bin/sh
# Installs the Debian packages that building, testing and benchmarking need.
set -eu

default='build-essential cmake ninja-build pkg-config libhwy-dev
libgtest-dev libbenchmark-dev nlohmann-json3-dev dpkg-dev python3'

if [ "${1-}" = --help ] || [ "${1-}" = -h ]; then
  cat <<END
usage: install-dependencies.sh [PACKAGE...]

Installs the packages that are not installed yet, as root or through sudo; does
nothing when there are none. Without arguments:
$default
END
  exit 0
fi

fail() { printf 'install-dependencies.sh: %s\n' "$*" >&2; exit 1; }

# shellcheck disable=SC2086 # package names, split on purpose
[ $# -gt 0 ] || set -- $default
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this is no Debian system (no dpkg or apt-get); install by hand: $*"
fi

missing_of() {
  for package; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      printf '%s ' "$package"
  done
}

missing=$(missing_of "$@" | sed 's/ $//')
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=''
elif ! command -v sudo >/dev/null; then
  fail "not root and no sudo; missing packages: $missing"
elif [ -t 0 ] || sudo -n true 2>/dev/null; then
  as_root=sudo
else
  fail "not root and sudo wants a password; missing packages: $missing"
fi

log=$(mktemp)
# What comes first is the cause; what apt says later follows from it.
reason() { grep -m 1 -E '^(E: |W: (Failed to fetch|GPG error))' "$log" | cut -c 4- | tr -s ' '; }
quietly() {
  "$@" >>"$log" 2>&1 ||
    fail "apt-get failed: $(reason) (all that it said: $log); missing packages: $missing"
}

echo "Installing with apt: $missing" >&2
echo "  apt-get update: fetching the lists of packages" >&2
quietly $as_root env LC_ALL=C apt-get update
# shellcheck disable=SC2086
size=$(apt-get install -qq --print-uris --no-install-recommends $missing 2>/dev/null |
  awk '{ bytes += $3 } END { printf "%.1f MB in %d packages", bytes / 1e6, NR }')
echo "  apt-get install: fetching $size, then unpacking" >&2
# shellcheck disable=SC2086
quietly $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends $missing
rm -f "$log"
