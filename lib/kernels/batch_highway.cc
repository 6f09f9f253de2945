// Batches on vectors: each lane of a vector is a key of its own, and all lanes
// take a tile of 16 bytes of their keys at a time. Written once with Highway,
// compiled for each of its targets that lib/kernels/highway_targets.h names.
#include <cstring>
#include <type_traits>

#include "lib/kernels/highway_targets.h"
#include "lib/kernels/kernel.h"
#include "lib/kernels/keys.h"
#include "lib/one_string.h"

#undef HWY_TARGET_INCLUDE
#undef MMR3_WIDE_64
#define HWY_TARGET_INCLUDE "lib/kernels/batch_highway.cc"
#include "hwy/foreach_target.h"
// After foreach_target.h.
#include "hwy/highway.h"

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || \
    HWY_TARGET == HWY_AVX3 || HWY_TARGET == MMR3_NEON_TARGET

HWY_BEFORE_NAMESPACE();
namespace MMR3_KERNELS_NAMESPACE {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr size_t kVectorBytes = HWY_MIN(HWY_MAX_BYTES, MMR3_MAX_VECTOR_BYTES);
constexpr size_t kTileBytes = 16;

// x64_128 wants 64-bit lanes and their multiplication: without AVX-512 it is
// made of 32-bit ones, which pays with four lanes and not with two
// (docs/kernels.md).
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#define MMR3_WIDE_64 1
#else
#define MMR3_WIDE_64 0
#endif

template <class T>
using Tag = hn::FixedTag<T, kVectorBytes / sizeof(T)>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
using Tile = hn::Vec<hn::FixedTag<uint8_t, kTileBytes>>;

// ---------------------------------------------------------------- loading

// Where a key is read that has no bytes there.
alignas(64) constexpr unsigned char kZeros[kTileBytes] = {};

#if HWY_TARGET != HWY_AVX3
// A window of 16 that begins at index 16 - n moves the last n bytes of a tile
// to its front and zeroes those behind.
struct ShiftTable {
  alignas(32) unsigned char index[2 * kTileBytes];
  constexpr ShiftTable() : index() {
    for (size_t i = 0; i < 2 * kTileBytes; ++i)
      index[i] = static_cast<unsigned char>(i < kTileBytes ? i : 0x80);
  }
};
constexpr ShiftTable kShiftTable;
#endif

HWY_INLINE Tile LoadTile(const unsigned char* at) {
  return hn::LoadU(hn::FixedTag<uint8_t, kTileBytes>(), at);
}

// The len % 16 bytes at the end of a key, zeros behind them.
HWY_INLINE Tile LoadLeft(const unsigned char* data, size_t len) {
  const hn::FixedTag<uint8_t, kTileBytes> d;
  const size_t left = len % kTileBytes;
#if HWY_TARGET == HWY_AVX3
  const unsigned char* from = left != 0 ? data + (len - left) : kZeros;
  return hn::MaskedLoad(hn::FirstN(d, left), d, from);
#else
  if (len >= kTileBytes)
    return hn::TableLookupBytesOr0(
        hn::LoadU(d, data + len - kTileBytes),
        hn::LoadU(d, kShiftTable.index + kTileBytes - left));
  uint64_t word[2];
  LoadTail(data, left, word);
  const hn::FixedTag<uint64_t, 2> d64;
  const hn::FixedTag<uint64_t, 1> d_half;
  return hn::BitCast(
      d, hn::Combine(d64, hn::Set(d_half, word[1]), hn::Set(d_half, word[0])));
#endif
}

// A vector whose 16-byte block b is the tile that get gives of key
// step * b + first.
template <size_t kStep, class Get>
HWY_INLINE Vector<uint8_t> JoinTiles(const Get& get, size_t first) {
  if constexpr (kVectorBytes == 16) {
    return get(first);
  } else {
    const hn::FixedTag<uint8_t, HWY_MIN(kVectorBytes, 32)> d32;
    const auto low = hn::Combine(d32, get(first + kStep), get(first));
    if constexpr (kVectorBytes == 32)
      return low;
    else
      return hn::Combine(
          Tag<uint8_t>(),
          hn::Combine(d32, get(first + 3 * kStep), get(first + 2 * kStep)),
          low);
  }
}

// Tiles of as many keys as 32-bit lanes, turned: vector j has word j of each.
struct Words32 {
  Vector<uint32_t> word[4];
};

template <class Get>
HWY_INLINE Words32 LoadWords32(const Get& get) {
  const Tag<uint32_t> d;
  const Tag<uint64_t> d64;
  const auto a = hn::BitCast(d, JoinTiles<4>(get, 0));
  const auto b = hn::BitCast(d, JoinTiles<4>(get, 1));
  const auto e = hn::BitCast(d, JoinTiles<4>(get, 2));
  const auto f = hn::BitCast(d, JoinTiles<4>(get, 3));
  const auto ab_low = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
  const auto ef_low = hn::BitCast(d64, hn::InterleaveLower(d, e, f));
  const auto ab_high = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
  const auto ef_high = hn::BitCast(d64, hn::InterleaveUpper(d, e, f));
  return {{hn::BitCast(d, hn::InterleaveLower(d64, ab_low, ef_low)),
           hn::BitCast(d, hn::InterleaveUpper(d64, ab_low, ef_low)),
           hn::BitCast(d, hn::InterleaveLower(d64, ab_high, ef_high)),
           hn::BitCast(d, hn::InterleaveUpper(d64, ab_high, ef_high))}};
}

#if MMR3_WIDE_64
// The same with 64-bit lanes.
struct Words64 {
  Vector<uint64_t> word[2];
};

template <class Get>
HWY_INLINE Words64 LoadWords64(const Get& get) {
  const Tag<uint64_t> d;
  const auto a = hn::BitCast(d, JoinTiles<2>(get, 0));
  const auto b = hn::BitCast(d, JoinTiles<2>(get, 1));
  return {{hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)}};
}
#endif

