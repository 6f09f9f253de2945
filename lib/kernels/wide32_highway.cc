// wide32 on vectors: written once with Highway, compiled for each of its
// targets that lib/kernels/highway_targets.h names. A vector has any size up to
// that of a row, known to the compiler or not: lanes are in memory, and a loop
// loads some, takes their rounds together and stores them.
#include <cstring>

#include "lib/kernels/highway_targets.h"
#include "lib/kernels/wide32.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lib/kernels/wide32_highway.cc"
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

using Tag = hn::CappedTag<uint32_t, MMR3_MAX_VECTOR_BYTES / 4>;
static_assert(MMR3_MAX_VECTOR_BYTES <= kRowBytes);
using ByteTag = hn::Repartition<uint8_t, Tag>;
using SumTag = hn::Repartition<uint64_t, Tag>;
using Vector = hn::Vec<Tag>;
using Sum = hn::Vec<SumTag>;

HWY_INLINE Vector LoadWords(const unsigned char* data) {
  return hn::BitCast(Tag(), hn::LoadU(ByteTag(), data));
}

#if HWY_TARGET == MMR3_NEON_TARGET
// Shift-and-insert and multiply-accumulate, which Highway has no names for. The
// empty statements hide from compilers what they would undo: clang makes the
// left shift a third multiplication, both make times five two instructions.
template <int kBits>
HWY_INLINE Vector RotateLanesLeft(Vector v) {
  if (kBits == 15) asm("" : "+w"(v.raw));
  return Vector(vsriq_n_u32(vshlq_n_u32(v.raw, kBits), v.raw, 32 - kBits));
}

template <bool kMany>
HWY_INLINE Vector TimesFivePlus(Vector v, Vector add) {
  uint32x4_t five = vdupq_n_u32(5);
  asm("" : "+w"(five));
  return Vector(vmlaq_u32(add.raw, v.raw, five));
}

HWY_INLINE Sum AddPairs(Sum sum, Vector lanes) {
  const uint64x2_t pairs = vreinterpretq_u64_u32(lanes.raw);
  return Sum(vaddq_u64(
      vmlal_u32(sum.raw, vmovn_u64(pairs), vshrn_n_u64(pairs, 32)), pairs));
}
#else
template <int kBits>
HWY_INLINE Vector RotateLanesLeft(Vector v) {
  return hn::RotateRight<32 - kBits>(v);
}

// Of many vectors with AVX2 by multiplication: shifts are most of the other
// operations there (docs/kernels.md has the processors). The empty statements
// keep g++ from making the former the latter, and clang the latter the former.
template <bool kMany>
HWY_INLINE Vector TimesFivePlus(Vector v, Vector add) {
  if constexpr (kMany && HWY_TARGET == HWY_AVX2) {
    Vector five = hn::Set(Tag(), 5);
    asm("" : "+x"(five.raw));
    return hn::Add(hn::Mul(v, five), add);
  } else {
    Vector four = hn::ShiftLeft<2>(v);
    asm("" : "+x"(four.raw));
    return hn::Add(four, hn::Add(v, add));
  }
}

HWY_INLINE Sum AddPairs(Sum sum, Vector lanes) {
  const Sum pairs = hn::BitCast(SumTag(), lanes);
  const Vector high = hn::BitCast(Tag(), hn::ShiftRight<32>(pairs));
  return hn::Add(sum, hn::Add(pairs, hn::MulEven(lanes, high)));
}
#endif

// A round, in two halves: what becomes of words before they meet lanes, and of
// lanes that were xored with them. Every step is taken for all vectors before
// the next one, since some processors execute in order.
// kWhiten is false for the public function, whose words are xored with 0.
template <bool kWhiten, class... Vectors>
HWY_INLINE void Mix(const mmr3_key& key, Vectors&... words) {
  const Tag d;
  if (kWhiten) ((words = hn::Xor(words, hn::Set(d, key.whiten))), ...);
  ((words = hn::Mul(words, hn::Set(d, key.mul1))), ...);
  ((words = RotateLanesLeft<15>(words)), ...);
  ((words = hn::Mul(words, hn::Set(d, key.mul2))), ...);
}

