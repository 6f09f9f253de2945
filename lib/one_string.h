// The blocks of one string of a 128-bit variant: short runs here, long ones in
// the active kernel.
#ifndef MURMURATION_LIB_ONE_STRING_H_
#define MURMURATION_LIB_ONE_STRING_H_

#include "lib/dispatch/dispatch.h"
#include "lib/standard_variants.h"

namespace murmuration {

// Below this many blocks a kernel's call and start cost more than it gains.
constexpr size_t kKernelMinBlocks = 32;

inline void TakeRun(X86_128::State& state, const unsigned char* data,
                    size_t blocks) {
  if (blocks < kKernelMinBlocks)
    TakeBlocks<X86_128>(state, data, blocks);
  else
    ActiveKernel().x86_128_blocks(state, data, blocks);
}

inline void TakeRun(X64_128::State& state, const unsigned char* data,
                    size_t blocks) {
  if (blocks < kKernelMinBlocks)
    TakeBlocks<X64_128>(state, data, blocks);
  else
    ActiveKernel().x64_128_blocks(state, data, blocks);
}

inline void TakeRun(X86_32::State& state, const unsigned char* data,
                    size_t blocks) {
  TakeBlocks<X86_32>(state, data, blocks);
}

}  // namespace murmuration

#endif  // MURMURATION_LIB_ONE_STRING_H_
