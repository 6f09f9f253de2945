// Every input, output, state and array of every function right behind a page
// that no access survives, and right before one, at every length from 0 to four
// stripes, on every kernel. And no input at all: null.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "guarded_buffer.h"
#include "kernel_test.h"
#include "standard_functions.h"

namespace {

constexpr size_t kMaxLength = 2 * 512 + 4;
constexpr size_t kMaxKeys = 37;  // of a batch
constexpr size_t kGap = 5;       // between keys that lie apart

enum class Edge { kFront, kBack };
constexpr Edge kEdges[] = {Edge::kFront, Edge::kBack};

// Memory between guard pages that one object at a time is placed in.
class EdgeMemory {
 public:
  explicit EdgeMemory(size_t max_size) : buffer_(max_size + kMargin) {}

  // size bytes that touch a guard page; the bytes on their other side are set.
  unsigned char* Place(Edge edge, size_t size) {
    unsigned char* placed =
        edge == Edge::kFront ? buffer_.begin() : buffer_.end() - size;
    margin_ = edge == Edge::kFront ? placed + size : placed - kMargin;
    memset(margin_, kUntouched, kMargin);
    return placed;
  }
  template <class T>
  T* Place(Edge edge, const std::vector<T>& objects) {
    const size_t size = objects.size() * sizeof(T);
    unsigned char* placed = Place(edge, size);
    if (size != 0) memcpy(placed, objects.data(), size);
    return reinterpret_cast<T*>(placed);
  }
  bool OtherSideUntouched() const {
    return std::all_of(margin_, margin_ + kMargin,
                       [](unsigned char byte) { return byte == kUntouched; });
  }

