// One string, or one key of a batch that is hashed alone. Of the 128-bit
// variants the active kernel takes long runs of blocks.
#ifndef MURMURATION_LIB_ONE_STRING_H_
#define MURMURATION_LIB_ONE_STRING_H_

#include "lib/dispatch/dispatch.h"
#include "lib/kernels/keys.h"
#include "lib/standard_variants.h"

namespace murmuration {

// Below this many blocks a kernel's call and start cost more than it gains.
constexpr size_t kKernelMinBlocks = 32;

// Inlined, so that the state stays in registers: a copy of it as one vector
// would wait for stores in parts (clang, 512 bytes: 60 cycles).
template <class State>
__attribute__((always_inline)) inline void TakeRunInKernel(
    State& state, const unsigned char* data, size_t blocks,
    void (*Kernel::*take)(State&, const unsigned char*, size_t)) {
  State in_memory = state;
  (ActiveKernel().*take)(in_memory, data, blocks);
  state = in_memory;
}

__attribute__((always_inline)) inline void TakeRun(X86_128::State& state,
                                                   const unsigned char* data,
                                                   size_t blocks) {
  if (blocks < kKernelMinBlocks)
    TakeBlocks<X86_128>(state, data, blocks);
  else
    TakeRunInKernel(state, data, blocks, &Kernel::x86_128_blocks);
}

__attribute__((always_inline)) inline void TakeRun(X64_128::State& state,
                                                   const unsigned char* data,
                                                   size_t blocks) {
  if (blocks < kKernelMinBlocks)
    TakeBlocks<X64_128>(state, data, blocks);
  else
    TakeRunInKernel(state, data, blocks, &Kernel::x64_128_blocks);
}

inline void TakeRun(X86_32::State& state, const unsigned char* data,
                    size_t blocks) {
  TakeBlocks<X86_32>(state, data, blocks);
}

template <class Variant>
__attribute__((always_inline)) inline void HashOneInline(
    const unsigned char* data, size_t len, typename Variant::Seed seed,
    typename Variant::Word* digest) {
  typename Variant::State state = Variant::Start(seed);
  TakeRun(state, data, len / Variant::kBlockBytes);
  Variant::FinishString(state, data, len, digest);
}

// The same as a call, where the compiler likes that better. For X86_128 clang
// does, and a loop over it takes 13 % longer (8 bytes).
template <class Variant>
inline void HashOne(const unsigned char* data, size_t len,
                    typename Variant::Seed seed,
                    typename Variant::Word* digest) {
  HashOneInline<Variant>(data, len, seed, digest);
}
template <>
inline void HashOne<X86_32>(const unsigned char* data, size_t len,
                            uint32_t seed, uint32_t* digest) {
  *digest = mmr3_x86_32_inline(data, len, PublicKey(seed));
}
template <>
__attribute__((always_inline)) inline void HashOne<X86_128>(
    const unsigned char* data, size_t len, uint32_t seed, uint32_t* digest) {
  HashOneInline<X86_128>(data, len, seed, digest);
}

// Hashes keys of a batch one by one, from first on, up to n or to one that has
// min_len bytes or more; returns which that is.
template <class Variant, class TypedKeys>
inline size_t HashShorter(const TypedKeys& all_keys, size_t first, size_t n,
                          size_t min_len, typename Variant::Seed seed,
                          typename Variant::Word* out) {
  // A copy, since out could point to the original.
  const TypedKeys keys = all_keys;
  for (; first != n; ++first) {
    const size_t len = keys.Length(first);
    if (__builtin_expect(len >= min_len, 0)) break;
    HashOne<Variant>(keys.Data(first), len, seed,
                     out + Variant::kDigestWords * first);
  }
  return first;
}

// One key under seeds, one by one.
template <class Variant>
inline void HashUnderSeeds(const unsigned char* data, size_t len,
                           const typename Variant::Seed* seeds, size_t n,
                           typename Variant::Word* out) {
  for (size_t i = 0; i < n; ++i)
    HashOne<Variant>(data, len, seeds[i], out + Variant::kDigestWords * i);
}

// The two for kernels: loops of baseline code, once for all (lib/batch.cc).
template <class Variant, class TypedKeys>
size_t HashShorterAlone(const TypedKeys& keys, size_t first, size_t n,
                        size_t min_len, typename Variant::Seed seed,
                        typename Variant::Word* out);
template <class Variant>
void HashSeedsAlone(const unsigned char* data, size_t len,
                    const typename Variant::Seed* seeds, size_t n,
                    typename Variant::Word* out);

}  // namespace murmuration

#endif  // MURMURATION_LIB_ONE_STRING_H_
