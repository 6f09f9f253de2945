// MurmurHash3 x86_32 and wide32 as plainly as docs/wide32.md defines them: byte
// by byte, in vectors of numbers. Shares no code with the library.
#ifndef MURMURATION_TESTS_NAIVE_MURMUR3_H_
#define MURMURATION_TESTS_NAIVE_MURMUR3_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace naive {

struct Key {
  uint32_t seed = 0;
  uint32_t whiten = 0;
  uint32_t mul1 = 0xcc9e2d51;
  uint32_t mul2 = 0x1b873593;
};

inline uint32_t WordAt(const std::vector<uint8_t>& secret, size_t at) {
  uint32_t word = 0;
  for (size_t i = 4; i-- > 0;) word = word * 256 + secret[at + i];
  return word;
}

inline Key KeyFromSecret(const std::vector<uint8_t>& secret, uint32_t seed) {
  Key key;
  key.seed = seed ^ WordAt(secret, 0);
  key.whiten = WordAt(secret, 4);
  key.mul1 ^= 2 * WordAt(secret, 8);
  key.mul2 ^= 2 * WordAt(secret, 12);
  return key;
}

inline uint32_t Rotate(uint32_t value, int bits) {
  uint64_t wide = uint64_t{value} << bits;
  return static_cast<uint32_t>(wide) | static_cast<uint32_t>(wide >> 32);
}

inline uint32_t Mix(uint32_t word, const Key& key) {
  return Rotate((word ^ key.whiten) * key.mul1, 15) * key.mul2;
}

inline uint32_t Round(uint32_t state, uint32_t word, const Key& key) {
  return 5 * Rotate(state ^ Mix(word, key), 13) + 0xe6546b64;
}

inline uint32_t Finalize(uint32_t state) {
  state ^= state / 0x10000;
  state *= 0x85ebca6b;
  state ^= state / 0x2000;
  state *= 0xc2b2ae35;
  return state ^ state / 0x10000;
}

inline uint32_t X86_32(const std::vector<uint8_t>& data, const Key& key) {
  uint32_t state = key.seed;
  uint32_t word = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    word += uint32_t{data[i]} << (8 * (i % 4));
    if (i % 4 == 3) {
      state = Round(state, word, key);
      word = 0;
    }
  }
  if (data.size() % 4 != 0) state ^= Mix(word, key);
  return Finalize(state ^ static_cast<uint32_t>(data.size()));
}

inline uint32_t Wide32(const std::vector<uint8_t>& data, const Key& key) {
  if (data.size() < 128) return X86_32(data, key);
  std::vector<uint32_t> lanes;
  for (uint32_t j = 1; j <= 32; ++j) lanes.push_back(Finalize(j) ^ key.seed);

  std::vector<uint8_t> padded = data;
  const size_t partial = data.size() % 128;
  if (partial != 0)
    padded.insert(padded.end() - static_cast<ptrdiff_t>(partial), 128 - partial,
                  0);
  for (size_t word = 0; word < padded.size() / 4; ++word)
    lanes[word % 32] = Round(lanes[word % 32], WordAt(padded, 4 * word), key);

  while (lanes.size() > 4) {
    const size_t half = lanes.size() / 2;
    for (size_t j = 0; j < half; ++j)
      lanes[j] = Round(lanes[j], lanes[j + half], key);
    lanes.resize(half);
  }
  const uint64_t length = data.size();
  lanes.push_back(static_cast<uint32_t>(length));
  lanes.push_back(static_cast<uint32_t>(length >> 32));
  uint32_t state = lanes[0];
  for (size_t i = 1; i < lanes.size(); ++i) state = Round(state, lanes[i], key);
  return Finalize(state);
}

}  // namespace naive

#endif  // MURMURATION_TESTS_NAIVE_MURMUR3_H_