// 4-, 8- or 16-byte keys that lie end to end; absent words are zero.
HWY_INLINE Words32 LoadPacked32(const unsigned char* bytes, size_t key_len) {
  const Tag<uint32_t> d;
  const auto* at = reinterpret_cast<const uint32_t*>(bytes);
  Words32 words = {{hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)}};
  if (key_len == 4)
    words.word[0] = hn::BitCast(d, hn::LoadU(Tag<uint8_t>(), bytes));
  else if (key_len == 8)
    hn::LoadInterleaved2(d, at, words.word[0], words.word[1]);
  else
    hn::LoadInterleaved4(d, at, words.word[0], words.word[1], words.word[2],
                         words.word[3]);
  return words;
}

#if MMR3_WIDE_64
HWY_INLINE Words64 LoadPacked64(const unsigned char* bytes, size_t key_len) {
  const Tag<uint64_t> d;
  const auto* at = reinterpret_cast<const uint64_t*>(bytes);
  Words64 words = {{hn::Zero(d), hn::Zero(d)}};
  if (key_len == 4) {
    const hn::Rebind<uint32_t, Tag<uint64_t>> d_half;
    words.word[0] = hn::PromoteTo(
        d, hn::LoadU(d_half, reinterpret_cast<const uint32_t*>(bytes)));
  } else if (key_len == 8) {
    words.word[0] = hn::BitCast(d, hn::LoadU(Tag<uint8_t>(), bytes));
  } else {
    hn::LoadInterleaved2(d, at, words.word[0], words.word[1]);
  }
  return words;
}
#endif

// --------------------------------------------------------------- variants

template <int kBits, class V>
HWY_INLINE V RotateLanesLeft(V v) {
  constexpr int kLaneBits = 8 * sizeof(hn::TFromV<V>);
  return hn::RotateRight<kLaneBits - kBits>(v);
}

template <class V>
HWY_INLINE V TimesFivePlus(V v, V add) {
  return hn::Add(hn::ShiftLeft<2>(v), hn::Add(v, add));
}

template <int kBits, class V>
HWY_INLINE V Mix(V word, V mul1, V mul2) {
  return hn::Mul(RotateLanesLeft<kBits>(hn::Mul(word, mul1)), mul2);
}

template <class V>
HWY_INLINE V Fmix32(V state) {
  const hn::DFromV<V> d;
  state = hn::Mul(hn::Xor(state, hn::ShiftRight<16>(state)),
                  hn::Set(d, 0x85ebca6bu));
  state = hn::Mul(hn::Xor(state, hn::ShiftRight<13>(state)),
                  hn::Set(d, 0xc2b2ae35u));
  return hn::Xor(state, hn::ShiftRight<16>(state));
}

#if MMR3_WIDE_64
template <class V>
HWY_INLINE V Fmix64(V state) {
  const hn::DFromV<V> d;
  state = hn::Mul(hn::Xor(state, hn::ShiftRight<33>(state)),
                  hn::Set(d, X64_128::kFmix1));
  state = hn::Mul(hn::Xor(state, hn::ShiftRight<33>(state)),
                  hn::Set(d, X64_128::kFmix2));
  return hn::Xor(state, hn::ShiftRight<33>(state));
}
#endif

// How many bytes are left of the keys after their last tile: the same number
// for all, or a number for each.
struct SameLeft {
  size_t left;
};
template <class T>
struct EachLeft {
  Vector<T> left;
};

// A variant on vectors, in the terms of lib/standard_variants.h.
template <class Variant>
struct OnVectors;