template <class... Vectors>
HWY_INLINE void Step(Vectors&... lanes) {
  const Vector add = hn::Set(Tag(), MMR3_ROUND_ADD);
  ((lanes = RotateLanesLeft<13>(lanes)), ...);
  ((lanes = TimesFivePlus<(sizeof...(Vectors) > 1)>(lanes, add)), ...);
}

template <bool kWhiten>
HWY_INLINE void TakeOne(Vector& lanes, Vector words, const mmr3_key& key) {
  Mix<kWhiten>(key, words);
  lanes = hn::Xor(lanes, words);
  Step(lanes);
}

// Four vectors that lie end to end.
template <bool kWhiten>
HWY_INLINE void TakeFour(Vector& lanes0, Vector& lanes1, Vector& lanes2,
                         Vector& lanes3, const unsigned char* data,
                         const mmr3_key& key) {
  const size_t vector_bytes = hn::Lanes(ByteTag());
  Vector words0 = LoadWords(data);
  Vector words1 = LoadWords(data + vector_bytes);
  Vector words2 = LoadWords(data + 2 * vector_bytes);
  Vector words3 = LoadWords(data + 3 * vector_bytes);
  Mix<kWhiten>(key, words0, words1, words2, words3);
  lanes0 = hn::Xor(lanes0, words0);
  lanes1 = hn::Xor(lanes1, words1);
  lanes2 = hn::Xor(lanes2, words2);
  lanes3 = hn::Xor(lanes3, words3);
  Step(lanes0, lanes1, lanes2, lanes3);
}

HWY_INLINE void CopyBytes(unsigned char* dst, const unsigned char* src,
                          size_t bytes) {
  const ByteTag d8;
#pragma GCC unroll 8
  for (size_t at = 0; at < bytes; at += hn::Lanes(d8))
    hn::StoreU(hn::LoadU(d8, src + at), d8, dst + at);
}

// The lanes of a run of stripes: `from` xored with seed before it, `to` after.
// Loads are unaligned, for the lanes of a stream.
#if HWY_TARGET == HWY_AVX3 && MMR3_MAX_VECTOR_BYTES == 64
// In registers: in memory they take 14 % longer (Zen 5, 100 KB).
class RunLanes {
 public:
  HWY_INLINE RunLanes(const uint32_t* from, uint32_t seed, uint32_t* to)
      : to_(to) {
#pragma GCC unroll 8
    for (size_t i = 0; i < kVectors; ++i)
      lanes_[i] = hn::Xor(hn::LoadU(Tag(), from + kVectorLanes * i),
                          hn::Set(Tag(), seed));
  }
  HWY_INLINE ~RunLanes() {
#pragma GCC unroll 8
    for (size_t i = 0; i < kVectors; ++i)
      hn::StoreU(lanes_[i], Tag(), to_ + kVectorLanes * i);
  }
  template <bool kWhiten>
  HWY_INLINE void TakeStripe(const unsigned char* data, const mmr3_key& key) {
#pragma GCC unroll 8
    for (size_t i = 0; i < kVectors; i += 4)
      TakeFour<kWhiten>(lanes_[i], lanes_[i + 1], lanes_[i + 2], lanes_[i + 3],
                        data + 4 * kVectorLanes * i, key);
  }

