#!/bin/bash
# Prints how many times as fast as x86_32 each wide32 kernel is.
set -euo pipefail

usage() {
  cat <<END
usage: bench/kernels.sh [--build DIR] [--rounds N] [--json FILE]

Runs murmuration_bench with its rounds interleaved and prints, for each kernel
that this processor supports, the speed of wide32 over x86_32's, both of their
fastest round.

  --build DIR   a build folder with the benchmarks (default: build/bench, made
                and built here if there is none)
  --rounds N    interleaved rounds (default: 9)
  --json FILE   keep what Google Benchmark measured
END
}

build='' rounds=9 json=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --build | --rounds | --json)
      [ $# -ge 2 ] || { echo "kernels.sh: $1 needs a value" >&2; exit 2; }
      case $1 in
        --build) build=$2 ;;
        --rounds) rounds=$2 ;;
        --json) json=$2 ;;
      esac
      shift 2 ;;
    *) echo "kernels.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
done
case $rounds in
  '' | *[!0-9]* | 0) echo "kernels.sh: --rounds wants a number from 1" >&2; exit 2 ;;
esac

project=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "$build" ]; then
  build=$project/build/bench
  "$project/scripts/install-dependencies.sh"
  cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DMURMURATION_BUILD_TESTS=OFF >&2
  cmake --build "$build" >&2
fi
if [ ! -x "$build/bench/murmuration_bench" ]; then
  echo "kernels.sh: no bench/murmuration_bench in $build" >&2
  exit 1
fi

measured=$(mktemp)
trap 'rm -f "$measured"' EXIT
"$build/bench/murmuration_bench" \
  --benchmark_filter='^(x86_32|wide32|wide32_(again|copy|keyed|stream|then_memcpy))/[a-z0-9_]+/(64|128|200|256|300|512|1000|4096|102400|1048576)$' \
  --benchmark_repetitions="$rounds" --benchmark_enable_random_interleaving=true \
  --benchmark_min_time=0.01 \
  --benchmark_out="$measured" --benchmark_out_format=json >/dev/null 2>&1
[ -z "$json" ] || cp "$measured" "$json"
command=$build/murmuration
[ -x "$command" ] || command=''
processor=$(python3 -B "$project/bench/processor.py" describe ${command:+"$command"})
python3 - "$measured" "$processor" <<'END'
import json
import sys

report = json.load(open(sys.argv[1], encoding="utf-8"))
fastest, kernels = {}, []
for row in report["benchmarks"]:
    if row["run_type"] == "iteration":
        function, kernel, size = row["run_name"].split("/")[:3]
        key = function, kernel, int(size)
        fastest[key] = min(row["real_time"], fastest.get(key, row["real_time"]))
        if function == "wide32" and kernel not in kernels:
            kernels.append(kernel)
# The first rows may be of any kernel: interleaving has them in random order.
kernels.sort(key=lambda kernel: fastest["wide32", kernel, 102400])
print(f"{sys.argv[2]}, {report['context']['compiler']}: wide32 over x86_32, the fastest of "
      "interleaved rounds")
columns = sorted({(f, k) for f, k, _ in fastest if f != "x86_32"},
                 key=lambda c: (c[0], kernels.index(c[1])))
width = max(len(f"{f}/{k}") for f, k in columns)
sizes = sorted({s for _, _, s in fastest})
print(" " * width + "".join(f"{s:>10}" for s in sizes) + "  bytes")
print(f"{'x86_32 (ns)':{width}}" +
      "".join(f"{fastest['x86_32', 'scalar', s]:10.1f}" for s in sizes))
for f, k in columns:
    print(f"{f + '/' + k:{width}}" + "".join(
        f"{fastest['x86_32', 'scalar', s] / fastest[f, k, s]:10.2f}" for s in sizes))
END
