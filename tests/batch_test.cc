// Batches on every kernel: each digest is that of the one-at-a-time function.
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "guarded_buffer.h"
#include "kernel_test.h"
#include "standard_functions.h"

namespace {

std::vector<uint8_t> RandomBytes(size_t len, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(len);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

// Digests of n keys with words on both sides that no function may write.
template <class F>
class Output {
 public:
  explicit Output(size_t n)
      : words_(kMargin + n * kWords + kMargin, kUntouched), n_(n) {}
  typename F::Word* begin() { return words_.data() + kMargin; }
  typename F::Digest At(size_t i) const {
    typename F::Digest digest;
    std::copy_n(words_.begin() + ptrdiff_t(kMargin + i * kWords), kWords,
                digest.begin());
    return digest;
  }
  bool MarginsUntouched() const {
    const auto untouched = [](typename F::Word word) {
      return word == kUntouched;
    };
    return std::all_of(words_.begin(), words_.begin() + kMargin, untouched) &&
           std::all_of(words_.begin() + ptrdiff_t(kMargin + n_ * kWords),
                       words_.end(), untouched);
  }

 private:
  static constexpr size_t kWords = std::tuple_size<typename F::Digest>::value;
  static constexpr ptrdiff_t kMargin = 64;
  static constexpr typename F::Word kUntouched = 0xa5a5a5a5;
  std::vector<typename F::Word> words_;
  size_t n_;
};

template <class F>
void CheckPointers(const std::vector<const void*>& keys,
                   const std::vector<size_t>& lens, typename F::Seed seed,
                   const std::string& what) {
  const size_t n = keys.size();
  Output<F> out(n);
  F::kBatch(keys.data(), lens.data(), n, seed, out.begin());
  for (size_t i = 0; i < n; ++i)
    ASSERT_EQ(out.At(i), F::One(keys[i], lens[i], seed))
        << what << ": key " << i << " of " << n << ", " << lens[i] << " bytes";
  ASSERT_TRUE(out.MarginsUntouched()) << what;
}

// The same keys, end to end, behind `before` bytes and offsets that belong to
// no key of the slice.
template <class F, class Offset, class Function>
void CheckOffsets(Function function, const std::vector<size_t>& lens,
                  size_t before, typename F::Seed seed,
                  const std::string& what) {
  std::vector<Offset> offsets = {0, static_cast<Offset>(before)};
  for (size_t len : lens)
    offsets.push_back(static_cast<Offset>(size_t(offsets.back()) + len));
  // Exactly as many bytes as there are: a sanitizer sees a read beyond.
  const std::vector<uint8_t> bytes = RandomBytes(size_t(offsets.back()), 17);
  const size_t n = lens.size();
  Output<F> out(n);
  function(bytes.data(), offsets.data() + 1, n, seed, out.begin());
  for (size_t i = 0; i < n; ++i)
    ASSERT_EQ(out.At(i), F::One(bytes.data() + offsets[i + 1], lens[i], seed))
        << what << ": offset key " << i << " of " << n;
  ASSERT_TRUE(out.MarginsUntouched()) << what;
}

template <class F>
void CheckLengths(const std::vector<size_t>& lens, typename F::Seed seed,
                  const std::string& what) {
  const size_t longest =
      lens.empty() ? 0 : *std::max_element(lens.begin(), lens.end());
  const std::vector<uint8_t> bytes = RandomBytes(longest + 64, 5);
  std::vector<const void*> keys;
  for (size_t i = 0; i < lens.size(); ++i)
    keys.push_back(bytes.data() + i * 7 % 64);
  CheckPointers<F>(keys, lens, seed, what);
  CheckOffsets<F, int32_t>(F::kOffsets32, lens, 3, seed, what);
  CheckOffsets<F, int64_t>(F::kOffsets64, lens, 0, seed, what);
}

struct Range {
  size_t min, max;
};
const Range kRanges[] = {{0, 0},   {0, 3},    {4, 7},      {8, 15},
                         {0, 20},  {1, 64},   {16, 17},    {64, 1024},
                         {0, 300}, {33, 800}, {1000, 3000}};

std::vector<size_t> RandomLengths(size_t n, Range range, std::mt19937& random) {
  std::vector<size_t> lens(n);
  for (size_t& len : lens)
    len = range.min + random() % (range.max - range.min + 1);
  return lens;
}

template <class F>
void CheckEveryCount() {
  std::mt19937 random(1);
  for (const Range& range : kRanges)
    for (size_t n = 0; n <= 70; ++n)
      CheckLengths<F>(RandomLengths(n, range, random),
                      static_cast<typename F::Seed>(random()),
                      std::to_string(range.min) + " to " +
                          std::to_string(range.max) + " bytes");
}

// Many short keys with a few long ones, in places that change.
template <class F>
void CheckMixtures() {
  std::mt19937 random(2);
  for (size_t n : {5u, 16u, 33u, 100u, 1000u, 3000u}) {
    for (size_t longest : {1000u, 20000u, 300000u}) {
      std::vector<size_t> lens = RandomLengths(n, {0, 70}, random);
      for (int i = 0; i < 3; ++i)
        lens[random() % n] = longest - random() % (longest / 2);
      CheckLengths<F>(lens, static_cast<typename F::Seed>(random()),
                      "few long");
    }
    std::vector<size_t> lens(n);
    for (size_t& len : lens) len = random() % (size_t{1} << random() % 14);
    CheckLengths<F>(lens, 0, "every magnitude");
    for (size_t i = 0; i < n; ++i) lens[i] = i;
    CheckLengths<F>(lens, 1, "rising");
    std::reverse(lens.begin(), lens.end());
    CheckLengths<F>(lens, static_cast<typename F::Seed>(~0ull), "falling");
  }
}

// Keys of one length in any layout, and runs of one length among others.
template <class F>
void CheckAlike() {
  for (size_t len = 0; len <= 140; ++len)
    for (size_t n : {1u, 3u, 4u, 5u, 7u, 8u, 9u, 10u, 15u, 16u, 17u, 21u, 63u,
                     64u, 65u, 68u, 130u})
      CheckLengths<F>(std::vector<size_t>(n, len), 7, "one length");
  std::mt19937 random(4);
  for (size_t n : {70u, 140u, 500u}) {
    for (int i = 0; i < 40; ++i) {
      std::vector<size_t> lens;
      while (lens.size() < n) {
        const size_t run = 1 + random() % (i % 2 == 0 ? 100 : 3);
        const size_t len = random() % (i % 3 == 0 ? 9 : 100);
        lens.insert(lens.end(), std::min(run, n - lens.size()), len);
      }
      CheckLengths<F>(lens, 8, "runs");
      // All but one.
      std::fill(lens.begin(), lens.end(), size_t(i));
      lens[random() % n] = random() % 200;
      CheckLengths<F>(lens, 9, "all but one of one length");
    }
  }
}

template <class F>
void CheckFixed() {
  for (size_t key_len = 0; key_len <= 140; ++key_len)
    for (size_t distance :
         {key_len, key_len + 1, key_len + 8, size_t{24}, size_t{1}, size_t{0}})
      for (size_t n : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 32u,
                       33u, 64u, 71u, 300u}) {
        const size_t last = n == 0 ? 0 : (n - 1) * distance;
        const std::vector<uint8_t> bytes =
            RandomBytes(n == 0 ? 0 : last + key_len, 9);
        const auto seed = static_cast<typename F::Seed>(key_len * 0x9e3779b9u);
        // The same keys forwards, and backwards from the last in memory.
        Output<F> out(n), backwards(n);
        F::kFixed(bytes.data(), key_len, ptrdiff_t(distance), n, seed,
                  out.begin());
        F::kFixed(bytes.data() + last, key_len, -ptrdiff_t(distance), n, seed,
                  backwards.begin());
        for (size_t i = 0; i < n; ++i) {
          const auto expected =
              F::One(bytes.data() + i * distance, key_len, seed);
          ASSERT_EQ(out.At(i), expected)
              << key_len << " bytes, stride " << distance << ", key " << i
              << " of " << n;
          ASSERT_EQ(backwards.At(n - 1 - i), expected)
              << key_len << " bytes, stride -" << distance << ", key "
              << n - 1 - i << " of " << n;
        }
        ASSERT_TRUE(out.MarginsUntouched());
        ASSERT_TRUE(backwards.MarginsUntouched());
      }
  for (size_t key_len : {1024u, 5000u}) {
    const std::vector<uint8_t> bytes = RandomBytes(key_len * 20, 9);
    Output<F> out(20);
    F::kFixed(bytes.data(), key_len, ptrdiff_t(key_len), 20, 1, out.begin());
    for (size_t i = 0; i < 20; ++i)
      ASSERT_EQ(out.At(i), F::One(bytes.data() + i * key_len, key_len, 1));
  }
}

template <class F>
void CheckSeeds() {
  std::mt19937_64 random(3);
  for (size_t len : {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 12u, 15u, 16u, 17u,
                     31u, 32u, 33u, 100u, 1000u}) {
    const std::vector<uint8_t> bytes = RandomBytes(len, 11);
    for (size_t n = 0; n <= 70; ++n) {
      std::vector<typename F::Seed> seeds(n);
      for (auto& seed : seeds) seed = static_cast<typename F::Seed>(random());
      Output<F> out(n);
      F::kSeeds(bytes.data(), len, seeds.data(), n, out.begin());
      for (size_t i = 0; i < n; ++i)
        ASSERT_EQ(out.At(i), F::One(bytes.data(), len, seeds[i]))
            << len << " bytes, seed " << i << " of " << n;
      ASSERT_TRUE(out.MarginsUntouched());
    }
  }
}

// Keys at both edges of a mapping, of every length, among keys of other
// lengths: what is read outside of one dies.
template <class F>
void CheckGuardPages() {
  constexpr size_t kMax = 1100;
  GuardedBuffer buffer(kMax);
  const std::vector<uint8_t> bytes = RandomBytes(kMax, 13);
  std::copy(bytes.begin(), bytes.end(), buffer.begin());
  std::copy(bytes.begin(), bytes.end(), buffer.end() - kMax);
  for (size_t len = 0; len <= kMax; ++len) {
    std::vector<const void*> keys;
    std::vector<size_t> lens;
    for (size_t i = 0; i < 37; ++i) {
      const size_t other = i % 3 == 0 ? len : (len + i * i) % kMax;
      const uint8_t* at_end = buffer.end() - other;
      keys.push_back(i % 2 == 0 ? at_end : buffer.begin());
      lens.push_back(other);
    }
    CheckPointers<F>(keys, lens, 2, "guard pages");
    // All of one length, and the last one at the end.
    for (size_t n : {1u, 2u, 5u, 16u, 19u}) {
      if (n * len > kMax) break;
      for (size_t distance : {len, len / 2, size_t{0}}) {
        const uint8_t* keys_at = buffer.end() - (n - 1) * distance - len;
        Output<F> out(n);
        F::kFixed(keys_at, len, ptrdiff_t(distance), n, 2, out.begin());
        for (size_t i = 0; i < n; ++i)
          ASSERT_EQ(out.At(i), F::One(keys_at + i * distance, len, 2));
      }
    }
    std::vector<typename F::Seed> seeds(19, 4);
    Output<F> out(seeds.size());
    F::kSeeds(buffer.end() - len, len, seeds.data(), seeds.size(), out.begin());
    ASSERT_EQ(out.At(18), F::One(buffer.end() - len, len, 4));
  }
}

template <class F>
void CheckOddPointers() {
  const std::vector<uint8_t> bytes = RandomBytes(600, 15);
  for (size_t n : {1u, 3u, 4u, 8u, 16u, 40u}) {
    CheckPointers<F>(std::vector<const void*>(n, nullptr),
                     std::vector<size_t>(n, 0), 3, "null");
    CheckPointers<F>(std::vector<const void*>(n, bytes.data()),
                     std::vector<size_t>(n, 77), 3, "the same key");
    std::vector<const void*> keys;
    std::vector<size_t> lens;
    for (size_t i = 0; i < n; ++i) {
      keys.push_back(i % 4 == 0 ? nullptr : bytes.data() + i);
      lens.push_back(i % 4 == 0 ? 0 : 10 * i);
    }
    CheckPointers<F>(keys, lens, 3, "null among keys that overlap");
    Output<F> out(n);
    for (ptrdiff_t stride : {0, 8, -8}) {
      F::kFixed(nullptr, 0, stride, n, 3, out.begin());
      for (size_t i = 0; i < n; ++i)
        ASSERT_EQ(out.At(i), F::One(nullptr, 0, 3));
    }
    const std::vector<int32_t> offsets32(n + 1, 0);
    F::kOffsets32(nullptr, offsets32.data(), n, 3, out.begin());
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out.At(i), F::One(nullptr, 0, 3));
    const std::vector<typename F::Seed> seeds(n, 3);
    F::kSeeds(nullptr, 0, seeds.data(), n, out.begin());
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(out.At(i), F::One(nullptr, 0, 3));
  }
  F::kBatch(nullptr, nullptr, 0, 0, nullptr);
  F::kFixed(nullptr, 8, 8, 0, 0, nullptr);
  F::kFixed(nullptr, 8, -8, 0, 0, nullptr);
  F::kOffsets32(nullptr, nullptr, 0, 0, nullptr);
  F::kOffsets64(nullptr, nullptr, 0, 0, nullptr);
  F::kSeeds(nullptr, 0, nullptr, 0, nullptr);
}

class Batch : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(Batch);

#define MURMURATION_TEST_EVERY_VARIANT(Name)                        \
  TEST_P(Batch, X86_32##Name) { Check##Name<X86_32Functions>(); }   \
  TEST_P(Batch, X86_128##Name) { Check##Name<X86_128Functions>(); } \
  TEST_P(Batch, X64_128##Name) { Check##Name<X64_128Functions>(); }

MURMURATION_TEST_EVERY_VARIANT(EveryCount)
MURMURATION_TEST_EVERY_VARIANT(Mixtures)
MURMURATION_TEST_EVERY_VARIANT(Alike)
MURMURATION_TEST_EVERY_VARIANT(Fixed)
MURMURATION_TEST_EVERY_VARIANT(Seeds)
MURMURATION_TEST_EVERY_VARIANT(GuardPages)
MURMURATION_TEST_EVERY_VARIANT(OddPointers)

}  // namespace
