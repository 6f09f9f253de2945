#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

#include "murmuration.h"

namespace {

TEST(Key, ZeroSecretIsPublic) {
  const unsigned char zero[16] = {};
  const mmr3_key key = mmr3_key_from_secret(zero, 0x1234);
  EXPECT_EQ(key.seed, 0x1234u);
  EXPECT_EQ(key.whiten, 0u);
  EXPECT_EQ(key.mul1, 0xcc9e2d51u);
  EXPECT_EQ(key.mul2, 0x1b873593u);
  EXPECT_EQ(mmr3_x86_32_keyed("murmuration", 11, &key),
            mmr3_x86_32("murmuration", 11, 0x1234));
}

TEST(Key, MultipliersAreOdd) {
  unsigned char secret[16];
  for (unsigned fill = 0; fill < 256; ++fill) {
    memset(secret, static_cast<int>(fill), sizeof secret);
    const mmr3_key key = mmr3_key_from_secret(secret, 0);
    EXPECT_EQ(key.mul1 & 1, 1u);
    EXPECT_EQ(key.mul2 & 1, 1u);
  }
}

// Two inputs that collide in x86_32 under every seed: their differences cancel
// in the state.
TEST(Key, SecretRemovesSeedIndependentCollision) {
  const unsigned char a[] = {0x1b, 0x9f, 0x22, 0x43, 0x36, 0x3e, 0x45, 0x86};
  const unsigned char b[] = {0x73, 0x40, 0xa5, 0xaf, 0x36, 0x3e, 0xf6, 0xc1};
  EXPECT_EQ(mmr3_x86_32(a, 8, 8), 0x52a08ac5u);
  for (uint32_t seed = 0; seed < 1000; ++seed)
    ASSERT_EQ(mmr3_x86_32(a, 8, seed), mmr3_x86_32(b, 8, seed));
  unsigned char secret[16];
  for (unsigned char i = 0; i < 16; ++i) secret[i] = i;
  const mmr3_key key = mmr3_key_from_secret(secret, 8);
  EXPECT_NE(mmr3_x86_32_keyed(a, 8, &key), mmr3_x86_32_keyed(b, 8, &key));
}

TEST(Key, RandomKeysDiffer) {
  std::set<std::vector<uint32_t>> seen;
  for (int i = 0; i < 100; ++i) {
    mmr3_key key = {};
    ASSERT_EQ(mmr3_key_random(&key), 0);
    EXPECT_EQ(key.mul1 & key.mul2 & 1, 1u);
    seen.insert({key.seed, key.whiten, key.mul1, key.mul2});
  }
  EXPECT_EQ(seen.size(), 100u);
}

}  // namespace
