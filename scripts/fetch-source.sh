#!/bin/sh
# Fetches the source of a Debian package through a private apt configuration.
set -eu

usage() {
  cat <<END
usage: fetch-source.sh [--patched] PACKAGE FOLDER
       fetch-source.sh [--patched] PACKAGE --for BUILD

Unpacks the upstream source of a Debian source package, such as lua5.1 or redis,
into FOLDER/PACKAGE and prints that path. What is there already stays: a second
call needs no network.

  --for BUILD  FOLDER is build/sources of the project for a build folder in build/,
               and BUILD/sources for any other
  --patched    with Debian's patches, into FOLDER/PACKAGE-patched (needs dpkg-dev)
  --help       show this text

The sources of this system's own release are used, as its apt lists them, as
deb-src; apt checks what it downloads. Without --patched the upstream tarball alone
is wanted. Nothing of the system is changed, and root is not needed.
END
}

fail() { printf 'fetch-source.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'fetch-source.sh: %s (see --help)\n' "$*" >&2; exit 2; }

patched=no package='' folder='' build=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --patched) patched=yes ;;
    --for) [ $# -ge 2 ] || wrong_usage "--for needs a folder"; build=$2; shift ;;
    -*) wrong_usage "unknown option $1" ;;
    *)
      if [ -z "$package" ]; then package=$1
      elif [ -z "$folder" ]; then folder=$1
      else wrong_usage "one PACKAGE and one FOLDER are wanted"; fi ;;
  esac
  shift
done
case $package in
  '' | *[!a-z0-9.+-]*) wrong_usage "PACKAGE is missing, or is no name of a package" ;;