template <>
struct OnVectors<X86_32> {
  using V = Vector<uint32_t>;
  using Words = Words32;
  struct State {
    V h;
  };
  static State Start(V seed) { return {seed}; }
  template <class Get>
  static HWY_INLINE Words Load(const Get& get) {
    return LoadWords32(get);
  }
  static HWY_INLINE Words LoadPacked(const unsigned char* bytes, size_t len) {
    return LoadPacked32(bytes, len);
  }
  static HWY_INLINE V MixWord(V word) {
    const Tag<uint32_t> d;
    return Mix<15>(word, hn::Set(d, MMR3_PUBLIC_MUL1),
                   hn::Set(d, MMR3_PUBLIC_MUL2));
  }
  // The state took in a mixed word; the rest of the block step.
  static HWY_INLINE V Step(V h) {
    const Tag<uint32_t> d;
    return TimesFivePlus(RotateLanesLeft<13>(h), hn::Set(d, MMR3_ROUND_ADD));
  }
  static HWY_INLINE void Take(State& state, const Words& words) {
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; ++j)
      state.h = Step(hn::Xor(state.h, MixWord(words.word[j])));
  }
  template <class M>
  static HWY_INLINE State Select(M take, const State& yes, const State& no) {
    return {hn::IfThenElse(take, yes.h, no.h)};
  }
  static HWY_INLINE void TakeLeft(State& state, const Words& words,
                                  SameLeft same) {
#pragma GCC unroll 4
    for (size_t j = 0; j < 4; ++j) {
      if (4 * j >= same.left) break;
      state.h = hn::Xor(state.h, MixWord(words.word[j]));
      if (4 * (j + 1) <= same.left) state.h = Step(state.h);
    }
  }
  // A word of zero mixes to zero: absent words change nothing, as long as they
  // make no step.
  static HWY_INLINE void TakeLeft(State& state, const Words& words,
                                  EachLeft<uint32_t> each) {
    const Tag<int32_t> d;
    const auto left = hn::BitCast(d, each.left);
#pragma GCC unroll 4
    for (int32_t j = 0; j < 4; ++j) {
      const V mixed = hn::Xor(state.h, MixWord(words.word[j]));
      if (j == 3) {
        state.h = mixed;
      } else {
        const auto whole = hn::RebindMask(Tag<uint32_t>(),
                                          hn::Gt(left, hn::Set(d, 4 * j + 3)));
        state.h = hn::IfThenElse(whole, Step(mixed), mixed);
      }
    }
  }
  static HWY_INLINE void Finish(const State& state, V len, uint32_t* digests) {
    hn::StoreU(Fmix32(hn::Xor(state.h, len)), Tag<uint32_t>(), digests);
  }
  static HWY_INLINE void Store(const State& state, uint32_t* words) {
    hn::StoreU(state.h, Tag<uint32_t>(), words);
  }
  static HWY_INLINE State LoadState(const uint32_t* words) {
    return {hn::LoadU(Tag<uint32_t>(), words)};
  }
  static HWY_INLINE Words Broadcast(const unsigned char* at) {
    const Tag<uint32_t> d;
    return {{hn::Set(d, mmr3_load_le32(at)), hn::Set(d, mmr3_load_le32(at + 4)),
             hn::Set(d, mmr3_load_le32(at + 8)),
             hn::Set(d, mmr3_load_le32(at + 12))}};
  }
};