 private:
  static constexpr size_t kMargin = 128;
  static constexpr unsigned char kUntouched = 0xa5;
  GuardedBuffer buffer_;
  unsigned char* margin_ = nullptr;
};

using Bytes = std::vector<unsigned char>;

Bytes Pattern(size_t len) {
  Bytes bytes(len);
  for (size_t i = 0; i < len; ++i)
    bytes[i] = static_cast<unsigned char>(i * 37 + i / 256 + 128);
  return bytes;
}

const unsigned char kSecret[16] = {1, 2,  3,  4,  5,  6,  7,  8,
                                   9, 10, 11, 12, 13, 14, 15, 16};

class GuardPages : public KernelTest {};
MURMURATION_TEST_EVERY_KERNEL(GuardPages);

// ------------------------------------------------------------- one string

// A function of one string that fills a digest of so many bytes.
struct OneString {
  const char* name;
  size_t digest_bytes;
  std::function<void(const unsigned char* data, size_t len, void* digest)> hash;
};

std::vector<OneString> OneStringFunctions(const mmr3_key* key) {
  using Data = const unsigned char*;
  const auto put = [](uint32_t value, void* digest) {
    memcpy(digest, &value, sizeof value);
  };
  return {
      {"x86_32", 4,
       [=](Data d, size_t n, void* out) { put(mmr3_x86_32(d, n, 3), out); }},
      {"x86_32_keyed", 4,
       [=](Data d, size_t n, void* out) {
         put(mmr3_x86_32_keyed(d, n, key), out);
       }},
      {"x86_32_spark", 4,
       [=](Data d, size_t n, void* out) {
         put(mmr3_x86_32_spark(d, n, 3), out);
       }},
      {"x86_128", 16,
       [](Data d, size_t n, void* out) {
         mmr3_x86_128(d, n, 3, static_cast<uint32_t*>(out));
       }},
      {"x64_128", 16,
       [](Data d, size_t n, void* out) {
         mmr3_x64_128(d, n, 3, static_cast<uint64_t*>(out));
       }},
      {"x64_128_cassandra", 16,
       [](Data d, size_t n, void* out) {
         mmr3_x64_128_cassandra(d, n, 3, static_cast<uint64_t*>(out));
       }},
      {"wide32", 4,
       [=](Data d, size_t n, void* out) { put(mmr3_wide32(d, n, 3), out); }},
      {"wide32_resolve", 4,
       [=](Data d, size_t n, void* out) {
         put(mmr3_wide32_resolve()(d, n, 3), out);
       }},
      {"wide32_keyed", 4,
       [=](Data d, size_t n, void* out) {
         put(mmr3_wide32_keyed(d, n, key), out);
       }},
      {"lua_hash", 4,
       [=](Data d, size_t n, void* out) {
         put(mmr3_lua_hash(reinterpret_cast<const char*>(d), n), out);
       }},
  };
}

TEST_P(GuardPages, OneString) {
  const Bytes bytes = Pattern(kMaxLength);
  EdgeMemory input(kMaxLength), output(16), key_memory(sizeof(mmr3_key));
  for (Edge key_edge : kEdges) {
    const mmr3_key* key = key_memory.Place(
        key_edge, std::vector<mmr3_key>{mmr3_key_from_secret(kSecret, 5)});
    for (const OneString& function : OneStringFunctions(key))
      for (size_t len = 0; len <= kMaxLength; ++len) {
        alignas(8) unsigned char expected[16];
        function.hash(bytes.data(), len, expected);
        for (Edge edge : kEdges) {
          const unsigned char* data = input.Place(
              edge, Bytes(bytes.begin(), bytes.begin() + ptrdiff_t(len)));
          unsigned char* out = output.Place(edge, function.digest_bytes);
          function.hash(data, len, out);
          ASSERT_EQ(memcmp(out, expected, function.digest_bytes), 0)
              << function.name << " of " << len << " bytes";
          ASSERT_TRUE(output.OtherSideUntouched()) << function.name;
        }
      }
  }
}

TEST_P(GuardPages, Copies) {
  const Bytes bytes = Pattern(kMaxLength);
  const mmr3_key key = mmr3_key_from_secret(kSecret, 5);
  const struct {
    const char* name;
    std::function<uint32_t(unsigned char*dst, const unsigned char*src,
                           size_t len)>
        copy, hash;
  } functions[] = {
      {"wide32_copy",
       [](auto* dst, auto* src, size_t len) {
         return mmr3_wide32_copy(dst, src, len, 7);
       },
       [](auto*, auto* src, size_t len) { return mmr3_wide32(src, len, 7); }},
      {"wide32_copy_keyed",
       [&](auto* dst, auto* src, size_t len) {
         return mmr3_wide32_copy_keyed(dst, src, len, &key);
       },
       [&](auto*, auto* src, size_t len) {
         return mmr3_wide32_keyed(src, len, &key);
       }},
      {"lua_hash_copy",
       [](auto* dst, auto* src, size_t len) {
         return mmr3_lua_hash_copy(reinterpret_cast<char*>(dst),
                                   reinterpret_cast<const char*>(src), len);
       },
       [](auto*, auto* src, size_t len) {
         return mmr3_lua_hash(reinterpret_cast<const char*>(src), len);
       }},
  };
  EdgeMemory input(kMaxLength), output(kMaxLength);
  for (const auto& function : functions)
    for (size_t len = 0; len <= kMaxLength; ++len) {
      const Bytes piece(bytes.begin(), bytes.begin() + ptrdiff_t(len));
      const uint32_t expected = function.hash(nullptr, bytes.data(), len);
      for (Edge from : kEdges)
        for (Edge to : kEdges) {
          const unsigned char* src = input.Place(from, piece);
          unsigned char* dst = output.Place(to, Bytes(len, 0x5a));
          ASSERT_EQ(function.copy(dst, src, len), expected)
              << function.name << " of " << len << " bytes";
          ASSERT_TRUE(std::equal(piece.begin(), piece.end(), dst))
              << function.name << " of " << len << " bytes";
          ASSERT_TRUE(output.OtherSideUntouched())
              << function.name << " of " << len << " bytes";
        }
    }
}

TEST_P(GuardPages, NullIsEmpty) {
  const mmr3_key key = mmr3_key_from_secret(kSecret, 5);
  for (const OneString& function : OneStringFunctions(&key)) {
    alignas(8) unsigned char expected[16], digest[16];
    function.hash(reinterpret_cast<const unsigned char*>(""), 0, expected);
    function.hash(nullptr, 0, digest);
    EXPECT_EQ(memcmp(digest, expected, function.digest_bytes), 0)
        << function.name;
  }
  EXPECT_EQ(mmr3_wide32_copy(nullptr, nullptr, 0, 7), mmr3_wide32("", 0, 7));
  EXPECT_EQ(mmr3_wide32_copy_keyed(nullptr, nullptr, 0, &key),
            mmr3_wide32_keyed("", 0, &key));
  EXPECT_EQ(mmr3_lua_hash_copy(nullptr, nullptr, 0), mmr3_lua_hash("", 0));
}

TEST_P(GuardPages, KeysAndNames) {
  EdgeMemory memory(4096);
  const mmr3_key expected = mmr3_key_from_secret(kSecret, 5);
  for (Edge edge : kEdges) {
    const unsigned char* secret =
        memory.Place(edge, Bytes(kSecret, kSecret + 16));
    const mmr3_key key = mmr3_key_from_secret(secret, 5);
    EXPECT_EQ(memcmp(&key, &expected, sizeof key), 0);

    auto* random_key =
        reinterpret_cast<mmr3_key*>(memory.Place(edge, sizeof(mmr3_key)));
    EXPECT_EQ(mmr3_key_random(random_key), 0);
    EXPECT_TRUE(memory.OtherSideUntouched());

    const size_t kernels = mmr3_kernels(nullptr, 0);
    auto* names = reinterpret_cast<const char**>(
        memory.Place(edge, kernels * sizeof(const char*)));
    EXPECT_EQ(mmr3_kernels(names, kernels), kernels);
    EXPECT_TRUE(memory.OtherSideUntouched());
    const std::string last = names[kernels - 1];
    EXPECT_EQ(mmr3_use_kernel(memory.Place(
                  edge, std::vector<char>(last.c_str(),
                                          last.c_str() + last.size() + 1))),
              0);
  }
}

// ------------------------------------------------------------------ streams

struct Wide32Functions {
  using Seed = uint32_t;
  using Digest = std::array<uint32_t, 1>;
  using State = mmr3_wide32_state;
  static Digest One(const void* data, size_t len, Seed seed) {
    return {mmr3_wide32(data, len, seed)};
  }
  static constexpr auto kInit = mmr3_wide32_init;
  static constexpr auto kUpdate = mmr3_wide32_update;
};

// The digests that are written to memory; the others are returned.
void FinishAt(const mmr3_x86_32_state* state, uint32_t* out) {
  *out = mmr3_x86_32_digest(state);
}
void FinishAt(const mmr3_wide32_state* state, uint32_t* out) {
  *out = mmr3_wide32_digest(state);
}
void FinishAt(const mmr3_x86_128_state* state, uint32_t* out) {
  mmr3_x86_128_digest(state, out);
}
void FinishAt(const mmr3_x64_128_state* state, uint64_t* out) {
  mmr3_x64_128_digest(state, out);
}

template <class F>
void CheckStreams() {
  using State = typename F::State;
  using Digest = typename F::Digest;
  const Bytes bytes = Pattern(kMaxLength + 127);
  EdgeMemory input(kMaxLength), output(sizeof(Digest)), states(sizeof(State));
  for (size_t held : {0u, 1u, 3u, 15u, 100u, 127u})
    for (size_t len = 0; len <= kMaxLength; ++len) {
      const Digest expected = F::One(bytes.data(), held + len, 1);
      for (Edge edge : kEdges)
        for (Edge state_edge : kEdges) {
          auto* state =
              reinterpret_cast<State*>(states.Place(state_edge, sizeof(State)));
          F::kInit(state, 1);
          F::kUpdate(state, bytes.data(), held);
          F::kUpdate(
              state,
              input.Place(edge, Bytes(bytes.begin() + ptrdiff_t(held),
                                      bytes.begin() + ptrdiff_t(held + len))),
              len);
          unsigned char* out = output.Place(edge, sizeof(Digest));
          FinishAt(state, reinterpret_cast<typename Digest::value_type*>(out));
          ASSERT_EQ(memcmp(out, &expected, sizeof expected), 0)
              << len << " bytes after " << held;
          ASSERT_TRUE(output.OtherSideUntouched());
          ASSERT_TRUE(states.OtherSideUntouched());
        }
    }
}

TEST_P(GuardPages, X86_32Stream) { CheckStreams<X86_32Functions>(); }
TEST_P(GuardPages, X86_128Stream) { CheckStreams<X86_128Functions>(); }
TEST_P(GuardPages, X64_128Stream) { CheckStreams<X64_128Functions>(); }
TEST_P(GuardPages, Wide32Stream) { CheckStreams<Wide32Functions>(); }

// ------------------------------------------------------------------ batches

// Batches whose keys, arrays and digests all touch guard pages.
template <class F>
class EdgeBatch {
 public:
  using Digest = typename F::Digest;
  using Seed = typename F::Seed;
  using Word = typename F::Word;