 private:
  static constexpr size_t kVectorLanes = hn::MaxLanes(Tag());
  static constexpr size_t kVectors = kLanes / kVectorLanes;
  Vector lanes_[kVectors];
  uint32_t* to_;
};
#else
class RunLanes {
 public:
  HWY_INLINE RunLanes(const uint32_t* from, uint32_t seed, uint32_t* to)
      : lanes_(to) {
    const Tag d;
    if (from == to) return;
    for (size_t j = 0; j < kLanes; j += hn::Lanes(d))
      hn::StoreU(hn::Xor(hn::LoadU(d, from + j), hn::Set(d, seed)), d, to + j);
  }
  template <bool kWhiten>
  HWY_INLINE void TakeStripe(const unsigned char* data, const mmr3_key& key) {
    const Tag d;
    const size_t n = hn::Lanes(d);
#pragma GCC unroll 1
    for (size_t j = 0; j < kLanes; j += 4 * n) {
      uint32_t* const at = lanes_ + j;
      Vector lanes0 = hn::LoadU(d, at);
      Vector lanes1 = hn::LoadU(d, at + n);
      Vector lanes2 = hn::LoadU(d, at + 2 * n);
      Vector lanes3 = hn::LoadU(d, at + 3 * n);
      TakeFour<kWhiten>(lanes0, lanes1, lanes2, lanes3, data + 4 * j, key);
      hn::StoreU(lanes0, d, at);
      hn::StoreU(lanes1, d, at + n);
      hn::StoreU(lanes2, d, at + 2 * n);
      hn::StoreU(lanes3, d, at + 3 * n);
    }
  }

 private:
  uint32_t* lanes_;
};
#endif

// Hashes, and copies, whole stripes, one or more of them.
template <bool kWhiten, bool kCopy>
HWY_INLINE void TakeStripes(const uint32_t* from, uint32_t seed, uint32_t* to,
                            unsigned char* dst, const unsigned char* data,
                            size_t stripes, const mmr3_key& key) {
  RunLanes lanes(from, seed, to);
  // All but the last one are copied this many bytes late, so that the stores
  // are aligned. Lua's strings begin at 24 modulo 64: at 100 KB unaligned
  // stores take 12 % longer with AVX-512, and 8 % with AVX2 (Zen 4).
  size_t late = 0;
  if (kCopy) {
    const size_t vector_bytes = hn::Lanes(ByteTag());
    CopyBytes(dst, data, vector_bytes);
    late = (0 - reinterpret_cast<uintptr_t>(dst)) % vector_bytes;
  }
  for (; stripes != 0; --stripes, data += kStripeBytes) {
    lanes.template TakeStripe<kWhiten>(data, key);
    if (kCopy) {
      if (stripes == 1) late = 0;
      CopyBytes(dst + late, data + late, kStripeBytes);
      dst += kStripeBytes;
    }
  }
}

// Hashes, and copies, the last len bytes, up to a stripe of them, and sums the
// lanes of `rows` rows, which were `from` xored with seed.
template <bool kWhiten, bool kCopy>
HWY_INLINE uint64_t SumLast(const uint32_t* from, uint32_t seed_word,
                            size_t rows, unsigned char* dst,
                            const unsigned char* data, size_t len,
                            const mmr3_key& key) {
  const Tag d;
  const Vector seed = hn::Set(d, seed_word);
  const uint32_t* const end = from + kRowLanes * rows;
  Sum sum = hn::Zero(SumTag());
  for (; len >= kRowBytes; len -= kRowBytes, from += kRowLanes) {
#pragma GCC unroll 4
    for (size_t j = 0; j < kRowLanes; j += hn::Lanes(d)) {
      Vector lanes = hn::Xor(hn::Load(d, from + j), seed);
      TakeOne<kWhiten>(lanes, LoadWords(data + 4 * j), key);
      sum = AddPairs(sum, lanes);
    }
    if (kCopy) CopyBytes(dst, data, kRowBytes);
    if (kCopy) dst += kRowBytes;
    data += kRowBytes;
  }
  if (len != 0) {
    // The last row's worth of the input, without what was hashed before.
    data += len - kRowBytes;
#pragma GCC unroll 4
    for (size_t j = 0; j < kRowLanes; j += hn::Lanes(d)) {
      Vector lanes = hn::Xor(hn::Load(d, from + j), seed);
      TakeOne<kWhiten>(lanes,
                       hn::And(LoadWords(data + 4 * j),
                               LoadWords(kTailMask.byte + len + 4 * j)),
                       key);
      sum = AddPairs(sum, lanes);
    }
    if (kCopy) CopyBytes(dst + len - kRowBytes, data, kRowBytes);
    from += kRowLanes;
  }
  for (; from != end; from += hn::Lanes(d))
    sum = AddPairs(sum, hn::Load(d, from));
  return hn::GetLane(hn::SumOfLanes(SumTag(), sum));
}