template <>
struct OnVectors<X86_128> {
  using V = Vector<uint32_t>;
  using Words = Words32;
  struct State {
    V h1, h2, h3, h4;
  };
  static State Start(V seed) { return {seed, seed, seed, seed}; }
  template <class Get>
  static HWY_INLINE Words Load(const Get& get) {
    return LoadWords32(get);
  }
  static HWY_INLINE Words LoadPacked(const unsigned char* bytes, size_t len) {
    return LoadPacked32(bytes, len);
  }
  template <int j>
  static HWY_INLINE V MixWord(V word) {
    const Tag<uint32_t> d;
    return Mix<15 + j>(word, hn::Set(d, X86_128::kMul[j]),
                       hn::Set(d, X86_128::kMul[(j + 1) % 4]));
  }
  template <int j>
  static HWY_INLINE V Step(V h, V next, V word) {
    constexpr int kRotation = static_cast<int>(X86_128::kStateRotation[j]);
    h = RotateLanesLeft<kRotation>(hn::Xor(h, MixWord<j>(word)));
    return TimesFivePlus(hn::Add(h, next),
                         hn::Set(Tag<uint32_t>(), X86_128::kAdd[j]));
  }
  static HWY_INLINE void Take(State& state, const Words& words) {
    state.h1 = Step<0>(state.h1, state.h2, words.word[0]);
    state.h2 = Step<1>(state.h2, state.h3, words.word[1]);
    state.h3 = Step<2>(state.h3, state.h4, words.word[2]);
    state.h4 = Step<3>(state.h4, state.h1, words.word[3]);
  }
  template <class M>
  static HWY_INLINE State Select(M take, const State& yes, const State& no) {
    return {hn::IfThenElse(take, yes.h1, no.h1),
            hn::IfThenElse(take, yes.h2, no.h2),
            hn::IfThenElse(take, yes.h3, no.h3),
            hn::IfThenElse(take, yes.h4, no.h4)};
  }
  template <class Left>
  static HWY_INLINE void TakeLeft(State& state, const Words& words, Left) {
    state.h1 = hn::Xor(state.h1, MixWord<0>(words.word[0]));
    state.h2 = hn::Xor(state.h2, MixWord<1>(words.word[1]));
    state.h3 = hn::Xor(state.h3, MixWord<2>(words.word[2]));
    state.h4 = hn::Xor(state.h4, MixWord<3>(words.word[3]));
  }
  static HWY_INLINE void AddAll(V& h1, V& h2, V& h3, V& h4) {
    h1 = hn::Add(hn::Add(h1, h2), hn::Add(h3, h4));
    h2 = hn::Add(h2, h1);
    h3 = hn::Add(h3, h1);
    h4 = hn::Add(h4, h1);
  }
  static HWY_INLINE void Finish(const State& state, V len, uint32_t* digests) {
    V h1 = hn::Xor(state.h1, len), h2 = hn::Xor(state.h2, len);
    V h3 = hn::Xor(state.h3, len), h4 = hn::Xor(state.h4, len);
    AddAll(h1, h2, h3, h4);
    h1 = Fmix32(h1);
    h2 = Fmix32(h2);
    h3 = Fmix32(h3);
    h4 = Fmix32(h4);
    AddAll(h1, h2, h3, h4);
    hn::StoreInterleaved4(h1, h2, h3, h4, Tag<uint32_t>(), digests);
  }
  static HWY_INLINE void Store(const State& state, uint32_t* words) {
    hn::StoreInterleaved4(state.h1, state.h2, state.h3, state.h4,
                          Tag<uint32_t>(), words);
  }
  static HWY_INLINE State LoadState(const uint32_t* words) {
    V h1, h2, h3, h4;
    hn::LoadInterleaved4(Tag<uint32_t>(), words, h1, h2, h3, h4);
    return {h1, h2, h3, h4};
  }
  static HWY_INLINE Words Broadcast(const unsigned char* at) {
    return OnVectors<X86_32>::Broadcast(at);
  }
};

#if MMR3_WIDE_64
template <>
struct OnVectors<X64_128> {
  using V = Vector<uint64_t>;
  using Words = Words64;
  struct State {
    V h1, h2;
  };
  static State Start(V seed) { return {seed, seed}; }
  template <class Get>
  static HWY_INLINE Words Load(const Get& get) {
    return LoadWords64(get);
  }
  static HWY_INLINE Words LoadPacked(const unsigned char* bytes, size_t len) {
    return LoadPacked64(bytes, len);
  }
  static HWY_INLINE V Mix1(V word) {
    const Tag<uint64_t> d;
    return Mix<31>(word, hn::Set(d, X64_128::kMul1),
                   hn::Set(d, X64_128::kMul2));
  }
  static HWY_INLINE V Mix2(V word) {
    const Tag<uint64_t> d;
    return Mix<33>(word, hn::Set(d, X64_128::kMul2),
                   hn::Set(d, X64_128::kMul1));
  }
  static HWY_INLINE void Take(State& state, const Words& words) {
    const Tag<uint64_t> d;
    state.h1 = hn::Add(
        RotateLanesLeft<27>(hn::Xor(state.h1, Mix1(words.word[0]))), state.h2);
    state.h1 = TimesFivePlus(state.h1, hn::Set(d, X64_128::kAdd1));
    state.h2 = hn::Add(
        RotateLanesLeft<31>(hn::Xor(state.h2, Mix2(words.word[1]))), state.h1);
    state.h2 = TimesFivePlus(state.h2, hn::Set(d, X64_128::kAdd2));
  }
  template <class M>
  static HWY_INLINE State Select(M take, const State& yes, const State& no) {
    return {hn::IfThenElse(take, yes.h1, no.h1),
            hn::IfThenElse(take, yes.h2, no.h2)};
  }
  template <class Left>
  static HWY_INLINE void TakeLeft(State& state, const Words& words, Left) {
    state.h1 = hn::Xor(state.h1, Mix1(words.word[0]));
    state.h2 = hn::Xor(state.h2, Mix2(words.word[1]));
  }
  static HWY_INLINE void Finish(const State& state, V len, uint64_t* digests) {
    V h1 = hn::Xor(state.h1, len), h2 = hn::Xor(state.h2, len);
    h1 = hn::Add(h1, h2);
    h2 = hn::Add(h2, h1);
    h1 = Fmix64(h1);
    h2 = Fmix64(h2);
    h1 = hn::Add(h1, h2);
    h2 = hn::Add(h2, h1);
    hn::StoreInterleaved2(h1, h2, Tag<uint64_t>(), digests);
  }
  static HWY_INLINE void Store(const State& state, uint64_t* words) {
    hn::StoreInterleaved2(state.h1, state.h2, Tag<uint64_t>(), words);
  }
  static HWY_INLINE State LoadState(const uint64_t* words) {
    V h1, h2;
    hn::LoadInterleaved2(Tag<uint64_t>(), words, h1, h2);
    return {h1, h2};
  }
  static HWY_INLINE Words Broadcast(const unsigned char* at) {
    const Tag<uint64_t> d;
    return {{hn::Set(d, LoadLittleEndian64(at)),
             hn::Set(d, LoadLittleEndian64(at + 8))}};
  }
};
#endif

