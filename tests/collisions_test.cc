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

// Sets of wide32's, each of which has one digest under `seed`.
struct Wide32Set {
  const char* name;
  bool every_seed;
  std::vector<Bytes> (*inputs)(uint32_t seed);
};

// The base, each single bit of 32, and some choices with many.
std::vector<uint32_t> Choices32() {
  std::vector<uint32_t> choices = Choices();
  for (size_t i = kPairs; i < 32; ++i) choices.push_back(1u << i);
  choices.push_back(0xffffffff);
  return choices;
}

template <size_t swaps>
std::vector<Bytes> Swaps(uint32_t) {
  std::vector<uint32_t> choices = Choices32();
  if (swaps < 32) {
    std::set<uint32_t> fewer;
    for (uint32_t choice : choices) fewer.insert(choice % (1u << swaps % 32));
    choices.assign(fewer.begin(), fewer.end());
  }
  return Inputs(choices, 16 * swaps, [](uint32_t choice, unsigned char* out) {
    collision_wide32_swaps(choice, swaps, out);
  });
}

// Any bytes but for the last 16.
template <size_t len>
std::vector<Bytes> AnyBytes(uint32_t seed) {
  return Inputs(Choices32(), len, [seed](uint32_t choice, unsigned char* out) {
    std::mt19937 random(choice);
    for (size_t i = 0; i < len; ++i)
      out[i] = static_cast<unsigned char>(random());
    collision_wide32_any_bytes(0x0123456789abcdef, seed, out, len);
  });
}

const Wide32Set kWide32Sets[] = {
    {"two stripes", true,
     [](uint32_t) {
       std::vector<Bytes> inputs;
       for (size_t word = 0; word < 4; ++word)
         for (uint32_t bits : Choices32()) {
           if (bits == 0 && word != 0) continue;  // the base, once
           uint32_t choice[4] = {};
           choice[word] = bits;
           inputs.emplace_back(1024);
           collision_wide32(choice, inputs.back().data());
         }
       const uint32_t all[4] = {~0u, ~0u, ~0u, ~0u};
       inputs.emplace_back(1024);
       collision_wide32(all, inputs.back().data());
       EXPECT_EQ(std::set<Bytes>(inputs.begin(), inputs.end()).size(),
                 inputs.size());
       return inputs;
     }},
    {"swaps in 64 bytes", true, Swaps<4>},
    {"swaps in 192 bytes", true, Swaps<12>},
    {"swaps in 512 bytes", true, Swaps<32>},
    {"two factorizations", false,
     [](uint32_t seed) {
       return Inputs(Choices(), 128,
                     [seed](uint32_t choice, unsigned char* out) {
                       collision_wide32_known_seed(
                           static_cast<uint16_t>(choice), seed, out);
                     });
     }},
    {"any 64 bytes", false, AnyBytes<64>},
    {"any 320 bytes", false, AnyBytes<320>},
    {"any 512 bytes", false, AnyBytes<512>},
};

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

TEST_P(Wide32Collisions, UnderEverySeed) {
  for (const Wide32Set& set : kWide32Sets) {
    if (!set.every_seed) continue;
    const std::vector<Bytes> inputs = set.inputs(0);
    for (uint64_t seed64 : Seeds()) {
      const auto seed = static_cast<uint32_t>(seed64);
      const uint32_t digest =
          mmr3_wide32(inputs[0].data(), inputs[0].size(), seed);
      for (const Bytes& input : inputs)
        ASSERT_EQ(mmr3_wide32(input.data(), input.size(), seed), digest)
            << set.name << ", seed " << seed;
    }
  }
}

TEST_P(Wide32Collisions, UnderAKnownSeed) {
  for (const Wide32Set& set : kWide32Sets) {
    if (set.every_seed) continue;
    for (uint32_t seed : {0u, 1u, 128u, 0x9747b28cu, 0xffffffffu}) {
      const std::vector<Bytes> inputs = set.inputs(seed);
      const uint32_t digest =
          mmr3_wide32(inputs[0].data(), inputs[0].size(), seed);
      size_t equal_under_another = 0;
      for (const Bytes& input : inputs) {
        ASSERT_EQ(mmr3_wide32(input.data(), input.size(), seed), digest)
            << set.name << ", seed " << seed;
        equal_under_another +=
            mmr3_wide32(input.data(), input.size(), ~seed) ==
            mmr3_wide32(inputs[0].data(), inputs[0].size(), ~seed);
      }
      EXPECT_EQ(equal_under_another, 1u) << set.name;  // the first itself
    }
  }
}

TEST_P(Wide32Collisions, NotUnderSecrets) {
  for (const Wide32Set& set : kWide32Sets) {
    const std::vector<Bytes> inputs = set.inputs(0);
    std::mt19937 random(3);
    for (int i = 0; i < kSecrets; ++i) {
      const Secret secret = NextSecret(random);
      const mmr3_key key = mmr3_key_from_secret(secret.data(), 0);
      std::vector<uint32_t> digests;
      for (const Bytes& input : inputs)
        digests.push_back(mmr3_wide32_keyed(input.data(), input.size(), &key));
      ASSERT_EQ(Collisions(digests), 0u) << set.name << ", secret number " << i;
    }
  }
}

// 2^16 strings of 128 bytes for the string table of a Lua without a secret: the
// seed, which is the length, is known. A process has one secret.
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
  InChild([&] {
    const uint32_t digest = hash(inputs[0]);
    for (const Bytes& input : inputs) ASSERT_EQ(hash(input), digest);
  });

  std::mt19937 random(4);
  for (int i = 0; i < 10; ++i) {
    const Secret secret = NextSecret(random);
    InChild([&] {
      ASSERT_EQ(mmr3_lua_set_secret(secret.data()), 0);
      std::vector<uint32_t> digests;
      std::vector<int> chains(1 << 16);
      for (const Bytes& input : inputs) {
        digests.push_back(hash(input));
        ++chains[digests.back() % chains.size()];
      }
      // Of 2^16 random numbers of 32 bits half a pair is equal on average, and
      // of as many buckets the fullest has 8 or 9.
      EXPECT_LE(Collisions(digests), 6u);
      EXPECT_LE(*std::max_element(chains.begin(), chains.end()), 13);
    });
  }
}

}  // namespace
