// wide32 and wide32_copy on every kernel, against the naive definition.
#include "lib/kernels/wide32.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "guarded_buffer.h"
#include "in_child.h"
#include "kernel_test.h"
#include "naive_murmur3.h"

namespace {

constexpr size_t kRow = 64;
constexpr size_t kStripe = 512;

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
  constexpr size_t kMaxLength = 4 * kStripe + 2;
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
    const size_t len = 4 * kStripe + random() % 200000;
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
  EXPECT_EQ(mmr3_wide32(data.data(), data.size(), 7), 0xa187058bu);
}

TEST_P(Wide32, ShortStringsAreX86_32) {
  const std::vector<uint8_t> bytes = RandomBytes(kRow, 3);
  for (size_t len = 0; len < kRow; ++len)
    for (uint32_t seed : kSeeds)
      ASSERT_EQ(mmr3_wide32(bytes.data(), len, seed),
                mmr3_x86_32(bytes.data(), len, seed))
          << len;
  EXPECT_NE(mmr3_wide32(bytes.data(), kRow, 0),
            mmr3_x86_32(bytes.data(), kRow, 0));
}

// The sum is a bijection in each lane, and a lane in each of its words. A
// digest has half the bits of the sum: two may be equal, by a chance of 2^-32.
TEST(Wide32Sum, EachLaneChangesIt) {
  std::vector<uint32_t> values = {
      0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  std::mt19937 random(6);
  while (values.size() < 200) values.push_back(static_cast<uint32_t>(random()));
  const auto sum_of = [](uint32_t low, uint32_t high) {
    murmuration::PairSum sum;
    sum.Add(low, high);
    return sum.Total();
  };
  for (uint32_t fixed : values) {
    std::set<uint64_t> of_low, of_high;
    for (uint32_t value : std::set<uint32_t>(values.begin(), values.end())) {
      // As the definition has it.
      EXPECT_EQ(sum_of(value, fixed),
                fixed * 0x100000000 + value + uint64_t{value} * fixed);
      EXPECT_TRUE(of_low.insert(sum_of(value, fixed)).second);
      EXPECT_TRUE(of_high.insert(sum_of(fixed, value)).second);
    }
  }
}

TEST_P(Wide32, OneByteChangedChangesDigest) {
  std::mt19937 random(4);
  for (size_t len = kRow; len <= 2 * kStripe + kRow; len += 52) {
    std::vector<uint8_t> data = RandomBytes(len, random());
    const auto& secret = kSecrets[len % kSecrets.size()];
    const auto seed = static_cast<uint32_t>(random());
    const mmr3_key key = mmr3_key_from_secret(secret.data(), seed);
    const uint32_t before = mmr3_wide32_keyed(data.data(), len, &key);
    for (size_t at = 0; at < len; ++at)
      for (uint8_t flip : {uint8_t{1}, uint8_t{0x80}, uint8_t{0xff}}) {
        data[at] ^= flip;
        ASSERT_NE(mmr3_wide32_keyed(data.data(), len, &key), before)
            << "byte " << at << " of " << len;
        data[at] ^= flip;
      }
  }
}

TEST_P(Wide32, CopyEqualsHashAndMemcpy) {
  constexpr size_t kMargin = 64;
  constexpr size_t kMaxLength = 3 * kStripe + kRow + 3;
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

// A secret is set once, before any hash: each one in a process of its own.
TEST_P(Wide32, LuaHashSeedsWithLengthAndSecret) {
  const std::vector<uint8_t> data = RandomBytes(5000, 7);
  const auto* text = reinterpret_cast<const char*>(data.data());
  for (const auto& secret : kSecrets)
    InChild([&] {
      std::vector<char> copy(data.size());
      ASSERT_EQ(mmr3_lua_set_secret(secret.data()), 0);
      for (size_t len : {0, 1, 5, 63, 64, 65, 127, 128, 511, 512, 513, 1000,
                         4095, 4096, 5000}) {
        const std::vector<uint8_t> bytes(
            data.begin(), data.begin() + static_cast<ptrdiff_t>(len));
        const uint32_t expected = naive::Wide32(
            bytes, naive::KeyFromSecret(secret, static_cast<uint32_t>(len)));
        EXPECT_EQ(mmr3_lua_hash(text, len), expected) << len;
        EXPECT_EQ(mmr3_lua_hash_copy(copy.data(), text, len), expected) << len;
        EXPECT_TRUE(std::equal(text, text + len, copy.begin()));
      }
    });
}

TEST_P(Wide32, LuaSecretIsRefusedAfterAHash) {
  const char text[] = "some text";
  char copy[sizeof text];
  for (bool with_copy : {false, true})
    InChild([&] {
      ASSERT_EQ(mmr3_lua_set_secret(kSecrets[1].data()), 0);
      const mmr3_key key = *mmr3_lua_key;
      ASSERT_EQ(mmr3_lua_set_secret(kSecrets[2].data()), 0);
      ASSERT_NE(mmr3_lua_key->mul1, key.mul1);
      GuardedBuffer guarded(16);
      for (unsigned char* at : {guarded.begin(), guarded.end() - 16}) {
        std::copy(kSecrets[2].begin(), kSecrets[2].end(), at);
        ASSERT_EQ(mmr3_lua_set_secret(at), 0);
      }
      const uint32_t before = with_copy
                                  ? mmr3_lua_hash_copy(copy, text, sizeof text)
                                  : mmr3_lua_hash(text, sizeof text);
      EXPECT_EQ(mmr3_lua_set_secret(kSecrets[1].data()), -1);
      EXPECT_NE(mmr3_lua_key->mul1, key.mul1);
      EXPECT_EQ(mmr3_lua_hash(text, sizeof text), before);
    });
}

}  // namespace