template <class Variant>
using WordTag = Tag<typename Variant::Word>;
// Keys side by side.
template <class Variant>
constexpr size_t kWidth = kVectorBytes / sizeof(typename Variant::Word);

// ---------------------------------------------------------------- batches

template <class Variant>
constexpr size_t kMinGroup = MinKeys(kWidth<Variant>);

// Whether the product of two lanes is made of several.
template <class Variant>
constexpr bool kEmulated = kVectorBytes < 64 &&
                           sizeof(typename Variant::Word) == 8;

// Shorter keys of one length gain nothing.
template <class Variant>
constexpr size_t kMinAlikeLength =
    kVectorBytes < 64 && Variant::kBlockBytes == 4 ? 4 : 0;

// Of fewer keys of many lengths the short ones gain nothing: a processor that
// has learnt how they follow each other hashes them one by one as fast.
template <class Variant>
constexpr size_t kManyKeys = 2 * kWidth<Variant>;
template <>
constexpr size_t kManyKeys<X86_32> = kVectorBytes == 16 ? 48 : 32;
template <>  // which has no kernel on vectors of 16 bytes
[[maybe_unused]] constexpr size_t kManyKeys<X64_128> =
    kVectorBytes == 64 ? 64 : 128;

// Many keys gain nothing that are all shorter.
template <class Variant>
constexpr size_t kMinMixedLength =
    kVectorBytes == 64 && Variant::kBlockBytes == kTileBytes ? 0 : kTileBytes;

// When so few keys go on after the others have ended, they go on alone.
template <class Variant>
constexpr size_t kMinGoingOn = kWidth<Variant> / 5;

template <class Variant>
using Group = KeyGroup<kWidth<Variant>>;

// Whether more than kCount lanes of a mask are set. (The popcount of CountTrue
// is a call into the compiler's library where nothing is optimized.)
template <size_t kCount, class D>
HWY_INLINE bool MoreThan(D d, hn::Mask<D> mask) {
  constexpr size_t kLanes = kVectorBytes / sizeof(hn::TFromD<D>);
  unsigned char stored[8];
  hn::StoreMaskBits(d, mask, stored);
  uint16_t bits = 0;
  memcpy(&bits, stored, (kLanes + 7) / 8);
  for (size_t i = 0; i < kCount; ++i)
    bits = static_cast<uint16_t>(bits & (bits - 1));  // without its lowest
  return bits != 0;
}

// The tiles from `from` on, of keys that have different numbers of them.
template <class Variant>
HWY_NOINLINE void TakeUnevenTiles(const Group<Variant>& group, size_t from,
                                  typename OnVectors<Variant>::State& state) {
  using OnV = OnVectors<Variant>;
  using Word = typename Variant::Word;
  using SignedWord = hwy::MakeSigned<Word>;
  constexpr size_t kMaxUneven = 0x7fffffff;
  const Tag<SignedWord> d;
  constexpr size_t kKeys = kWidth<Variant>;
  size_t tiles[kKeys];
  alignas(64) SignedWord uneven[kKeys];
  size_t most = 0;
  for (size_t j = 0; j < kKeys; ++j) {
    tiles[j] = group.len[j] / kTileBytes;
    const size_t more = tiles[j] - from;
    uneven[j] = static_cast<SignedWord>(more < kMaxUneven ? more : kMaxUneven);
    if (more > most) most = more;
  }
  size_t tile = from;
  for (size_t i = 0; i < most && i < kMaxUneven; ++i, ++tile) {
    const auto going_on =
        hn::Gt(hn::Load(d, uneven), hn::Set(d, static_cast<SignedWord>(i)));
    if (!MoreThan<kMinGoingOn<Variant>>(d, going_on)) break;
    typename OnV::State next = state;
    OnV::Take(next, OnV::Load([&](size_t j) HWY_ATTR {
                return LoadTile(tile < tiles[j]
                                    ? group.data[j] + kTileBytes * tile
                                    : kZeros);
              }));
    state =
        OnV::Select(hn::RebindMask(WordTag<Variant>(), going_on), next, state);
  }
  if (tile == from + most) return;

  Word words[kKeys * Variant::kDigestWords];
  OnV::Store(state, words);
  for (size_t j = 0; j < kKeys; ++j) {
    if (tiles[j] <= tile) continue;
    typename Variant::State alone;
    static_assert(sizeof alone == sizeof(Word) * Variant::kDigestWords);
    Word* of_key = words + Variant::kDigestWords * j;
    memcpy(&alone, of_key, sizeof alone);
    TakeRun(alone, group.data[j] + kTileBytes * tile,
            (tiles[j] - tile) * (kTileBytes / Variant::kBlockBytes));
    memcpy(of_key, &alone, sizeof alone);
  }
  state = OnV::LoadState(words);
}