esac
if [ -n "$build" ]; then
  [ -z "$folder" ] || wrong_usage "FOLDER and --for exclude each other"
  project=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
  case $build in /*) ;; *) build=$PWD/$build ;; esac
  folder=$build/sources
  case $build in "$project"/build/*) folder=$project/build/sources ;; esac
fi
[ -n "$folder" ] || wrong_usage "FOLDER is missing"
mkdir -p "$folder" 2>/dev/null || fail "cannot make the folder $folder"
folder=$(CDPATH='' cd -- "$folder" && pwd)
tree=$folder/$package
[ $patched = no ] || tree=$folder/$package-patched
log=$folder/$package.log

if [ -d "$tree" ]; then
  echo "$tree"
  exit 0
fi

command -v apt-get >/dev/null || fail "apt-get is missing: this needs a Debian system"
[ $patched = no ] || command -v dpkg-source >/dev/null ||
  fail "dpkg-source is missing: install dpkg-dev"
[ -r /etc/os-release ] || fail "/etc/os-release is missing: cannot tell the Debian release"
ID='' VERSION_CODENAME=''
# shellcheck disable=SC1091
. /etc/os-release
if [ -z "$ID" ] || [ -z "$VERSION_CODENAME" ]; then
  fail "/etc/os-release names no release"
fi

# ---------------------------------------------------------- apt's sources

# This system's sources of its own release, as deb-src: of lists in deb822 form and
# of those of one line an entry. Other suites, such as unstable, have other versions.
deb_src_stanzas() {
  # One field a line, whose own lines stay apart by a control character.
  cat /dev/null /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed 's/\r$//; s/^[[:space:]]*$//; /^#/d' |
    awk '/^[ \t]/ && line != "" { line = line "\001" $0; next }
      NR > 1 { print line }
      { line = $0 }
      END { print line }' |
    awk -v RS= -v ORS='\n\n' -v id="$ID" -v suites="$1" '
      {
        of_this_system = off = 0
        text = kept = ""
        n = split($0, line, "\n")
        for (i = 1; i <= n; i++) {
          field = tolower(line[i])
          sub(/:.*/, "", field)
          if (field == "uris" && index(line[i], id)) of_this_system = 1
          if (field == "enabled" && tolower(line[i]) ~ /:[ \t]*(no|false|off|without|disable|0)/) off = 1
          if (field == "types") line[i] = "Types: deb-src"
          if (field == "suites") {
            value = line[i]
            gsub(/\001/, " ", value)
            m = split(value, word)
            for (j = 2; j <= m; j++) if (word[j] ~ "^(" suites ")$") kept = kept " " word[j]
            line[i] = "Suites:" kept
          }
          text = text (i > 1 ? "\n" : "") line[i]
        }
        gsub(/\001/, "\n", text)
        if (of_this_system && !off && kept != "") print text
      }'
}
deb_src_lines() {
  cat /dev/null /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk -v id="$ID" -v suites="$1" '
      /^[ \t]*deb(-src)?[ \t]/ {
        sub(/^[ \t]*deb(-src)?/, "deb-src")
        entry = $0
        sub(/^deb-src[ \t]+(\[[^]]*\])?[ \t]*/, "", entry)
        split(entry, part)
        if (index(part[1], id) && part[2] ~ "^(" suites ")$" && !seen[$0]++) print
      }'
}
write_sources() {
  deb_src_stanzas "$1" >"$scratch/parts/private.sources"
  deb_src_lines "$1" >"$scratch/parts/private.list"
  grep -q deb-src "$scratch"/parts/*
}
of_release() { echo "$1|$1-updates|$1-security|$1/updates"; }

# ------------------------------------------------------------- download

scratch=$(mktemp -d "$folder/.fetch.XXXXXX" 2>/dev/null) || fail "cannot write in $folder"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
mkdir -p "$scratch/parts" "$scratch/lists/partial" "$scratch/archives/partial" "$scratch/files"
# A list that names its release "stable" says so everywhere.
write_sources "$(of_release "$VERSION_CODENAME")" || write_sources "$(of_release stable)" ||
  fail "this system's apt has no sources of $ID $VERSION_CODENAME"
# Update hooks of the system (Docker images have some) would touch its caches.
cat >"$scratch/apt.conf" <<END
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$scratch/parts";
Dir::State::lists "$scratch/lists";
Dir::Cache::archives "$scratch/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
END
# What comes first is the cause; what apt says later follows from it.
reason() { grep -m 1 -E '^(E: |W: (Failed to fetch|GPG error))' "$log" | cut -c 4- | tr -s ' '; }
quietly() {
  "$@" >>"$log" 2>&1 ||
    fail "cannot download the source of $package: $(reason) (all that apt said: $log)"
}
echo "Fetching the source package $package ..." >&2
: >"$log" || fail "cannot write in $folder"
# An update that failed in part may still have what is needed. apt checks every
# file against the signed lists.
LC_ALL=C apt-get -c "$scratch/apt.conf" update >>"$log" 2>&1 || true
cd "$scratch/files"
# The upstream tarball alone, where it is all that is unpacked: mirrors may lack
# the rest.
only=--tar-only
[ $patched = no ] || only=--download-only
LC_ALL=C quietly apt-get -c "$scratch/apt.conf" --download-only --only-source "$only" \
  source "$package"

# --------------------------------------------------------------- unpack

if [ $patched = yes ]; then
  quietly dpkg-source --no-check -x "${package}"_*.dsc "$scratch/tree"
else
  tarball=
  for file in "${package}"_*.orig.tar.*; do
    case $file in *.asc) ;; *) [ ! -f "$file" ] || tarball=$file ;; esac
  done
  [ -n "$tarball" ] || fail "$package has no upstream tarball"
  mkdir "$scratch/tree"
  tar -xf "$tarball" -C "$scratch/tree" --strip-components=1 --no-same-owner ||
    fail "cannot unpack $tarball"
fi
rm -f "$log"
# Another call may have been faster.
mv -T "$scratch/tree" "$tree" 2>/dev/null || [ -d "$tree" ] || fail "cannot write in $folder"
echo "$tree"
