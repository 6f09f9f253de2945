#!/usr/bin/env bash
# Builds one server from one source tree with several string hashes in its Lua.
set -euo pipefail

usage() {
  cat <<END
usage: build-variants.sh [--source DIR] [--build FOLDER] VARIANT...

Builds a Redis or Valkey server (Redis 7.0 to 8.6, Valkey 7.2 to 9.1) once for
each VARIANT and prints
"VARIANT<tab>FOLDER" lines: FOLDER/tree is the built source tree, FOLDER/hash
names the hash that its Lua was seen to compute. What is there and still
current is used again.

  unmodified   the tree as it is
  every-byte   every byte, one at a time: what Redis 7.0 does
  scalar       MurmurHash3 x86_32: what Valkey 8.1 does
  no-hash      the first 64 bytes only: what a string costs without its hash
  xxh3         XXH3 for the best vectors of this processor, 64 bits cut to 32, from
               64 bytes on; wants libxxhash-dev
  murmuration  wide32, copying and hashing in one pass
  sampling     lstring.c of Lua 5.1.5, which samples about 32 bytes
  murmuration-secret
               murmuration, and main sets a random secret (docs/security.md)

All but unmodified and sampling go through integrations/lua51/apply.sh.

  --source DIR    the tree; it is copied and never changed (default: the upstream
                  source in Debian's source package of Redis, which is fetched;
                  Debian's own patches want its libjemalloc, not the vendored)
  --build FOLDER  where to build (default: build/bench-server of the project)
  --help          show this text

CC names the compiler (default cc).
END
}

fail() { printf 'build-variants.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'build-variants.sh: %s (see --help)\n' "$*" >&2; exit 2; }
progress() { printf 'build-variants.sh: %s\n' "$*" >&2; }

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname -- "$(dirname -- "$here")")
build=$project/build/bench-server
source=''
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --source | --build)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in --source) source=$2 ;; --build) build=$2 ;; esac
      shift ;;
    -*) wrong_usage "unknown option $1" ;;
    *) break ;;
  esac
  shift
done
[ $# -gt 0 ] || wrong_usage "no VARIANT is named"
for variant; do
  case $variant in
    unmodified | every-byte | scalar | no-hash | xxh3 | murmuration | murmuration-secret | sampling) ;;
    *) wrong_usage "unknown variant $variant" ;;
  esac
done

packages=()
case " $* " in *' xxh3 '*) packages+=(libxxhash-dev) ;; esac
"$project/scripts/install-dependencies.sh" ${packages[@]+"${packages[@]}"}
mkdir -p -- "$build" || fail "cannot write in $build"
build=$(cd -- "$build" && pwd)
cc=${CC:-cc}
command -v "$cc" >/dev/null || fail "there is no compiler $cc"
export CC=$cc
jobs=$(nproc 2>/dev/null || echo 2)
exec {lock}>"$build/lock"
flock -n "$lock" || { progress "waiting for another build in $build"; flock "$lock"; }

# quietly LOG COMMAND...: the log appears only if the command fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || {
    tail -n 30 -- "$log" >&2
    fail "failed: $* (all of its output: $log)"
  }
}

# ---------------------------------------------------------------- source

if [ -z "$source" ]; then
  source=$("$project/scripts/fetch-source.sh" redis "$build/sources")
fi
[ -d "$source" ] || fail "$source is not a folder"
source=$(cd -- "$source" && pwd)
lua=deps/lua/src
for file in src/version.h "$lua/lstring.c"; do
  [ -f "$source/$file" ] || fail "$source is no Redis or Valkey tree: it has no $file"
done
# Valkey's version.h names a version of Redis too.
product=redis
if grep -q '^#define VALKEY_VERSION ' "$source/src/version.h"; then product=valkey; fi
version=$(sed -nE "s/^#define ${product^^}_VERSION \"([^\"]*)\".*/\\1/p" "$source/src/version.h")
[ -n "$version" ] || fail "$source/src/version.h names no version"
source_id=$(cd -- "$source" && find . -name .git -prune -o -type f -printf '%P %s %T@\n' |
  LC_ALL=C sort | cksum | cut -d ' ' -f 1)
folder=$build/$product-$version-$source_id
mkdir -p -- "$folder" "$build/logs"

# ---------------------------------------------------------------- library

progress "building the library in $build/library"
quietly "$build/logs/configure.log" cmake -S "$project" -B "$build/library" \
  -DCMAKE_BUILD_TYPE=Release -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_BENCHMARKS=OFF
quietly "$build/logs/library.log" cmake --build "$build/library" --parallel "$jobs"
library=$build/library/libmurmuration.a
[ -f "$library" ] || fail "the build left no $library"

# ---------------------------------------------------------------- variants

