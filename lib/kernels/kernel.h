// A kernel: one implementation of the hot functions for one kind of processor,
// and the table of all that were compiled.
#ifndef MURMURATION_LIB_KERNELS_KERNEL_H_
#define MURMURATION_LIB_KERNELS_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "lib/dispatch/features.h"
#include "murmuration.h"

namespace murmuration {

// wide32's definition (docs/wide32.md): lanes, and the bytes they take a step.
constexpr size_t kLanes = 32;
constexpr size_t kStripeBytes = 4 * kLanes;
// Shorter strings are x86_32.
constexpr size_t kWide32MinBytes = kStripeBytes;

// Every function takes any length. The keyed ones take their seed from the
// argument, not from the key: a caller with one key and many seeds then has no
// key to build in memory, which would stall the loads that follow.
struct Kernel {
  const char* name;
  FeatureSet required;  // all that its code was compiled for
  mmr3_hash_fn wide32;
  uint32_t (*wide32_keyed)(const unsigned char* data, size_t len, uint32_t seed,
                           const mmr3_key* key);
  uint32_t (*wide32_copy_keyed)(unsigned char* dst, const unsigned char* src,
                                size_t len, uint32_t seed, const mmr3_key* key);
};

struct KernelTable {
  const Kernel* rows;  // best first; the last one requires nothing
  size_t size;
};

extern const KernelTable kCompiledKernels;

}  // namespace murmuration

#endif  // MURMURATION_LIB_KERNELS_KERNEL_H_
