#include "lib/kernels/highway_targets.h"
#include "lib/kernels/kernel.h"

namespace murmuration {

#define MMR3_DECLARE_KERNEL(NAMESPACE)                                       \
  namespace NAMESPACE {                                                      \
  uint32_t Wide32(const void* data, size_t len, uint32_t seed);              \
  uint32_t Wide32Keyed(const unsigned char* data, size_t len, uint32_t seed, \
                       const mmr3_key* key);                                 \
  uint32_t Wide32CopyKeyed(unsigned char* dst, const unsigned char* src,     \
                           size_t len, uint32_t seed, const mmr3_key* key);  \
  }
#define MMR3_KERNEL(NAME, REQUIRED, NAMESPACE)                 \
  {                                                            \
    NAME, REQUIRED, NAMESPACE::Wide32, NAMESPACE::Wide32Keyed, \
        NAMESPACE::Wide32CopyKeyed                             \
  }

MMR3_DECLARE_KERNEL(scalar)
#if HWY_TARGETS & HWY_SSE4
MMR3_DECLARE_KERNEL(N_SSE4)
#endif
#if HWY_TARGETS & HWY_AVX2
MMR3_DECLARE_KERNEL(N_AVX2)
#endif
#if HWY_TARGETS & HWY_AVX3
MMR3_DECLARE_KERNEL(N_AVX3)
#endif
#if MMR3_NEON_TARGET
MMR3_DECLARE_KERNEL(MMR3_NEON_NAMESPACE)
#endif

namespace {

// The instruction sets that Highway enables in each of its x86 targets: wider
// than their names.
constexpr FeatureSet kSse4Group = kSse2 | kSse3 | kSsse3 | kSse41 | kSse42;
constexpr FeatureSet kAvx2Group =
    kSse4Group | kAvx | kAvx2 | kLzcnt | kBmi1 | kBmi2 | kFma | kF16c;
constexpr FeatureSet kAvx512Group =
    kAvx2Group | kAvx512F | kAvx512Vl | kAvx512Dq | kAvx512Bw | kAvx512Cd;

// Best first. Measured order: each row is faster than those below it on every
// processor that has both (docs/kernels.md).
constexpr Kernel kRows[] = {
#if HWY_TARGETS & HWY_AVX3
    MMR3_KERNEL("avx512", kAvx512Group, N_AVX3),
#endif
#if HWY_TARGETS & HWY_AVX2
    MMR3_KERNEL("avx2", kAvx2Group, N_AVX2),
#endif
#if HWY_TARGETS & HWY_SSE4
    MMR3_KERNEL("sse4", kSse4Group, N_SSE4),
#endif
#if MMR3_NEON_TARGET
    MMR3_KERNEL("neon", kNeon, MMR3_NEON_NAMESPACE),
#endif
    MMR3_KERNEL("scalar", 0, scalar),
};

}  // namespace

const KernelTable kCompiledKernels = {kRows, sizeof kRows / sizeof kRows[0]};

}  // namespace murmuration