// The digests of a group of any lengths.
template <class Variant>
HWY_INLINE void HashGroup(const Group<Variant>& group,
                          typename Variant::Seed seed,
                          typename Variant::Word* digests) {
  using OnV = OnVectors<Variant>;
  using Word = typename Variant::Word;
  const WordTag<Variant> d;
  // Stored long before they are loaded as a vector, which waits for them else.
  alignas(64) Word lens[kWidth<Variant>];
  for (size_t j = 0; j < kWidth<Variant>; ++j)
    lens[j] = static_cast<Word>(group.len[j]);
  auto state = OnV::Start(hn::Set(d, seed));
  const size_t common = group.common_tiles * kTileBytes;
  for (size_t at = 0; at != common; at += kTileBytes)
    OnV::Take(state, OnV::Load([&](size_t j) HWY_ATTR {
                return LoadTile(group.data[j] + at);
              }));
  if (!group.even) TakeUnevenTiles<Variant>(group, group.common_tiles, state);

  const auto len = hn::Load(d, lens);
  OnV::TakeLeft(state, OnV::Load([&](size_t j) HWY_ATTR {
                  return LoadLeft(group.data[j], group.len[j]);
                }),
                EachLeft<Word>{hn::And(len, hn::Set(d, Word{kTileBytes - 1}))});
  OnV::Finish(state, len, digests);
}

// Keys of 4, 8 or 16 bytes that lie end to end, kWidth of them.
template <class Variant>
HWY_INLINE void HashPacked(const unsigned char* bytes, size_t key_len,
                           hn::Vec<WordTag<Variant>> seed,
                           typename Variant::Word* digests) {
  using OnV = OnVectors<Variant>;
  auto state = OnV::Start(seed);
  const auto words = OnV::LoadPacked(bytes, key_len);
  if (key_len == kTileBytes)
    OnV::Take(state, words);
  else
    OnV::TakeLeft(state, words, SameLeft{key_len});
  OnV::Finish(
      state,
      hn::Set(WordTag<Variant>(), static_cast<typename Variant::Word>(key_len)),
      digests);
}

// Which keys the next vector takes: count of them, from first on.
struct Step {
  size_t first, count;
};

// After i of n keys. At the end the last kWidth are taken, some of them once
// more, where that is quicker than those that are left one by one.
template <class Variant>
HWY_INLINE Step NextStep(size_t i, size_t n) {
  constexpr size_t kKeys = kWidth<Variant>;
  const size_t left = n - i;
  if (left >= kKeys) return {i, kKeys};
  if (n < kKeys) return {i, left >= kMinGroup<Variant> ? left : 0};
  if (left > (kEmulated<Variant> ? kKeys / 2 : kKeys / 4))
    return {n - kKeys, kKeys};
  return {i, 0};
}

template <class Variant, size_t kKeyLen>
HWY_NOINLINE void HashEndToEnd(const FixedKeys& keys, size_t n,
                               typename Variant::Seed seed_number,
                               typename Variant::Word* out) {
  const auto seed = hn::Set(WordTag<Variant>(), seed_number);
  size_t i = 0;
  for (;;) {
    const Step step = NextStep<Variant>(i, n);
    if (step.count != kWidth<Variant>) break;
    HashPacked<Variant>(keys.Data(step.first), kKeyLen, seed,
                        out + Variant::kDigestWords * step.first);
    i = step.first + step.count;
  }
  HashShorterAlone<Variant>(keys, i, n, SIZE_MAX, seed_number, out);
}

// Keys of one length, from first on.
template <class Variant, class TypedKeys>
HWY_NOINLINE void HashByTiles(const TypedKeys& keys, size_t key_len,
                              size_t first, size_t n,
                              typename Variant::Seed seed,
                              typename Variant::Word* out) {
  using OnV = OnVectors<Variant>;
  using Word = typename Variant::Word;
  constexpr size_t kKeys = kWidth<Variant>;
  constexpr size_t kWords = Variant::kDigestWords;
  const WordTag<Variant> d;
  const size_t tiles = key_len / kTileBytes * kTileBytes;
  const size_t left = key_len % kTileBytes;
  const auto len = hn::Set(d, static_cast<Word>(key_len));
  for (;;) {
    const Step step = NextStep<Variant>(first, n);
    if (step.count == 0) break;
    const unsigned char* key[kKeys];
    for (size_t j = 0; j < kKeys; ++j)
      key[j] = keys.Data(step.first + (j < step.count ? j : 0));
    auto state = OnV::Start(hn::Set(d, seed));
    for (size_t at = 0; at != tiles; at += kTileBytes)
      OnV::Take(state, OnV::Load([&](size_t j) HWY_ATTR {
                  return LoadTile(key[j] + at);
                }));
    if (left != 0)
      OnV::TakeLeft(state, OnV::Load([&](size_t j) HWY_ATTR {
                      return LoadLeft(key[j], key_len);
                    }),
                    SameLeft{left});
    Word* to = out + kWords * step.first;
    if (step.count == kKeys) {
      OnV::Finish(state, len, to);
    } else {
      Word digests[kKeys * kWords];
      OnV::Finish(state, len, digests);
      memcpy(to, digests, sizeof *out * kWords * step.count);
    }
    first = step.first + step.count;
  }
  HashShorterAlone<Variant>(keys, first, n, SIZE_MAX, seed, out);
}

