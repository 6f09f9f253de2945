// x86_32, x86_128 and x64_128 where the known answers do not reach: alignment,
// 64-bit seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "murmuration.h"
#include "naive_murmur3.h"

namespace {

struct Digests {
  uint32_t x86_32;
  uint32_t x86_128[4];
  uint64_t x64_128[2];
  bool operator==(const Digests& other) const {
    return x86_32 == other.x86_32 &&
           std::equal(x86_128, x86_128 + 4, other.x86_128) &&
           std::equal(x64_128, x64_128 + 2, other.x64_128);
  }
};

Digests HashAll(const void* data, size_t len) {
  Digests digests;
  digests.x86_32 = mmr3_x86_32(data, len, 3);
  mmr3_x86_128(data, len, 3, digests.x86_128);
  mmr3_x64_128(data, len, 3, digests.x64_128);
  return digests;
}

std::vector<uint8_t> Pattern(size_t len) {
  std::vector<uint8_t> bytes(len);
  for (size_t i = 0; i < len; ++i)
    bytes[i] = static_cast<uint8_t>(i * 37 + 128);
  return bytes;
}

TEST(StandardVariants, X86_32EqualsDefinition) {
  const std::vector<uint8_t> secret = Pattern(16);
  std::vector<uint8_t> bytes;
  for (size_t len = 0; len < 300; ++len) {
    naive::Key key;
    key.seed = static_cast<uint32_t>(len * 0x9e3779b9u);
    ASSERT_EQ(mmr3_x86_32(bytes.data(), len, key.seed),
              naive::X86_32(bytes, key))
        << len;
    const mmr3_key secret_key = mmr3_key_from_secret(secret.data(), key.seed);
    ASSERT_EQ(mmr3_x86_32_keyed(bytes.data(), len, &secret_key),
              naive::X86_32(bytes, naive::KeyFromSecret(secret, key.seed)))
        << len;
    bytes.push_back(static_cast<uint8_t>(len * 91 + 200));
  }
}

TEST(StandardVariants, AlignmentDoesNotMatter) {
  const std::vector<uint8_t> bytes = Pattern(200);
  for (size_t len = 0; len <= bytes.size(); ++len) {
    const Digests expected = HashAll(bytes.data(), len);
    for (size_t offset = 1; offset < 16; ++offset) {
      std::vector<uint8_t> shifted(offset);
      shifted.insert(shifted.end(), bytes.begin(), bytes.end());
      ASSERT_TRUE(HashAll(shifted.data() + offset, len) == expected)
          << len << " bytes at offset " << offset;
    }
  }
}

// From tests/oracle/murmur3_oracle.py.
TEST(StandardVariants, X64_128TakesAll64BitsOfTheSeed) {
  uint64_t out[2];
  mmr3_x64_128("The quick brown fox", 19, 0x123456789abcdef0u, out);
  EXPECT_EQ(out[0], 0xded757b6d2776a5eu);
  EXPECT_EQ(out[1], 0x705a45d8be85e9d7u);
}

}  // namespace
