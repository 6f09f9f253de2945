#include "lib/one_string.h"

void mmr3_x86_128(const void* data, size_t len, uint32_t seed,
                  uint32_t out[4]) {
  murmuration::HashOne<murmuration::X86_128>(
      static_cast<const unsigned char*>(data), len, seed, out);
}
