/* lua_bench.c: times workloads.lua in the Lua it is linked with.
 *
 *   lua_bench WORKLOADS.lua MILLISECONDS    reads lines NAME:SIZE and answers
 *                                           each with microseconds an operation
 *   lua_bench --kernels                     those of this machine
 *   lua_bench --kernel                      the active one
 *
 * So whoever asks can take turns between several of these programs. Each line
 * gets a process and a lua_State of its own, a short warm-up, and then whole
 * batches until the milliseconds are over. Compiled with HAVE_MURMURATION when
 * the Lua has Murmuration in it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#ifdef HAVE_MURMURATION
#include "murmuration.h"
#endif

enum {
  OFFSETS = 1 << 20,      /* of substrings */
  VALUE_BYTES = 64 << 20, /* more than a cache holds */
  BATCH_BYTES = 1 << 19,
  BATCH_MAX = 2000
};

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

/* Where strings come from. Static, so that no malloc and free of the driver
 * changes how the C library treats the blocks of Lua. */
static char random_bytes[VALUE_BYTES];
static char words[OFFSETS + 65536];

static void fill_sources(void) {
  uint32_t r = 2463534242u;
  for (size_t i = 0; i + 4 <= sizeof random_bytes; i += 4) {
    r ^= r << 13;
    r ^= r >> 17;
    r ^= r << 5;
    memcpy(random_bytes + i, &r, 4);
  }
  for (size_t i = 0; i < sizeof words; ++i) {
    unsigned byte = (unsigned char)random_bytes[i];
    words[i] = byte < 40 ? ' ' : (char)('a' + byte % 26);
  }
}

/* value(i, size): a string out of a large store, as a server hands out its
 * values: most of the bytes are in no cache. */
static int value(lua_State *L) {
  size_t number = (size_t)lua_tointeger(L, 1);
  size_t size = (size_t)lua_tointeger(L, 2);
  size_t per_lap = (VALUE_BYTES - 4096) / size;
  size_t lap = number / per_lap;
  lua_pushlstring(L, random_bytes + number % per_lap * size + lap % 4096, size);
  return 1;
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
  lua_pushlstring(L, random_bytes, OFFSETS + BATCH_MAX + size);
  lua_pushlstring(L, words, sizeof words);
  lua_pushcfunction(L, value);
  if (lua_pcall(L, 4, 1, 0) != 0) die(L);
  lua_gc(L, LUA_GCCOLLECT, 0);

  for (double warm = 0; warm < budget_us / 5; at += batch)
    warm += run_batch(L, at, at + batch - 1);
  while (spent < budget_us) {
    if (at > OFFSETS) at = 1; /* collected long ago */
    spent += run_batch(L, at, at + batch - 1);
    at += batch;
    done += batch;
  }
  return spent / (double)done; /* the process ends: no lua_close */
}

int main(int argc, char **argv) {
  char line[128];
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
  if (argc != 3) {
    fprintf(stderr, "usage: lua_bench WORKLOADS.lua MILLISECONDS\n");
    return 2;
  }
  fill_sources();
  while (fgets(line, sizeof line, stdin) != NULL) {
    char name[64];
    long size = 0;
    pid_t child;
    int status = 1;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%63[^:]:%ld", name, &size) != 2 || size < 1 ||
        size > 16 << 20) {
      fprintf(stderr, "lua_bench: %s is not NAME:SIZE\n", line);
      return 2;
    }
    child = fork();
    if (child == 0) {
      printf("%.6f\n", microseconds_per_operation(argv[1], name, (size_t)size,
                                                  atof(argv[2]) * 1e3));
      fflush(stdout);
      _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      fprintf(stderr, "lua_bench: %s did not finish\n", line);
      return 1;
    }
  }
  return 0;
}