  EdgeBatch() : keys_(kMaxBytes) {
    const Bytes bytes = Pattern(size_t(keys_.end() - keys_.begin()));
    std::copy(bytes.begin(), bytes.end(), keys_.begin());
  }

  // Every second key at each edge, one upon the other.
  void CheckPointers(Edge edge, const std::vector<size_t>& lens) {
    std::vector<const void*> keys;
    for (size_t i = 0; i < lens.size(); ++i)
      keys.push_back(Key(kEdges[i % 2], lens[i]));
    F::kBatch(array_.Place(edge, keys), lens_.Place(edge, lens), lens.size(),
              kSeed, Out(edge, lens.size()));
    for (size_t i = 0; i < lens.size(); ++i)
      Expect(i, F::One(keys[i], lens[i], kSeed), "batch", lens[i]);
  }

  template <class Offset>
  void CheckOffsets(void (*batch)(const void*, const Offset*, size_t, Seed,
                                  Word*),
                    Edge edge, const std::vector<size_t>& lens) {
    std::vector<Offset> offsets = {0};
    for (size_t len : lens)
      offsets.push_back(static_cast<Offset>(size_t(offsets.back()) + len));
    const unsigned char* keys = Key(edge, size_t(offsets.back()));
    batch(keys, array_.Place(edge, offsets), lens.size(), kSeed,
          Out(edge, lens.size()));
    for (size_t i = 0; i < lens.size(); ++i)
      Expect(i, F::One(keys + offsets[i], lens[i], kSeed), "batch_offsets",
             lens[i]);
  }

