// The batch functions of the interface: thin shapes over the active kernel's.
#include "lib/dispatch/dispatch.h"

using murmuration::ActiveKernel;
using murmuration::X64_128;
using murmuration::X86_128;
using murmuration::X86_32;

static const unsigned char* Bytes(const void* data) {
  return static_cast<const unsigned char*>(data);
}

// The five functions of one variant.
#define MMR3_BATCH(NAME, VARIANT)                                              \
  void mmr3_##NAME##_batch(const void* const* keys, const size_t* lens,        \
                           size_t n, VARIANT::Seed seed, VARIANT::Word* out) { \
    ActiveKernel().NAME.keys({keys, lens, nullptr, nullptr, nullptr}, n, seed, \
                             out);                                             \
  }                                                                            \
  void mmr3_##NAME##_batch_offsets32(const void* bytes,                        \
                                     const int32_t* offsets, size_t n,         \
                                     VARIANT::Seed seed, VARIANT::Word* out) { \
    ActiveKernel().NAME.keys(                                                  \
        {nullptr, nullptr, Bytes(bytes), offsets, nullptr}, n, seed, out);     \
  }                                                                            \
  void mmr3_##NAME##_batch_offsets64(const void* bytes,                        \
                                     const int64_t* offsets, size_t n,         \
                                     VARIANT::Seed seed, VARIANT::Word* out) { \
    ActiveKernel().NAME.keys(                                                  \
        {nullptr, nullptr, Bytes(bytes), nullptr, offsets}, n, seed, out);     \
  }                                                                            \
  void mmr3_##NAME##_batch_fixed(const void* keys, size_t key_len,             \
                                 size_t stride, size_t n, VARIANT::Seed seed,  \
                                 VARIANT::Word* out) {                         \
    /* Keys of no bytes may be null, and null has no second address. */        \
    ActiveKernel().NAME.fixed(Bytes(keys), key_len, key_len != 0 ? stride : 0, \
                              n, seed, out);                                   \
  }                                                                            \
  void mmr3_##NAME##_seeds(const void* data, size_t len,                       \
                           const VARIANT::Seed* seeds, size_t n,               \
                           VARIANT::Word* out) {                               \
    ActiveKernel().NAME.seeds(Bytes(data), len, seeds, n, out);                \
  }

MMR3_BATCH(x86_32, X86_32)
MMR3_BATCH(x86_128, X86_128)
MMR3_BATCH(x64_128, X64_128)
