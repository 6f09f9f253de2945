// Which of Highway's targets have a kernel here. Include before any header of
// Highway. Sources that need more compiler flags than the baseline (ARMv7) are
// named in lib/CMakeLists.txt, together with every other that includes this.
#ifndef MURMURATION_LIB_KERNELS_HIGHWAY_TARGETS_H_
#define MURMURATION_LIB_KERNELS_HIGHWAY_TARGETS_H_

// The kernels use neither AES nor carry-less multiplication.
#define HWY_DISABLE_PCLMUL_AES 1

// The kernel avx512vl is the target AVX3 once more, on vectors of 256 bits and
// in a namespace of its own: sources that are compiled for it define this.
#if defined(MMR3_AVX512VL)
#define MMR3_X86_TARGETS HWY_AVX3
#define MMR3_MAX_VECTOR_BYTES 32
#define MMR3_KERNELS_NAMESPACE murmuration::avx512vl
#else
#define MMR3_X86_TARGETS (HWY_SSE4 | HWY_AVX2 | HWY_AVX3)
#define MMR3_MAX_VECTOR_BYTES 64
#define MMR3_KERNELS_NAMESPACE murmuration
#endif

// What -march allows must not decide which kernels an archive holds: start from
// scalar code on x86, and let every target be attainable.
#if defined(__x86_64__) || defined(__i386__)
#define HWY_BASELINE_TARGETS HWY_BASELINE_SCALAR
#define HWY_COMPILE_ALL_ATTAINABLE 1
#define HWY_DISABLED_TARGETS (~(HWY_BASELINE_SCALAR | MMR3_X86_TARGETS))
#elif defined(__aarch64__) || defined(__arm__)
// What the compiler's flags allow: on 64-bit ARM always NEON, on ARMv7 by the
// flags of lib/CMakeLists.txt.
#define HWY_COMPILE_ONLY_STATIC 1
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_COMPILE_ONLY_SCALAR 1
#endif

#include "hwy/detect_targets.h"

// Releases of Highway before 1.0.4 have one NEON target, with AES in its name
// only; later ones have others for flags of the compiler that promise more. The
// kernels use nothing of that.
#if HWY_TARGETS & HWY_NEON
#define MMR3_NEON_TARGET HWY_NEON
#define MMR3_NEON_NAMESPACE N_NEON
#elif defined(HWY_NEON_WITHOUT_AES) && (HWY_TARGETS & HWY_NEON_WITHOUT_AES)
#define MMR3_NEON_TARGET HWY_NEON_WITHOUT_AES
#define MMR3_NEON_NAMESPACE N_NEON_WITHOUT_AES
#elif defined(HWY_NEON_BF16) && (HWY_TARGETS & HWY_NEON_BF16)
#define MMR3_NEON_TARGET HWY_NEON_BF16
#define MMR3_NEON_NAMESPACE N_NEON_BF16
#else
#define MMR3_NEON_TARGET 0
#endif

#endif  // MURMURATION_LIB_KERNELS_HIGHWAY_TARGETS_H_
