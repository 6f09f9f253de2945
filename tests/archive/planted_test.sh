#!/bin/bash
# The archive check finds what is planted in a copy of the archive.
#
#   planted_test.sh CHECK ARCHIVE CC AR NM OBJDUMP
#
# CC may have options, separated by semicolons.
set -euo pipefail

check=$1 archive=$2 ar=$4 nm=$5 objdump=$6
IFS=';' read -ra cc <<<"$3"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

plants=0
# plant NAME EXPECTED: C code on standard input, the line that the check prints.
plant() {
  local name=$1 expected=$2 copy=$scratch/$1.a status=0
  cat >"$scratch/$name.c"
  "${cc[@]}" -O0 -c "$scratch/$name.c" -o "$scratch/$name.o" || {
    echo "planted_test.sh: $name does not compile" >&2
    exit 1
  }
  cp "$archive" "$copy"
  "$ar" r "$copy" "$scratch/$name.o" 2>/dev/null
  "$check" --nm "$nm" --objdump "$objdump" --slow-lea "$copy" >"$scratch/out" ||
    status=$?
  if [ $status -ne 1 ] || ! grep -q "$expected" "$scratch/out"; then
    echo "planted_test.sh: $name is not found (status $status):" >&2
    cat "$scratch/out" >&2
    exit 1
  fi
  plants=$((plants + 1))
}
# The same for one instruction, in a function of the interface.
plant_instruction() {
  plant "$1" "$2 instruction in mmr3_planted" <<<"void mmr3_planted(void) { __asm__ volatile(\"$3\"); }"
}

plant symbol 'global symbol helper' <<<'int helper(void) { return 1; }'
plant weak_symbol 'global symbol helper' <<<'__attribute__((weak)) int helper(void) { return 1; }'
plant undefined 'undefined symbol cos' <<<'double cos(double); double mmr3_planted(double x) { return cos(x); }'
plant compiler_runtime 'undefined symbol __popcountdi2' <<<'int __popcountdi2(long x); int mmr3_planted(long x) { return __popcountdi2(x); }'
plant cxx_runtime 'undefined symbol _Znwm' <<<'void *_Znwm(unsigned long); void *mmr3_planted(void) { return _Znwm(1); }'
plant constructor 'a static constructor' <<<'static int x; __attribute__((constructor)) static void construct(void) { x = 1; }
int mmr3_planted(void) { return x; }'

case $("${cc[@]}" -dumpmachine) in
  x86_64* | i?86*)
    plant_instruction vex vex 'vpxor %xmm0, %xmm0, %xmm0'
    plant_instruction vex_of_bmi vex 'andn %eax, %eax, %eax'
    plant_instruction evex evex 'vpxord %zmm0, %zmm0, %zmm0'
    plant_instruction sse4 sse4 'pmulld %xmm0, %xmm0'
    plant_instruction popcnt sse4 'popcnt %eax, %eax'
    plant_instruction slow_lea slow 'lea 0(%ebp,%ebp,4), %eax'
    # In the kernel of another one: a name of its namespace.
    plant wrong_kernel 'vex instruction in _ZN11murmuration6N_SSE47PlantedEv' <<<'void planted(void) __asm__("_ZN11murmuration6N_SSE47PlantedEv");
void planted(void) { __asm__ volatile("vpxor %xmm0, %xmm0, %xmm0"); }'
    ;;
  aarch64*)
    plant_instruction aes optional '.arch_extension aes\naese v0.16b, v1.16b'
    plant_instruction pmull optional '.arch_extension aes\npmull v0.1q, v1.1d, v2.1d'
    plant_instruction atomic optional '.arch_extension lse\nldadd w0, w1, [sp]'
    plant_instruction sve sve '.arch_extension sve\nadd z0.s, z0.s, z1.s'
    ;;
  arm*)
    plant_instruction neon neon '.fpu neon\nvadd.i32 q0, q0, q1'
    plant_instruction neon_load neon '.fpu neon\nvld1.8 {d0}, [sp]'
    plant_instruction aes optional '.arch armv8-a\n.fpu crypto-neon-fp-armv8\naese.8 q0, q1'
    ;;
esac
# A note that an object has and the archive has not.
printf '.section .note.planted, "a", %%note\n.long 0\n' >"$scratch/note.s"
"${cc[@]}" -c "$scratch/note.s" -o "$scratch/note.o"
"$check" --nm "$nm" --objdump "$objdump" --readelf "${objdump%objdump}readelf" "$archive" \
  --objects "$scratch/note.o" >"$scratch/out" || true
grep -q 'lacks what all its objects have: .note.planted' "$scratch/out" ||
  { echo 'planted_test.sh: a note that is lost is not found:' >&2; cat "$scratch/out" >&2; exit 1; }
plants=$((plants + 1))
case $("${cc[@]}" -dumpmachine) in
  x86_64*)
    echo 'void mmr3_planted(void) {}' >"$scratch/ibt.c"
    "${cc[@]}" -fcf-protection=none -c "$scratch/ibt.c" -o "$scratch/without.o"
    "${cc[@]}" -fcf-protection=full -c "$scratch/ibt.c" -o "$scratch/with.o"
    "$ar" rc "$scratch/without.a" "$scratch/without.o"
    "$check" --nm "$nm" --objdump "$objdump" --readelf "${objdump%objdump}readelf" "$scratch/without.a" \
      --objects "$scratch/with.o" >"$scratch/out" || true
    grep -q 'lacks what all its objects have: x86 feature: IBT' "$scratch/out" ||
      { echo 'planted_test.sh: lost marks of -fcf-protection are not found:' >&2; cat "$scratch/out" >&2; exit 1; }
    plants=$((plants + 1)) ;;
esac
echo "$plants planted, $plants found"
