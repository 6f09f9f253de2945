// What the kernels of wide32 share (docs/wide32.md).
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
inline constexpr LaneStart kLaneStart;

// A window of kRowBytes that begins at byte[r] keeps the last r bytes of a row
// and zeroes those before: the padding in front of a partial row without a copy
// and without a read outside the input.
struct TailMask {
  alignas(64) unsigned char byte[2 * kRowBytes];
  constexpr TailMask() : byte() {
    for (size_t i = kRowBytes; i < 2 * kRowBytes; ++i) byte[i] = 0xff;
  }
};
inline constexpr TailMask kTailMask;

// The sum of pairs of lanes, their high halves apart: one addition a pair on
// each of two chains.
class PairSum {
 public:
  void Add(uint32_t low, uint32_t high) {
    rest_ += low * (uint64_t{high} + 1);
    high_ += high;
  }
  void Add(const uint32_t* lane, const uint32_t* end) {
    for (; lane != end; lane += 2) Add(lane[0], lane[1]);
  }
  uint64_t Total() const { return rest_ + (high_ << 32); }

 private:
  uint64_t rest_ = 0;
  uint64_t high_ = 0;
};

constexpr uint32_t FinishSum(uint64_t sum, uint64_t len) {
  return static_cast<uint32_t>(
      X64_128::Fmix64(sum + len * 0x9e3779b97f4a7c15u));
}

}  // namespace murmuration

#endif  // MURMURATION_LIB_KERNELS_WIDE32_H_
