// MurmurHash3_x86_128 (Austin Appleby): four 32-bit states in a ring, each
// taking a word of a 16-byte block.
#include "lib/murmuration_x86_32.h"

namespace {

constexpr size_t kBlockBytes = 16;

// Word j is multiplied by kMul[j] and then kMul[(j + 1) % 4].
constexpr uint32_t kMul[4] = {0x239b961bu, 0xab0e9789u, 0x38b34ae5u,
                              0xa1e38b93u};
constexpr unsigned kWordRotation[4] = {15, 16, 17, 18};
constexpr unsigned kStateRotation[4] = {19, 17, 15, 13};
constexpr uint32_t kAdd[4] = {0x561ccd1bu, 0x0bcaa747u, 0x96cd1c35u,
                              0x32ac3b17u};

inline uint32_t Mix(uint32_t word, unsigned j) {
  return mmr3_rotate_left32(word * kMul[j], kWordRotation[j]) *
         kMul[(j + 1) % 4];
}

inline void AddAll(uint32_t state[4]) {
  state[0] += state[1] + state[2] + state[3];
  for (unsigned j = 1; j < 4; ++j) state[j] += state[0];
}

}  // namespace

void mmr3_x86_128(const void* data, size_t len, uint32_t seed,
                  uint32_t out[4]) {
  const unsigned char* bytes = static_cast<const unsigned char*>(data);
  uint32_t state[4] = {seed, seed, seed, seed};

  for (size_t blocks = len / kBlockBytes; blocks != 0; --blocks) {
#pragma GCC unroll 4
    for (unsigned j = 0; j < 4; ++j) {
      state[j] ^= Mix(mmr3_load_le32(bytes + 4 * j), j);
      state[j] =
          mmr3_rotate_left32(state[j], kStateRotation[j]) + state[(j + 1) % 4];
      state[j] = state[j] * 5 + kAdd[j];
    }
    bytes += kBlockBytes;
  }

  uint32_t tail[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < len % kBlockBytes; ++i)
    tail[i / 4] |= static_cast<uint32_t>(bytes[i]) << (8 * (i % 4));
  // A word of zero mixes to zero: absent words change nothing.
  for (unsigned j = 0; j < 4; ++j) state[j] ^= Mix(tail[j], j);

  for (unsigned j = 0; j < 4; ++j) state[j] ^= static_cast<uint32_t>(len);
  AddAll(state);
  for (unsigned j = 0; j < 4; ++j) state[j] = mmr3_fmix32(state[j]);
  AddAll(state);
  for (unsigned j = 0; j < 4; ++j) out[j] = state[j];
}
