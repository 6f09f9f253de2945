// The blocks of one string of a 128-bit variant. The chain through the states
// stays scalar; what becomes of the words before they meet a state is done on
// vectors, one chunk ahead of the chain, so that its multiplications and
// rotations do not crowd the chain's own. Written once with Highway, compiled
// for its targets below. AVX-512 is not among them: its rows of the kernel
// table have the AVX2 code, which is faster (Zen 4, 100 KB, cycles a block with
// g++ and clang: x64_128 5.0 and 5.0, not 5.1 and 5.0; x86_128 6.3 and 8.5,
// not 6.4 and 8.8).
#include "lib/kernels/highway_targets.h"
#include "lib/kernels/kernel.h"
#include "lib/standard_variants.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/kernels/blocks_highway.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || \
    HWY_TARGET == MMR3_NEON_TARGET

HWY_BEFORE_NAMESPACE();
namespace murmuration {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kVectorBytes = HWY_MAX_BYTES;

template <class T>
using Tag = hn::FixedTag<T, kVectorBytes / sizeof(T)>;

constexpr size_t kBlockBytes = 16;

template <int kBits, class V>
HWY_INLINE V Mix(V word, typename hn::TFromV<V> mul1,
                 typename hn::TFromV<V> mul2) {
  const hn::DFromV<V> d;
  constexpr int kLaneBits = 8 * sizeof(hn::TFromV<V>);
  word = hn::Mul(word, hn::Set(d, mul1));
  return hn::Mul(hn::RotateRight<kLaneBits - kBits>(word), hn::Set(d, mul2));
}

template <class D>
HWY_INLINE hn::Vec<D> LoadBytes(D d, const unsigned char* from) {
  return hn::BitCast(d, hn::LoadU(hn::Repartition<uint8_t, D>(), from));
}

// Keeps what was stored in memory, where the chain finds it with no more than a
// load: g++ would take it out of the vectors again, a lane at a time. Volatile,
// as are the barriers of the chain: g++ would move the operations of the
// vectors in between those of the chain (x64_128: 5.4 cycles a block, not 5.0).
template <class Mixed>
HWY_INLINE void KeepInMemory(Mixed& mixed) {
  asm volatile("" : "+m"(mixed) : : "memory");
}

template <class Variant>
struct Chain;

template <>
struct Chain<X64_128> {
  // Blocks that two vectors hold.
  static constexpr size_t kPack = kVectorBytes / 8;
  static constexpr size_t kChunk = HWY_MAX(kPack, 8);

  struct Mixed {
    alignas(64) uint64_t word1[kChunk];
    alignas(64) uint64_t word2[kChunk];
  };

  static HWY_INLINE void MixChunk(const unsigned char* data, Mixed& mixed) {
    const Tag<uint64_t> d;
#pragma GCC unroll 8
    for (size_t pack = 0; pack < kChunk; pack += kPack) {
      const auto a = LoadBytes(d, data + kBlockBytes * pack);
      const auto b = LoadBytes(d, data + kBlockBytes * pack + kVectorBytes);
      hn::Store(
          Mix<31>(hn::InterleaveLower(d, a, b), X64_128::kMul1, X64_128::kMul2),
          d, mixed.word1 + pack);
      hn::Store(
          Mix<33>(hn::InterleaveUpper(d, a, b), X64_128::kMul2, X64_128::kMul1),
          d, mixed.word2 + pack);
    }
    KeepInMemory(mixed);
  }

  // Where the interleaving puts a block of the chunk.
  static constexpr size_t Place(size_t block) {
    const size_t pack = block / kPack * kPack;
    const size_t in_pack = block % kPack;
    return pack +
           (in_pack < kPack / 2 ? 2 * in_pack : 2 * (in_pack - kPack / 2) + 1);
  }

  static HWY_INLINE void TakeChunk(X64_128::State& state, const Mixed& mixed) {
#pragma GCC unroll 8
    for (size_t block = 0; block < kChunk; ++block) {
      // 5 * (a + b) + c as 5 * a + (5 * b + c): what does not wait for the
      // state before is off the chain. Each operation apart, since an lea of
      // three terms takes longer than two (g++: 0.3 cycles a block).
      const uint64_t ready1 = FiveTimesPlus(state.h2, X64_128::kAdd1);
      state.h1 = FiveTimesPlus(
          X64_128::RotateLeft(state.h1 ^ mixed.word1[Place(block)], 27),
          ready1);
      const uint64_t ready2 = FiveTimesPlus(
          X64_128::RotateLeft(state.h2 ^ mixed.word2[Place(block)], 31),
          X64_128::kAdd2);
      state.h2 = FiveTimesPlus(state.h1, ready2);
    }
  }

