#!/bin/sh
# Fetches the source of a Debian package through a private apt configuration.
set -eu

usage() {
  cat <<END
usage: fetch-source.sh [--patched] PACKAGE FOLDER

Unpacks the upstream source of a Debian source package, such as lua5.1 or redis,
into FOLDER/PACKAGE and prints that path. What is there already stays: a second
call needs no network.

  --patched  with Debian's patches, into FOLDER/PACKAGE-patched (needs dpkg-dev)
  --help     show this text

The sources of this system's own apt are used, as deb-src; apt checks what it
downloads. Nothing of the system is changed, and root is not needed.
END
}

fail() { printf 'fetch-source.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'fetch-source.sh: %s (see --help)\n' "$*" >&2; exit 2; }

patched=no
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --patched) patched=yes ;;
    -*) wrong_usage "unknown option $1" ;;
    *) break ;;
  esac
  shift
done
[ $# -eq 2 ] || wrong_usage "PACKAGE and FOLDER are wanted"
package=$1
case $package in
  '' | *[!a-z0-9.+-]*) wrong_usage "$package is no name of a package" ;;
esac
mkdir -p "$2" || fail "cannot write in $2"
folder=$(CDPATH='' cd -- "$2" && pwd)
tree=$folder/$package
[ $patched = no ] || tree=$folder/$package-patched
downloads=$folder/downloads
private=$folder/apt

if [ -d "$tree" ]; then
  echo "$tree"
  exit 0
fi

# ------------------------------------------------------------- download

# The names of the files of the package if all are here and whole.
downloaded_files() {
  for dsc in "$downloads/${package}"_*.dsc; do
    [ -f "$dsc" ] || return 1
    sums=$(awk '/^[^ ]/ { inside = /^Checksums-Sha256:/ }
                inside && NF == 3 { print $1 "  " $3 }' "$dsc")
    [ -n "$sums" ] || return 1
    (cd "$downloads" && echo "$sums" | sha256sum --check --status 2>/dev/null) || return 1
    echo "$sums" | sed 's/^[^ ]*  //'
  done
}

# This system's sources of its own distribution, as deb-src: those in deb822
# form, and those of one line each.
deb_src_stanzas() {
  cat /dev/null /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed 's/^[[:space:]]*$//; /^#/d' |
    awk -v RS= -v ORS='\n\n' -v id="$ID" -v release="$VERSION_CODENAME" '
      {
        uris = suites = ""; off = 0
        n = split($0, line, "\n")
        for (i = 1; i <= n; i++) {
          if (line[i] ~ /^URIs:/) uris = line[i]
          if (line[i] ~ /^Suites:/) suites = line[i]
          if (tolower(line[i]) ~ /^enabled:[ \t]*(no|false|0)/) off = 1
          if (line[i] ~ /^Types:/) line[i] = "Types: deb-src"
        }
        if (off || index(uris, id) == 0 || suites !~ "[ \t](" release "|stable)") next
        text = line[1]
        for (i = 2; i <= n; i++) text = text "\n" line[i]
        print text
      }'
}
deb_src_lines() {
  cat /dev/null /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk -v id="$ID" -v release="$VERSION_CODENAME" '
      /^[ \t]*deb(-src)?[ \t]/ {
        sub(/^[ \t]*deb(-src)?/, "deb-src")
        entry = $0
        sub(/^deb-src[ \t]+(\[[^]]*\])?[ \t]*/, "", entry)
        split(entry, part)
        if (index(part[1], id) && part[2] ~ "^(" release "|stable)" && !seen[$0]++) print
      }'
}

download() {
  command -v apt-get >/dev/null || fail "apt-get is missing: this needs a Debian system"
  [ -r /etc/os-release ] || fail "/etc/os-release is missing: cannot tell the Debian release"
  ID='' VERSION_CODENAME=''
  # shellcheck disable=SC1091
  . /etc/os-release
  if [ -z "$ID" ] || [ -z "$VERSION_CODENAME" ]; then
    fail "/etc/os-release names no release"
  fi

  rm -rf "$private"
  mkdir -p "$private/parts" "$private/lists/partial" "$private/archives/partial" "$downloads" ||
    fail "cannot write in $folder"
  deb_src_stanzas >"$private/parts/private.sources"
  deb_src_lines >"$private/parts/private.list"
  grep -q deb-src "$private"/parts/* ||
    fail "this system's apt has no sources of $ID $VERSION_CODENAME"
  # Update hooks of the system (Docker images have some) would touch its caches.
  cat >"$private/apt.conf" <<END
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$private/parts";
Dir::State::lists "$private/lists";
Dir::Cache::archives "$private/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
END
  log=$private/log
  echo "Fetching the source package $package ..." >&2
  # An update that failed in part may still have what is needed.
  apt-get -c "$private/apt.conf" update >"$log" 2>&1 || true
  (cd "$downloads" && apt-get -c "$private/apt.conf" --download-only --only-source \
    source "$package" >>"$log" 2>&1) ||
    fail "cannot download the source of $package: $(grep -E '^(E|Err)[: ]' "$log" | tail -n 1)"
  rm -rf "$private"
}

if ! files=$(downloaded_files); then
  rm -f "$downloads/${package}"_*
  download
  files=$(downloaded_files) ||
    fail "the downloaded source of $package is not what its .dsc file says"
fi

# --------------------------------------------------------------- unpack

scratch=$(mktemp -d "$folder/.unpack.XXXXXX") || fail "cannot write in $folder"
trap 'rm -rf "$scratch"' EXIT
if [ $patched = yes ]; then
  command -v dpkg-source >/dev/null || fail "dpkg-source is missing: install dpkg-dev"
  dpkg-source --no-check -x "$downloads/${package}"_*.dsc "$scratch/tree" >"$scratch/log" 2>&1 ||
    fail "cannot unpack $package: $(tail -n 1 "$scratch/log")"
else
  tarball=$(echo "$files" | grep -E '\.orig\.tar\.[a-z0-9]+$') ||
    fail "$package has no upstream tarball"
  mkdir "$scratch/tree"
  tar -xf "$downloads/$tarball" -C "$scratch/tree" --strip-components=1 --no-same-owner ||
    fail "cannot unpack $downloads/$tarball"
fi
mv "$scratch/tree" "$tree"
echo "$tree"