# What a variant is made of: it is built again only when this changes.
base_inputs=$(cksum <"${BASH_SOURCE[0]}"; cksum <"$here/hash_probe.c"; "$cc" --version | head -n 1)
our_inputs=$(cat -- "$library" "$project"/integrations/lua51/*.[ch] \
  "$project/integrations/lua51/apply.sh" "$project/include/murmuration.h" \
  "$project/include/murmuration_x86_32.h" "$project/bench/with-xxh3.sh" \
  "$project/bench/xxh3_hash.c" | cksum)

inputs_of() {
  echo "$base_inputs"
  case $1 in unmodified | sampling) ;; *) echo "$our_inputs" ;; esac
}

is_current() {
  [ -f "$folder/$1/inputs" ] && [ "$(cat -- "$folder/$1/inputs")" = "$(inputs_of "$1")" ] &&
    [ -x "$folder/$1/tree/src/$product-server" ]
}

build_unmodified() {
  progress "building $product $version, unmodified (takes a minute or two)"
  local tree=$folder/unmodified/tree
  rm -rf -- "$folder/unmodified"
  mkdir -- "$folder/unmodified"
  cp -Rp -- "$source" "$tree"
  chmod -R u+w -- "$tree"
  rm -rf -- "$tree/.git"
  # A tree that was built, or has Murmuration, starts as a clean one.
  quietly "$build/logs/revert.log" "$project/integrations/lua51/apply.sh" --revert "$tree/$lua"
  quietly "$build/logs/clean.log" make -C "$tree" distclean
  quietly "$build/logs/unmodified.log" make -C "$tree" -j "$jobs"
}

# What docs/security.md tells those who maintain a server to write: a secret, in
# main, before the first Lua state exists.
set_secret() {
  local main=$1/src/server.c
  [ "$(grep -c '^ *dictSetHashFunctionSeed(' "$main")" -eq 1 ] ||
    fail "$main does not call dictSetHashFunctionSeed once: where would a secret be set?"
  sed -i -e '0,/^#include "server.h"/s//&\n#include "murmuration.h"\n#include <sys\/random.h>/' \
    -e '/^ *dictSetHashFunctionSeed(/a\
    unsigned char secret[16];\
    if (getrandom(secret, sizeof secret, 0) != sizeof secret) abort();\
    if (mmr3_lua_set_secret(secret) != 0) abort();' "$main"
}

# The built tree again with another Lua: only Lua is compiled and the server
# linked, so all variants share every other object, the allocator's included.
build_variant() {
  local tree=$folder/$1/tree
  progress "building $product $version: $1"
  rm -rf -- "${folder:?}/$1"
  mkdir -- "$folder/$1"
  cp -Rp -- "$folder/unmodified/tree" "$tree"
  case $1 in
    sampling)
      local stock
      stock=$("$project/scripts/fetch-source.sh" lua5.1 "$build/sources")
      cp -- "$stock/src/lstring.c" "$tree/$lua/lstring.c" ;;
    *)
      local hash=$1 object=$library
      case $1 in
        murmuration*) hash=wide32 ;;
        no-hash) hash=first-64 ;;
        xxh3)
          object=$build/with-xxh3.o
          quietly "$build/logs/with-xxh3.log" "$project/bench/with-xxh3.sh" "$library" "$object" ;;
      esac
      quietly "$build/logs/apply.log" "$project/integrations/lua51/apply.sh" \
        --library "$object" --hash "$hash" "$tree/$lua" ;;
  esac
  [ "$1" != murmuration-secret ] || set_secret "$tree"
  rm -f -- "$tree/src/$product-server"
  quietly "$build/logs/$1.log" make -C "$tree/$lua" clean
  quietly "$build/logs/$1.log" make -C "$tree/deps" lua
  quietly "$build/logs/$1.log" make -C "$tree" -j "$jobs"
}

# A wrong build must not be measured under the right name.
probe() {
  local tree=$folder/$1/tree expected=$1
  quietly "$build/logs/probe.log" "$cc" -O1 -I "$tree/$lua" -I "$project/include" \
    -I "$project/integrations/lua51" "$here/hash_probe.c" "$tree/$lua/liblua.a" "$library" -lm \
    -o "$folder/$1/hash_probe"
  "$folder/$1/hash_probe" >"$folder/$1/hash" || fail "the hash of $1 could not be probed"
  case $1 in no-hash) expected=first-64 ;; murmuration*) expected=wide32 ;; esac
  [ "$1" = unmodified ] || [ "$(cat -- "$folder/$1/hash")" = "$expected" ] ||
    fail "the build of $1 hashes strings with $(cat -- "$folder/$1/hash"), not with $expected"
}

build_if_needed() {
  if is_current "$1"; then return; fi
  if [ "$1" = unmodified ]; then
    build_unmodified
  else
    build_if_needed unmodified
    build_variant "$1"
  fi
  [ -x "$folder/$1/tree/src/$product-server" ] || fail "the build left no $product-server in $folder/$1/tree/src"
  probe "$1"
  inputs_of "$1" >"$folder/$1/inputs"
}

for variant; do build_if_needed "$variant"; done
for variant; do printf '%s\t%s\n' "$variant" "$folder/$variant"; done
