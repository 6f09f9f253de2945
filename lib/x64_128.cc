#include "lib/one_string.h"

void mmr3_x64_128(const void* data, size_t len, uint64_t seed,
                  uint64_t out[2]) {
  murmuration::HashOne<murmuration::X64_128>(
      static_cast<const unsigned char*>(data), len, seed, out);
}
