#!/bin/bash
# murmuration_x86_32.h as it is installed: alone, as C and as C++, without a
# warning, without the library, with no name that is not the project's.
#
#   installed_test.sh BUILD CC CXX [EMULATOR...]
#
# CC and CXX may have options, separated by semicolons.
set -euo pipefail

build=$1
IFS=';' read -ra cc <<<"$2"
IFS=';' read -ra cxx <<<"$3"
emulator=("${@:4}")
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "installed_test.sh: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$scratch/prefix" >"$scratch/log" 2>&1 ||
  { cat "$scratch/log" >&2; fail 'the installation failed'; }
header=$(find "$scratch/prefix" -name murmuration_x86_32.h)
[ -n "$header" ] || fail 'murmuration_x86_32.h is not installed'
include=$(dirname "$header")

warnings=(-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef -Werror)
check() {
  "${@:2}" -O2 "${warnings[@]}" -I "$include" "$here/known_answers.c" -o "$scratch/program" ||
    fail "$1 does not take it"
  ${emulator[@]+"${emulator[@]}"} "$scratch/program" || fail "$1 gives wrong values"
}
check C99 "${cc[@]}" -std=c99
check C11 "${cc[@]}" -std=c11
check C++11 "${cxx[@]}" -std=c++11 -Wold-style-cast -Weffc++ -x c++
check C++17 "${cxx[@]}" -std=c++17 -Wold-style-cast -Weffc++ -x c++

macros() { "${cc[@]}" -std=c99 -I "$include" -dM -E -x c - | cut -d ' ' -f 2 | cut -d '(' -f 1 | sort; }
brought=$(comm -13 <(printf '#include <string.h>\n#include <murmuration.h>\n' | macros) \
  <(printf '#include <murmuration_x86_32.h>\n' | macros))
[[ "$brought" == *MMR3_PUBLIC_MUL1* ]] || fail 'no macro of the header is seen'
! grep -v '^MMR3_' <<<"$brought" >&2 || fail 'the macros above are not the project'"'"'s'
functions=$(grep -E '^(static|MMR3_PURE)' "$header")
[[ "$functions" == *mmr3_x86_32_inline* ]] || fail 'no function of the header is seen'
! grep -vE '\bmmr3_[a-z0-9_]+\(' <<<"$functions" >&2 || fail 'the functions above are not the project'"'"'s'
