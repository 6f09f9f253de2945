#!/bin/bash
# What strings that were made to collide cost a Lua, with and without a secret.
set -euo pipefail

usage() {
  cat <<END
usage: bench/lua/attack.sh [OPTION...]

Builds Lua 5.1.5 with Murmuration and lua-cjson and measures, for 2^10 to 2^16
strings of 128 bytes that have one hash in a Lua without a secret, and for as many
random ones: storing under them in a table, and cjson.decode of an object that has
them as keys.

  --rounds N      how often each is measured, interleaved (default 9)
  --csv FILE      write the table as CSV
  --chart FILE    draw it as SVG (needs gnuplot)
  --build FOLDER  where to build (default build/bench-lua-attack of the project)
  --help          show this text

Takes two minutes; the largest runs without a secret are quadratic.
Installs missing packages and fetches sources when it has to. CC names the
compiler of Lua (default cc).
END
}
fail() { printf 'attack.sh: %s\n' "$*" >&2; exit 1; }
wrong_usage() { printf 'attack.sh: %s (see --help)\n' "$*" >&2; exit 2; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$(dirname "$here")")
build=$project/build/bench-lua-attack
rounds=9 csv='' chart=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --rounds | --csv | --chart | --build)
      [ $# -ge 2 ] || wrong_usage "$1 needs a value"
      case $1 in
        --rounds)
          [[ $2 =~ ^[1-9][0-9]*$ ]] || wrong_usage "$2 is no number of rounds"
          rounds=$2 ;;
        --csv) csv=$(absolute "$2") ;;
        --chart) chart=$(absolute "$2") ;;
        --build) build=$(absolute "$2") ;;
      esac
      shift ;;
    *) wrong_usage "unknown argument $1" ;;
  esac
  shift
done

cc=${CC:-cc}
"$project/scripts/install-dependencies.sh"
[ -z "$chart" ] || "$project/scripts/install-dependencies.sh" gnuplot-nox
mkdir -p "$build" || fail "cannot write in $build"
lua=$("$project/scripts/fetch-source.sh" lua5.1 "$build/sources")
cjson=$("$project/scripts/fetch-source.sh" lua-cjson "$build/sources")

quietly() {
  "$@" >"$build/log" 2>&1 || { tail -n 30 "$build/log" >&2; fail "failed: $*"; }
}
quietly cmake -S "$project" -B "$build/library" -DCMAKE_BUILD_TYPE=Release \
  -DMURMURATION_BUILD_TESTS=OFF -DMURMURATION_BUILD_BENCHMARKS=OFF
quietly cmake --build "$build/library" --target murmuration
tree=$build/lua
rm -rf "$tree"
cp -R "$lua" "$tree"
quietly "$project/integrations/lua51/apply.sh" \
  --library "$build/library/libmurmuration.a" "$tree/src"
quietly make -C "$tree/src" a CC="$cc"
quietly "$cc" -O2 -o "$build/attack_bench" -I "$project" -I "$project/include" \
  -I "$tree/src" "$here/attack_bench.c" "$cjson"/{lua_cjson,strbuf,fpconv}.c \
  "$tree/src/liblua.a" -lm

table=${csv:-$build/attack.csv}
python3 -B "$here/attack.py" --program "$build/attack_bench" \
  --compiler "$("$cc" --version | head -n 1)" --rounds "$rounds" --csv "$table" \
  1024 2048 4096 8192 16384 32768 65536
[ -z "$chart" ] ||
  gnuplot -e "input='$table'; output='$chart'" "$project/bench/attack_chart.gp"
