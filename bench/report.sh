#!/bin/bash
# Measures, draws and writes what docs/benchmarks.md shows.
set -euo pipefail

all_parts='xxh3 speed latency memory batches ports sum lua server'
usage() {
  cat <<END
usage: bench/report.sh [OPTION...] [PART...]

Measures the parts, keeps each as JSON in the build folder, and writes of everything
that is there the page and the charts of this processor (docs/results/SLUG.md), the
short tables of docs/benchmarks.md, and one page of HTML that needs no other file.
Pages of other processors stay beside it.

  xxh3     wide32 against XXH3 built for the same instruction set, hashing and
           copying, with g++ and with clang
  speed    bytes a second by size: every function, kernel and peer
  latency  one call after the other, 1 to 256 bytes
  memory   data in the cache, unaligned, and not in the cache
  batches  1024 keys in a call against a loop over them
  ports    what the execution ports allow, by llvm-mca
  sum      murmuration sum of a cached file against cat and xxhsum
  lua      bench/lua/run.sh
  server   bench/server/run.sh
  kernels  all that differs between kernels (only if named: speed and batches have it)

Without a PART, all of them: about twelve minutes on two cores, the builds included.
What is compared takes turns within a second and the fastest round counts; numbers of
two parts are of two runs. Peers and tools that cannot be installed are left out, with
a line each.

  --build DIR    build folder (default: build/bench, built if need be; clang's is
                 DIR-clang)
  --results DIR  where the pages and charts go (default: docs/results; elsewhere,
                 docs/benchmarks.md stays as it is)
  --page FILE    the page of HTML (default: report.html in the build folder)
  --rounds N     rounds of each measurement (default: each part's own)
  --draw         measure nothing
END
}

fail() { printf 'report.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'report.sh: %s (see --help)\n' "$*" >&2; exit 2; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

project=$(cd "$(dirname "$0")/.." && pwd)
build=$project/build/bench results=$project/docs/results page='' rounds='' draw_only=no
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
      case " $all_parts kernels " in
        *" $1 "*) parts+=("$1") ;;
        *) wrong_usage "no part $1" ;;
      esac ;;
  esac
  shift
done
case $rounds in
  *[!0-9]* | 0*) wrong_usage "--rounds wants a number from 1" ;;
esac
page=${page:-$build/report.html}
if [ $draw_only = yes ]; then
  [ ${#parts[@]} -eq 0 ] || wrong_usage "--draw measures no part"
elif [ ${#parts[@]} -eq 0 ]; then
  read -ra parts <<<"$all_parts"
fi

progress() { printf 'report.sh: %s (%d s)\n' "$*" "$SECONDS" >&2; }
# Whether the packages are there or could be installed; if not, says what lacks.
can_have() {
  local what=$1
  shift
  "$project/scripts/install-dependencies.sh" "$@" || {
    progress "left out: $what"
    return 1
  }
}
wanted() { [[ " ${parts[*]} " == *" $1 "* ]]; }

# build_in FOLDER CC CXX TARGET...: with the benchmarks, without the tests.
build_in() {
  local folder=$1 cc=$2 cxx=$3
  shift 3
  progress "building in $folder"
  {
    cmake -S "$project" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DMURMURATION_BUILD_TESTS=OFF -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" &&
      cmake --build "$folder" --target "$@"
  } >"$build/build.log" 2>&1 || {
    tail -n 30 "$build/build.log" >&2
    fail "cannot build in $folder"
  }
  grep -o 'The benchmarks lack.*' "$build/build.log" >&2 || true
}

"$project/scripts/install-dependencies.sh" python3
can_have 'charts' gnuplot-nox || true
mkdir -p "$results" "$build" || fail "cannot write in $results or $build"
builds=(--build "$build")
if [ ${#parts[@]} -gt 0 ]; then
  "$project/scripts/install-dependencies.sh"
  can_have 'XXH3' libxxhash-dev || true
  # Before other packages: the command that tells what this processor is.
  build_in "$build" gcc g++ all
fi
if wanted xxh3 && can_have 'clang' clang; then
  build_in "$build-clang" clang clang++ murmuration_bench
  builds+=(--build "$build-clang")
fi
if wanted sum; then can_have 'xxhsum' xxhash || true; fi

command=$build/murmuration
[ -x "$command" ] || fail "no $command: build it, or measure a part"
json=$build/results/$(python3 -B "$project/bench/processor.py" slug "$command")
mkdir -p "$json" || fail "cannot write in $build"

# The fastest of so many rounds is the same within 3 % on a machine with neighbours.
rounds_of() {
  case $1 in
    xxh3) echo 45 ;;
    sum) echo 5 ;;
    *) echo 15 ;;
  esac
}
for part in ${parts[@]+"${parts[@]}"}; do
  progress "measuring: $part"
  case $part in
    lua) "$project/bench/lua/run.sh" --json "$json/lua.json" ${rounds:+--rounds "$rounds"} ;;
    server)
      "$project/bench/server/run.sh" --values differing --rounds "${rounds:-5}" \
        --json "$json/server.json" ;;
    ports)
      if can_have ports llvm binutils; then
        python3 -B "$project/bench/measure.py" ports --build "$build" --rounds 1 \
          --json "$json/ports.json"
      fi ;;
    *)
      measured=("${builds[@]}")
      [ "$part" = xxh3 ] || measured=(--build "$build")
      python3 -B "$project/bench/measure.py" "$part" "${measured[@]}" \
        --rounds "${rounds:-$(rounds_of "$part")}" --json "$json/$part.json" ;;
  esac
done
drawing=(--json "$json" --results "$results" --page "$page")
[ "$results" != "$project/docs/results" ] || drawing+=(--document "$project/docs/benchmarks.md")
python3 -B "$project/bench/draw.py" "${drawing[@]}"
progress "done: $page"
