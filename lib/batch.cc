// The batch functions of the interface: few keys one by one, the others through
// the active kernel.
#include "lib/dispatch/dispatch.h"
#include "lib/one_string.h"

namespace murmuration {

template <class Variant, class TypedKeys>
size_t HashShorterAlone(const TypedKeys& keys, size_t first, size_t n,
                        size_t min_len, typename Variant::Seed seed,
                        typename Variant::Word* out) {
  return HashShorter<Variant>(keys, first, n, min_len, seed, out);
}

template <class Variant>
void HashSeedsAlone(const unsigned char* data, size_t len,
                    const typename Variant::Seed* seeds, size_t n,
                    typename Variant::Word* out) {
  HashUnderSeeds<Variant>(data, len, seeds, n, out);
}

#define MMR3_INSTANTIATE_KEYS(VARIANT, KEYS)                             \
  template size_t HashShorterAlone<VARIANT>(const KEYS&, size_t, size_t, \
                                            size_t, VARIANT::Seed seed,  \
                                            VARIANT::Word*);
#define MMR3_INSTANTIATE(VARIANT)                                     \
  MMR3_INSTANTIATE_KEYS(VARIANT, PointerKeys)                         \
  MMR3_INSTANTIATE_KEYS(VARIANT, OffsetKeys<int32_t>)                 \
  MMR3_INSTANTIATE_KEYS(VARIANT, OffsetKeys<int64_t>)                 \
  MMR3_INSTANTIATE_KEYS(VARIANT, FixedKeys)                           \
  template void HashSeedsAlone<VARIANT>(const unsigned char*, size_t, \
                                        const VARIANT::Seed*, size_t, \
                                        VARIANT::Word*);
MMR3_INSTANTIATE(X86_32)
MMR3_INSTANTIATE(X86_128)
MMR3_INSTANTIATE(X64_128)
#undef MMR3_INSTANTIATE
#undef MMR3_INSTANTIATE_KEYS

namespace {

const unsigned char* Bytes(const void* data) {
  return static_cast<const unsigned char*>(data);
}

}  // namespace
}  // namespace murmuration

using namespace murmuration;

// The five functions of one variant.
#define MMR3_BATCH(NAME, VARIANT)                                              \
  void mmr3_##NAME##_batch(const void* const* keys, const size_t* lens,        \
                           size_t n, VARIANT::Seed seed, VARIANT::Word* out) { \
    if (n < ActiveKernel().NAME.min_keys)                                      \
      HashShorter<VARIANT>(PointerKeys{keys, lens}, 0, n, SIZE_MAX, seed,      \
                           out);                                               \
    else                                                                       \
      ActiveKernel().NAME.pointers(keys, lens, n, seed, out);                  \
  }                                                                            \
  void mmr3_##NAME##_batch_offsets32(const void* bytes,                        \
                                     const int32_t* offsets, size_t n,         \
                                     VARIANT::Seed seed, VARIANT::Word* out) { \
    if (n < ActiveKernel().NAME.min_keys)                                      \
      HashShorter<VARIANT>(OffsetKeys<int32_t>{Bytes(bytes), offsets}, 0, n,   \
                           SIZE_MAX, seed, out);                               \
    else                                                                       \
      ActiveKernel().NAME.offsets32(Bytes(bytes), offsets, n, seed, out);      \
  }                                                                            \
  void mmr3_##NAME##_batch_offsets64(const void* bytes,                        \
                                     const int64_t* offsets, size_t n,         \
                                     VARIANT::Seed seed, VARIANT::Word* out) { \
    if (n < ActiveKernel().NAME.min_keys)                                      \
      HashShorter<VARIANT>(OffsetKeys<int64_t>{Bytes(bytes), offsets}, 0, n,   \
                           SIZE_MAX, seed, out);                               \
    else                                                                       \
      ActiveKernel().NAME.offsets64(Bytes(bytes), offsets, n, seed, out);      \
  }                                                                            \
  void mmr3_##NAME##_batch_fixed(const void* keys, size_t key_len,             \
                                 ptrdiff_t stride, size_t n,                   \
                                 VARIANT::Seed seed, VARIANT::Word* out) {     \
    /* Keys of no bytes may be null, and null has no second address. */        \
    if (key_len == 0) stride = 0;                                              \
    if (n < ActiveKernel().NAME.min_keys)                                      \
      HashShorter<VARIANT>(FixedKeys{Bytes(keys), key_len, stride}, 0, n,      \
                           SIZE_MAX, seed, out);                               \
    else                                                                       \
      ActiveKernel().NAME.fixed(Bytes(keys), key_len, stride, n, seed, out);   \
  }                                                                            \
  void mmr3_##NAME##_seeds(const void* data, size_t len,                       \
                           const VARIANT::Seed* seeds, size_t n,               \
                           VARIANT::Word* out) {                               \
    if (n < ActiveKernel().NAME.min_keys)                                      \
      HashUnderSeeds<VARIANT>(Bytes(data), len, seeds, n, out);                \
    else                                                                       \
      ActiveKernel().NAME.seeds(Bytes(data), len, seeds, n, out);              \
  }

MMR3_BATCH(x86_32, X86_32)
MMR3_BATCH(x86_128, X86_128)
MMR3_BATCH(x64_128, X64_128)
