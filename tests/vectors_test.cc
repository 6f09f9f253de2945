// Known answers: published by other systems, or computed by tests/oracle.
#include <algorithm>

#include "kernel_test.h"
#include "vector_file.h"

namespace {

std::string HexDigest(const std::string& variant,
                      const std::vector<uint8_t>& data, uint64_t seed) {
  const auto seed32 = static_cast<uint32_t>(seed);
  std::string hex;
  if (variant == "x86_32") {
    hex = ToHexBytes(mmr3_x86_32(data.data(), data.size(), seed32));
  } else if (variant == "wide32") {
    hex = ToHexBytes(mmr3_wide32(data.data(), data.size(), seed32));
  } else if (variant == "x86_128") {
    uint32_t out[4];
    mmr3_x86_128(data.data(), data.size(), seed32, out);
    for (uint32_t word : out) hex += ToHexBytes(word);
  } else if (variant == "x64_128") {
    uint64_t out[2];
    mmr3_x64_128(data.data(), data.size(), seed, out);
    for (uint64_t word : out) hex += ToHexBytes(word);
  }
  return hex;
}

// SMHasher's verification: hashes of 0 to 255 bytes under falling seeds, hashed
// once more.
std::string VerificationCode(const std::string& variant) {
  std::vector<uint8_t> input;
  std::vector<uint8_t> digests;
  for (unsigned i = 0; i < 256; ++i) {
    const std::vector<uint8_t> digest =
        FromHex(HexDigest(variant, input, 256 - i));
    digests.insert(digests.end(), digest.begin(), digest.end());
    input.push_back(static_cast<uint8_t>(i));
  }
  return HexDigest(variant, digests, 0).substr(0, 8);
}

class Vectors : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(Vectors);

TEST_P(Vectors, StandardVariants) {
  const auto rows = ReadVectorFile("murmur3.tsv");
  ASSERT_GE(rows.size(), 138u);
  for (const Fields& row : rows)
    EXPECT_EQ(
        HexDigest(row[0], FromHex(row[2]), std::stoull(row[1], nullptr, 0)),
        row[3])
        << row[0] << " seed " << row[1] << " of " << row[2];
}

TEST_P(Vectors, SmhasherVerificationCodes) {
  EXPECT_EQ(VerificationCode("x86_32"), "e37ef5b0");   // B0F57EE3
  EXPECT_EQ(VerificationCode("x86_128"), "2ae6ecb3");  // B3ECE62A
  EXPECT_EQ(VerificationCode("x64_128"), "69ba8463");  // 6384BA69
  EXPECT_EQ(VerificationCode("wide32"), "f2539a06");   // 069A53F2, tests/oracle
}

TEST_P(Vectors, Wide32) {
  const auto rows = ReadVectorFile("wide32.tsv");
  ASSERT_GE(rows.size(), 190u);
  for (const Fields& row : rows) {
    std::vector<uint8_t> data(std::stoul(row[0]));
    for (size_t i = 0; i < data.size(); ++i)
      data[i] = static_cast<uint8_t>(i * 131 + 7 + (i >> 8) * 29);
    const auto seed = static_cast<uint32_t>(std::stoul(row[1], nullptr, 0));
    const auto expected =
        static_cast<uint32_t>(std::stoul(row[3], nullptr, 16));
    const mmr3_key key = mmr3_key_from_secret(FromHex(row[2]).data(), seed);
    EXPECT_EQ(mmr3_wide32_keyed(data.data(), data.size(), &key), expected)
        << row[0] << " bytes, seed " << row[1] << ", secret " << row[2];
    std::vector<uint8_t> copy(data.size());
    EXPECT_EQ(
        mmr3_wide32_copy_keyed(copy.data(), data.data(), data.size(), &key),
        expected);
    if (row[2] != std::string(32, '0')) continue;
    EXPECT_EQ(mmr3_wide32(data.data(), data.size(), seed), expected);
    EXPECT_EQ(mmr3_wide32_copy(copy.data(), data.data(), data.size(), seed),
              expected);
    EXPECT_EQ(mmr3_wide32_resolve()(data.data(), data.size(), seed), expected);
  }
}

TEST_P(Vectors, LuaHash) {
  // Valkey 8.1's values for short strings.
  EXPECT_EQ(mmr3_lua_hash("hello", 5), 0x7b258471u);
  EXPECT_EQ(mmr3_lua_hash("redis.call", 10), 0x89734787u);
  EXPECT_EQ(mmr3_lua_hash("", 0), 0u);
  char copy[10];
  EXPECT_EQ(mmr3_lua_hash_copy(copy, "redis.call", 10), 0x89734787u);
  EXPECT_EQ(std::string(copy, 10), "redis.call");
}

}  // namespace
