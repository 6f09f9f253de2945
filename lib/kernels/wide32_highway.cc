// wide32 on vectors: written once with Highway, compiled for each of its
// targets that lib/kernels/highway_targets.h names.
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
namespace murmuration {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
// AVX-512 on 256-bit vectors: what it brings is the rotate instruction.
// Measured on Zen 4, 512-bit vectors take 1 % (g++) and 4 % (clang) longer at
// 100 KB, up to 5 % longer below 1000 bytes where the digest is waited for, and
// a quarter less from 400 to 1000 bytes where it is not. They would lower the
// clock of older Intel processors.
using Tag = hn::FixedTag<uint32_t, 8>;
#else
using Tag = hn::FixedTag<uint32_t, 4>;
#endif
using ByteTag = hn::Repartition<uint8_t, Tag>;
using Vector = hn::Vec<Tag>;

constexpr size_t kVectorLanes = hn::MaxLanes(Tag());
constexpr size_t kVectorBytes = 4 * kVectorLanes;
constexpr size_t kVectors = kLanes / kVectorLanes;
// Vectors that take every step of a round before any takes the next one. On
// Zen 4, 100 KB, vector by vector took 9 % longer with AVX-512, 4 % with SSE4
// (g++; clang 15 %), and 3 % with AVX2; all eight of SSE4 at once 5 % (g++).
constexpr size_t kTogether = 4;

template <class V>
struct KeyVectors {
  V whiten, mul1, mul2, add;
};

#if HWY_TARGET == MMR3_NEON_TARGET
// Shift-and-insert and multiply-accumulate, which Highway has no names for.
// Instructions of the loop's 128 bytes on 64-bit ARM: 85 with g++ 12, 79 with
// clang 14; 93 and 87 with shifts and additions for the latter, 103 without
// either. The empty statements hide from compilers what they would undo: clang
// makes the left shift a third multiplication, both make times five two
// instructions.
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
#else
template <int kBits, class V>
HWY_INLINE V RotateLanesLeft(V v) {
  return hn::RotateRight<32 - kBits>(v);
}

// Of many vectors by multiplication: on Zen 4, shifting takes 15 % longer with
// AVX2 and SSE4, because there most of the other operations are shifts; by
// llvm-mca the two are level on Skylake to Alder Lake. AVX-512 multiplies and
// rotates in the same two units, and shifts elsewhere. The empty statements
// keep g++ from making the former the latter, and clang the latter the former.
template <bool kMany, class V>
HWY_INLINE V TimesFivePlus(V v, V add) {
  if constexpr (kMany && HWY_TARGET != HWY_AVX3) {
    V five = hn::Set(hn::DFromV<V>(), 5);
    asm("" : "+x"(five.raw));
    return hn::Add(hn::Mul(v, five), add);
  } else {
    V four = hn::ShiftLeft<2>(v);
    asm("" : "+x"(four.raw));
    return hn::Add(four, hn::Add(v, add));
  }
}
#endif

// A round of kCount vectors of lanes: lane[i] takes word[i] in. Every step is
// taken for all of them before the next one.
// kWhiten is false for the public function, whose words are xored with 0.
template <bool kWhiten, size_t kCount, class V>
HWY_INLINE void Rounds(V* lane, V* word, const KeyVectors<V>& key) {
#define MMR3_FOR_EACH \
  _Pragma("GCC unroll 8") for (size_t i = 0; i < kCount; ++i)
  if (kWhiten) MMR3_FOR_EACH word[i] = hn::Xor(word[i], key.whiten);
  MMR3_FOR_EACH word[i] = hn::Mul(word[i], key.mul1);
  MMR3_FOR_EACH word[i] = RotateLanesLeft<15>(word[i]);
  MMR3_FOR_EACH word[i] = hn::Mul(word[i], key.mul2);
  MMR3_FOR_EACH lane[i] = hn::Xor(lane[i], word[i]);
  MMR3_FOR_EACH lane[i] = RotateLanesLeft<13>(lane[i]);
  MMR3_FOR_EACH lane[i] = TimesFivePlus<kCount == kTogether>(lane[i], key.add);
#undef MMR3_FOR_EACH
}

// Hashes kStripeBytes of data, or those of them that mask keeps.
template <bool kWhiten, bool kMasked, size_t kFirst = 0>
HWY_INLINE void HashStripe(Vector lane[kVectors], const unsigned char* data,
                           const unsigned char* mask,
                           const KeyVectors<Vector>& key) {
  const Tag d;
  const ByteTag d8;
  Vector word[kTogether];
#pragma GCC unroll 8
  for (size_t i = 0; i < kTogether; ++i) {
    const size_t at = (kFirst + i) * kVectorBytes;
    auto bytes = hn::LoadU(d8, data + at);
    if (kMasked) bytes = hn::And(bytes, hn::LoadU(d8, mask + at));
    word[i] = hn::BitCast(d, bytes);
  }
  Rounds<kWhiten, kTogether>(lane + kFirst, word, key);
  if constexpr (kFirst + kTogether < kVectors)
    HashStripe<kWhiten, kMasked, kFirst + kTogether>(lane, data, mask, key);
}

HWY_INLINE void CopyStripe(unsigned char* dst, const unsigned char* src) {
  const ByteTag d8;
#pragma GCC unroll 8
  for (size_t i = 0; i < kVectors; ++i)
    hn::StoreU(hn::LoadU(d8, src + i * kVectorBytes), d8,
               dst + i * kVectorBytes);
}

// Folds the upper half of the vectors into the lower one, down to one vector.
template <bool kWhiten, size_t kHalf>
HWY_INLINE void FoldVectors(Vector* lane, const KeyVectors<Vector>& key) {
  Rounds<kWhiten, kHalf>(lane, lane + kHalf, key);
  if constexpr (kHalf > 1) FoldVectors<kWhiten, kHalf / 2>(lane, key);
}

// Folds the lanes of one vector down to four and stores those.
template <bool kWhiten, class D, class V>
HWY_INLINE void FoldVector(D d, V lanes, const KeyVectors<V>& key,
                           uint32_t folded[4]) {
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    const KeyVectors<hn::Vec<hn::Half<D>>> half_key = {
        hn::LowerHalf(half, key.whiten), hn::LowerHalf(half, key.mul1),
        hn::LowerHalf(half, key.mul2), hn::LowerHalf(half, key.add)};
    auto lower = hn::LowerHalf(half, lanes);
    auto upper = hn::UpperHalf(half, lanes);
    Rounds<kWhiten, 1>(&lower, &upper, half_key);
    FoldVector<kWhiten>(half, lower, half_key, folded);
  } else {
    hn::Store(lanes, d, folded);
  }
}

