// wide32 without vectors: the kernel of every processor that has no better one,
// and the shape that the others follow.
#include <cstring>

#include "lib/kernels/wide32.h"

namespace murmuration {
namespace scalar {
namespace {

// Lanes that a pass over a run of stripes keeps in registers.
constexpr size_t kPassLanes = 8;
// Stripes a run has: what all passes read again stays in the L1 cache.
constexpr size_t kRunStripes = 32;

void Absorb(uint32_t lane[kLanes], const unsigned char* data, size_t stripes,
            mmr3_key key) {
  for (size_t first = 0; first < kLanes; first += kPassLanes) {
    uint32_t state[kPassLanes];
    memcpy(state, lane + first, sizeof state);
    const unsigned char* word = data + 4 * first;
    for (size_t stripe = 0; stripe < stripes; ++stripe, word += kStripeBytes)
#pragma GCC unroll 8
      for (size_t j = 0; j < kPassLanes; ++j)
        state[j] = mmr3_round32(state[j], mmr3_load_le32(word + 4 * j), key);
    memcpy(lane + first, state, sizeof state);
  }
}

uint32_t HashLarge(const unsigned char* data, size_t len, mmr3_key key) {
  uint32_t lane[kLanes];
  for (size_t j = 0; j < kLanes; ++j) lane[j] = kLaneStart.word[j] ^ key.seed;

  size_t stripes = len / kStripeBytes;
  const size_t tail = len % kStripeBytes;
  while (stripes != 0) {
    const size_t run = stripes < kRunStripes ? stripes : kRunStripes;
    Absorb(lane, data, run, key);
    data += run * kStripeBytes;
    stripes -= run;
  }
  if (tail != 0) {
    unsigned char padded[kStripeBytes] = {};
    memcpy(padded + kStripeBytes - tail, data, tail);
    Absorb(lane, padded, 1, key);
  }

  FoldLanes(lane, key);
  return FinishLanes(lane, len, key);
}

uint32_t Hash(const unsigned char* data, size_t len, mmr3_key key) {
  if (len < kWide32MinBytes) return mmr3_x86_32_inline(data, len, key);
  return HashLarge(data, len, key);
}

}  // namespace

uint32_t Wide32Keyed(const unsigned char* data, size_t len, uint32_t seed,
                     const mmr3_key* key) {
  return Hash(data, len, WithSeed(key, seed));
}

uint32_t Wide32(const void* data, size_t len, uint32_t seed) {
  return Hash(static_cast<const unsigned char*>(data), len, PublicKey(seed));
}

uint32_t Wide32CopyKeyed(unsigned char* dst, const unsigned char* src,
                         size_t len, uint32_t seed, const mmr3_key* key) {
  if (len != 0) memcpy(dst, src, len);
  return Hash(src, len, WithSeed(key, seed));
}

void Wide32Stripes(uint32_t lane[kLanes], const unsigned char* data,
                   size_t stripes) {
  while (stripes != 0) {
    const size_t run = stripes < kRunStripes ? stripes : kRunStripes;
    Absorb(lane, data, run, PublicKey(0));
    data += run * kStripeBytes;
    stripes -= run;
  }
}

}  // namespace scalar
}  // namespace murmuration
