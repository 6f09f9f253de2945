#!/bin/bash
# The long form of every check: hours of what scripts/test.sh does in a minute.
set -euo pipefail

usage() {
  cat <<END
usage: scripts/long-test.sh [STEP...]

Runs the named steps, by default all, in this order:

$(steps)
Stops at the first that fails. Exit status: 0 all passed, 1 one failed, 2 wrong
usage.
END
}

# One step a line: name, command. Add yours here.
steps() {
  cat <<'END'
  long-tests  scripts/test.sh --build build/long -DMURMURATION_LONG_TESTS=ON
  sanitizers  scripts/sanitize.sh
  analyzers   scripts/analyze.sh
  fuzzing     scripts/fuzz.sh 60
  cross       scripts/cross-test.sh
  coverage    scripts/coverage.sh
END
}

names=$(steps | awk '{ print $1 }')
for argument; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    *)
      grep -qx -- "$argument" <<<"$names" ||
        { echo "long-test.sh: no step $argument (see --help)" >&2; exit 2; } ;;
  esac
done
# shellcheck disable=SC2086 # one name each
[ $# -gt 0 ] || set -- $names

cd "$(dirname "$0")/.."
for name; do
  command=$(steps | sed -n "s/^  $name  *//p")
  echo "== $name: $command"
  bash -c "$command" || { echo "long-test.sh: step $name failed" >&2; exit 1; }
done
