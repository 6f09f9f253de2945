// wide32 and wide32_copy on every kernel, against the naive definition.
#include <algorithm>
#include <random>
#include <vector>

#include "kernel_test.h"
#include "naive_murmur3.h"

namespace {

constexpr size_t kStripe = 128;

std::vector<uint8_t> RandomBytes(size_t len, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(len);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

const std::vector<std::vector<uint8_t>> kSecrets = {
    std::vector<uint8_t>(16, 0),
    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
    std::vector<uint8_t>(16, 0xff),
};
const uint32_t kSeeds[] = {0, 1, 0x9747b28c, 0xffffffff};

class Wide32 : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(Wide32);

TEST_P(Wide32, EqualsDefinitionAtEveryLengthAndOffset) {
  constexpr size_t kOffsets = 64;
  constexpr size_t kMaxLength = 2100;
  const std::vector<uint8_t> bytes = RandomBytes(kMaxLength, 1);
  std::vector<std::vector<uint8_t>> shifted;
  for (size_t offset = 0; offset < kOffsets; ++offset) {
    shifted.emplace_back(offset, uint8_t{0xa5});
    shifted.back().insert(shifted.back().end(), bytes.begin(), bytes.end());
  }
  for (size_t len = 0; len <= kMaxLength; ++len) {
    const std::vector<uint8_t> data(
        bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(len));
    const uint32_t seed = kSeeds[len % 4];
    for (const auto& secret : kSecrets) {
      const uint32_t expected =
          naive::Wide32(data, naive::KeyFromSecret(secret, seed));
      const mmr3_key key = mmr3_key_from_secret(secret.data(), seed);
      for (size_t offset = 0; offset < kOffsets; ++offset)
        ASSERT_EQ(mmr3_wide32_keyed(shifted[offset].data() + offset, len, &key),
                  expected)
            << len << " bytes at offset " << offset;
    }
    const uint32_t expected =
        naive::Wide32(data, naive::KeyFromSecret(kSecrets[0], seed));
    for (size_t offset = 0; offset < kOffsets; ++offset)
      ASSERT_EQ(mmr3_wide32(shifted[offset].data() + offset, len, seed),
                expected)
          << len << " bytes at offset " << offset;
  }
}

TEST_P(Wide32, EqualsDefinitionAtRandomLargerLengths) {
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    const size_t len = 2101 + random() % 200000;
    const std::vector<uint8_t> data = RandomBytes(len, random());
    std::vector<uint8_t> secret = RandomBytes(16, random());
    if (i % 3 == 0) std::fill(secret.begin(), secret.end(), uint8_t{0});
    const uint32_t seed = random();
    const mmr3_key key = mmr3_key_from_secret(secret.data(), seed);
    EXPECT_EQ(mmr3_wide32_keyed(data.data(), len, &key),
              naive::Wide32(data, naive::KeyFromSecret(secret, seed)))
        << len << " bytes";
  }
}

// The worked example of docs/wide32.md.
TEST_P(Wide32, WorkedExample) {
  std::vector<uint8_t> data(130);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i);
  EXPECT_EQ(mmr3_wide32(data.data(), data.size(), 7), 0x9066bab2u);
}

TEST_P(Wide32, ShortStringsAreX86_32) {
  const std::vector<uint8_t> bytes = RandomBytes(kStripe, 3);
  for (size_t len = 0; len < kStripe; ++len)
    for (uint32_t seed : kSeeds)
      ASSERT_EQ(mmr3_wide32(bytes.data(), len, seed),
                mmr3_x86_32(bytes.data(), len, seed))
          << len;
  EXPECT_NE(mmr3_wide32(bytes.data(), kStripe, 0),
            mmr3_x86_32(bytes.data(), kStripe, 0));
}