 private:
  static HWY_INLINE uint64_t FiveTimesPlus(uint64_t value, uint64_t add) {
    value *= 5;
    asm volatile("" : "+r"(value));
    value += add;
    asm volatile("" : "+r"(value));
    return value;
  }
};

template <>
struct Chain<X86_128> {
  // Blocks that four vectors hold.
  static constexpr size_t kPack = kVectorBytes / 4;
  static constexpr size_t kChunk = HWY_MAX(kPack, 8);

  struct Mixed {
    alignas(64) uint32_t word[4][kChunk];
  };

  template <int j, class V>
  static HWY_INLINE V MixWord(V word) {
    return Mix<15 + j>(word, X86_128::kMul[j], X86_128::kMul[(j + 1) % 4]);
  }

  static HWY_INLINE void MixChunk(const unsigned char* data, Mixed& mixed) {
    const Tag<uint32_t> d;
    const Tag<uint64_t> d64;
#pragma GCC unroll 8
    for (size_t pack = 0; pack < kChunk; pack += kPack) {
      const unsigned char* from = data + kBlockBytes * pack;
      const auto a = LoadBytes(d, from);
      const auto b = LoadBytes(d, from + kVectorBytes);
      const auto e = LoadBytes(d, from + 2 * kVectorBytes);
      const auto f = LoadBytes(d, from + 3 * kVectorBytes);
      const auto ab_low = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
      const auto ef_low = hn::BitCast(d64, hn::InterleaveLower(d, e, f));
      const auto ab_high = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
      const auto ef_high = hn::BitCast(d64, hn::InterleaveUpper(d, e, f));
      hn::Store(
          MixWord<0>(hn::BitCast(d, hn::InterleaveLower(d64, ab_low, ef_low))),
          d, mixed.word[0] + pack);
      hn::Store(
          MixWord<1>(hn::BitCast(d, hn::InterleaveUpper(d64, ab_low, ef_low))),
          d, mixed.word[1] + pack);
      hn::Store(MixWord<2>(
                    hn::BitCast(d, hn::InterleaveLower(d64, ab_high, ef_high))),
                d, mixed.word[2] + pack);
      hn::Store(MixWord<3>(
                    hn::BitCast(d, hn::InterleaveUpper(d64, ab_high, ef_high))),
                d, mixed.word[3] + pack);
    }
    KeepInMemory(mixed);
  }

  // Where the interleaving puts a block of the chunk.
  static constexpr size_t Place(size_t block) {
    const size_t pack = block / kPack * kPack;
    const size_t in_vector = block % (kPack / 4);
    return pack + 4 * in_vector + block % kPack / (kPack / 4);
  }

  static HWY_INLINE void TakeChunk(X86_128::State& state, const Mixed& mixed) {
#pragma GCC unroll 16
    for (size_t block = 0; block < kChunk; ++block) {
      const size_t place = Place(block);
      X86_128::Take(state, {{mixed.word[0][place], mixed.word[1][place],
                             mixed.word[2][place], mixed.word[3][place]}});
    }
  }
};

}  // namespace

template <class Variant>
void Blocks(typename Variant::State& state, const unsigned char* data,
            size_t blocks) {
  using C = Chain<Variant>;
  constexpr size_t kChunkBytes = C::kChunk * kBlockBytes;
  if (blocks >= C::kChunk) {
    // A copy, since data could point to the state itself.
    typename Variant::State local = state;
    typename C::Mixed mixed[2];
    size_t chunks = blocks / C::kChunk;
    blocks %= C::kChunk;
    C::MixChunk(data, mixed[0]);
    // Two chunks a turn, so that it is known which of the buffers is meant.
    for (; chunks > 2; chunks -= 2, data += 2 * kChunkBytes) {
      C::MixChunk(data + kChunkBytes, mixed[1]);
      C::TakeChunk(local, mixed[0]);
      C::MixChunk(data + 2 * kChunkBytes, mixed[0]);
      C::TakeChunk(local, mixed[1]);
    }
    if (chunks == 2) C::MixChunk(data + kChunkBytes, mixed[1]);
    C::TakeChunk(local, mixed[0]);
    if (chunks == 2) C::TakeChunk(local, mixed[1]);
    data += chunks * kChunkBytes;
    state = local;
  }
  TakeBlocks<Variant>(state, data, blocks);
}

template void Blocks<X86_128>(X86_128::State&, const unsigned char*, size_t);
// With two lanes of 64 bits the scalar loop is faster (docs/kernels.md).
#if HWY_TARGET == HWY_AVX2
template void Blocks<X64_128>(X64_128::State&, const unsigned char*, size_t);
#endif

}  // namespace HWY_NAMESPACE
}  // namespace murmuration
HWY_AFTER_NAMESPACE();

#endif
