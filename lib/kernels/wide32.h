// What all wide32 kernels share: where lanes start, how four of them end.
#ifndef MURMURATION_LIB_KERNELS_WIDE32_H_
#define MURMURATION_LIB_KERNELS_WIDE32_H_

#include <cstddef>
#include <cstdint>

#include "lib/kernels/kernel.h"
#include "lib/standard_variants.h"

namespace murmuration {

inline mmr3_key WithSeed(const mmr3_key* key, uint32_t seed) {
  return {seed, key->whiten, key->mul1, key->mul2};
}

// Lane j starts as kLaneStart.word[j] ^ seed.
struct LaneStart {
  alignas(64) uint32_t word[kLanes];
  constexpr LaneStart() : word() {
    for (size_t j = 0; j < kLanes; ++j)
      word[j] = mmr3_fmix32(static_cast<uint32_t>(j + 1));
  }
};
static constexpr LaneStart kLaneStart;

// A window of kStripeBytes that begins at byte[r] keeps the last r bytes of a
// stripe and zeroes those before: the padding in front of a partial stripe
// without a copy and without a read outside the input.
struct TailMask {
  alignas(64) unsigned char byte[2 * kStripeBytes];
  constexpr TailMask() : byte() {
    for (size_t i = kStripeBytes; i < 2 * kStripeBytes; ++i) byte[i] = 0xff;
  }
};
static constexpr TailMask kTailMask;

// The lanes of half a stripe take in those of the other, down to four lanes.
static inline void FoldLanes(uint32_t lane[kLanes], mmr3_key key) {
  for (size_t half = kLanes / 2; half >= 4; half /= 2)
    for (size_t j = 0; j < half; ++j)
      lane[j] = mmr3_round32(lane[j], lane[j + half], key);
}

// The last steps, serial: the four lanes that folding left, and the length.
static inline uint32_t FinishLanes(const uint32_t lane[4], uint64_t length,
                                   mmr3_key key) {
  uint32_t state = mmr3_round32(lane[0], lane[1], key);
  state = mmr3_round32(state, lane[2], key);
  state = mmr3_round32(state, lane[3], key);
  state = mmr3_round32(state, static_cast<uint32_t>(length), key);
  state = mmr3_round32(state, static_cast<uint32_t>(length >> 32), key);
  return mmr3_fmix32(state);
}

}  // namespace murmuration

#endif  // MURMURATION_LIB_KERNELS_WIDE32_H_