// Keys of 4 or 8 bytes: many are packed first, enough of them that the loads
// come long after the stores.
template <class Variant, size_t kKeyLen, class TypedKeys>
HWY_NOINLINE void HashApart(const TypedKeys& keys, size_t n,
                            typename Variant::Seed seed,
                            typename Variant::Word* out) {
  constexpr size_t kChunk = 64;
  size_t i = 0;
  if (n >= kChunk) {
    unsigned char packed[kChunk * kKeyLen];
    for (; n - i >= kChunk; i += kChunk) {
      for (size_t j = 0; j < kChunk; ++j)
        memcpy(packed + kKeyLen * j, keys.Data(i + j), kKeyLen);
      HashEndToEnd<Variant, kKeyLen>({packed, kKeyLen, kKeyLen}, kChunk, seed,
                                     out + Variant::kDigestWords * i);
    }
  }
  HashByTiles<Variant>(keys, kKeyLen, i, n, seed, out);
}

template <class Variant, class TypedKeys>
HWY_INLINE void HashAlike(const TypedKeys& keys, size_t n,
                          typename Variant::Seed seed,
                          typename Variant::Word* out) {
  const size_t key_len = n != 0 ? keys.Length(0) : 0;
  if (key_len < kMinAlikeLength<Variant>) {
    HashShorterAlone<Variant>(keys, 0, n, SIZE_MAX, seed, out);
    return;
  }
  if constexpr (std::is_same_v<TypedKeys, FixedKeys>) {
    if (keys.stride == static_cast<ptrdiff_t>(key_len) &&
        n >= kWidth<Variant>) {
      if (key_len == 4) return HashEndToEnd<Variant, 4>(keys, n, seed, out);
      if (key_len == 8) return HashEndToEnd<Variant, 8>(keys, n, seed, out);
      if (key_len == 16) return HashEndToEnd<Variant, 16>(keys, n, seed, out);
    }
  }
  if (key_len == 4) return HashApart<Variant, 4>(keys, n, seed, out);
  if (key_len == 8) return HashApart<Variant, 8>(keys, n, seed, out);
  HashByTiles<Variant>(keys, key_len, 0, n, seed, out);
}

template <class Variant>
struct HashKeys {
  using Group = KeyGroup<kWidth<Variant>>;
  using Seed = typename Variant::Seed;
  using Word = typename Variant::Word;
  static constexpr size_t kDigestWords = Variant::kDigestWords;
  static constexpr size_t kMinAlike = kMinAlikeLength<Variant>;

  static size_t MinLength(size_t n) {
    if (n >= kManyKeys<Variant>) return kMinMixedLength<Variant>;
    return kEmulated<Variant> ? SIZE_MAX : 64;
  }
  static size_t MinAmongLonger(size_t n) {
    if (n >= kManyKeys<Variant>) return 0;
    return MinLength(n);
  }
  static size_t MinLongKeys(size_t n) {
    if (n >= kManyKeys<Variant>) return 0;
    return HWY_MAX(kWidth<Variant>, 8);
  }
  template <class TypedKeys>
  static size_t Alone(const TypedKeys& keys, size_t first, size_t n,
                      size_t min_len, Seed seed, Word* out) {
    return HashShorterAlone<Variant>(keys, first, n, min_len, seed, out);
  }
  template <class TypedKeys>
  static void Alike(const TypedKeys& keys, size_t n, Seed seed, Word* out) {
    HashAlike<Variant>(keys, n, seed, out);
  }
  static void InGroup(const Group& group, Seed seed, Word* out) {
    if (group.count < kMinGroup<Variant>) {
      for (size_t j = 0; j < group.count; ++j)
        HashOne<Variant>(group.data[j], group.len[j], seed,
                         out + kDigestWords * group.index[j]);
      return;
    }
    Word digests[kWidth<Variant> * kDigestWords];
    HashGroup<Variant>(group, seed, digests);
    const auto copy = [&](size_t j) {
      memcpy(out + kDigestWords * group.index[j], digests + kDigestWords * j,
             sizeof *digests * kDigestWords);
    };
    if (group.count == kWidth<Variant>) {
#pragma GCC unroll 16
      for (size_t j = 0; j < kWidth<Variant>; ++j) copy(j);
    } else {
      for (size_t j = 0; j < group.count; ++j) copy(j);
    }
  }
};

