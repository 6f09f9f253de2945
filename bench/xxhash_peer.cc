#include <xxhash.h>

#include "bench/peers.h"

#if defined(__x86_64__)
#include <xxh_x86dispatch.h>
#endif

uint64_t Xxh64(const void* data, size_t len, uint64_t seed) {
  return XXH64(data, len, seed);
}

uint64_t Xxh3(const void* data, size_t len, uint64_t seed) {
  return XXH3_64bits_withSeed(data, len, seed);
}