  // Forwards, and backwards from the last key in memory.
  void CheckFixed(Edge edge, size_t len, size_t distance, size_t n) {
    const unsigned char* keys = Key(edge, (n - 1) * distance + len);
    F::kFixed(keys, len, ptrdiff_t(distance), n, kSeed, Out(edge, n));
    for (size_t i = 0; i < n; ++i)
      Expect(i, F::One(keys + i * distance, len, kSeed), "batch_fixed", len);
    const unsigned char* last = keys + (n - 1) * distance;
    F::kFixed(last, len, -ptrdiff_t(distance), n, kSeed, Out(edge, n));
    for (size_t i = 0; i < n; ++i)
      Expect(i, F::One(last - i * distance, len, kSeed), "batch_fixed, back",
             len);
  }

  void CheckSeeds(Edge edge, size_t len, size_t n) {
    const unsigned char* key = Key(edge, len);
    std::vector<Seed> seeds;
    for (size_t i = 0; i < n; ++i) seeds.push_back(static_cast<Seed>(i * 3));
    F::kSeeds(key, len, array_.Place(edge, seeds), n, Out(edge, n));
    for (size_t i = 0; i < n; ++i)
      Expect(i, F::One(key, len, seeds[i]), "seeds", len);
  }

 private:
  static constexpr Seed kSeed = 2;
  static constexpr size_t kMaxBytes = kMaxKeys * (kMaxLength + kGap);

  const unsigned char* Key(Edge edge, size_t len) {
    return edge == Edge::kFront ? keys_.begin() : keys_.end() - len;
  }
  Word* Out(Edge edge, size_t n) {
    out_ = digests_.Place(edge, n * sizeof(Digest));
    return reinterpret_cast<Word*>(out_);
  }
  void Expect(size_t i, const Digest& expected, const char* function,
              size_t len) {
    ASSERT_EQ(memcmp(out_ + i * sizeof expected, &expected, sizeof expected), 0)
        << function << ": key " << i << " of " << len << " bytes";
    ASSERT_TRUE(digests_.OtherSideUntouched()) << function;
  }

  GuardedBuffer keys_;
  EdgeMemory array_{(kMaxKeys + 1) * 8}, lens_{kMaxKeys * sizeof(size_t)};
  EdgeMemory digests_{kMaxKeys * sizeof(Digest)};
  unsigned char* out_ = nullptr;
};

template <class F>
void CheckBatches() {
  EdgeBatch<F> batch;
  // Too few for vectors, half a group or a group, groups and a rest.
  for (size_t n : {size_t{3}, size_t{9}, size_t{16}, kMaxKeys})
    for (size_t len = 0; len <= kMaxLength; ++len) {
      const std::vector<size_t> equal(n, len);
      std::vector<size_t> mixed;
      for (size_t i = 0; i < n; ++i)
        mixed.push_back((len + i * 31) % (kMaxLength + 1));
      for (Edge edge : kEdges) {
        for (const auto& lens : {equal, mixed}) {
          batch.CheckPointers(edge, lens);
          batch.CheckOffsets(F::kOffsets32, edge, lens);
          batch.CheckOffsets(F::kOffsets64, edge, lens);
        }
        for (size_t distance : {len, len + kGap, len / 2, size_t{0}})
          batch.CheckFixed(edge, len, distance, n);
        batch.CheckSeeds(edge, len, n);
      }
      if (testing::Test::HasFatalFailure()) return;
    }
}

TEST_P(GuardPages, X86_32Batch) { CheckBatches<X86_32Functions>(); }
TEST_P(GuardPages, X86_128Batch) { CheckBatches<X86_128Functions>(); }
TEST_P(GuardPages, X64_128Batch) { CheckBatches<X64_128Functions>(); }

}  // namespace
