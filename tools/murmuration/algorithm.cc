#include "tools/murmuration/algorithm.h"

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

template <class Function>
constexpr Algorithm Row(const char* name, const char* tag, size_t words,
                        bool has_kernels) {
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
      }};
}

}  // namespace

const Algorithm kAlgorithms[4] = {
    Row<X86_32>("x86_32", "MURMUR3_X86_32", 1, false),
    Row<X86_128>("x86_128", "MURMUR3_X86_128", 4, true),
    Row<X64_128>("x64_128", "MURMUR3_X64_128", 4, true),
    Row<Wide32>("wide32", "WIDE32", 1, true),
};

const Algorithm& kDefaultAlgorithm = kAlgorithms[2];

const Algorithm* FindAlgorithm(const std::string& name) {
  for (const Algorithm& algorithm : kAlgorithms)
    if (name == algorithm.name) return &algorithm;
  return nullptr;
}

std::string ToHex(const Algorithm& algorithm, const Digest& digest) {
  std::string hex;
  for (size_t i = 0; i < algorithm.words; ++i) {
    char digits[9];
    snprintf(digits, sizeof digits, "%08" PRIx32, digest[i]);
    hex += digits;
  }
  return hex;
}
