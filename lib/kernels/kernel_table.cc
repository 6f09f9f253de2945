#include "lib/kernels/highway_targets.h"
#include "lib/kernels/kernel.h"
#include "lib/kernels/keys.h"

namespace murmuration {

#define MMR3_DECLARE_KERNEL(NAMESPACE)                                         \
  namespace NAMESPACE {                                                        \
  uint32_t Wide32(const void* data, size_t len, uint32_t seed);                \
  uint32_t Wide32Keyed(const unsigned char* data, size_t len, uint32_t seed,   \
                       const mmr3_key* key);                                   \
  uint32_t Wide32CopyKeyed(unsigned char* dst, const unsigned char* src,       \
                           size_t len, uint32_t seed, const mmr3_key* key);    \
  void Wide32Rows(uint32_t lane[kLanes], size_t row,                           \
                  const unsigned char* data, size_t rows);                     \
  template <class Variant>                                                     \
  void Blocks(typename Variant::State& state, const unsigned char* data,       \
              size_t blocks);                                                  \
  template <class Variant>                                                     \
  void HashPointers(const void* const* keys, const size_t* lens, size_t n,     \
                    typename Variant::Seed seed, typename Variant::Word* out); \
  template <class Variant, class Offset>                                       \
  void HashOffsets(const unsigned char* bytes, const Offset* offsets,          \
                   size_t n, typename Variant::Seed seed,                      \
                   typename Variant::Word* out);                               \
  template <class Variant>                                                     \
  void HashFixed(const unsigned char* data, size_t key_len, ptrdiff_t stride,  \
                 size_t n, typename Variant::Seed seed,                        \
                 typename Variant::Word* out);                                 \
  template <class Variant>                                                     \
  void HashSeeds(const unsigned char* data, size_t len,                        \
                 const typename Variant::Seed* seeds, size_t n,                \
                 typename Variant::Word* out);                                 \
  }
#define MMR3_BATCH(NAMESPACE, VARIANT, MIN_KEYS)                     \
  {                                                                  \
    MIN_KEYS, NAMESPACE::HashPointers<VARIANT>,                      \
        NAMESPACE::HashOffsets<VARIANT, int32_t>,                    \
        NAMESPACE::HashOffsets<VARIANT, int64_t>,                    \
        NAMESPACE::HashFixed<VARIANT>, NAMESPACE::HashSeeds<VARIANT> \
  }
#define MMR3_WIDE32(NAMESPACE)                                           \
  NAMESPACE::Wide32, NAMESPACE::Wide32Keyed, NAMESPACE::Wide32CopyKeyed, \
      NAMESPACE::Wide32Rows

MMR3_DECLARE_KERNEL(scalar)
#if HWY_TARGETS & HWY_SSE4
MMR3_DECLARE_KERNEL(N_SSE4)
#endif
#if HWY_TARGETS & HWY_AVX2
MMR3_DECLARE_KERNEL(N_AVX2)
#endif
#if HWY_TARGETS & HWY_AVX3
MMR3_DECLARE_KERNEL(N_AVX3)
MMR3_DECLARE_KERNEL(avx512vl::N_AVX3)
#endif
#if MMR3_NEON_TARGET
MMR3_DECLARE_KERNEL(MMR3_NEON_NAMESPACE)
#endif

namespace {

// The instruction sets that Highway enables in each of its x86 targets: wider
// than their names.
[[maybe_unused]] constexpr FeatureSet kSse4Group =
    kSse2 | kSse3 | kSsse3 | kSse41 | kSse42;
[[maybe_unused]] constexpr FeatureSet kAvx2Group =
    kSse4Group | kAvx | kAvx2 | kLzcnt | kBmi1 | kBmi2 | kFma | kF16c;
[[maybe_unused]] constexpr FeatureSet kAvx512Group =
    kAvx2Group | kAvx512F | kAvx512Vl | kAvx512Dq | kAvx512Bw | kAvx512Cd;

// Of keys of any lengths.
constexpr size_t kScalarMinKeys = 4;

// Best first. Measured order: each row is faster than those below it on every
// processor that has both (docs/kernels.md).
constexpr Kernel kRows[] = {
#if HWY_TARGETS & HWY_AVX3
    // Vectors of 512 bits where they do not lower the clock: Ice Lake, Zen 4
    // and
    // later. The instructions of AVX512_VBMI2 are not used, it tells those from
    // the others.
    {"avx512", kAvx512Group | kAvx512Vbmi2, MMR3_WIDE32(N_AVX3),
     N_AVX2::Blocks<X86_128>, N_AVX2::Blocks<X64_128>,
     MMR3_BATCH(N_AVX3, X86_32, MinKeys(16)),
     MMR3_BATCH(N_AVX3, X86_128, MinKeys(16)),
     MMR3_BATCH(N_AVX3, X64_128, MinKeys(8))},
    // Vectors of 256 bits: Skylake-X, Cascade Lake, Cooper Lake.
    {"avx512vl", kAvx512Group, MMR3_WIDE32(avx512vl::N_AVX3),
     N_AVX2::Blocks<X86_128>, N_AVX2::Blocks<X64_128>,
     MMR3_BATCH(avx512vl::N_AVX3, X86_32, MinKeys(8)),
     MMR3_BATCH(avx512vl::N_AVX3, X86_128, MinKeys(8)),
     MMR3_BATCH(avx512vl::N_AVX3, X64_128, MinKeys(4))},
#endif
#if HWY_TARGETS & HWY_AVX2
    {"avx2", kAvx2Group, MMR3_WIDE32(N_AVX2), N_AVX2::Blocks<X86_128>,
     N_AVX2::Blocks<X64_128>, MMR3_BATCH(N_AVX2, X86_32, MinKeys(8)),
     MMR3_BATCH(N_AVX2, X86_128, MinKeys(8)),
     MMR3_BATCH(N_AVX2, X64_128, MinKeys(4))},
#endif
#if HWY_TARGETS & HWY_SSE4
    {"sse4", kSse4Group, MMR3_WIDE32(N_SSE4), N_SSE4::Blocks<X86_128>,
     scalar::Blocks<X64_128>, MMR3_BATCH(N_SSE4, X86_32, MinKeys(4)),
     MMR3_BATCH(N_SSE4, X86_128, MinKeys(4)),
     MMR3_BATCH(scalar, X64_128, kScalarMinKeys)},
#endif
#if MMR3_NEON_TARGET
    {"neon", kNeon, MMR3_WIDE32(MMR3_NEON_NAMESPACE),
     MMR3_NEON_NAMESPACE::Blocks<X86_128>, scalar::Blocks<X64_128>,
     MMR3_BATCH(MMR3_NEON_NAMESPACE, X86_32, MinKeys(4)),
     MMR3_BATCH(MMR3_NEON_NAMESPACE, X86_128, MinKeys(4)),
     MMR3_BATCH(scalar, X64_128, kScalarMinKeys)},
#endif
    {"scalar", 0, MMR3_WIDE32(scalar), scalar::Blocks<X86_128>,
     scalar::Blocks<X64_128>, MMR3_BATCH(scalar, X86_32, kScalarMinKeys),
     MMR3_BATCH(scalar, X86_128, kScalarMinKeys),
     MMR3_BATCH(scalar, X64_128, kScalarMinKeys)},
};

}  // namespace

const KernelTable kCompiledKernels = {kRows, sizeof kRows / sizeof kRows[0]};

}  // namespace murmuration
