// murmuration_x86_32.h against the plain definition: every short length and
// alignment, with and without a secret.
#include <gtest/gtest.h>

#include <random>

#include "murmuration_x86_32.h"
#include "tests/naive_murmur3.h"

namespace {

// In constant expressions too, but for the loads.
static_assert(mmr3_fmix32(mmr3_public_key(0xffffffff).seed) == 0x81f16f39);

TEST(ShortKeys, EveryLength) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(256 + 8), secret(16);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  for (uint8_t& byte : secret) byte = static_cast<uint8_t>(random());
  for (size_t len = 0; len <= 256; ++len)
    for (size_t offset = 0; offset < 8; ++offset) {
      const uint8_t* data = bytes.data() + offset;
      const std::vector<uint8_t> key(data, data + len);
      const auto seed = static_cast<uint32_t>(random());
      naive::Key public_key;
      public_key.seed = seed;
      EXPECT_EQ(mmr3_x86_32_inline(data, len, mmr3_public_key(seed)),
                naive::X86_32(key, public_key));
      EXPECT_EQ(mmr3_x86_32_inline(data, len,
                                   mmr3_key_from_secret(secret.data(), seed)),
                naive::X86_32(key, naive::KeyFromSecret(secret, seed)));
    }
}

}  // namespace
