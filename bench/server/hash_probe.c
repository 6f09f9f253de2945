/* hash_probe.c: names the string hash that a Lua 5.1 library was built with.
 *
 * Linked with the library, it reads the hashes out of string objects of several
 * lengths and prints the first hash below that gives them all, or "unknown".
 * With --kernel it prints the active kernel of Murmuration instead, with
 * --kernels all that this machine supports, best first.
 */
#include <stdio.h>
#include <string.h>

#define LUA_CORE

#include "lua.h"
/* lua.h comes first in every file that sees Lua's core */
#include "lauxlib.h"
#include "lobject.h"
#include "lstate.h"
#include "murmuration.h"
/* only where the library has it */
#pragma weak murmuration_xxh3
#include "murmuration_comparison.h"

/* Lua 5.1: about 32 bytes of a long string. */
static unsigned int hash_sampling(const char *str, size_t len) {
  unsigned int hash = (unsigned int)len;
  size_t step = (len >> 5) + 1;
  size_t i;
  for (i = len; i >= step; i -= step)
    hash ^= (hash << 5) + (hash >> 2) + (unsigned char)str[i - 1];
  return hash;
}

static unsigned int hash_wide32(const char *str, size_t len) {
  return mmr3_wide32(str, len, (uint32_t)len);
}

typedef struct {
  const char *name;
  unsigned int (*hash)(const char *str, size_t len);
} named_hash;

static const named_hash hashes[] = {
    {"every-byte", hash_every_byte},
    {"scalar", hash_scalar},
    {"wide32", hash_wide32},
    {"first-64", hash_first_64},
    {"xxh3", hash_xxh3},
    {"sampling", hash_sampling},
};

/* Short, between, and past every threshold of the hashes above. */
static const size_t lengths[] = {5, 40, 100, 200, 1000, 5000, 100000};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static unsigned int hash_in_table(lua_State *L, const char *str, size_t len) {
  unsigned int hash;
  lua_pushlstring(L, str, len);
  hash = rawtsvalue(L->top - 1)->tsv.hash;
  lua_pop(L, 1);
  return hash;
}

static const char *name_of_hash(lua_State *L) {
  static char text[100000];
  size_t h, i;
  for (i = 0; i < sizeof text; i++) text[i] = (char)(i * 7 + (i >> 8));
  for (h = 0; h < COUNT(hashes); h++) {
    if (hashes[h].hash == hash_xxh3 && murmuration_xxh3 == NULL) continue;
    for (i = 0; i < COUNT(lengths); i++)
      if (hashes[h].hash(text, lengths[i]) !=
          hash_in_table(L, text, lengths[i]))
        break;
    if (i == COUNT(lengths)) return hashes[h].name;
  }
  return "unknown";
}

static void print_kernels(void) {
  const char *names[32];
  size_t count = mmr3_kernels(names, COUNT(names));
  size_t i;
  for (i = 0; i < count && i < COUNT(names); i++) puts(names[i]);
}

int main(int argc, char **argv) {
  lua_State *L;
  if (argc == 2 && strcmp(argv[1], "--kernel") == 0) {
    puts(mmr3_kernel_name());
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "--kernels") == 0) {
    print_kernels();
    return 0;
  }
  L = luaL_newstate();
  if (L == NULL) return 1;
  puts(name_of_hash(L));
  lua_close(L);
  return 0;
}
