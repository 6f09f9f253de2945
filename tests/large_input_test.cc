// Inputs around 2^31 and 2^32 bytes, where a length or a count in 32 bits goes
// wrong. All bytes are zero, which a mapping without memory behind it provides.
// Takes minutes: ctest runs it when MURMURATION_LONG_TESTS is on.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "kernel_test.h"
#include "naive_murmur3.h"
#include "standard_functions.h"

namespace {

constexpr size_t kSizes[] = {
    0x7fffffff,  0x80000000,
    3u << 30,  // 3 GiB
    0xffffffff,
#if SIZE_MAX > 0xffffffff
    0x100000000, 0x100000005,
#endif
};
constexpr size_t kLargest = kSizes[sizeof kSizes / sizeof kSizes[0] - 1];
constexpr size_t kPage = 4096;
constexpr size_t kMapped = (kLargest + kPage - 1) / kPage * kPage;

// kMapped zero bytes between two guard pages. Null where there is no room, as
// on 32-bit systems.
const unsigned char* Zeros() {
  static const unsigned char* const zeros = []() -> const unsigned char* {
    if (sizeof(size_t) < 8) return nullptr;
    void* map = mmap(nullptr, kMapped + 2 * kPage, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return nullptr;
    unsigned char* begin = static_cast<unsigned char*>(map) + kPage;
    if (mprotect(begin, kMapped, PROT_READ) != 0) return nullptr;
    return begin;
  }();
  return zeros;
}

// Where kLargest bytes can be written: one piece of memory, mapped again and
// again. What it holds in the end is the last that was written to each place.
constexpr size_t kPiece = size_t{1} << 21;
unsigned char* Sink() {
  static unsigned char* const sink = []() -> unsigned char* {
    const int file = memfd_create("sink", 0);
    if (file < 0 || ftruncate(file, kPiece) != 0) return nullptr;
    void* map = mmap(nullptr, kMapped + kPiece, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED) return nullptr;
    auto* begin = static_cast<unsigned char*>(map);
    for (size_t at = 0; at < kMapped; at += kPiece)
      if (mmap(begin + at, kPiece, PROT_READ | PROT_WRITE,
               MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        return nullptr;
    close(file);
    return begin;
  }();
  return sink;
}

// ------------------------------------------- the definitions on zero bytes
//
// A zero word mixes to one number, so nothing has to be read.

uint32_t RepeatRound(uint32_t state, size_t rounds, const naive::Key& key) {
  const uint32_t mixed = naive::Mix(0, key);
  for (; rounds != 0; --rounds)
    state = 5 * naive::Rotate(state ^ mixed, 13) + 0xe6546b64;
  return state;
}

uint32_t X86_32OfZeros(size_t len, const naive::Key& key) {
  uint32_t state = RepeatRound(key.seed, len / 4, key);
  if (len % 4 != 0) state ^= naive::Mix(0, key);
  return naive::Finalize(state ^ static_cast<uint32_t>(len));
}

uint32_t Wide32OfZeros(size_t len, const naive::Key& key) {
  if (len < 64) return X86_32OfZeros(len, key);
  const uint64_t rows = (uint64_t{len} + 63) / 64;
  std::vector<uint32_t> lanes;
  for (uint32_t j = 0; j < 128; ++j) {
    if (j / 16 >= rows) break;
    // A lane has a word of every eighth row.
    lanes.push_back(RepeatRound(naive::Finalize(j + 1) ^ key.seed,
                                static_cast<size_t>((rows - j / 16 + 7) / 8),
                                key));
  }
  uint64_t sum = uint64_t{len} * 0x9e3779b97f4a7c15;
  for (size_t j = 0; j < lanes.size(); j += 2) {
    const uint64_t low = lanes[j], high = lanes[j + 1];
    sum += high * 0x100000000 + low + low * high;
  }
  return static_cast<uint32_t>(naive::Finalize64(sum));
}

std::array<uint32_t, 4> X86_128OfZeros(size_t len, uint32_t seed) {
  std::array<uint32_t, 4> h = {seed, seed, seed, seed};
  for (size_t blocks = len / 16; blocks != 0; --blocks) {
    h[0] = (naive::Rotate(h[0], 19) + h[1]) * 5 + 0x561ccd1b;
    h[1] = (naive::Rotate(h[1], 17) + h[2]) * 5 + 0x0bcaa747;
    h[2] = (naive::Rotate(h[2], 15) + h[3]) * 5 + 0x96cd1c35;
    h[3] = (naive::Rotate(h[3], 13) + h[0]) * 5 + 0x32ac3b17;
  }
  const auto add_all = [&h] {
    h[0] += h[1] + h[2] + h[3];
    for (int j = 1; j < 4; ++j) h[j] += h[0];
  };
  for (uint32_t& word : h) word ^= static_cast<uint32_t>(len);
  add_all();
  for (uint32_t& word : h) word = naive::Finalize(word);
  add_all();
  return h;
}

std::array<uint64_t, 2> X64_128OfZeros(size_t len, uint64_t seed) {
  const auto rotate = [](uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
  };
  const auto finalize = [](uint64_t value) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccd;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53;
    return value ^ value >> 33;
  };
  uint64_t h1 = seed, h2 = seed;
  for (size_t blocks = len / 16; blocks != 0; --blocks) {
    h1 = (rotate(h1, 27) + h2) * 5 + 0x52dce729;
    h2 = (rotate(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  h1 ^= len;
  h2 ^= len;
  h1 += h2;
  h2 += h1;
  h1 = finalize(h1);
  h2 = finalize(h2);
  h1 += h2;
  return {h1, h2 + h1};
}

const std::vector<uint8_t> kSecret = {1, 2,  3,  4,  5,  6,  7,  8,
                                      9, 10, 11, 12, 13, 14, 15, 16};

template <class Functions>
typename Functions::Digest OfZeros(size_t len, typename Functions::Seed seed);
template <>
X86_32Functions::Digest OfZeros<X86_32Functions>(size_t len, uint32_t seed) {
  naive::Key key;
  key.seed = seed;
  return {X86_32OfZeros(len, key)};
}
template <>
X86_128Functions::Digest OfZeros<X86_128Functions>(size_t len, uint32_t seed) {
  return X86_128OfZeros(len, seed);
}
template <>
X64_128Functions::Digest OfZeros<X64_128Functions>(size_t len, uint64_t seed) {
  return X64_128OfZeros(len, seed);
}

// ------------------------------------------------------------------ tests

class LargeInput : public testing::Test {
 protected:
  void SetUp() override {
    if (Zeros() == nullptr)
      GTEST_SKIP() << "no room for a mapping of " << kLargest << " bytes";
  }
};

// Computed by other implementations: the definitions above have to agree.
TEST_F(LargeInput, KnownAnswers) {
  const std::map<size_t, uint32_t> x86_32 = {
    {0x7fffffff, 0x52b33977},
    {0x80000000, 0xcbea9158},
    {3u << 30, 0x1af91ddf},
    {0xffffffff, 0x295390b3},
#if SIZE_MAX > 0xffffffff
    {0x100000000, 0x897304ac},
    {0x100000005, 0x35239ab1},
#endif
  };
  for (const auto& [size, digest] : x86_32)
    EXPECT_EQ(X86_32OfZeros(size, {}), digest) << size;
#if SIZE_MAX > 0xffffffff
  // As bytes 568f7dad8e4e4da8 340746559cc4cc8e.
  const std::array<uint64_t, 2> x64_128 = {0xa84d4e8ead7d8f56,
                                           0x8eccc49c55460734};
  EXPECT_EQ(X64_128OfZeros(0x100000000, 0), x64_128);
#endif
}

TEST_F(LargeInput, X86_32) {
  for (size_t size : kSizes)
    EXPECT_EQ(mmr3_x86_32(Zeros(), size, 0), X86_32OfZeros(size, {})) << size;
}

TEST_F(LargeInput, X86_32Keyed) {
  const mmr3_key key = mmr3_key_from_secret(kSecret.data(), 5);
  for (size_t size : kSizes)
    EXPECT_EQ(mmr3_x86_32_keyed(Zeros(), size, &key),
              X86_32OfZeros(size, naive::KeyFromSecret(kSecret, 5)))
        << size;
}

TEST_F(LargeInput, X86_128) {
  for (size_t size : kSizes) {
    std::array<uint32_t, 4> digest;
    mmr3_x86_128(Zeros(), size, 7, digest.data());
    EXPECT_EQ(digest, X86_128OfZeros(size, 7)) << size;
  }
}

TEST_F(LargeInput, X64_128) {
  for (size_t size : kSizes)
    for (uint64_t seed : {uint64_t{0}, ~uint64_t{0}}) {
      std::array<uint64_t, 2> digest;
      mmr3_x64_128(Zeros(), size, seed, digest.data());
      EXPECT_EQ(digest, X64_128OfZeros(size, seed)) << size;
    }
}

class LargeWide32 : public KernelTest {
 protected:
  void SetUp() override {
    KernelTest::SetUp();
    if (Zeros() == nullptr)
      GTEST_SKIP() << "no room for a mapping of " << kLargest << " bytes";
  }
};
MURMURATION_TEST_EVERY_KERNEL(LargeWide32);

TEST_P(LargeWide32, Hash) {
  const mmr3_key key = mmr3_key_from_secret(kSecret.data(), 5);
  for (size_t size : kSizes) {
    EXPECT_EQ(mmr3_wide32(Zeros(), size, 0), Wide32OfZeros(size, {})) << size;
    EXPECT_EQ(mmr3_wide32_keyed(Zeros(), size, &key),
              Wide32OfZeros(size, naive::KeyFromSecret(kSecret, 5)))
        << size;
  }
}

TEST_P(LargeWide32, Copy) {
  if (Sink() == nullptr)
    GTEST_SKIP() << "no room for a second mapping of " << kLargest << " bytes";
  const mmr3_key key = mmr3_key_from_secret(kSecret.data(), 5);
  for (size_t size : kSizes) {
    // All of the piece is written over, many times.
    std::fill(Sink(), Sink() + kPiece, uint8_t{0xa5});
    EXPECT_EQ(mmr3_wide32_copy(Sink(), Zeros(), size, 0),
              Wide32OfZeros(size, {}))
        << size;
    EXPECT_EQ(std::count(Sink(), Sink() + kPiece, 0), ptrdiff_t{kPiece});
    EXPECT_EQ(mmr3_wide32_copy_keyed(Sink(), Zeros(), size, &key),
              Wide32OfZeros(size, naive::KeyFromSecret(kSecret, 5)))
        << size;
  }
}

TEST_P(LargeWide32, Lua) {
  const auto* text = reinterpret_cast<const char*>(Zeros());
  for (size_t size : kSizes) {
    naive::Key key;
    key.seed = static_cast<uint32_t>(size);
    const uint32_t expected = Wide32OfZeros(size, key);
    EXPECT_EQ(mmr3_lua_hash(text, size), expected) << size;
    if (Sink() != nullptr) {
      EXPECT_EQ(mmr3_lua_hash_copy(reinterpret_cast<char*>(Sink()), text, size),
                expected)
          << size;
    }
  }
}

// Batches and streams: one test for each variant, on the best kernel and on the
// scalar one.
template <class Functions>
class LargeManyKeys : public LargeInput {
 protected:
  using Digest = typename Functions::Digest;
  using Seed = typename Functions::Seed;
  static typename Functions::Word* Words(std::vector<Digest>& digests) {
    return digests.data()->data();
  }
  static std::vector<const char*> BestAndScalar() {
    const char* best;
    mmr3_kernels(&best, 1);
    if (best == std::string("scalar")) return {best};
    return {best, "scalar"};
  }
};
using Variants =
    testing::Types<X86_32Functions, X86_128Functions, X64_128Functions>;
TYPED_TEST_SUITE(LargeManyKeys, Variants);

// Enough keys for vectors, of which few are long.
TYPED_TEST(LargeManyKeys, LongKeys) {
  std::vector<size_t> lens = {kLargest, 5, 0x80000000, 0x7fffffff};
  for (size_t i = 0; i < 20; ++i) lens.push_back(100 + 10 * i);
  const std::vector<const void*> keys(lens.size(), Zeros());
  std::vector<typename TestFixture::Digest> expected;
  for (size_t len : lens) expected.push_back(OfZeros<TypeParam>(len, 3));
  for (const char* kernel : TestFixture::BestAndScalar()) {
    ASSERT_EQ(mmr3_use_kernel(kernel), 0);
    std::vector<typename TestFixture::Digest> digests(lens.size());
    TypeParam::kBatch(keys.data(), lens.data(), lens.size(), 3,
                      TestFixture::Words(digests));
    EXPECT_EQ(digests, expected) << kernel;
  }
}

#if SIZE_MAX > 0xffffffff
// More than 2^30 keys, all empty: the offsets are zeros. The digests of the
// first 2^30 lie upon each other, the others apart.
TYPED_TEST(LargeManyKeys, ManyKeys) {
  using Digest = typename TestFixture::Digest;
  constexpr size_t kMany = size_t{1} << 30;
  constexpr size_t kMore = 5;
  static_assert((kMany + kMore + 1) * sizeof(int32_t) <= kMapped);
  constexpr size_t kRoom = kMany * sizeof(Digest);
  void* map = mmap(nullptr, kRoom + kPage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const int file = memfd_create("digests", 0);
  if (map == MAP_FAILED || file < 0 || ftruncate(file, kPiece) != 0)
    GTEST_SKIP() << "no room for the digests of 2^30 keys";
  auto* out = static_cast<unsigned char*>(map);
  for (size_t at = 0; at < kRoom; at += kPiece)
    ASSERT_NE(mmap(out + at, kPiece, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_FIXED, file, 0),
              MAP_FAILED);
  close(file);
  const auto* offsets = reinterpret_cast<const int32_t*>(Zeros());
  const Digest expected = TypeParam::One(nullptr, 0, 3);
  for (const char* kernel : TestFixture::BestAndScalar()) {
    ASSERT_EQ(mmr3_use_kernel(kernel), 0);
    std::fill(out, out + kPiece, uint8_t{0xa5});
    std::fill(out + kRoom, out + kRoom + kPage, uint8_t{0xa5});
    TypeParam::kOffsets32(nullptr, offsets, kMany + kMore, 3,
                          reinterpret_cast<typename TypeParam::Word*>(out));
    const std::vector<Digest> all(kPiece / sizeof(Digest), expected);
    EXPECT_EQ(memcmp(out, all.data(), kPiece), 0) << kernel;
    EXPECT_EQ(memcmp(out + kRoom, all.data(), kMore * sizeof(Digest)), 0)
        << kernel;
    EXPECT_EQ(out[kRoom + kMore * sizeof(Digest)], 0xa5) << kernel;
  }
  munmap(map, kRoom + kPage);
}
#endif

TYPED_TEST(LargeManyKeys, FarOffsets) {
  const auto end = static_cast<int64_t>(kLargest);
  const std::vector<int64_t> offsets = {0x7ffffffe, 0x7fffffff, 0x80000001,
                                        end - 20, end};
  const std::vector<int32_t> offsets32 = {0, 0x7ffffff0, 0x7fffffff};
  for (const char* kernel : TestFixture::BestAndScalar()) {
    ASSERT_EQ(mmr3_use_kernel(kernel), 0);
    std::vector<typename TestFixture::Digest> digests(offsets.size() - 1);
    TypeParam::kOffsets64(Zeros(), offsets.data(), digests.size(), 3,
                          TestFixture::Words(digests));
    for (size_t i = 0; i < digests.size(); ++i)
      EXPECT_EQ(digests[i],
                OfZeros<TypeParam>(
                    static_cast<size_t>(offsets[i + 1] - offsets[i]), 3))
          << kernel << " key " << i;
    digests.resize(2);
    TypeParam::kOffsets32(Zeros(), offsets32.data(), 2, 3,
                          TestFixture::Words(digests));
    EXPECT_EQ(digests[0], OfZeros<TypeParam>(0x7ffffff0, 3)) << kernel;
    EXPECT_EQ(digests[1], OfZeros<TypeParam>(15, 3)) << kernel;
  }
}

// Keys so far from each other that a 32-bit product of index and stride wraps,
// and long ones; enough of them for vectors; forwards and backwards.
TYPED_TEST(LargeManyKeys, FarStride) {
  constexpr size_t kKeys = 9;
  const struct {
    size_t len, stride;
  } rows[] = {{20, (kLargest - 20) / (kKeys - 1)}, {kLargest - kKeys, 1}};
  for (const auto& row : rows) {
    const auto expected = OfZeros<TypeParam>(row.len, 3);
    for (const char* kernel : TestFixture::BestAndScalar()) {
      ASSERT_EQ(mmr3_use_kernel(kernel), 0);
      std::vector<typename TestFixture::Digest> digests(kKeys);
      const unsigned char* first = Zeros();
      const auto stride = static_cast<ptrdiff_t>(row.stride);
      for (const ptrdiff_t step : {stride, -stride}) {
        std::fill(digests.begin(), digests.end(),
                  typename TestFixture::Digest());
        TypeParam::kFixed(first, row.len, step, kKeys, 3,
                          TestFixture::Words(digests));
        for (const auto& digest : digests)
          EXPECT_EQ(digest, expected) << kernel << ", " << row.len << " bytes";
        first += (kKeys - 1) * row.stride;
      }
    }
  }
}

TYPED_TEST(LargeManyKeys, SeedsOfOneLongKey) {
  const std::vector<typename TestFixture::Seed> seeds = {0, 1, 0, 1, 0,
                                                         1, 0, 1, 0};
  const std::array<typename TestFixture::Digest, 2> expected = {
      OfZeros<TypeParam>(kLargest, 0), OfZeros<TypeParam>(kLargest, 1)};
  for (const char* kernel : TestFixture::BestAndScalar()) {
    ASSERT_EQ(mmr3_use_kernel(kernel), 0);
    std::vector<typename TestFixture::Digest> digests(seeds.size());
    TypeParam::kSeeds(Zeros(), kLargest, seeds.data(), seeds.size(),
                      TestFixture::Words(digests));
    for (size_t i = 0; i < seeds.size(); ++i)
      EXPECT_EQ(digests[i], expected[i % 2]) << kernel;
  }
}

TYPED_TEST(LargeManyKeys, Stream) {
  typename TypeParam::State state;
  TypeParam::kInit(&state, 3);
  size_t left = kLargest;
  for (size_t piece = 7; left != 0; piece = piece * 29 + 1) {
    const size_t len = piece < left ? piece : left;
    TypeParam::kUpdate(&state, Zeros(), len);
    left -= len;
  }
  EXPECT_EQ(TypeParam::Finish(state), OfZeros<TypeParam>(kLargest, 3));
}

TEST_P(LargeWide32, Stream) {
  mmr3_wide32_state state;
  mmr3_wide32_init(&state, 0);
  size_t left = kLargest;
  for (size_t piece = 7; left != 0; piece = piece * 29 + 1) {
    const size_t len = piece < left ? piece : left;
    mmr3_wide32_update(&state, Zeros(), len);
    left -= len;
  }
  EXPECT_EQ(mmr3_wide32_digest(&state), Wide32OfZeros(kLargest, {}));
}

}  // namespace
