/* Strings around the thresholds of luaS_newlstr, made, found again and dropped
 * under an allocator that fails at random, with the collector in every mode.
 *
 *   lua_stress OPERATIONS [SEED]
 *
 * Every string that lives is compared with what it has to be and made again,
 * which has to find it; the string table is walked; at the end no byte is left.
 * Exit status: 0, 1 with one line of what is wrong, 2 for wrong usage.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "murmuration.h"
#include "string_table_check.h"

enum {
  SLOTS = 512,
  CONTENTS = 40, /* few, so that strings are often found again */
  MAX_LENGTH = 20000,
  WALK_EVERY = 5000
};

static void die(const char *what, const char *detail) {
  fprintf(stderr, "lua_stress: %s%s%s\n", what, detail[0] ? ": " : "", detail);
  exit(1);
}

/* ------------------------------------------------------- random numbers */

static uint32_t random_state;

static uint32_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

static uint32_t below(uint32_t limit) { return next_random() % limit; }

/* ------------------------------------------------------------ allocator */

static size_t bytes_in_use;
static size_t failures;
/* one allocation of so many fails; 0: none */
static uint32_t fail_one_of;

/* Blocks remember their size, so that a wrong one given back is seen. */
typedef union {
  size_t size;
  long double alignment;
} header;

static void *allocate(void *unused, void *block, size_t old_size,
                      size_t new_size) {
  header *old = block == NULL ? NULL : (header *)block - 1;
  header *fresh;
  (void)unused;
  if (old != NULL && old->size != old_size)
    die("a block was given back with another size", "");
  if (new_size == 0) {
    if (old != NULL) bytes_in_use -= old->size;
    free(old);
    return NULL;
  }
  /* Lua relies on blocks that shrink without failing */
  if (fail_one_of != 0 && new_size > old_size && below(fail_one_of) == 0) {
    ++failures;
    return NULL;
  }
  fresh = malloc(sizeof(header) + new_size);
  if (fresh == NULL) die("out of memory", "");
  memset(fresh + 1, 0xa5, new_size);
  fresh->size = new_size;
  if (old != NULL) {
    memcpy(fresh + 1, old + 1, old_size < new_size ? old_size : new_size);
    bytes_in_use -= old->size;
    memset(old + 1, 0x5a, old->size);
    free(old);
  }
  bytes_in_use += new_size;
  return fresh + 1;
}

/* -------------------------------------------------------------- strings */

typedef struct {
  int used;
  unsigned content;
  size_t length;
} slot;

static slot slots[SLOTS];

static void write_content(char *out, unsigned content, size_t length) {
  uint32_t state = content * 2654435761u + 1;
  size_t i;
  for (i = 0; i < length; ++i) {
    state = state * 1664525u + 1013904223u;
    out[i] = (char)(state >> 24);
  }
}

static size_t random_length(void) {
  static const size_t edges[] = {0,    1,    31,   32,   40,   63,        64,
                                 65,   128,  511,  512,  513,  1023,      1024,
                                 1025, 4095, 4096, 4097, 8192, MAX_LENGTH};
  if (below(3) == 0) return edges[below(sizeof edges / sizeof edges[0])];
  if (below(8) == 0) return below(MAX_LENGTH + 1);
  return below(600);
}

/* What one protected operation does and whether it came to its end. */
typedef struct {
  slot wanted;
  unsigned index;
  int done;
} request;

static char bytes[2 * MAX_LENGTH];
static char more_bytes[2 * MAX_LENGTH];

/* The table of anchored strings has all its room from the start: to store into
 * it cannot fail. */
static void push_anchors(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, 1); }
static void push_keys(lua_State *L) { lua_rawgeti(L, LUA_REGISTRYINDEX, 2); }

static void expect(int holds, const char *what) {
  if (!holds) die("wrong answer", what);
}

static int store(lua_State *L) {
  request *r = lua_touserdata(L, 1);
  write_content(bytes, r->wanted.content, r->wanted.length);
  push_anchors(L);
  lua_pushlstring(L, bytes, r->wanted.length);
  lua_rawseti(L, -2, (int)r->index + 1);
  r->done = 1;
  return 0;
}

static int drop(lua_State *L) {
  request *r = lua_touserdata(L, 1);
  push_anchors(L);
  lua_pushnil(L);
  lua_rawseti(L, -2, (int)r->index + 1);
  r->done = 1;
  return 0;
}

static int verify(lua_State *L) {
  request *r = lua_touserdata(L, 1);
  const slot *expected = &slots[r->index];
  size_t length;
  const char *text;
  push_anchors(L);
  lua_rawgeti(L, -1, (int)r->index + 1);
  if (!expected->used) {
    expect(lua_isnil(L, -1), "a dropped string is there");
    return 0;
  }
  text = lua_tolstring(L, -1, &length);
  write_content(bytes, expected->content, expected->length);
  expect(text != NULL && length == expected->length, "length");
  expect(memcmp(text, bytes, length) == 0, "bytes");
  lua_pushlstring(L, bytes, length); /* may fail, then the rest is left out */
  expect(lua_rawequal(L, -1, -2), "made again, a string is another");
  r->done = 1;
  return 0;
}

static int concatenate(lua_State *L) {
  request *r = lua_touserdata(L, 1);
  const slot *a = &slots[r->index];
  const slot *b = &slots[(r->index * 7 + 1) % SLOTS];
  size_t length;
  if (!a->used || !b->used) return 0;
  write_content(more_bytes, a->content, a->length);
  write_content(more_bytes + a->length, b->content, b->length);
  push_anchors(L);
  lua_rawgeti(L, -1, (int)r->index + 1);
  lua_rawgeti(L, -2, (int)((r->index * 7 + 1) % SLOTS) + 1);
  lua_concat(L, 2);
  expect(memcmp(lua_tolstring(L, -1, &length), more_bytes,
                a->length + b->length) == 0 &&
             length == a->length + b->length,
         "concatenation");
  lua_pushlstring(L, more_bytes, length);
  expect(lua_rawequal(L, -1, -2), "the concatenation made again is another");
  return 0;
}

