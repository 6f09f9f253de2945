// wide32 without vectors: the kernel of every processor that has no better one,
// and the shape that the others follow.
#include <cstring>

#include "lib/kernels/wide32.h"

namespace murmuration {
namespace scalar {
namespace {

// Only on x86 does it matter here by which instructions; elsewhere compilers
// may make vectors of lanes.
inline uint32_t Take(uint32_t lane, uint32_t mixed) {
#if defined(__x86_64__) || defined(__i386__)
  return mmr3_take32(lane, mixed);
#else
  return 5 * mmr3_rotate_left32(lane ^ mixed, 13) + MMR3_ROUND_ADD;
#endif
}

inline void TakeRow(uint32_t lane[kRowLanes], const unsigned char* data,
                    mmr3_key key) {
  for (size_t j = 0; j < kRowLanes; ++j)
    lane[j] = Take(lane[j], mmr3_mix32(mmr3_load_le32(data + 4 * j), key));
}

// Hashes the last len bytes, up to a stripe of them, and adds the lanes that
// they reach, which were `from` xored with seed. Returns where those end.
__attribute__((always_inline)) inline const uint32_t* SumLast(
    const uint32_t* from, uint32_t seed, const unsigned char* data, size_t len,
    mmr3_key key, PairSum& sum) {
  const auto add_pair = [&](uint32_t mixed0, uint32_t mixed1) {
    sum.Add(mmr3_take32(from[0], mixed0), mmr3_take32(from[1], mixed1));
    from += 2;
  };
  const size_t tail = len % kRowBytes;
  const unsigned char* const row_end = data + (len - tail);
  while (data != row_end) {
    for (size_t at = 0; at != kRowBytes; at += 8, data += 8)
      add_pair(seed ^ mmr3_mix32(mmr3_load_le32(data), key),
               seed ^ mmr3_mix32(mmr3_load_le32(data + 4), key));
  }
  if (tail == 0) return from;

  // The padding in front is mixed once.
  const uint32_t zero = seed ^ mmr3_mix32(0, key);
  size_t at = 0;
#pragma GCC unroll 2
  for (; at + 8 <= kRowBytes - tail; at += 8) add_pair(zero, zero);
  const auto mix_rest = [&](size_t i) {
    return seed ^ mmr3_mix32(mmr3_load_le32(data + tail - kRowBytes + i) &
                                 mmr3_load_le32(kTailMask.byte + tail + i),
                             key);
  };
  for (; at != kRowBytes; at += 8) add_pair(mix_rest(at), mix_rest(at + 4));
  return from;
}

__attribute__((always_inline)) inline uint32_t HashLarge(
    const unsigned char* data, size_t len, mmr3_key key) {
  PairSum sum;
  if (len <= kStripeBytes) {
    SumLast(kLaneStart.word, key.seed, data, len, key, sum);
    return FinishSum(sum.Total(), len);
  }
  uint32_t lane[kLanes];
  for (size_t j = 0; j < kLanes; ++j) lane[j] = kLaneStart.word[j] ^ key.seed;
  size_t left = len;
  for (; left > kStripeBytes; left -= kStripeBytes, data += kStripeBytes)
    for (size_t row = 0; row < kStripeRows; ++row)
      TakeRow(lane + kRowLanes * row, data + kRowBytes * row, key);
  sum.Add(SumLast(lane, 0, data, left, key, sum), lane + kLanes);
  return FinishSum(sum.Total(), len);
}

// Compiled twice: the public key's words become constants.
__attribute__((always_inline)) inline uint32_t Hash(const unsigned char* data,
                                                    size_t len, mmr3_key key) {
  if (len < kWide32MinBytes) return mmr3_x86_32_inline(data, len, key);
  return HashLarge(data, len, key);
}

}  // namespace

uint32_t Wide32(const void* data, size_t len, uint32_t seed) {
  return Hash(static_cast<const unsigned char*>(data), len, PublicKey(seed));
}

uint32_t Wide32Keyed(const unsigned char* data, size_t len, uint32_t seed,
                     const mmr3_key* key) {
  return Hash(data, len, WithSeed(key, seed));
}

uint32_t Wide32CopyKeyed(unsigned char* dst, const unsigned char* src,
                         size_t len, uint32_t seed, const mmr3_key* key) {
  if (len != 0) memcpy(dst, src, len);
  return Wide32Keyed(src, len, seed, key);
}

void Wide32Rows(uint32_t lane[kLanes], size_t row, const unsigned char* data,
                size_t rows) {
  for (; rows != 0; --rows, data += kRowBytes) {
    TakeRow(lane + kRowLanes * row, data, PublicKey(0));
    row = (row + 1) % kStripeRows;
  }
}

}  // namespace scalar
}  // namespace murmuration
