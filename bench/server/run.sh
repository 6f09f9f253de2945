#!/usr/bin/env bash
# The benchmark that this project started from, on real servers, as one command.
set -euo pipefail

usage() {
  cat <<END
usage: run.sh [OPTION...]              a script that reads large values
       run.sh --all [OPTION...]        the same at 1 KB, 10 KB, 100 KB and 1 MB
       run.sh --cluster [OPTION...]    the same in a cluster of three nodes
       run.sh --crowded [OPTION...]    KEYS in a script: many long, similar names
       run.sh --attack [OPTION...]     scripts that get strings made to collide,
                                       on servers without and with a secret

Builds a Redis or Valkey server with several string hashes in its Lua, runs all
of them at once on loopback, and loads them in turn, round by round, with the
server's own load generator: EVALSHA of a script that does RANDOMKEY and GET.

  unmodified   the server as it is
  every-byte   every byte, one at a time: what Redis 7.0 does
  scalar       MurmurHash3 x86_32: what Valkey 8.1 does
  no-hash      the first 64 bytes only: what the script costs without its hash
  xxh3         XXH3 for the best vectors of this processor, in the same place
  murmuration  wide32, copying and hashing in one pass

A script that reads large values is measured with glibc's thresholds as they are,
and with MALLOC_TRIM_THRESHOLD_ and MALLOC_MMAP_THRESHOLD_ at 256 MB, so that glibc
does not give the memory of each value back to the system. Page faults a script tell
whether that matters to a server.

  --source DIR    a Redis or Valkey tree, Redis 7.0 to 8.6, Valkey 7.2 to 9.1; it
                  is copied and never changed (default: Redis from this Debian's
                  source package)
  --size BYTES    of one value (default 102400)
  --keys N        how many values (default 1000, fewer above 200 KB); with
                  --attack how many strings at most, 65536 or fewer
  --values KIND   equal (one string under every key), differing, or both
                  (default both)
  --memory KIND   default, kept (the thresholds above), or both (default both)
  --requests N    in one round on one server (default: by size)
  --clients N     connections (default 50)
  --rounds N      (default 9)
  --socket KIND   tcp or unix (default tcp)
  --output FOLDER where the tables, charts and JSON go
                  (default build/bench-server/results of the project)
  --json FILE     the results as one JSON object there too; not with --all
  --build FOLDER  where to build (default build/bench-server of the project)
  --help          show this text

Missing packages are installed. CC names the compiler (default cc).
END
}

fail() { printf 'run.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'run.sh: %s (see --help)\n' "$*" >&2; exit 2; }
is_number() { case $1 in '' | 0* | *[!0-9]*) return 1 ;; esac; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname -- "$(dirname -- "$here")")
mode=single build=$project/build/bench-server source='' output='' json=''
size=102400 keys='' values=both memory=both requests='' clients=50 rounds='' socket=tcp
while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage; exit 0 ;;
    --all | --cluster | --crowded | --attack) mode=${1#--} ;;
    --source | --size | --keys | --values | --memory | --requests | --clients | --rounds | --socket | \
      --output | --json | --build)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in
        --size | --keys | --requests | --clients | --rounds)
          is_number "$2" || wrong_usage "$1 $2: not a number above 0" ;;
      esac
      case $1 in
        --source) source=$(absolute "$2") ;;
        --size) size=$2 ;;
        --keys) keys=$2 ;;
        --values)
          case $2 in equal | differing | both) values=$2 ;; *) wrong_usage "unknown values $2" ;; esac ;;
        --memory)
          case $2 in default | kept | both) memory=$2 ;; *) wrong_usage "unknown memory $2" ;; esac ;;
        --requests) requests=$2 ;;
        --clients) clients=$2 ;;
        --rounds) rounds=$2 ;;
        --socket) case $2 in tcp | unix) socket=$2 ;; *) wrong_usage "unknown socket $2" ;; esac ;;
        --output) output=$(absolute "$2") ;;
        --json) json=$(absolute "$2") ;;
        --build) build=$(absolute "$2") ;;
      esac
      shift ;;
    *) wrong_usage "unknown argument $1" ;;
  esac
  shift