static int use_as_key(lua_State *L) {
  request *r = lua_touserdata(L, 1);
  push_keys(L);
  write_content(bytes, r->wanted.content, r->wanted.length);
  lua_pushlstring(L, bytes, r->wanted.length);
  lua_pushinteger(L, (lua_Integer)r->wanted.content);
  lua_rawset(L, -3);
  lua_pushlstring(L, bytes, r->wanted.length);
  lua_rawget(L, -2);
  expect(lua_tointeger(L, -1) == (lua_Integer)r->wanted.content, "table key");
  return 0;
}

static int new_key_table(lua_State *L) {
  lua_newtable(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, 2);
  return 0;
}

static int collect(lua_State *L) {
  switch (below(40)) {
    case 0:
      lua_gc(L, LUA_GCCOLLECT, 0);
      break;
    case 1:
      lua_gc(L, LUA_GCSTOP, 0);
      break;
    case 2:
      lua_gc(L, LUA_GCSETPAUSE, 50 + (int)below(300));
      break;
    case 3:
      lua_gc(L, LUA_GCSETSTEPMUL, 50 + (int)below(600));
      break;
    case 4:
    case 5:
      lua_gc(L, LUA_GCRESTART, 0);
      break;
    default:
      lua_gc(L, LUA_GCSTEP, (int)below(20));
  }
  return 0;
}

static int prepare(lua_State *L) {
  lua_createtable(L, SLOTS, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, 1);
  lua_newtable(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, 2);
  return 0;
}

/* ----------------------------------------------------------------- runs */

static void walk(lua_State *L) {
  const char *fault = string_table_fault(L);
  if (fault != NULL) die("string table", fault);
}

static int run(lua_State *L, lua_CFunction operation, request *r) {
  const int status = lua_cpcall(L, operation, r);
  if (status != 0 && status != LUA_ERRMEM)
    die("unexpected error", lua_tostring(L, -1));
  lua_settop(L, 0);
  return status == 0;
}

/* A state that its allocator lets down while it is made: nothing is left. */
static void fail_while_opening(void) {
  int opened = 0;
  uint32_t one_of;
  for (one_of = 1; one_of < 2000 && opened < 20; one_of += 1 + one_of / 8) {
    lua_State *L;
    fail_one_of = one_of;
    L = lua_newstate(allocate, NULL);
    if (L != NULL) {
      opened += lua_cpcall(L, luaopen_string, NULL) == 0;
      walk(L);
      lua_close(L);
    }
    fail_one_of = 0;
    if (bytes_in_use != 0) die("memory is left of a state that failed", "");
  }
  if (opened == 0) die("no state could be opened", "");
}

static void stress(long operations) {
  lua_State *L = lua_newstate(allocate, NULL);
  long i;
  if (L == NULL || lua_cpcall(L, prepare, NULL) != 0) die("cannot start", "");
  for (i = 0; i < operations; ++i) {
    request r = {{1, 0, 0}, 0, 0};
    r.wanted.content = below(CONTENTS);
    r.wanted.length = random_length();
    r.index = below(SLOTS);
    /* a while without failures, a while with many */
    if (i % 1000 == 0) {
      static const uint32_t rates[] = {0, 3, 10, 50, 300};
      fail_one_of = rates[below(5)];
    }
    switch (below(16)) {
      default:
        run(L, store, &r);
        if (r.done) slots[r.index] = r.wanted;
        break;
      case 8:
      case 9:
        run(L, drop, &r);
        if (r.done) slots[r.index].used = 0;
        break;
      case 10:
        run(L, concatenate, &r);
        break;
      case 11:
      case 12:
        run(L, verify, &r);
        break;
      case 13:
        run(L, use_as_key, &r);
        break;
      case 14:
        run(L, below(50) == 0 ? new_key_table : use_as_key, &r);
        break;
      case 15:
        run(L, collect, &r);
        break;
    }
    if (i % WALK_EVERY == 0) walk(L);
  }
  fail_one_of = 0;
  for (i = 0; i < SLOTS; ++i) {
    request r = {{0, 0, 0}, 0, 0};
    r.index = (unsigned)i;
    run(L, verify, &r);
    if (slots[i].used && !r.done) die("a string was not verified", "");
  }
  walk(L);
  lua_close(L);
  if (bytes_in_use != 0) die("memory is left after lua_close", "");
}

int main(int argc, char **argv) {
  const long operations = argc > 1 ? atol(argv[1]) : 0;
  random_state = argc > 2 ? (uint32_t)atol(argv[2]) : 1;
  if (argc > 3 || operations < 1 || random_state == 0) {
    fprintf(stderr, "usage: lua_stress OPERATIONS [SEED]\n");
    return 2;
  }
  {
    static const unsigned char secret[16] = {9, 8, 7, 6, 5, 4, 3, 2,
                                             1, 2, 3, 4, 5, 6, 7, 8};
    if (next_random() % 2 == 0 && mmr3_lua_set_secret(secret) != 0)
      die("the secret was refused", "");
  }
  fail_while_opening();
  stress(operations);
  printf("%ld operations on %s, %zu allocations failed, nothing left\n",
         operations, mmr3_kernel_name(), failures);
  return failures == 0;
}
