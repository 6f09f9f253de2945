/* attack_bench.c: what strings prepared to collide cost a Lua with Murmuration.
 *
 *   attack_bench WORKLOAD STRINGS COUNT SECRET    prints milliseconds
 *
 *   WORKLOAD  keys   makes each string and stores under it in one table
 *             cjson  decodes a JSON object that has them as keys
 *   STRINGS   random, or colliding: 128 bytes each, equal hashes in a Lua
 *             without a secret
 *   COUNT     1 to 65536
 *   SECRET    none, or random
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/attack_strings.h"
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "murmuration.h"

enum { SECRET_BYTES = 16 };

int luaopen_cjson(lua_State *L);

static unsigned char strings[ATTACK_MOST * ATTACK_LENGTH];
static char json[ATTACK_JSON_MOST];
static size_t json_length;

static void fail(const char *why) {
  fprintf(stderr, "attack_bench: %s\n", why);
  exit(1);
}

static int store_under_all(lua_State *L) {
  const size_t count = (size_t)lua_tointeger(L, 1);
  size_t i;
  lua_newtable(L);
  for (i = 0; i < count; ++i) {
    lua_pushlstring(L, (const char *)strings + i * ATTACK_LENGTH,
                    ATTACK_LENGTH);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
  }
  return 1;
}

static size_t entries(lua_State *L) {
  size_t count = 0;
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    lua_pop(L, 1);
    ++count;
  }
  return count;
}

static double milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  lua_State *L;
  double start, end;
  long count = argc == 5 ? atol(argv[3]) : 0;
  const int cjson = argc == 5 && strcmp(argv[1], "cjson") == 0;
  const int colliding = argc == 5 && strcmp(argv[2], "colliding") == 0;
  if (count < 1 || count > ATTACK_MOST ||
      (!cjson && strcmp(argv[1], "keys") != 0) ||
      (!colliding && strcmp(argv[2], "random") != 0)) {
    fprintf(stderr,
            "usage: attack_bench keys|cjson random|colliding COUNT "
            "none|random\n");
    return 2;
  }
  if (strcmp(argv[4], "random") == 0) {
    unsigned char secret[SECRET_BYTES];
    FILE *source = fopen("/dev/urandom", "rb");
    if (source == NULL || fread(secret, sizeof secret, 1, source) != 1)
      fail("cannot read /dev/urandom");
    fclose(source);
    if (mmr3_lua_set_secret(secret) != 0) fail("the secret was refused");
  }
  attack_strings(colliding, (size_t)count, strings);
  json_length = attack_json(strings, (size_t)count, json);
  L = luaL_newstate();
  luaL_openlibs(L);
  if (cjson) {
    luaopen_cjson(L);
    lua_getfield(L, -1, "decode");
    lua_pushlstring(L, json, json_length);
  } else {
    lua_pushcfunction(L, store_under_all);
    lua_pushinteger(L, count);
  }
  start = milliseconds();
  if (lua_pcall(L, 1, 1, 0) != 0) fail(lua_tostring(L, -1));
  end = milliseconds();
  if (entries(L) != (size_t)count) fail("keys are missing");
  printf("%.6f\n", end - start);
  return 0;
}
