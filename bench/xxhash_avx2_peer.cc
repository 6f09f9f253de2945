// Compiled with -mavx2: nothing of this file may run on a processor without.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "bench/peers.h"

uint64_t Xxh3Avx2(const void* data, size_t len, uint64_t seed) {
  return XXH3_64bits_withSeed(data, len, seed);
}
