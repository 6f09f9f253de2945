/* xxh3_hash.c: XXH3 where Murmuration hashes the large strings of a Lua, to
 * compare with (murmuration_comparison.h calls it). A file of its own, since it
 * is compiled for the best vectors of the processor at hand: with-xxh3.sh. */
#define XXH_INLINE_ALL
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

uint32_t murmuration_xxh3(const char *str, size_t len);

/* A Lua keeps 32 bits of a hash. */
uint32_t murmuration_xxh3(const char *str, size_t len) {
  return (uint32_t)XXH3_64bits(str, len);
}
