#include "tools/murmuration/algorithm.h"

#include <charconv>
#include <cinttypes>
#include <cstdio>

#include "murmuration.h"

namespace {

Digest Words(const uint64_t (&out)[2]) {
  return {static_cast<uint32_t>(out[0] >> 32), static_cast<uint32_t>(out[0]),
          static_cast<uint32_t>(out[1] >> 32), static_cast<uint32_t>(out[1])};
}

struct X86_32 {
  using Seed = uint32_t;
  using State = mmr3_x86_32_state;
  static constexpr auto Init = mmr3_x86_32_init;
  static constexpr auto Update = mmr3_x86_32_update;
  static Digest Finish(const State* state) {
    return {mmr3_x86_32_digest(state)};
  }
  static Digest Hash(const void* data, size_t len, Seed seed) {
    return {mmr3_x86_32(data, len, seed)};
  }
};

struct X86_128 {
  using Seed = uint32_t;
  using State = mmr3_x86_128_state;
  static constexpr auto Init = mmr3_x86_128_init;
  static constexpr auto Update = mmr3_x86_128_update;
  static Digest Finish(const State* state) {
    Digest digest;
    mmr3_x86_128_digest(state, digest.data());
    return digest;
  }
  static Digest Hash(const void* data, size_t len, Seed seed) {
    Digest digest;
    mmr3_x86_128(data, len, seed, digest.data());
    return digest;
  }
};

struct X64_128 {
  using Seed = uint64_t;
  using State = mmr3_x64_128_state;
  static constexpr auto Init = mmr3_x64_128_init;
  static constexpr auto Update = mmr3_x64_128_update;
  static Digest Finish(const State* state) {
    uint64_t out[2];
    mmr3_x64_128_digest(state, out);
    return Words(out);
  }
  static Digest Hash(const void* data, size_t len, Seed seed) {
    uint64_t out[2];
    mmr3_x64_128(data, len, seed, out);
    return Words(out);
  }
};

struct Wide32 {
  using Seed = uint32_t;
  using State = mmr3_wide32_state;
  static constexpr auto Init = mmr3_wide32_init;
  static constexpr auto Update = mmr3_wide32_update;
  static Digest Finish(const State* state) {
    return {mmr3_wide32_digest(state)};
  }
  static Digest Hash(const void* data, size_t len, Seed seed) {
    return {mmr3_wide32(data, len, seed)};
  }
};

template <class Function>
class StreamOf final : public Stream {
 public:
  explicit StreamOf(typename Function::Seed seed) {
    Function::Init(&state_, seed);
  }
  void Update(const void* data, size_t len) override {
    Function::Update(&state_, data, len);
  }
  Digest Finish() const override { return Function::Finish(&state_); }

 private:
  typename Function::State state_;
};

// A function for many keys as a row has it.
template <class Seed, class Word,
          void (*kFunction)(const void* const*, const size_t*, size_t, Seed,
                            Word*)>
void HashBatch(Batch* batch, uint64_t seed) {
  kFunction(batch->keys.data(), batch->lens.data(), batch->keys.size(),
            static_cast<Seed>(seed),
            reinterpret_cast<Word*>(batch->out.data()));
}

template <class Function>
constexpr Algorithm Row(const char* name, const char* tag, size_t words,
                        bool has_kernels,
                        void (*hash_batch)(Batch*, uint64_t)) {
  using Seed = typename Function::Seed;
  return {
      name,
      tag,
      words,
      static_cast<Seed>(-1),
      has_kernels,
      [](const void* data, size_t len, uint64_t seed) {
        return Function::Hash(data, len, static_cast<Seed>(seed));
      },
      [](uint64_t seed) -> std::unique_ptr<Stream> {
        return std::make_unique<StreamOf<Function>>(static_cast<Seed>(seed));
      },
      hash_batch};
}

}  // namespace

const Algorithm kAlgorithms[4] = {
    Row<X86_32>("x86_32", "MURMUR3_X86_32", 1, false,
                HashBatch<uint32_t, uint32_t, mmr3_x86_32_batch>),
    Row<X86_128>("x86_128", "MURMUR3_X86_128", 4, true,
                 HashBatch<uint32_t, uint32_t, mmr3_x86_128_batch>),
    Row<X64_128>("x64_128", "MURMUR3_X64_128", 4, true,
                 HashBatch<uint64_t, uint64_t, mmr3_x64_128_batch>),
    Row<Wide32>("wide32", "WIDE32", 1, true, nullptr),
};

const Algorithm& kDefaultAlgorithm = kAlgorithms[2];

const Algorithm* FindAlgorithm(const std::string& name) {
  for (const Algorithm& algorithm : kAlgorithms)
    if (name == algorithm.name) return &algorithm;
  return nullptr;
}

std::string AlgorithmNames() {
  std::vector<std::string> names;
  for (const Algorithm& algorithm : kAlgorithms)
    names.push_back(algorithm.name);
  return JoinNames(names);
}

std::string JoinNames(const std::vector<std::string>& names) {
  std::string joined;
  for (size_t i = 0; i < names.size(); ++i)
    joined += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return joined;
}

std::string FormatDigest(const Algorithm& algorithm, const Digest& digest,
                         DigestForm form) {
  if (form == DigestForm::kSigned && algorithm.words == 1)
    return std::to_string(static_cast<int32_t>(digest[0]));
  std::string hex;
  for (size_t i = 0; i < algorithm.words; ++i) {
    char digits[9];
    snprintf(digits, sizeof digits, "%08" PRIx32, digest[i]);
    hex += digits;
  }
  return hex;
}

std::optional<Digest> ParseDigest(const Algorithm& algorithm,
                                  const std::string& text, DigestForm form) {
  const auto parse = [](const char* first, const char* last, int base,
                        auto* value) {
    const auto read = std::from_chars(first, last, *value, base);
    return read.ec == std::errc() && read.ptr == last;
  };
  const char* const begin = text.data();
  Digest digest = {};
  if (form == DigestForm::kSigned && algorithm.words == 1) {
    int32_t value = 0;
    if (!parse(begin, begin + text.size(), 10, &value)) return std::nullopt;
    digest[0] = static_cast<uint32_t>(value);
    return digest;
  }
  if (text.size() != 8 * algorithm.words) return std::nullopt;
  for (size_t i = 0; i < algorithm.words; ++i)
    if (!parse(begin + 8 * i, begin + 8 * i + 8, 16, &digest[i]))
      return std::nullopt;
  return digest;
}
