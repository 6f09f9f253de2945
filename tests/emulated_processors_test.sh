#!/bin/bash
# The kernel that older, odd and half-enabled processors get, in an emulator.
#
#   emulated_processors_test.sh KERNEL_PROBE QEMU_X86_64
set -euo pipefail

probe=$1 qemu=$2
if [ ! -x "$qemu" ]; then
  echo "skipped: no qemu-x86_64-static (package qemu-user-static)"
  exit 77
fi

# The emulator has no AVX-512: processors with it get what is next. Without
# xsave, the operating system cannot have enabled AVX.
# processor                              kernel
table='
qemu64                                   scalar
core2duo                                 scalar
phenom                                   scalar
Penryn,-sse4.1                           scalar
Nehalem,-sse4.2                          scalar
Nehalem                                  sse4
Westmere                                 sse4
SandyBridge                              sse4
Opteron_G1                               scalar
Opteron_G5                               sse4
Haswell                                  avx2
EPYC                                     avx2
max                                      avx2
Haswell,-avx2                            sse4
Haswell,-avx                             sse4
Haswell,-bmi2                            sse4
Haswell,-f16c                            sse4
Haswell,-fma                             sse4
Haswell,-xsave                           sse4
max,-xsave                               sse4
KnightsMill                              avx2
Skylake-Server                           avx2
EPYC,vendor=HygonGenuine                 avx2
Haswell,vendor=UnknownProce              avx2
max,vendor=UnknownProce                  avx2
'
wrong=0
while read -r processor expected; do
  [ -n "$processor" ] || continue
  if ! got=$("$qemu" -cpu "$processor" "$probe" 2>&1 | grep -v '^qemu.*warning'); then
    echo "$processor: the probe failed: $got" >&2
    wrong=1
  elif [ "$got" != "$expected" ]; then
    echo "$processor: got $got, not $expected" >&2
    wrong=1
  fi
done <<<"$table"
exit $wrong
