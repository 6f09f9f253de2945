// MurmurHash3 x86_128 and x64_128 as plainly as they are described: words byte
// by byte, one table row a word. Shares no code with the library.
#ifndef MURMURATION_TESTS_NAIVE_MURMUR3_128_H_
#define MURMURATION_TESTS_NAIVE_MURMUR3_128_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "naive_murmur3.h"

namespace naive {

inline uint64_t Rotate64(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

// The input, zeros filling up its last block of 16 bytes, as words.
template <class Word>
std::vector<Word> Words(std::vector<uint8_t> data) {
  while (data.size() % 16 != 0) data.push_back(0);
  std::vector<Word> words(data.size() / sizeof(Word));
  for (size_t i = 0; i < data.size(); ++i)
    words[i / sizeof(Word)] += Word{data[i]} << (8 * (i % sizeof(Word)));
  return words;
}

inline std::array<uint64_t, 2> X64_128(const std::vector<uint8_t>& data,
                                       uint64_t seed) {
  const uint64_t mul[] = {0x87c37b91114253d5, 0x4cf5ad432745937f};
  std::array<uint64_t, 2> h = {seed, seed};
  const std::vector<uint64_t> words = Words<uint64_t>(data);
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t j = i % 2;
    h[j] ^= Rotate64(words[i] * mul[j], j == 0 ? 31 : 33) * mul[1 - j];
    if (i / 2 == data.size() / 16) continue;
    h[j] = Rotate64(h[j], j == 0 ? 27 : 31) + h[1 - j];
    h[j] = 5 * h[j] + (j == 0 ? 0x52dce729 : 0x38495ab5);
  }
  for (uint64_t& state : h) state ^= data.size();
  h[0] += h[1];
  h[1] += h[0];
  for (uint64_t& state : h) state = Finalize64(state);
  h[0] += h[1];
  h[1] += h[0];
  return h;
}

inline std::array<uint32_t, 4> X86_128(const std::vector<uint8_t>& data,
                                       uint32_t seed) {
  const struct {
    uint32_t mul, next_mul;
    int word_rotation, state_rotation;
    uint32_t add;
  } rows[] = {{0x239b961b, 0xab0e9789, 15, 19, 0x561ccd1b},
              {0xab0e9789, 0x38b34ae5, 16, 17, 0x0bcaa747},
              {0x38b34ae5, 0xa1e38b93, 17, 15, 0x96cd1c35},
              {0xa1e38b93, 0x239b961b, 18, 13, 0x32ac3b17}};
  std::array<uint32_t, 4> h = {seed, seed, seed, seed};
  const std::vector<uint32_t> words = Words<uint32_t>(data);
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t j = i % 4;
    h[j] ^= Rotate(words[i] * rows[j].mul, rows[j].word_rotation) *
            rows[j].next_mul;
    if (i / 4 == data.size() / 16) continue;
    h[j] = Rotate(h[j], rows[j].state_rotation) + h[(j + 1) % 4];
    h[j] = 5 * h[j] + rows[j].add;
  }
  for (uint32_t& state : h) state ^= static_cast<uint32_t>(data.size());
  for (int last = 0; last < 2; ++last) {
    h[0] += h[1] + h[2] + h[3];
    for (size_t j = 1; j < 4; ++j) h[j] += h[0];
    if (last == 0)
      for (uint32_t& state : h) state = Finalize(state);
  }
  return h;
}

}  // namespace naive

#endif  // MURMURATION_TESTS_NAIVE_MURMUR3_128_H_
