// MurmurHash3's three variants as one reads them in its description: a loop
// over blocks, a tail, a finalizer. Little-endian machines only, as most of its
// copies.
#include <cstring>

#include "bench/peers.h"

namespace {

template <class Word>
Word Rotate(Word value, unsigned bits) {
  return value << bits | value >> (8 * sizeof value - bits);
}

// The bytes of a block, as words; those beyond len are 0.
template <class Word, size_t kWords>
void Load(Word (&words)[kWords], const unsigned char* bytes,
          size_t len = sizeof(Word) * kWords) {
  if (len < sizeof words) memset(words, 0, sizeof words);
  memcpy(words, bytes, len);
}

uint32_t Finalize(uint32_t state) {
  state = (state ^ state >> 16) * 0x85ebca6b;
  state = (state ^ state >> 13) * 0xc2b2ae35;
  return state ^ state >> 16;
}

uint64_t Finalize(uint64_t state) {
  state = (state ^ state >> 33) * 0xff51afd7ed558ccd;
  state = (state ^ state >> 33) * 0xc4ceb9fe1a85ec53;
  return state ^ state >> 33;
}

}  // namespace

uint64_t PlainX86_32(const void* data, size_t len, uint64_t seed) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto mix = [](uint32_t word) {
    return Rotate(word * 0xcc9e2d51, 15) * 0x1b873593;
  };
  uint32_t state = static_cast<uint32_t>(seed);
  uint32_t word[1];
  const size_t whole = len / 4 * 4;
  for (size_t i = 0; i < whole; i += 4) {
    Load(word, bytes + i);
    state = Rotate(state ^ mix(word[0]), 13) * 5 + 0xe6546b64;
  }
  Load(word, bytes + whole, len - whole);
  return Finalize(state ^ mix(word[0]) ^ static_cast<uint32_t>(len));
}

uint64_t PlainX86_128(const void* data, size_t len, uint64_t seed) {
  static constexpr uint32_t kMul[] = {0x239b961b, 0xab0e9789, 0x38b34ae5,
                                      0xa1e38b93};
  static constexpr uint32_t kAdd[] = {0x561ccd1b, 0x0bcaa747, 0x96cd1c35,
                                      0x32ac3b17};
  static constexpr unsigned kRotate[] = {19, 17, 15, 13};
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto mix = [](uint32_t word, unsigned j) {
    return Rotate(word * kMul[j], 15 + j) * kMul[(j + 1) % 4];
  };
  const uint32_t start = static_cast<uint32_t>(seed);
  uint32_t state[4] = {start, start, start, start};
  uint32_t word[4];
  const size_t whole = len / 16 * 16;
  for (size_t i = 0; i < whole; i += 16) {
    Load(word, bytes + i);
    for (unsigned j = 0; j < 4; ++j)
      state[j] = (Rotate(state[j] ^ mix(word[j], j), kRotate[j]) +
                  state[(j + 1) % 4]) *
                     5 +
                 kAdd[j];
  }
  Load(word, bytes + whole, len - whole);
  for (unsigned j = 0; j < 4; ++j)
    state[j] ^= mix(word[j], j) ^ static_cast<uint32_t>(len);
  for (int twice = 0; twice < 2; ++twice) {
    state[0] += state[1] + state[2] + state[3];
    for (unsigned j = 1; j < 4; ++j) state[j] += state[0];
    if (twice == 0)
      for (uint32_t& part : state) part = Finalize(part);
  }
  return state[0];
}

uint64_t PlainX64_128(const void* data, size_t len, uint64_t seed) {
  static constexpr uint64_t kMul1 = 0x87c37b91114253d5;
  static constexpr uint64_t kMul2 = 0x4cf5ad432745937f;
  const auto* bytes = static_cast<const unsigned char*>(data);
  const auto mix1 = [](uint64_t w) { return Rotate(w * kMul1, 31) * kMul2; };
  const auto mix2 = [](uint64_t w) { return Rotate(w * kMul2, 33) * kMul1; };
  uint64_t h1 = seed, h2 = seed;
  uint64_t word[2];
  // Statement by statement, as descriptions of the algorithm have it. How the
  // compilers order the operations decides much here.
  const size_t blocks = len / 16, whole = 16 * blocks;
  for (size_t i = 0; i < blocks; ++i) {
    uint64_t k1, k2;
    memcpy(&k1, bytes + 16 * i, sizeof k1);
    memcpy(&k2, bytes + 16 * i + 8, sizeof k2);
    k1 *= kMul1;
    k1 = Rotate(k1, 31);
    k1 *= kMul2;
    h1 ^= k1;
    h1 = Rotate(h1, 27);
    h1 += h2;
    h1 = h1 * 5 + 0x52dce729;
    k2 *= kMul2;
    k2 = Rotate(k2, 33);
    k2 *= kMul1;
    h2 ^= k2;
    h2 = Rotate(h2, 31);
    h2 += h1;
    h2 = h2 * 5 + 0x38495ab5;
  }
  Load(word, bytes + whole, len - whole);
  h1 ^= mix1(word[0]) ^ len;
  h2 ^= mix2(word[1]) ^ len;
  h1 += h2;
  h2 += h1;
  h1 = Finalize(h1);
  h2 = Finalize(h2);
  return h1 + h2;
}