template <bool kWhiten, bool kCopy>
HWY_INLINE uint32_t HashLarge(unsigned char* dst, const unsigned char* data,
                              size_t len, mmr3_key scalar_key) {
  const Tag d;
  const KeyVectors<Vector> key = {
      hn::Set(d, scalar_key.whiten), hn::Set(d, scalar_key.mul1),
      hn::Set(d, scalar_key.mul2), hn::Set(d, MMR3_ROUND_ADD)};

  // The pragmas keep g++ from leaving this array in memory.
  Vector lane[kVectors];
  const Vector seed = hn::Set(d, scalar_key.seed);
#pragma GCC unroll 8
  for (size_t i = 0; i < kVectors; ++i)
    lane[i] = hn::Xor(hn::Load(d, kLaneStart.word + i * kVectorLanes), seed);

  // All full stripes but the last are copied this many bytes late, so that the
  // stores are aligned. Lua's strings begin at 24 modulo 64: at 100 KB
  // unaligned stores take 12 % longer on Zen 4 with AVX-512, and 8 % with AVX2.
  // Where dst is aligned, the second load costs AVX2 3 %.
  size_t late = 0;
  if (kCopy) {
    const ByteTag d8;
    hn::StoreU(hn::LoadU(d8, data), d8, dst);
    late = (0 - reinterpret_cast<uintptr_t>(dst)) % kVectorBytes;
  }
  for (size_t stripes = len / kStripeBytes - 1; stripes != 0; --stripes) {
    HashStripe<kWhiten, false>(lane, data, nullptr, key);
    if (kCopy) CopyStripe(dst + late, data + late);
    data += kStripeBytes;
    if (kCopy) dst += kStripeBytes;
  }
  HashStripe<kWhiten, false>(lane, data, nullptr, key);
  if (kCopy) CopyStripe(dst, data);

  // The last 128 bytes again, without those that were hashed.
  const size_t tail = len % kStripeBytes;
  if (tail != 0) {
    data += tail;
    if (kCopy) CopyStripe(dst + tail, data);
    HashStripe<kWhiten, true>(lane, data, kTailMask.byte + tail, key);
  }

  FoldVectors<kWhiten, kVectors / 2>(lane, key);
  alignas(16) uint32_t folded[4];
  FoldVector<kWhiten>(d, lane[0], key, folded);
  return FinishLanes(folded, len, scalar_key);
}

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

void Wide32Stripes(uint32_t lane_words[kLanes], const unsigned char* data,
                   size_t stripes) {
  const Tag d;
  const KeyVectors<Vector> key = {hn::Zero(d), hn::Set(d, MMR3_PUBLIC_MUL1),
                                  hn::Set(d, MMR3_PUBLIC_MUL2),
                                  hn::Set(d, MMR3_ROUND_ADD)};
  Vector lane[kVectors];
#pragma GCC unroll 8
  for (size_t i = 0; i < kVectors; ++i)
    lane[i] = hn::LoadU(d, lane_words + i * kVectorLanes);
  if (stripes == 0) return;
  // The last one apart, as in HashLarge: clang then has fewer lanes in memory.
  for (; stripes != 1; --stripes, data += kStripeBytes)
    HashStripe<false, false>(lane, data, nullptr, key);
  HashStripe<false, false>(lane, data, nullptr, key);
#pragma GCC unroll 8
  for (size_t i = 0; i < kVectors; ++i)
    hn::StoreU(lane[i], d, lane_words + i * kVectorLanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace murmuration
HWY_AFTER_NAMESPACE();

#endif
