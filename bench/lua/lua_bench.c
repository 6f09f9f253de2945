/* lua_bench.c: times workloads.lua in the Lua it is linked with.
 *
 *   lua_bench WORKLOADS.lua MILLISECONDS NAME:SIZE...   one line for each:
 *                                                       NAME:SIZE MICROSECONDS
 *   lua_bench --kernels                                 those of this machine
 *   lua_bench --kernel                                  the active one
 *
 * Each workload gets a lua_State of its own, a short warm-up, and then whole
 * batches until the milliseconds are over. Compiled with HAVE_MURMURATION when
 * the Lua has Murmuration in it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#ifdef HAVE_MURMURATION
#include "murmuration.h"
#endif

enum { OFFSETS = 1 << 20, BATCH_BYTES = 1 << 19, BATCH_MAX = 2000 };

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static uint32_t next_random(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

static void push_random_bytes(lua_State *L, size_t len) {
  char *bytes = malloc(len);
  uint32_t state = 2463534242u;
  if (bytes == NULL) luaL_error(L, "no memory for %d bytes", (int)len);
  for (size_t i = 0; i < len; ++i) bytes[i] = (char)(next_random(&state) >> 8);
  lua_pushlstring(L, bytes, len);
  free(bytes);
}

static void push_words(lua_State *L, size_t len) {
  char *bytes = malloc(len);
  uint32_t state = 88172645u;
  if (bytes == NULL) luaL_error(L, "no memory for %d bytes", (int)len);
  for (size_t i = 0; i < len; ++i) {
    uint32_t r = next_random(&state) >> 8;
    bytes[i] = r % 6 == 0 ? ' ' : (char)('a' + r / 6 % 26);
  }
  lua_pushlstring(L, bytes, len);
  free(bytes);
}

static void die(lua_State *L) {
  fprintf(stderr, "lua_bench: %s\n", lua_tostring(L, -1));
  exit(1);
}

/* Operations first to last of the function on top of the stack, timed. */
static double run_batch(lua_State *L, long first, long last) {
  double start = now_us();
  lua_pushvalue(L, -1);
  lua_pushinteger(L, first);
  lua_pushinteger(L, last);
  if (lua_pcall(L, 2, 0, 0) != 0) die(L);
  return now_us() - start;
}

static double microseconds_per_operation(const char *file, const char *name,
                                         size_t size, double budget_us) {
  double spent = 0;
  long batch = (long)(BATCH_BYTES / size);
  long done = 0;
  long at = 1;
  lua_State *L = luaL_newstate();
  if (batch < 4) batch = 4;
  if (batch > BATCH_MAX) batch = BATCH_MAX;
  luaL_openlibs(L);
  if (luaL_dofile(L, file) != 0) die(L);
  lua_getfield(L, -1, name);
  if (!lua_isfunction(L, -1)) {
    fprintf(stderr, "lua_bench: no workload %s\n", name);
    exit(1);
  }
  lua_pushinteger(L, (lua_Integer)size);
  push_random_bytes(L, size + OFFSETS + BATCH_MAX);
  push_words(L, strcmp(name, "gsub") == 0 ? size + OFFSETS + BATCH_MAX : 1);
  if (lua_pcall(L, 3, 1, 0) != 0) die(L);
  lua_gc(L, LUA_GCCOLLECT, 0);

  for (double warm = 0; warm < budget_us / 5; at += batch)
    warm += run_batch(L, at, at + batch - 1);
  while (spent < budget_us) {
    if (at > OFFSETS) at = 1; /* collected long ago */
    spent += run_batch(L, at, at + batch - 1);
    at += batch;
    done += batch;
  }
  lua_close(L);
  return spent / (double)done;
}

int main(int argc, char **argv) {
#ifdef HAVE_MURMURATION
  if (argc == 2 && strcmp(argv[1], "--kernels") == 0) {
    const char *names[16];
    size_t count = mmr3_kernels(names, 16);
    for (size_t i = 0; i < count && i < 16; ++i) puts(names[i]);
    return 0;
  }
  if (argc == 2 && strcmp(argv[1], "--kernel") == 0) {
    puts(mmr3_kernel_name());
    return 0;
  }
#endif
  if (argc < 4) {
    fprintf(stderr,
            "usage: lua_bench WORKLOADS.lua MILLISECONDS NAME:SIZE...\n");
    return 2;
  }
  for (int i = 3; i < argc; ++i) {
    char name[64];
    long size = 0;
    if (sscanf(argv[i], "%63[^:]:%ld", name, &size) != 2 || size < 1) {
      fprintf(stderr, "lua_bench: %s is not NAME:SIZE\n", argv[i]);
      return 2;
    }
    printf("%s %.6f\n", argv[i],
           microseconds_per_operation(argv[1], name, (size_t)size,
                                      atof(argv[2]) * 1e3));
    fflush(stdout);
  }
  return 0;
}
