#!/bin/bash
# Measures, draws and writes what docs/benchmarks.md shows.
set -euo pipefail

all_parts='speed latency memory batches ports sum lua server'
usage() {
  cat <<END
usage: bench/report.sh [OPTION...] [PART...]

Measures the parts, keeps each as JSON, and draws everything that is there anew:
charts, the tables in docs/benchmarks.md, and one page that needs no other file.

  speed    bytes a second by size: every function, kernel and peer
  latency  one call after the other, 1 to 256 bytes
  memory   data in the cache, unaligned, and not in the cache
  batches  1024 keys in a call against a loop over them
  ports    what the execution ports allow, by llvm-mca
  sum      murmuration sum of a cached file against cat and xxhsum
  lua      bench/lua/run.sh
  server   bench/server/run.sh

Without a PART, all of them: about fifteen minutes. Within a part rounds are
interleaved, so that its ratios hold; numbers of two parts are of two runs.

  --build DIR    build folder (default: build/bench, built if need be)
  --results DIR  where JSON and charts go (default: docs/results)
  --page FILE    the page (default: report.html in the build folder)
  --rounds N     rounds of each measurement (default: 5)
  --draw         measure nothing
END
}

fail() { printf 'report.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'report.sh: %s (see --help)\n' "$*" >&2; exit 2; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/bench results=$project/docs/results page='' rounds=5 draw_only=no
parts=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --draw) draw_only=yes ;;
    --build | --results | --page | --rounds)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in
        --build) build=$(absolute "$2") ;;
        --results) results=$(absolute "$2") ;;
        --page) page=$(absolute "$2") ;;
        --rounds) rounds=$2 ;;
      esac
      shift ;;
    -*) wrong_usage "unknown option $1" ;;
    *)
      case " $all_parts " in
        *" $1 "*) parts+=("$1") ;;
        *) wrong_usage "no part $1" ;;
      esac ;;
  esac
  shift
done
case $rounds in
  '' | *[!0-9]* | 0*) wrong_usage "--rounds wants a number from 1" ;;
esac
page=${page:-$build/report.html}
if [ $draw_only = yes ]; then
  [ ${#parts[@]} -eq 0 ] || wrong_usage "--draw measures no part"
elif [ ${#parts[@]} -eq 0 ]; then
  read -ra parts <<<"$all_parts"
fi

packages=(gnuplot-nox python3)
build_wanted=no
for part in "${parts[@]}"; do
  case $part in
    speed | latency | memory | batches) build_wanted=yes packages+=(libxxhash-dev) ;;
    ports) build_wanted=yes packages+=(llvm binutils) ;;
    sum) build_wanted=yes packages+=(xxhash nlohmann-json3-dev) ;;
  esac
done
"$project/scripts/install-dependencies.sh" "${packages[@]}"
if [ $build_wanted = yes ]; then
  "$project/scripts/install-dependencies.sh"
  cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DMURMURATION_BUILD_TESTS=OFF >&2
  cmake --build "$build" >&2
fi
mkdir -p "$results" "$build" || fail "cannot write in $results or $build"

for part in "${parts[@]}"; do
  echo "report.sh: $part" >&2
  case $part in
    lua) "$project/bench/lua/run.sh" --json "$results/lua.json" ;;
    server) "$project/bench/server/run.sh" --json "$results/server-scripts-102400.json" ;;
    *)
      python3 "$project/bench/measure.py" "$part" --build "$build" --rounds "$rounds" \
        --json "$results/$part.json" ;;
  esac
done
python3 "$project/bench/draw.py" --results "$results" --page "$page" \
  --document "$project/docs/benchmarks.md"
echo "$page"
