// MurmurHash3_x64_128 (Austin Appleby): two 64-bit states, each taking a word
// of a 16-byte block.
#include "lib/murmuration_x86_32.h"

namespace {

constexpr size_t kBlockBytes = 16;
constexpr uint64_t kMul1 = 0x87c37b91114253d5u;
constexpr uint64_t kMul2 = 0x4cf5ad432745937fu;

inline uint64_t RotateLeft(uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

inline uint64_t Load(const unsigned char* bytes) {
  return mmr3_load_le32(bytes) |
         static_cast<uint64_t>(mmr3_load_le32(bytes + 4)) << 32;
}

inline uint64_t Mix1(uint64_t word) {
  return RotateLeft(word * kMul1, 31) * kMul2;
}

inline uint64_t Mix2(uint64_t word) {
  return RotateLeft(word * kMul2, 33) * kMul1;
}

inline uint64_t Fmix64(uint64_t state) {
  state = (state ^ state >> 33) * 0xff51afd7ed558ccdu;
  state = (state ^ state >> 33) * 0xc4ceb9fe1a85ec53u;
  return state ^ state >> 33;
}

}  // namespace

void mmr3_x64_128(const void* data, size_t len, uint64_t seed,
                  uint64_t out[2]) {
  const unsigned char* bytes = static_cast<const unsigned char*>(data);
  uint64_t h1 = seed;
  uint64_t h2 = seed;

  for (size_t blocks = len / kBlockBytes; blocks != 0; --blocks) {
    h1 = RotateLeft(h1 ^ Mix1(Load(bytes)), 27) + h2;
    h1 = h1 * 5 + 0x52dce729u;
    h2 = RotateLeft(h2 ^ Mix2(Load(bytes + 8)), 31) + h1;
    h2 = h2 * 5 + 0x38495ab5u;
    bytes += kBlockBytes;
  }

  uint64_t tail[2] = {0, 0};
  for (size_t i = 0; i < len % kBlockBytes; ++i)
    tail[i / 8] |= static_cast<uint64_t>(bytes[i]) << (8 * (i % 8));
  // A word of zero mixes to zero: absent words change nothing.
  h1 ^= Mix1(tail[0]);
  h2 ^= Mix2(tail[1]);

  h1 ^= len;
  h2 ^= len;
  h1 += h2;
  h2 += h1;
  h1 = Fmix64(h1);
  h2 = Fmix64(h2);
  h1 += h2;
  out[0] = h1;
  out[1] = h2 + h1;
}
