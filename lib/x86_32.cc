#include "lib/standard_variants.h"

uint32_t mmr3_x86_32(const void* data, size_t len, uint32_t seed) {
  return mmr3_x86_32_inline(static_cast<const unsigned char*>(data), len,
                            murmuration::PublicKey(seed));
}

uint32_t mmr3_x86_32_keyed(const void* data, size_t len, const mmr3_key* key) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const mmr3_key k = *key;
  if (len < 4) return mmr3_x86_32_finish(k.seed, bytes, len, k);
  uint32_t state = k.seed;
  // Two blocks a turn: whitening makes one operation more of each, and one
  // block a turn 4.6 cycles with clang, not 4.0 (Zen 4).
  const unsigned char* word = bytes;
  const unsigned char* const end = bytes + len / 8 * 8;
  for (; word != end; word += 8) {
    const uint32_t first = mmr3_mix32(mmr3_load_le32(word), k);
    const uint32_t second = mmr3_mix32(mmr3_load_le32(word + 4), k);
    state = mmr3_take32(mmr3_take32(state, first), second);
  }
  if (len % 8 >= 4)
    state = mmr3_take32(state, mmr3_mix32(mmr3_load_le32(word), k));
  return mmr3_x86_32_finish_string(state, bytes, len, k);
}