// One key, whose last len % 16 bytes are in left, under one vector of seeds, or
// two, which share the mixed words and fill each other's waits.
template <class Variant, size_t kVectors>
HWY_INLINE void HashUnder(const unsigned char* data, size_t len,
                          const uint64_t left[2],
                          const typename Variant::Seed* seeds,
                          typename Variant::Word* out) {
  using OnV = OnVectors<Variant>;
  constexpr size_t kSeeds = kWidth<Variant>;
  const WordTag<Variant> d;
  const size_t left_len = len % kTileBytes;
  const unsigned char* const end = data + (len - left_len);
  auto a = OnV::Start(hn::LoadU(d, seeds));
  auto b = OnV::Start(hn::LoadU(d, seeds + kSeeds * (kVectors - 1)));
  for (; data != end; data += kTileBytes) {
    const auto words = OnV::Broadcast(data);
    OnV::Take(a, words);
    if (kVectors == 2) OnV::Take(b, words);
  }
  if (left_len != 0) {
    unsigned char bytes[kTileBytes];
    memcpy(bytes, left, kTileBytes);
    const auto words = OnV::Broadcast(bytes);
    OnV::TakeLeft(a, words, SameLeft{left_len});
    if (kVectors == 2) OnV::TakeLeft(b, words, SameLeft{left_len});
  }
  const auto length = hn::Set(d, static_cast<typename Variant::Word>(len));
  OnV::Finish(a, length, out);
  if (kVectors == 2)
    OnV::Finish(b, length, out + kSeeds * Variant::kDigestWords);
}

}  // namespace

template <class Variant>
void HashPointers(const void* const* keys, const size_t* lens, size_t n,
                  typename Variant::Seed seed, typename Variant::Word* out) {
  HashAll<HashKeys<Variant>>(PointerKeys{keys, lens}, n, seed, out);
}

template <class Variant, class Offset>
void HashOffsets(const unsigned char* bytes, const Offset* offsets, size_t n,
                 typename Variant::Seed seed, typename Variant::Word* out) {
  HashAll<HashKeys<Variant>>(OffsetKeys<Offset>{bytes, offsets}, n, seed, out);
}

template <class Variant>
void HashFixed(const unsigned char* data, size_t key_len, ptrdiff_t stride,
               size_t n, typename Variant::Seed seed,
               typename Variant::Word* out) {
  HashAlike<Variant>(FixedKeys{data, key_len, stride}, n, seed, out);
}

template <class Variant>
void HashSeeds(const unsigned char* data, size_t len,
               const typename Variant::Seed* seeds, size_t n,
               typename Variant::Word* out) {
  using Word = typename Variant::Word;
  constexpr size_t kSeeds = kWidth<Variant>;
  constexpr size_t kWords = Variant::kDigestWords;
  uint64_t left[2];
  LoadTail(data + (len - len % kTileBytes), len % kTileBytes, left);
  size_t i = 0;
  for (; n - i >= 2 * kSeeds; i += 2 * kSeeds)
    HashUnder<Variant, 2>(data, len, left, seeds + i, out + kWords * i);
  for (;;) {
    const Step step = NextStep<Variant>(i, n);
    if (step.count == 0) break;
    if (step.count == kSeeds) {
      HashUnder<Variant, 1>(data, len, left, seeds + step.first,
                            out + kWords * step.first);
    } else {
      Word padded[kSeeds] = {};
      memcpy(padded, seeds, sizeof *seeds * n);
      Word digests[kSeeds * kWords];
      HashUnder<Variant, 1>(data, len, left, padded, digests);
      memcpy(out, digests, sizeof *out * kWords * n);
    }
    i = step.first + step.count;
  }
  HashSeedsAlone<Variant>(data, len, seeds + i, n - i, out + kWords * i);
}

#define MMR3_INSTANTIATE(VARIANT)                                             \
  template void HashPointers<VARIANT>(const void* const*, const size_t*,      \
                                      size_t, VARIANT::Seed, VARIANT::Word*); \
  template void HashOffsets<VARIANT>(const unsigned char*, const int32_t*,    \
                                     size_t, VARIANT::Seed, VARIANT::Word*);  \
  template void HashOffsets<VARIANT>(const unsigned char*, const int64_t*,    \
                                     size_t, VARIANT::Seed, VARIANT::Word*);  \
  template void HashFixed<VARIANT>(const unsigned char*, size_t, ptrdiff_t,   \
                                   size_t, VARIANT::Seed, VARIANT::Word*);    \
  template void HashSeeds<VARIANT>(const unsigned char*, size_t,              \
                                   const VARIANT::Seed*, size_t,              \
                                   VARIANT::Word*);
MMR3_INSTANTIATE(X86_32)
MMR3_INSTANTIATE(X86_128)
#if MMR3_WIDE_64
MMR3_INSTANTIATE(X64_128)
#endif
#undef MMR3_INSTANTIATE

}  // namespace HWY_NAMESPACE
}  // namespace MMR3_KERNELS_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
