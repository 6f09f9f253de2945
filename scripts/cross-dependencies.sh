#!/bin/bash
# Fetches what building and testing for another architecture need.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: cross-dependencies.sh TRIPLET PREFIX

Puts GoogleTest, Google Benchmark and Highway's headers for the target TRIPLET (a
file of toolchains/, without .cmake) under PREFIX, for CMAKE_PREFIX_PATH. Debian's packages of the target's own
architecture are downloaded through a private apt configuration and unpacked;
for a target that this release of Debian lacks they are built from its sources.
What is in PREFIX already stays: a second call needs no network.

Nothing of the system is changed, and root is not needed.

  --help   show this text
TEXT
}
fail() { printf 'cross-dependencies.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'cross-dependencies.sh: %s (see --help)\n' "$*" >&2; exit 2; }

case ${1-} in --help | -h) usage; exit 0 ;; esac
[ $# -eq 2 ] || wrong_usage 'TRIPLET and PREFIX are wanted'
triplet=$1
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ -f "$top/toolchains/$triplet.cmake" ] ||
  wrong_usage "no toolchain file toolchains/$triplet.cmake"
mkdir -p "$2" || fail "cannot write in $2"
prefix=$(cd "$2" && pwd)
[ ! -e "$prefix/complete" ] || exit 0

packages='libhwy-dev libhwy1 libgtest-dev libbenchmark-dev libbenchmark1debian'
case $triplet in
  x86_64-linux-gnu) architecture=amd64 ;;
  i686-linux-gnu) architecture=i386 ;;
  aarch64-linux-gnu) architecture=arm64 ;;
  arm-linux-gnueabihf) architecture=armhf ;;
  powerpc64le-linux-gnu) architecture=ppc64el ;;
  s390x-linux-gnu) architecture=s390x ;;
  # What is built for another C library serves only where it is C.
  x86_64-linux-musl) architecture=amd64 packages=libhwy-dev ;;
  *) architecture='' ;;
esac

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
last_error() { grep -E '^(E|Err|W)[: ]' "$log" | tail -n 1; }

# The packages of another architecture, by an apt with state of its own.
download_packages() {
  command -v apt-get >/dev/null || fail 'apt-get is missing: this needs a Debian system'
  mkdir -p "$scratch/lists/partial" "$scratch/archives/partial" "$scratch/debs"
  # Update hooks of the system (Docker images have some) would touch its caches.
  cat >"$scratch/apt.conf" <<TEXT
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear APT::Architectures;
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "2";
Dir::State::lists "$scratch/lists";
Dir::Cache::archives "$scratch/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
TEXT
  # An update that failed in part may still have what is needed.
  APT_CONFIG=$scratch/apt.conf apt-get update >"$log" 2>&1 || true
  # shellcheck disable=SC2086 # package names, split on purpose
  (cd "$scratch/debs" &&
    APT_CONFIG=$scratch/apt.conf apt-get download $packages >>"$log" 2>&1) ||
    fail "cannot download packages of $architecture: $(last_error)"
  local deb
  for deb in "$scratch"/debs/*.deb; do dpkg-deb -x "$deb" "$prefix"; done
}

# The same, built: GoogleTest and Benchmark for the target; of Highway the
# headers, which are the same everywhere.
build_sources() {
  local benchmark
  benchmark=$("$top/scripts/fetch-source.sh" benchmark "$scratch/sources")
  local source
  for source in /usr/src/googletest "$benchmark"; do
    [ -d "$source" ] || fail "$source is missing: install the package googletest"
    { cmake -S "$source" -B "$scratch/build" -G Ninja --fresh \
      --toolchain "$top/toolchains/$triplet.cmake" \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix/usr" \
      -DBUILD_GMOCK=OFF -DBENCHMARK_ENABLE_TESTING=OFF \
      -DBENCHMARK_ENABLE_WERROR=OFF >"$log" 2>&1 &&
      cmake --build "$scratch/build" --target install >>"$log" 2>&1; } ||
      fail "cannot build $source: $(grep -iE 'error' "$log" | head -n 1)"
    rm -rf "$scratch/build"
  done
  [ -d /usr/include/hwy ] || fail "Highway's headers are missing: install libhwy-dev"
  cp -r /usr/include/hwy "$prefix/usr/include/"
}

if [ -n "$architecture" ]; then download_packages; else build_sources; fi
touch "$prefix/complete"
