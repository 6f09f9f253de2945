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

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "murmuration.h"
#include "tests/collisions.h"

enum { LENGTH = 128, MOST = 65536, SECRET_BYTES = 16 };

int luaopen_cjson(lua_State *L);

static unsigned char strings[MOST][LENGTH];
/* each byte as six characters at most, quotes, colon, number, comma */
static char json[MOST * (6 * LENGTH + 8) + 2];
static size_t json_length;

static void fail(const char *why) {
  fprintf(stderr, "attack_bench: %s\n", why);
  exit(1);
}

static void make_strings(int colliding, size_t count) {
  uint64_t state = 1;
  size_t i, j;
  for (i = 0; i < count; ++i) {
    if (colliding) {
      collision_wide32_known_seed((uint16_t)i, LENGTH, strings[i]);
      continue;
    }
    for (j = 0; j < LENGTH; ++j) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      strings[i][j] = (unsigned char)(state >> 56);
    }
  }
}

static void make_json(size_t count) {
  char *out = json;
  size_t i, j;
  *out++ = '{';
  for (i = 0; i < count; ++i) {
    *out++ = '"';
    for (j = 0; j < LENGTH; ++j) {
      const unsigned byte = strings[i][j];
      if (byte < 0x20 || byte == '"' || byte == '\\')
        out += sprintf(out, "\\u%04x", byte);
      else
        *out++ = (char)byte;
    }
    memcpy(out, "\":1,", 4);
    out += 4;
  }
  out[-1] = '}';
  json_length = (size_t)(out - json);
}

static int store_under_all(lua_State *L) {
  const size_t count = (size_t)lua_tointeger(L, 1);
  size_t i;
  lua_newtable(L);
  for (i = 0; i < count; ++i) {
    lua_pushlstring(L, (const char *)strings[i], LENGTH);
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
  if (count < 1 || count > MOST || (!cjson && strcmp(argv[1], "keys") != 0) ||
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
    mmr3_lua_set_secret(secret);
  }
  make_strings(colliding, (size_t)count);
  make_json((size_t)count);
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
