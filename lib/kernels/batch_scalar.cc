// Batches without vectors: the chains of a few keys in flight at once, where
// one at a time leaves most of the processor idle.
#include "lib/kernels/kernel.h"
#include "lib/kernels/keys.h"
#include "lib/one_string.h"

namespace murmuration {
namespace scalar {
namespace {

// Keys, or seeds, in flight.
constexpr size_t kInFlight = 4;
using Group = KeyGroup<kInFlight>;

// Shorter keys overlap by themselves: the processor starts on the next ones
// while the chain of one still runs. And so do keys of x86_128, whose four
// chains are as many as there are registers for.
template <class Variant>
constexpr size_t kMinInterleaved = 128;
template <>
constexpr size_t kMinInterleaved<X86_128> = SIZE_MAX;

// Of keys of many lengths, more of both is needed.
constexpr size_t kManyKeys = 64;
template <class Variant>
constexpr size_t kMinMixed = 512;
template <>
constexpr size_t kMinMixed<X86_128> = SIZE_MAX;

template <class Variant>
void HashGroup(const Group& group, typename Variant::Seed seed,
               typename Variant::Word* out) {
  typename Variant::State state[kInFlight];
  size_t common = group.len[0] / Variant::kBlockBytes;
#pragma GCC unroll 4
  for (size_t j = 0; j < kInFlight; ++j) {
    state[j] = Variant::Start(seed);
    const size_t blocks = group.len[j] / Variant::kBlockBytes;
    if (blocks < common) common = blocks;
  }
  const size_t common_bytes = common * Variant::kBlockBytes;
  for (size_t at = 0; at != common_bytes; at += Variant::kBlockBytes)
#pragma GCC unroll 4
    for (size_t j = 0; j < kInFlight; ++j)
      Variant::TakeBlock(state[j], group.data[j] + at);
  for (size_t j = 0; j < group.count; ++j) {
    const unsigned char* data = group.data[j] + common_bytes;
    const size_t blocks = group.len[j] / Variant::kBlockBytes - common;
    TakeRun(state[j], data, blocks);
    Variant::FinishString(state[j], group.data[j], group.len[j],
                          out + Variant::kDigestWords * group.index[j]);
  }
}

// Keys of one length, long enough to be interleaved.
template <class Variant, class TypedKeys>
void HashAlike(const TypedKeys& keys, size_t n, typename Variant::Seed seed,
               typename Variant::Word* out) {
  size_t i = 0;
  if (n != 0 && keys.Length(0) >= kMinInterleaved<Variant>) {
    Group group;
    group.count = kInFlight;
    for (; n - i >= kInFlight; i += kInFlight) {
      for (size_t j = 0; j < kInFlight; ++j) {
        group.data[j] = keys.Data(i + j);
        group.len[j] = keys.Length(0);
        group.index[j] = i + j;
      }
      HashGroup<Variant>(group, seed, out);
    }
  }
  HashShorterAlone<Variant>(keys, i, n, SIZE_MAX, seed, out);
}

template <class Variant>
struct HashKeys {
  using Group = scalar::Group;
  using Seed = typename Variant::Seed;
  using Word = typename Variant::Word;
  static constexpr size_t kDigestWords = Variant::kDigestWords;

  static constexpr size_t kMinAlike = kMinInterleaved<Variant>;

  static size_t MinLength(size_t n) {
    return n < kManyKeys ? SIZE_MAX : kMinMixed<Variant>;
  }
  static size_t MinAmongLonger(size_t) { return 0; }
  static size_t MinLongKeys(size_t) { return 0; }
  template <class TypedKeys>
  static size_t Alone(const TypedKeys& keys, size_t first, size_t n,
                      size_t min_len, Seed seed, Word* out) {
    return HashShorter<Variant>(keys, first, n, min_len, seed, out);
  }
  template <class TypedKeys>
  static void Alike(const TypedKeys& keys, size_t n, Seed seed, Word* out) {
    HashAlike<Variant>(keys, n, seed, out);
  }
  static void InGroup(const Group& group, Seed seed, Word* out) {
    HashGroup<Variant>(group, seed, out);
  }
};

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
  constexpr size_t kWords = Variant::kDigestWords;
  const size_t blocks = len / Variant::kBlockBytes;
  const unsigned char* tail = data + Variant::kBlockBytes * blocks;
  for (; blocks != 0 && n >= kInFlight;
       n -= kInFlight, seeds += kInFlight, out += kInFlight * kWords) {
    typename Variant::State state[kInFlight];
#pragma GCC unroll 4
    for (size_t j = 0; j < kInFlight; ++j) state[j] = Variant::Start(seeds[j]);
    for (const unsigned char* at = data; at != tail;
         at += Variant::kBlockBytes) {
      const typename Variant::Mixed mixed = Variant::Mix(at);
#pragma GCC unroll 4
      for (size_t j = 0; j < kInFlight; ++j) Variant::Take(state[j], mixed);
    }
    for (size_t j = 0; j < kInFlight; ++j)
      Variant::FinishString(state[j], data, len, out + kWords * j);
  }
  HashSeedsAlone<Variant>(data, len, seeds, n, out);
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
MMR3_INSTANTIATE(X64_128)

}  // namespace scalar
}  // namespace murmuration
