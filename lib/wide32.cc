#include "lib/kernels/wide32.h"

#include "lib/dispatch/dispatch.h"

using murmuration::ActiveKernel;

static constexpr mmr3_key kPublicKey = murmuration::PublicKey(0);

uint32_t mmr3_wide32(const void* data, size_t len, uint32_t seed) {
  return ActiveKernel().wide32(data, len, seed);
}

uint32_t mmr3_wide32_keyed(const void* data, size_t len, const mmr3_key* key) {
  return ActiveKernel().wide32_keyed(static_cast<const unsigned char*>(data),
                                     len, key->seed, key);
}

uint32_t mmr3_wide32_copy(void* dst, const void* src, size_t len,
                          uint32_t seed) {
  return ActiveKernel().wide32_copy_keyed(
      static_cast<unsigned char*>(dst), static_cast<const unsigned char*>(src),
      len, seed, &kPublicKey);
}

uint32_t mmr3_wide32_copy_keyed(void* dst, const void* src, size_t len,
                                const mmr3_key* key) {
  return ActiveKernel().wide32_copy_keyed(
      static_cast<unsigned char*>(dst), static_cast<const unsigned char*>(src),
      len, key->seed, key);
}
