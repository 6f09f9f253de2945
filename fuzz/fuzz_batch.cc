// Batches of keys of random lengths, overlapping and in every layout, on every
// kernel, against the naive definitions key by key.
#include "fuzz_input.h"
#include "tests/naive_murmur3.h"
#include "tests/naive_murmur3_128.h"

namespace {

using Bytes = std::vector<uint8_t>;

// One variant's functions, with out as Words words a key.
struct X86_32 {
  using Seed = uint32_t;
  using Word = uint32_t;
  static constexpr size_t kWords = 1;
  static constexpr auto kBatch = mmr3_x86_32_batch;
  static constexpr auto kFixed = mmr3_x86_32_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x86_32_batch_offsets32;
  static constexpr auto kOffsets64 = mmr3_x86_32_batch_offsets64;
  static constexpr auto kSeeds = mmr3_x86_32_seeds;
  static std::array<Word, kWords> Naive(const Bytes& bytes, Seed seed) {
    naive::Key key;
    key.seed = seed;
    return {naive::X86_32(bytes, key)};
  }
};
struct X86_128 {
  using Seed = uint32_t;
  using Word = uint32_t;
  static constexpr size_t kWords = 4;
  static constexpr auto kBatch = mmr3_x86_128_batch;
  static constexpr auto kFixed = mmr3_x86_128_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x86_128_batch_offsets32;
  static constexpr auto kOffsets64 = mmr3_x86_128_batch_offsets64;
  static constexpr auto kSeeds = mmr3_x86_128_seeds;
  static constexpr auto Naive = naive::X86_128;
};
struct X64_128 {
  using Seed = uint64_t;
  using Word = uint64_t;
  static constexpr size_t kWords = 2;
  static constexpr auto kBatch = mmr3_x64_128_batch;
  static constexpr auto kFixed = mmr3_x64_128_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x64_128_batch_offsets32;
  static constexpr auto kOffsets64 = mmr3_x64_128_batch_offsets64;
  static constexpr auto kSeeds = mmr3_x64_128_seeds;
  static constexpr auto Naive = naive::X64_128;
};

// Room for n digests and nothing more.
template <class V>
class Out {
 public:
  explicit Out(size_t n) : copy_(Bytes(n * sizeof(Digest), 0xa5), 0), n_(n) {}
  typename V::Word* words() const {
    return reinterpret_cast<typename V::Word*>(copy_.data());
  }
  void CheckAll(const std::vector<std::array<typename V::Word, V::kWords>>& all,
                const char* what) const {
    Check(all.size() == n_, "count");
    for (size_t i = 0; i < n_; ++i)
      Check(memcmp(words() + i * V::kWords, all[i].data(), sizeof(Digest)) == 0,
            what);
  }

