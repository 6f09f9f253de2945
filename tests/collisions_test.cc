// Prepared collisions: the public functions have them under every seed, since
// they are MurmurHash3 bit for bit; the keyed functions do not.
#include "collisions.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "in_child.h"
#include "kernel_test.h"

namespace {

using Bytes = std::vector<unsigned char>;
using Secret = std::array<unsigned char, 16>;

constexpr size_t kPairs = 16;
constexpr uint32_t kAllPairs = (1u << kPairs) - 1;
constexpr int kSecrets = 10000;

// The base, each single pair, and some choices with many.
std::vector<uint32_t> Choices() {
  std::vector<uint32_t> choices = {0, kAllPairs, 0x5555, 0xaaaa, 0x9f37};
  for (size_t i = 0; i < kPairs; ++i) choices.push_back(1u << i);
  return choices;
}

template <class Make>
std::vector<Bytes> Inputs(const std::vector<uint32_t>& choices, size_t len,
                          Make make) {
  std::vector<Bytes> inputs;
  for (uint32_t choice : choices) {
    inputs.emplace_back(len);
    make(choice, inputs.back().data());
  }
  const std::set<Bytes> distinct(inputs.begin(), inputs.end());
  EXPECT_EQ(distinct.size(), inputs.size());
  return inputs;
}

std::vector<Bytes> X86_32Inputs() {
  return Inputs(Choices(), 8 * kPairs, [](uint32_t choice, unsigned char* out) {
    collision_x86_32(choice, kPairs, out);
  });
}

std::vector<Bytes> Wide32Inputs() {
  std::vector<uint32_t> choices = Choices();
  for (size_t i = kPairs; i < 32; ++i) choices.push_back(1u << i);
  choices.push_back(0xffffffff);
  return Inputs(choices, 256, collision_wide32);
}

std::vector<uint64_t> Seeds() {
  std::vector<uint64_t> seeds = {0, 1, 0x80000000, 0xffffffff, ~uint64_t{0}};
  std::mt19937_64 random(1);
  while (seeds.size() < 2000) seeds.push_back(random());
  return seeds;
}

Secret NextSecret(std::mt19937& random) {
  Secret secret;
  for (unsigned char& byte : secret)
    byte = static_cast<unsigned char>(random() >> 24);
  return secret;
}

// Pairs of equal digests.
size_t Collisions(std::vector<uint32_t> digests) {
  std::sort(digests.begin(), digests.end());
  size_t count = 0;
  for (size_t i = 1; i < digests.size(); ++i)
    count += digests[i] == digests[i - 1];
  return count;
}

TEST(Collisions, X86_32UnderEverySeed) {
  const std::vector<Bytes> inputs = X86_32Inputs();
  for (uint64_t seed64 : Seeds()) {
    const auto seed = static_cast<uint32_t>(seed64);
    const uint32_t digest = mmr3_x86_32(inputs[0].data(), 8 * kPairs, seed);
    for (const Bytes& input : inputs)
      ASSERT_EQ(mmr3_x86_32(input.data(), input.size(), seed), digest) << seed;
  }
}

TEST(Collisions, X86_128UnderEverySeed) {
  const std::vector<Bytes> inputs =
      Inputs(Choices(), 32 * kPairs, [](uint32_t choice, unsigned char* out) {
        collision_x86_128(choice, kPairs, out);
      });
  for (uint64_t seed : Seeds()) {
    std::array<uint32_t, 4> first, digest;
    mmr3_x86_128(inputs[0].data(), 32 * kPairs, static_cast<uint32_t>(seed),
                 first.data());
    for (const Bytes& input : inputs) {
      mmr3_x86_128(input.data(), input.size(), static_cast<uint32_t>(seed),
                   digest.data());
      ASSERT_EQ(digest, first) << seed;
    }
  }
}

TEST(Collisions, X64_128UnderEverySeed) {
  const std::vector<Bytes> inputs =
      Inputs(Choices(), 32 * kPairs, [](uint32_t choice, unsigned char* out) {
        collision_x64_128(choice, kPairs, out);
      });
  for (uint64_t seed : Seeds()) {
    std::array<uint64_t, 2> first, digest;
    mmr3_x64_128(inputs[0].data(), 32 * kPairs, seed, first.data());
    for (const Bytes& input : inputs) {
      mmr3_x64_128(input.data(), input.size(), seed, digest.data());
      ASSERT_EQ(digest, first) << seed;
    }
  }
}

TEST(Collisions, X86_32NotUnderSecrets) {
  const std::vector<Bytes> inputs = X86_32Inputs();
  std::mt19937 random(2);
  for (int i = 0; i < kSecrets; ++i) {
    const Secret secret = NextSecret(random);
    const mmr3_key key = mmr3_key_from_secret(secret.data(), 0);
    std::vector<uint32_t> digests;
    for (const Bytes& input : inputs)
      digests.push_back(mmr3_x86_32_keyed(input.data(), input.size(), &key));
    ASSERT_EQ(Collisions(digests), 0u) << "secret number " << i;
  }
}

class Wide32Collisions : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(Wide32Collisions);

TEST_P(Wide32Collisions, EachLaneUnderEverySeed) {
  const std::vector<Bytes> inputs = Wide32Inputs();
  for (uint64_t seed64 : Seeds()) {
    const auto seed = static_cast<uint32_t>(seed64);
    const uint32_t digest = mmr3_wide32(inputs[0].data(), 256, seed);
    for (const Bytes& input : inputs)
      ASSERT_EQ(mmr3_wide32(input.data(), input.size(), seed), digest) << seed;
  }
}

TEST_P(Wide32Collisions, NotUnderSecrets) {
  const std::vector<Bytes> inputs = Wide32Inputs();
  std::mt19937 random(3);
  for (int i = 0; i < kSecrets; ++i) {
    const Secret secret = NextSecret(random);
    const mmr3_key key = mmr3_key_from_secret(secret.data(), 0);
    std::vector<uint32_t> digests;
    for (const Bytes& input : inputs)
      digests.push_back(mmr3_wide32_keyed(input.data(), input.size(), &key));
    ASSERT_EQ(Collisions(digests), 0u) << "secret number " << i;
  }
}

// 2^16 strings of 128 bytes for the string table of a Lua without a secret: the
// seed, which is the length, is known.
TEST_P(Wide32Collisions, LuaWithoutSecretAndWith) {
  std::vector<Bytes> inputs(1 << 16);
  for (uint32_t choice = 0; choice < inputs.size(); ++choice) {
    inputs[choice].resize(128);
    collision_wide32_known_seed(static_cast<uint16_t>(choice), 128,
                                inputs[choice].data());
  }
  EXPECT_EQ(std::set<Bytes>(inputs.begin(), inputs.end()).size(),
            inputs.size());
  const auto hash = [](const Bytes& input) {
    return mmr3_lua_hash(reinterpret_cast<const char*>(input.data()),
                         input.size());
  };
  const uint32_t digest = hash(inputs[0]);
  for (const Bytes& input : inputs) ASSERT_EQ(hash(input), digest);

  std::mt19937 random(4);
  for (int i = 0; i < 10; ++i) {
    mmr3_lua_set_secret(NextSecret(random).data());
    std::vector<uint32_t> digests;
    std::vector<int> chains(1 << 16);
    for (const Bytes& input : inputs) {
      digests.push_back(hash(input));
      ++chains[digests.back() % chains.size()];
    }
    // Of 2^16 random numbers of 32 bits half a pair is equal on average, and of
    // as many buckets the fullest has 8 or 9.
    EXPECT_LE(Collisions(digests), 6u);
    EXPECT_LE(*std::max_element(chains.begin(), chains.end()), 13);
  }
  mmr3_lua_set_secret(Secret{}.data());
}

}  // namespace
