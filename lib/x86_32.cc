#include "lib/standard_variants.h"

uint32_t mmr3_x86_32(const void* data, size_t len, uint32_t seed) {
  return mmr3_x86_32_inline(static_cast<const unsigned char*>(data), len,
                            murmuration::PublicKey(seed));
}

uint32_t mmr3_x86_32_keyed(const void* data, size_t len, const mmr3_key* key) {
  return mmr3_x86_32_inline(static_cast<const unsigned char*>(data), len, *key);
}