 private:
  using Digest = std::array<typename V::Word, V::kWords>;
  ExactCopy copy_;
  size_t n_;
};

// What one input asks for.
struct Plan {
  uint64_t seed;
  std::vector<size_t> lens;    // of keys one after the other
  std::vector<size_t> starts;  // of the separate keys: they may overlap
  size_t key_len, fixed_count;
  ptrdiff_t stride;  // negative: from the last key in memory on
  std::vector<uint64_t> seeds;
  Bytes bytes;
  size_t offset;  // of the bytes from an aligned address
};

template <class V>
void CheckVariant(const Plan& plan) {
  using Digest = std::array<typename V::Word, V::kWords>;
  const auto seed = static_cast<typename V::Seed>(plan.seed);
  const size_t n = plan.lens.size();
  const ExactCopy data(plan.bytes, plan.offset);
  const auto slice = [&](size_t start, size_t len) {
    const auto from = plan.bytes.begin() + static_cast<ptrdiff_t>(start);
    return Bytes(from, from + static_cast<ptrdiff_t>(len));
  };

  std::vector<const void*> keys;
  std::vector<Digest> separate, in_row, fixed, under_seeds;
  std::vector<int32_t> offsets32 = {0};
  std::vector<int64_t> offsets64 = {0};
  size_t at = 0;
  for (size_t i = 0; i < n; ++i) {
    const size_t len = plan.lens[i];
    keys.push_back(len == 0 ? nullptr : data.data() + plan.starts[i]);
    separate.push_back(V::Naive(slice(plan.starts[i], len), seed));
    in_row.push_back(V::Naive(slice(at, len), seed));
    at += len;
    offsets32.push_back(static_cast<int32_t>(at));
    offsets64.push_back(static_cast<int64_t>(at));
  }
  const ptrdiff_t first_fixed =
      plan.stride < 0 && plan.fixed_count != 0
          ? -plan.stride * static_cast<ptrdiff_t>(plan.fixed_count - 1)
          : 0;
  for (size_t i = 0; i < plan.fixed_count; ++i)
    fixed.push_back(V::Naive(
        slice(static_cast<size_t>(first_fixed +
                                  plan.stride * static_cast<ptrdiff_t>(i)),
              plan.key_len),
        seed));
  std::vector<typename V::Seed> seeds;
  const Bytes one_key = slice(0, plan.key_len);
  for (uint64_t one : plan.seeds) {
    seeds.push_back(static_cast<typename V::Seed>(one));
    under_seeds.push_back(V::Naive(one_key, seeds.back()));
  }

  for (const char* kernel : Kernels()) {
    Check(mmr3_use_kernel(kernel) == 0, "not accepted");
    const Out<V> a(n), b(n), c(n), d(plan.fixed_count), e(seeds.size());
    V::kBatch(keys.data(), plan.lens.data(), n, seed, a.words());
    a.CheckAll(separate, "batch");
    V::kOffsets32(data.data(), offsets32.data(), n, seed, b.words());
    b.CheckAll(in_row, "batch_offsets32");
    V::kOffsets64(data.data(), offsets64.data(), n, seed, c.words());
    c.CheckAll(in_row, "batch_offsets64");
    V::kFixed(data.data() + first_fixed, plan.key_len, plan.stride,
              plan.fixed_count, seed, d.words());
    d.CheckAll(fixed, "batch_fixed");
    V::kSeeds(data.data(), plan.key_len, seeds.data(), seeds.size(), e.words());
    e.CheckAll(under_seeds, "seeds");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  FuzzInput fuzz(input, size);
  Plan plan;
  plan.seed = fuzz.Take<uint64_t>();
  const size_t n = fuzz.Byte();
  const uint8_t shape = fuzz.Byte();
  plan.key_len = fuzz.Byte();
  plan.stride = static_cast<int8_t>(fuzz.Byte());
  plan.fixed_count = fuzz.Byte();
  const uint8_t more = fuzz.Byte();
  const size_t seed_count = more % 100;
  plan.offset = more / 100;
  for (size_t i = 0; i < n; ++i) {
    // All of one length, of few, or of any; now and then a long one.
    size_t len = shape & 1 ? fuzz.Byte() : plan.key_len;
    if (shape & 2) len %= 1 + (shape >> 4);
    if ((shape & 4) != 0 && i % 37 == 36) len *= 9;
    plan.lens.push_back(len);
  }
  for (size_t i = 0; i < seed_count; ++i)
    plan.seeds.push_back(i % 8 == 0 ? fuzz.Take<uint64_t>()
                                    : plan.seeds.back() * 3 + i);
  // Bytes as many as any layout needs: what is left of the input, repeated.
  size_t needed = plan.key_len;
  size_t in_row = 0;
  for (size_t len : plan.lens) in_row += len;
  needed = in_row > needed ? in_row : needed;
  if (plan.fixed_count != 0) {
    const size_t fixed =
        (plan.fixed_count - 1) * static_cast<size_t>(std::abs(plan.stride)) +
        plan.key_len;
    needed = fixed > needed ? fixed : needed;
  }
  const Bytes pattern = fuzz.Rest();
  plan.bytes.resize(needed);
  for (size_t i = 0; i < needed; ++i)
    plan.bytes[i] = static_cast<uint8_t>(
        (pattern.empty() ? 0 : pattern[i % pattern.size()]) + i / 251);
  for (size_t i = 0; i < n; ++i)
    plan.starts.push_back((i * 2654435761u) % (needed - plan.lens[i] + 1));
  CheckVariant<X86_32>(plan);
  CheckVariant<X86_128>(plan);
  CheckVariant<X64_128>(plan);
  return 0;
}
