// XXH3 and XXH64 from libxxhash's header, compiled once for each instruction
// set (bench/CMakeLists.txt): nothing of this file may run on a processor
// without.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>

#include "bench/peers.h"

#define CONCATENATE(a, b) a##b
#define NAME(function, set) CONCATENATE(function, set)

uint64_t NAME(Xxh3_, MURMURATION_BENCH_SET)(const void* data, size_t len,
                                            uint64_t seed) {
  return XXH3_64bits_withSeed(data, len, seed);
}

uint64_t NAME(Xxh3ThenMemcpy_, MURMURATION_BENCH_SET)(const void* data,
                                                      size_t len,
                                                      uint64_t seed) {
  const uint64_t digest = XXH3_64bits_withSeed(data, len, seed);
  memcpy(copy_target, data, len);
  asm volatile("" : : : "memory");
  return digest;
}

uint64_t NAME(Xxh64_, MURMURATION_BENCH_SET)(const void* data, size_t len,
                                             uint64_t seed) {
  return XXH64(data, len, seed);
}