done
if [ "$mode" = attack ] && [ -n "$keys" ]; then
  if [ "$keys" -lt 64 ] || [ "$keys" -gt 65536 ]; then wrong_usage "--attack takes 64 to 65536 --keys"; fi
fi
if [ -n "$json" ]; then
  [ "$mode" != all ] || wrong_usage "--all measures several sizes and writes a JSON file for each into --output"
  [ -d "$(dirname -- "$json")" ] || fail "there is no folder for $json"
fi
[ -n "$output" ] || output=$build/results
mkdir -p -- "$output" || fail "cannot write in $output"

"$project/scripts/install-dependencies.sh" python3 gnuplot-nox

# build VARIANT...: sets the arguments --variant NAME FOLDER for the programs.
build() {
  local options=(--build "$build") lines name folder
  [ -z "$source" ] || options+=(--source "$source")
  lines=$("$here/build-variants.sh" "${options[@]}" "$@")
  variants=()
  while IFS=$'\t' read -r name folder; do variants+=(--variant "$name" "$folder"); done <<<"$lines"
  # .../redis-7.0.15-CHECKSUM/variant
  server=$(basename -- "$(dirname -- "${variants[2]}")")
  server=${server%-*} server=${server/-/ } server=${server^}
}
compiler=$("${CC:-cc}" --version | head -n 1)

measure() {
  local size=$1
  local number_of_keys=${keys:-$((size > 204800 ? 204800000 / size : 1000))}
  local number_of_requests=$requests
  if [ -z "$number_of_requests" ]; then
    number_of_requests=$((2048000000 / size))
    [ "$number_of_requests" -le 100000 ] || number_of_requests=100000
    [ "$number_of_requests" -ge 1000 ] || number_of_requests=1000
  fi
  python3 -B "$here/measure.py" "${variants[@]}" --size "$size" --keys "$number_of_keys" \
    --requests "$number_of_requests" --clients "$clients" --rounds "${rounds:-9}" \
    --values "$values" --memory "$memory" --socket "$socket" --server "$server" --compiler "$compiler" \
    --output "$output/server-scripts-$size" ${json:+--json "$json"}
}

case $mode in
  single)
    build unmodified every-byte scalar no-hash xxh3 murmuration
    measure "$size" ;;
  all)
    build unmodified every-byte scalar no-hash xxh3 murmuration
    for size in 1024 10240 102400 1048576; do measure "$size"; done ;;
  cluster)
    build unmodified murmuration
    python3 -B "$here/cluster.py" "${variants[@]}" --size "$size" --keys "${keys:-3000}" \
      --requests "${requests:-20000}" --clients "$clients" --rounds "${rounds:-9}" \
      --server "$server" --compiler "$compiler" --output "$output/server-cluster-$size" ${json:+--json "$json"} ;;
  crowded)
    build sampling every-byte scalar murmuration
    python3 -B "$here/crowded.py" "${variants[@]}" --keys "${keys:-100000}" --rounds "${rounds:-3}" \
      --server "$server" --compiler "$compiler" --output "$output/server-crowded" ${json:+--json "$json"} ;;
  attack)
    build murmuration murmuration-secret
    input=$build/attack_input
    "${CC:-cc}" -O2 -I "$project" -o "$input" "$here/attack_input.c" || fail "cannot build attack_input"
    most=${keys:-65536}
    python3 -B "$here/attack.py" "${variants[@]}" --input "$input" --rounds "${rounds:-9}" \
      --server "$server" --compiler "$compiler" --output "$output/server-attack" ${json:+--json "$json"} \
      $((most / 64)) $((most / 8)) "$most" ;;
esac