template <bool kWhiten, bool kCopy>
HWY_NOINLINE uint32_t HashStripes(unsigned char* dst, const unsigned char* data,
                                  size_t len, mmr3_key key) {
  alignas(64) uint32_t lanes[kLanes];
  const size_t stripes = (len - 1) / kStripeBytes;
  const size_t hashed = stripes * kStripeBytes;
  TakeStripes<kWhiten, kCopy>(kLaneStart.word, key.seed, lanes, dst, data,
                              stripes, key);
  if (kCopy) dst += hashed;
  return FinishSum(SumLast<kWhiten, kCopy>(lanes, 0, kStripeRows, dst,
                                           data + hashed, len - hashed, key),
                   len);
}

template <bool kWhiten, bool kCopy>
HWY_INLINE uint32_t HashLarge(unsigned char* dst, const unsigned char* data,
                              size_t len, const mmr3_key& key) {
  if (len > kStripeBytes)
    return HashStripes<kWhiten, kCopy>(dst, data, len, key);
  // Every lane has at most one word: none goes through memory.
  const size_t rows = (len + kRowBytes - 1) / kRowBytes;
  return FinishSum(SumLast<kWhiten, kCopy>(kLaneStart.word, key.seed, rows, dst,
                                           data, len, key),
                   len);
}

}  // namespace

uint32_t Wide32(const void* data, size_t len, uint32_t seed) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  if (len < kWide32MinBytes)
    return mmr3_x86_32_inline(bytes, len, PublicKey(seed));
  return HashLarge<false, false>(nullptr, bytes, len, PublicKey(seed));
}

uint32_t Wide32Keyed(const unsigned char* data, size_t len, uint32_t seed,
                     const mmr3_key* secret) {
  const mmr3_key key = WithSeed(secret, seed);
  if (len < kWide32MinBytes) return mmr3_x86_32_inline(data, len, key);
  if (key.whiten == 0) return HashLarge<false, false>(nullptr, data, len, key);
  return HashLarge<true, false>(nullptr, data, len, key);
}

uint32_t Wide32CopyKeyed(unsigned char* dst, const unsigned char* src,
                         size_t len, uint32_t seed, const mmr3_key* secret) {
  const mmr3_key key = WithSeed(secret, seed);
  if (len < kWide32MinBytes) {
    if (len != 0) memcpy(dst, src, len);
    return mmr3_x86_32_inline(src, len, key);
  }
  if (key.whiten == 0) return HashLarge<false, true>(dst, src, len, key);
  return HashLarge<true, true>(dst, src, len, key);
}

void Wide32Rows(uint32_t lane[kLanes], size_t row, const unsigned char* data,
                size_t rows) {
  const mmr3_key key = PublicKey(0);
  const auto take_row = [&](uint32_t* row_lanes) HWY_ATTR {
    const Tag d;
#pragma GCC unroll 4
    for (size_t j = 0; j < kRowLanes; j += hn::Lanes(d)) {
      Vector lanes = hn::LoadU(d, row_lanes + j);
      TakeOne<false>(lanes, LoadWords(data + 4 * j), key);
      hn::StoreU(lanes, d, row_lanes + j);
    }
    data += kRowBytes;
  };
  for (; rows != 0 && row % kStripeRows != 0; --rows, ++row)
    take_row(lane + kRowLanes * row);
  const size_t stripes = rows / kStripeRows;
  if (stripes != 0) {
    TakeStripes<false, false>(lane, 0, lane, nullptr, data, stripes, key);
    data += kStripeBytes * stripes;
  }
  for (row = 0; row < rows % kStripeRows; ++row)
    take_row(lane + kRowLanes * row);
}

}  // namespace HWY_NAMESPACE
}  // namespace MMR3_KERNELS_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
