/* murmuration_comparison.h: other hashes for luaS_newlstr, to compare with.
 *
 * Only benchmarks use this: apply.sh --hash NAME compiles one of these in place
 * of wide32, so that the lookup and the creation of strings stay the same and
 * only the hash differs.
 */
#ifndef MURMURATION_COMPARISON_H
#define MURMURATION_COMPARISON_H

#include <stddef.h>
#include <stdint.h>

#include "murmuration_x86_32.h"

/* Every byte, one at a time, from the last to the first: what Lua 5.1 does
 * below 32 bytes, and Redis at every length. */
static inline unsigned int hash_every_byte(const char *str, size_t len) {
  unsigned int hash = (unsigned int)len;
  size_t i;
  for (i = len; i != 0; --i)
    hash ^= (hash << 5) + (hash >> 2) + (unsigned char)str[i - 1];
  return hash;
}

static inline unsigned int hash_public_x86_32(const char *str, size_t len,
                                              size_t seed) {
  mmr3_key key = {0, 0, MMR3_PUBLIC_MUL1, MMR3_PUBLIC_MUL2};
  key.seed = (uint32_t)seed;
  return mmr3_x86_32_inline((const unsigned char *)str, len, key);
}

/* Scalar MurmurHash3 x86_32 at every length, seeded with the length: what
 * Valkey 8.1 does. */
static inline unsigned int hash_scalar(const char *str, size_t len) {
  return hash_public_x86_32(str, len, len);
}

/* The first 64 bytes only: the cost of a string when its hash is nearly free.
 * Strings that agree there collide. */
static inline unsigned int hash_first_64(const char *str, size_t len) {
  return hash_public_x86_32(str, len < 64 ? len : 64, len);
}

/* XXH3, 64 bits cut to 32: bench/xxh3_hash.c, which bench/with-xxh3.sh puts
 * into the library's object. */
unsigned int murmuration_xxh3(const char *str, size_t len);

/* XXH3 from the length on where wide32 has a code of its own. */
static inline unsigned int hash_xxh3(const char *str, size_t len) {
  return len < 64 ? hash_scalar(str, len) : murmuration_xxh3(str, len);
}

#define inline_hash MURMURATION_COMPARISON_HASH

#endif /* MURMURATION_COMPARISON_H */