// Every step is a bijection in each of its arguments, so a change confined to
// one lane word of an input of equal length always changes the digest.
TEST_P(Wide32, OneWordChangedChangesDigest) {
  std::mt19937 random(4);
  for (size_t len = kStripe; len <= 4096; len += 116) {
    std::vector<uint8_t> data = RandomBytes(len, random());
    const mmr3_key key =
        mmr3_key_from_secret(kSecrets[len % kSecrets.size()].data(), random());
    const uint32_t before = mmr3_wide32_keyed(data.data(), len, &key);
    // A partial stripe ends where the input ends: its words count from there.
    const size_t partial = len % kStripe;
    std::vector<size_t> word_ends;
    for (size_t end = 4; end <= len - partial; end += 4)
      word_ends.push_back(end);
    for (size_t back = 0; back < partial; back += 4)
      word_ends.push_back(len - back);
    for (size_t end : word_ends) {
      const size_t first = end < len - partial + 4 && end > len - partial
                               ? len - partial
                               : end - 4;
      for (uint32_t change :
           {1u, 0x80000000u, 0xffffffffu, uint32_t(random()) | 1u << 24}) {
        std::vector<uint8_t> changed = data;
        bool any = false;
        for (size_t i = first; i < end; ++i) {
          const auto flip =
              static_cast<uint8_t>(change >> (8 * (4 - (end - i))));
          changed[i] ^= flip;
          any = any || flip != 0;
        }
        if (!any) continue;
        ASSERT_NE(mmr3_wide32_keyed(changed.data(), len, &key), before)
            << len << " bytes, word that ends at " << end;
      }
    }
  }
}

TEST_P(Wide32, CopyEqualsHashAndMemcpy) {
  constexpr size_t kMargin = 64;
  constexpr size_t kMaxLength = 5 * kStripe + 3;
  const std::vector<uint8_t> bytes = RandomBytes(kMaxLength + kMargin, 5);
  const mmr3_key key = mmr3_key_from_secret(kSecrets[1].data(), 99);
  for (size_t len = 0; len <= kMaxLength; ++len)
    for (size_t offset : {0, 1, 3, 4, 15, 16, 31, 33, 63}) {
      const uint8_t* src = bytes.data() + (offset * 7) % kMargin;
      std::vector<uint8_t> expected(len + 2 * kMargin, 0xa5);
      std::copy(src, src + len,
                expected.begin() + static_cast<ptrdiff_t>(offset));
      for (bool keyed : {false, true}) {
        std::vector<uint8_t> dst(len + 2 * kMargin, 0xa5);
        const uint32_t digest =
            keyed ? mmr3_wide32_copy_keyed(dst.data() + offset, src, len, &key)
                  : mmr3_wide32_copy(dst.data() + offset, src, len, 99);
        ASSERT_EQ(digest, keyed ? mmr3_wide32_keyed(src, len, &key)
                                : mmr3_wide32(src, len, 99));
        ASSERT_EQ(dst, expected) << len << " bytes to offset " << offset;
      }
    }
}

TEST_P(Wide32, LuaHashSeedsWithLengthAndSecret) {
  const std::vector<uint8_t> data = RandomBytes(5000, 7);
  const auto* text = reinterpret_cast<const char*>(data.data());
  std::vector<char> copy(data.size());
  for (const auto& secret : kSecrets) {
    mmr3_lua_set_secret(secret.data());
    for (size_t len :
         {0, 1, 5, 127, 128, 129, 255, 256, 1000, 4095, 4096, 5000}) {
      const std::vector<uint8_t> bytes(
          data.begin(), data.begin() + static_cast<ptrdiff_t>(len));
      const uint32_t expected = naive::Wide32(
          bytes, naive::KeyFromSecret(secret, static_cast<uint32_t>(len)));
      EXPECT_EQ(mmr3_lua_hash(text, len), expected) << len;
      EXPECT_EQ(mmr3_lua_hash_copy(copy.data(), text, len), expected) << len;
      EXPECT_TRUE(std::equal(text, text + len, copy.begin()));
    }
  }
  mmr3_lua_set_secret(kSecrets[0].data());
}

}  // namespace
