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

inline uint64_t Finalize64(uint64_t state) {
  state ^= state / 0x200000000;
  state *= 0xff51afd7ed558ccd;
  state ^= state / 0x200000000;
  state *= 0xc4ceb9fe1a85ec53;
  return state ^ state / 0x200000000;
}

inline uint32_t Wide32(const std::vector<uint8_t>& data, const Key& key) {
  if (data.size() < 64) return X86_32(data, key);
  std::vector<uint32_t> lanes;
  for (uint32_t j = 1; j <= 128; ++j) lanes.push_back(Finalize(j) ^ key.seed);

  std::vector<uint8_t> padded = data;
  const size_t partial = data.size() % 64;
  if (partial != 0)
    padded.insert(padded.end() - static_cast<ptrdiff_t>(partial), 64 - partial,
                  0);
  const size_t words = padded.size() / 4;
  for (size_t word = 0; word < words; ++word)
    lanes[word % 128] = Round(lanes[word % 128], WordAt(padded, 4 * word), key);

  if (words < lanes.size()) lanes.resize(words);
  uint64_t sum = data.size() * 0x9e3779b97f4a7c15;
  for (size_t j = 0; j < lanes.size(); j += 2) {
    const uint64_t low = lanes[j], high = lanes[j + 1];
    sum += high * 0x100000000 + low + low * high;
  }
  return static_cast<uint32_t>(Finalize64(sum));
}

}  // namespace naive

#endif  // MURMURATION_TESTS_NAIVE_MURMUR3_H_
