// The functions of each standard variant under common names, for tests that are
// written once for all three.
#ifndef MURMURATION_TESTS_STANDARD_FUNCTIONS_H_
#define MURMURATION_TESTS_STANDARD_FUNCTIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "murmuration.h"

struct X86_32Functions {
  using Seed = uint32_t;
  using Word = uint32_t;
  using Digest = std::array<Word, 1>;
  using State = mmr3_x86_32_state;
  static Digest One(const void* data, size_t len, Seed seed) {
    return {mmr3_x86_32(data, len, seed)};
  }
  static Digest Finish(const State& state) {
    return {mmr3_x86_32_digest(&state)};
  }
  static constexpr auto kBatch = mmr3_x86_32_batch;
  static constexpr auto kFixed = mmr3_x86_32_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x86_32_batch_offsets32;
  static constexpr auto kOffsets64 = mmr3_x86_32_batch_offsets64;
  static constexpr auto kSeeds = mmr3_x86_32_seeds;
  static constexpr auto kInit = mmr3_x86_32_init;
  static constexpr auto kUpdate = mmr3_x86_32_update;
};

struct X86_128Functions {
  using Seed = uint32_t;
  using Word = uint32_t;
  using Digest = std::array<Word, 4>;
  using State = mmr3_x86_128_state;
  static Digest One(const void* data, size_t len, Seed seed) {
    Digest digest;
    mmr3_x86_128(data, len, seed, digest.data());
    return digest;
  }
  static Digest Finish(const State& state) {
    Digest digest;
    mmr3_x86_128_digest(&state, digest.data());
    return digest;
  }
  static constexpr auto kBatch = mmr3_x86_128_batch;
  static constexpr auto kFixed = mmr3_x86_128_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x86_128_batch_offsets32;
  static constexpr auto kOffsets64 = mmr3_x86_128_batch_offsets64;
  static constexpr auto kSeeds = mmr3_x86_128_seeds;
  static constexpr auto kInit = mmr3_x86_128_init;
  static constexpr auto kUpdate = mmr3_x86_128_update;
};

struct X64_128Functions {
  using Seed = uint64_t;
  using Word = uint64_t;
  using Digest = std::array<Word, 2>;
  using State = mmr3_x64_128_state;
  static Digest One(const void* data, size_t len, Seed seed) {
    Digest digest;
    mmr3_x64_128(data, len, seed, digest.data());
    return digest;
  }
  static Digest Finish(const State& state) {
    Digest digest;
    mmr3_x64_128_digest(&state, digest.data());
    return digest;
  }
  static constexpr auto kBatch = mmr3_x64_128_batch;
  static constexpr auto kFixed = mmr3_x64_128_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x64_128_batch_offsets32;
  static constexpr auto kOffsets64 = mmr3_x64_128_batch_offsets64;
  static constexpr auto kSeeds = mmr3_x64_128_seeds;
  static constexpr auto kInit = mmr3_x64_128_init;
  static constexpr auto kUpdate = mmr3_x64_128_update;
};

#endif  // MURMURATION_TESTS_STANDARD_FUNCTIONS_H_
