#!/bin/bash
# MURMURATION_KERNEL forces a kernel, but not in a set-user-id program.
#
#   set_user_id_test.sh KERNEL_PROBE [EMULATOR...]
#
# An emulator gives its program the kind of process that it is itself.
set -euo pipefail

probe=$1
shift
fail() { echo "set_user_id_test.sh: $*" >&2; exit 1; }
skip() { echo "skipped: $*"; exit 77; }

best=$("$@" "$probe")
[ "$best" != scalar ] || skip "scalar is the only kernel here: nothing to force"
[ "$(MURMURATION_KERNEL=scalar "$@" "$probe")" = scalar ] || fail "the variable forces nothing"

# A program is set-user-id for everybody but its owner.
[ "$(id -u)" -eq 0 ] || skip "only root can give a program to another user"
command -v setpriv >/dev/null || skip "no setpriv"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
install -m 4755 "$probe" "$scratch/probe"
if [ $# -gt 0 ]; then
  install -m 4755 "$(command -v "$1")" "$scratch/emulator"
  set -- "$scratch/emulator" "${@:2}"
fi
if ! out=$(MURMURATION_KERNEL=scalar setpriv --reuid 65534 --clear-groups "$@" "$scratch/probe"); then
  fail "the probe failed: $out"
fi
case $out in
  *' secure') ;;
  *) skip "$scratch is on a file system without set-user-id" ;;
esac
[ "$out" = "$best secure" ] || fail "a set-user-id program listened to the variable: $out"
