// One string, or one key of a batch that is hashed alone. Of the 128-bit
// variants the active kernel takes long runs of blocks.
#ifndef MURMURATION_LIB_ONE_STRING_H_
#define MURMURATION_LIB_ONE_STRING_H_

#include "lib/dispatch/dispatch.h"
#include "lib/standard_variants.h"

namespace murmuration {

// Below this many blocks a kernel's call and start cost more than it gains.
constexpr size_t kKernelMinBlocks = 32;

template <class State>
inline void TakeRunInKernel(State& state, const unsigned char* data,
                            size_t blocks,
                            void (*Kernel::*take)(State&, const unsigned char*,
                                                  size_t)) {
  // A copy, so that the state of short runs stays in registers.
  State in_memory = state;
  (ActiveKernel().*take)(in_memory, data, blocks);
  state = in_memory;
}

inline void TakeRun(X86_128::State& state, const unsigned char* data,
                    size_t blocks) {
  if (blocks < kKernelMinBlocks)
    TakeBlocks<X86_128>(state, data, blocks);
  else
    TakeRunInKernel(state, data, blocks, &Kernel::x86_128_blocks);
}

inline void TakeRun(X64_128::State& state, const unsigned char* data,
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
inline void HashOne(const unsigned char* data, size_t len,
                    typename Variant::Seed seed,
                    typename Variant::Word* digest) {
  typename Variant::State state = Variant::Start(seed);
  const size_t blocks = len / Variant::kBlockBytes;
  TakeRun(state, data, blocks);
  Variant::Finish(state, data + Variant::kBlockBytes * blocks, len, digest);
}

// Key after key of a batch. Not of a kernel, whose functions are compiled for
// more than the baseline and would not be inlined where keys are sorted.
template <class Variant>
struct OneByOne {
  typename Variant::Seed seed;
  typename Variant::Word* out;

  void operator()(const unsigned char* data, size_t len, size_t index) const {
    HashOne<Variant>(data, len, seed, out + Variant::kDigestWords * index);
  }
};

}  // namespace murmuration

#endif  // MURMURATION_LIB_ONE_STRING_H_
