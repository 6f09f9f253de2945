// The batch functions of the interface: thin shapes over the active kernel's.
#include "lib/dispatch/dispatch.h"
#include "lib/standard_variants.h"

namespace murmuration {
namespace {

// So few keys are not worth a kernel's call.
constexpr size_t kMinKeys = 4;

template <class Variant>
using Batch = BatchFunctions<typename Variant::Seed, typename Variant::Word>;

template <class Variant, class TypedKeys>
void HashKeys(const TypedKeys& typed, const Keys& keys, size_t n,
              typename Variant::Seed seed, typename Variant::Word* out,
              Batch<Variant> Kernel::*batch) {
  if (n >= kMinKeys) return (ActiveKernel().*batch).keys(keys, n, seed, out);
  for (size_t i = 0; i < n; ++i)
    HashOne<Variant>(typed.Data(i), typed.Length(i), seed,
                     out + Variant::kDigestWords * i);
}

}  // namespace
}  // namespace murmuration

// The five functions of one variant.
#define MMR3_BATCH(NAME, VARIANT)                                              \
  void mmr3_##NAME##_batch(const void* const* keys, const size_t* lens,        \
                           size_t n, VARIANT::Seed seed, VARIANT::Word* out) { \
    HashKeys<VARIANT>(PointerKeys{keys, lens},                                 \
                      {keys, lens, nullptr, nullptr, nullptr}, n, seed, out,   \
                      &Kernel::NAME);                                          \
  }                                                                            \
  void mmr3_##NAME##_batch_offsets32(const void* bytes,                        \
                                     const int32_t* offsets, size_t n,         \
                                     VARIANT::Seed seed, VARIANT::Word* out) { \
    const auto* from = static_cast<const unsigned char*>(bytes);               \
    HashKeys<VARIANT>(OffsetKeys<int32_t>{from, offsets},                      \
                      {nullptr, nullptr, from, offsets, nullptr}, n, seed,     \
                      out, &Kernel::NAME);                                     \
  }                                                                            \
  void mmr3_##NAME##_batch_offsets64(const void* bytes,                        \
                                     const int64_t* offsets, size_t n,         \
                                     VARIANT::Seed seed, VARIANT::Word* out) { \
    const auto* from = static_cast<const unsigned char*>(bytes);               \
    HashKeys<VARIANT>(OffsetKeys<int64_t>{from, offsets},                      \
                      {nullptr, nullptr, from, nullptr, offsets}, n, seed,     \
                      out, &Kernel::NAME);                                     \
  }                                                                            \
  void mmr3_##NAME##_batch_fixed(const void* keys, size_t key_len,             \
                                 size_t stride, size_t n, VARIANT::Seed seed,  \
                                 VARIANT::Word* out) {                         \
    ActiveKernel().NAME.fixed(static_cast<const unsigned char*>(keys),         \
                              key_len, stride, n, seed, out);                  \
  }                                                                            \
  void mmr3_##NAME##_seeds(const void* data, size_t len,                       \
                           const VARIANT::Seed* seeds, size_t n,               \
                           VARIANT::Word* out) {                               \
    ActiveKernel().NAME.seeds(static_cast<const unsigned char*>(data), len,    \
                              seeds, n, out);                                  \
  }

using namespace murmuration;

MMR3_BATCH(x86_32, X86_32)
MMR3_BATCH(x86_128, X86_128)
MMR3_BATCH(x64_128, X64_128)
