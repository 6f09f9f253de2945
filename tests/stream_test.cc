// Streams on every kernel: any split of the input gives the one-shot value.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "guarded_buffer.h"
#include "kernel_test.h"
#include "naive_murmur3_128.h"
#include "standard_functions.h"

namespace {

struct Wide32Functions {
  using Seed = uint32_t;
  using Digest = std::array<uint32_t, 1>;
  using State = mmr3_wide32_state;
  static Digest One(const void* data, size_t len, Seed seed) {
    return {mmr3_wide32(data, len, seed)};
  }
  static Digest Finish(const State& state) {
    return {mmr3_wide32_digest(&state)};
  }
  static constexpr auto kInit = mmr3_wide32_init;
  static constexpr auto kUpdate = mmr3_wide32_update;
};

std::vector<uint8_t> RandomBytes(size_t len, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(len);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

template <class F>
void CheckEverySplitInTwo() {
  const std::vector<uint8_t> bytes = RandomBytes(1100, 1);
  for (size_t len :
       {0u,   1u,   3u,   4u,   15u,  16u,  17u,  63u,   64u,   65u,  127u,
        128u, 129u, 300u, 511u, 512u, 513u, 576u, 1023u, 1024u, 1100u})
    for (size_t first = 0; first <= len; ++first) {
      typename F::State state;
      F::kInit(&state, 77);
      F::kUpdate(&state, bytes.data(), first);
      ASSERT_EQ(F::Finish(state), F::One(bytes.data(), first, 77)) << first;
      F::kUpdate(&state, bytes.data() + first, len - first);
      ASSERT_EQ(F::Finish(state), F::One(bytes.data(), len, 77))
          << first << " of " << len;
    }
}

// Digests on the way change nothing, and a copy goes on by itself.
template <class F>
void CheckRandomSplits() {
  std::mt19937 random(2);
  const std::vector<uint8_t> bytes = RandomBytes(70000, 3);
  for (int round = 0; round < 60; ++round) {
    const size_t largest = size_t{1} << (round % 16);
    const auto seed = static_cast<typename F::Seed>(random() * 0x100000001ull);
    typename F::State state;
    F::kInit(&state, seed);
    size_t len = 0;
    while (len < bytes.size() && len < largest * 200) {
      const size_t piece =
          std::min(random() % (largest + 1), bytes.size() - len);
      F::kUpdate(&state, bytes.data() + len, piece);
      if (piece % 8 == 0) F::kUpdate(&state, nullptr, 0);
      len += piece;
      if (random() % 8 != 0) continue;
      ASSERT_EQ(F::Finish(state), F::One(bytes.data(), len, seed)) << len;
      typename F::State copy = state;
      F::kUpdate(&copy, bytes.data(), 100);
      ASSERT_NE(F::Finish(copy), F::Finish(state));
    }
    ASSERT_EQ(F::Finish(state), F::One(bytes.data(), len, seed)) << len;
  }
}

// The kernel may change in mid-stream.
template <class F>
void CheckKernelChanges() {
  std::vector<const char*> names(mmr3_kernels(nullptr, 0));
  mmr3_kernels(names.data(), names.size());
  const std::vector<uint8_t> bytes = RandomBytes(50000, 4);
  typename F::State state;
  F::kInit(&state, 5);
  size_t len = 0;
  for (size_t i = 0; len < bytes.size(); ++i) {
    ASSERT_EQ(mmr3_use_kernel(names[i % names.size()]), 0);
    const size_t piece = std::min<size_t>(i * 97 + 1, bytes.size() - len);
    F::kUpdate(&state, bytes.data() + len, piece);
    len += piece;
    ASSERT_EQ(F::Finish(state), F::One(bytes.data(), len, 5)) << len;
  }
}

class Stream : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(Stream);

#define MURMURATION_TEST_EVERY_FUNCTION(Name)                        \
  TEST_P(Stream, X86_32##Name) { Check##Name<X86_32Functions>(); }   \
  TEST_P(Stream, X86_128##Name) { Check##Name<X86_128Functions>(); } \
  TEST_P(Stream, X64_128##Name) { Check##Name<X64_128Functions>(); } \
  TEST_P(Stream, Wide32##Name) { Check##Name<Wide32Functions>(); }

MURMURATION_TEST_EVERY_FUNCTION(EverySplitInTwo)
MURMURATION_TEST_EVERY_FUNCTION(RandomSplits)
MURMURATION_TEST_EVERY_FUNCTION(KernelChanges)

// The one-shot functions, whose long runs of blocks have kernels of their own.
TEST_P(Stream, OneShot128EqualsDefinition) {
  std::mt19937_64 random(6);
  std::vector<size_t> lens;
  for (size_t len = 0; len <= 1300; ++len) lens.push_back(len);
  for (int i = 0; i < 40; ++i) lens.push_back(1300 + random() % 30000);
  const std::vector<uint8_t> bytes = RandomBytes(40000, 7);
  for (size_t len : lens) {
    const size_t offset = len % 61;
    const std::vector<uint8_t> data(bytes.begin() + ptrdiff_t(offset),
                                    bytes.begin() + ptrdiff_t(offset + len));
    const uint64_t seed = random();
    ASSERT_EQ(X64_128Functions::One(bytes.data() + offset, len, seed),
              naive::X64_128(data, seed))
        << len;
    const auto seed32 = static_cast<uint32_t>(seed);
    ASSERT_EQ(X86_128Functions::One(bytes.data() + offset, len, seed32),
              naive::X86_128(data, seed32))
        << len;
  }
}

TEST_P(Stream, OneShot128AtGuardPages) {
  GuardedBuffer buffer(3000);
  for (size_t i = 0; i < 3000; ++i) buffer.end()[-1 - int(i)] = uint8_t(i * 5);
  for (size_t len = 0; len <= 3000; len += len < 1200 ? 1 : 13) {
    const std::vector<uint8_t> data(buffer.end() - len, buffer.end());
    ASSERT_EQ(X64_128Functions::One(buffer.end() - len, len, 2),
              naive::X64_128(data, 2));
    ASSERT_EQ(X86_128Functions::One(buffer.end() - len, len, 2),
              naive::X86_128(data, 2));
  }
}

}  // namespace
