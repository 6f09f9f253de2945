// A kernel: one implementation of the hot functions for one kind of processor,
// and the table of all that were compiled.
#ifndef MURMURATION_LIB_KERNELS_KERNEL_H_
#define MURMURATION_LIB_KERNELS_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "lib/dispatch/features.h"
#include "lib/standard_variants.h"
#include "murmuration.h"

namespace murmuration {

// wide32's definition (docs/wide32.md): the input is rows, each for some of the
// lanes, and a stripe is rows for all of them.
constexpr size_t kLanes = 128;
constexpr size_t kRowLanes = 16;
constexpr size_t kStripeRows = kLanes / kRowLanes;
constexpr size_t kRowBytes = 4 * kRowLanes;
constexpr size_t kStripeBytes = 4 * kLanes;
// Shorter strings are x86_32.
constexpr size_t kWide32MinBytes = kRowBytes;

// Many keys of one standard variant: the functions of the interface. They take
// any number of keys, and gain nothing with fewer than min_keys.
template <class Seed, class Word>
struct BatchFunctions {
  size_t min_keys;
  void (*pointers)(const void* const* keys, const size_t* lens, size_t n,
                   Seed seed, Word* out);
  void (*offsets32)(const unsigned char* bytes, const int32_t* offsets,
                    size_t n, Seed seed, Word* out);
  void (*offsets64)(const unsigned char* bytes, const int64_t* offsets,
                    size_t n, Seed seed, Word* out);
  void (*fixed)(const unsigned char* keys, size_t key_len, ptrdiff_t stride,
                size_t n, Seed seed, Word* out);
  void (*seeds)(const unsigned char* data, size_t len, const Seed* seeds,
                size_t n, Word* out);
};

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
  // The lanes of the public function take in whole rows, the first one those of
  // row `row` of a stripe.
  void (*wide32_rows)(uint32_t lane[kLanes], size_t row,
                      const unsigned char* data, size_t rows);

  // The state of a string takes in whole blocks.
  void (*x86_128_blocks)(X86_128::State& state, const unsigned char* data,
                         size_t blocks);
  void (*x64_128_blocks)(X64_128::State& state, const unsigned char* data,
                         size_t blocks);

  BatchFunctions<uint32_t, uint32_t> x86_32;
  BatchFunctions<uint32_t, uint32_t> x86_128;
  BatchFunctions<uint64_t, uint64_t> x64_128;
};

struct KernelTable {
  const Kernel* rows;  // best first; the last one requires nothing
  size_t size;
};

extern const KernelTable kCompiledKernels;

}  // namespace murmuration

#endif  // MURMURATION_LIB_KERNELS_KERNEL_H_
