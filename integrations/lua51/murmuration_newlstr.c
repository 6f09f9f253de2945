/* murmuration_newlstr.c: luaS_newlstr of Lua 5.1, hashing large strings with
 * wide32.
 *
 * Compiled in a Lua source tree beside lstring.c, whose own luaS_newlstr is
 * renamed on the command line; everything else in lstring.c stays in use.
 * apply.sh sets that up. A string's way through this file:
 *
 *   below 64 bytes       MurmurHash3 x86_32, inline; find it or create it
 *   below the copy size  wide32 through mmr3_lua_hash; find it or create it
 *   from there on        the last one again? else wide32 and the copy in one
 *                        pass into a new string, which is thrown away if the
 *                        table has one already
 */
#include <stddef.h>
#include <string.h>

#define murmuration_newlstr_c
#define LUA_CORE

#include "lua.h"
/* lua.h comes first in every file of Lua's core */
#include "lgc.h"
#include "lmem.h"
#include "lobject.h"
#include "lstate.h"
#include "lstring.h"
#include "murmuration.h"
#include "murmuration_x86_32.h"

/* Where a new string is made in one pass with its hash. Measured on Emerald
 * Rapids: a new string gains 3 % at 4096 bytes and 28 % at 16 KB and 100 KB;
 * from 512 or 1024 bytes on it would gain nothing that can be told from noise,
 * and a string that the table has would lose 5 to 10 %. */
#ifndef MURMURATION_COPY_MIN
#define MURMURATION_COPY_MIN 4096
#endif

/* How many large strings of this thread in a row the table had already. After
 * KNOWN_MAX of them the next one is looked up before it is copied: eight
 * strings made again in turn take 25 to 30 % less time, at 4 and 16 KB. With a
 * new string now and then, copying at once stays the better guess. */
#define KNOWN_MAX 2
static __thread int known_in_a_row;

/* Length and hash of this thread's last large string. One of the same length
 * may be the same again: it is looked up under that hash before its own is
 * computed, and takes a third of the time (Emerald Rapids, 4 to 100 KB). Bytes
 * are compared, so a wrong guess is only a comparison too many, at worst of
 * strings that differ at their ends alone. No pointer to a string is kept, so
 * none can outlive it. */
static __thread size_t last_len;
static __thread unsigned int last_hash;

/* Short strings need no stack frame of large ones. */
#ifdef __GNUC__
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE
#endif

#ifdef MURMURATION_COMPARISON_HASH
/* for benchmarks only: another hash, at every length */
#include "murmuration_comparison.h"
#define INLINE_LIMIT 0x7fffffff
#else
#define INLINE_LIMIT 64 /* where wide32 stops being x86_32 */

static unsigned int inline_hash(const char *str, size_t len) {
  mmr3_key key = *mmr3_lua_key;
  key.seed ^= (uint32_t)len;
  return mmr3_x86_32_inline((const unsigned char *)str, len, key);
}
#endif

static size_t block_size(size_t len) { return sizeof(TString) + len + 1; }

/* The string if the table has it, alive from now on, or NULL. */
static TString *find(lua_State *L, const char *str, size_t len,
                     unsigned int hash) {
  global_State *g = G(L);
  GCObject *o;
  for (o = g->strt.hash[lmod(hash, g->strt.size)]; o != NULL; o = o->gch.next) {
    TString *ts = rawgco2ts(o);
    if (ts->tsv.hash == hash && ts->tsv.len == len &&
        memcmp(getstr(ts), str, len) == 0) {
      if (isdead(g, o)) changewhite(o); /* unreachable, not yet collected */
      return ts;
    }
  }
  return NULL;
}

/* Makes a string of a block that has the bytes in place already. */
static TString *link_into_table(lua_State *L, TString *ts, size_t len,
                                unsigned int hash) {
  stringtable *table = &G(L)->strt;
  GCObject **chain = &table->hash[lmod(hash, table->size)];
  ((char *)(ts + 1))[len] = '\0';
  ts->tsv.tt = LUA_TSTRING;
  ts->tsv.marked = luaC_white(G(L));
  ts->tsv.reserved = 0;
  ts->tsv.hash = hash;
  ts->tsv.len = len;
  ts->tsv.next = *chain;
  *chain = obj2gco(ts);
  /* From a state's first string on, another secret is refused. */
  if (table->nuse++ == 0) (void)mmr3_lua_hash("", 0);
  if (table->nuse > (lu_int32)table->size && table->size <= MAX_INT / 2)
    luaS_resize(L, table->size * 2);
  return ts;
}

static TString *create(lua_State *L, const char *str, size_t len,
                       unsigned int hash) {
  TString *ts = (TString *)luaM_malloc(L, block_size(len));
  memcpy(ts + 1, str, len);
  return link_into_table(L, ts, len, hash);
}

static TString *find_or_create(lua_State *L, const char *str, size_t len,
                               unsigned int hash) {
  TString *ts = find(L, str, len, hash);
  return ts != NULL ? ts : create(L, str, len, hash);
}

/* Memory for a string that may turn out not to be needed, or NULL. Not by
 * luaM_malloc: to have none is no error yet, a string that the table has
 * already needs no memory. */
static TString *try_allocate(lua_State *L, size_t len) {
  global_State *g = G(L);
  return (TString *)(*g->frealloc)(g->ud, NULL, 0, block_size(len));
}

static void give_back(lua_State *L, TString *block, size_t len) {
  global_State *g = G(L);
  (*g->frealloc)(g->ud, block, block_size(len), 0);
}

static OUT_OF_LINE TString *new_large(lua_State *L, const char *str,
                                      size_t len) {
  TString *copy = NULL;
  TString *known;
  unsigned int hash;
  /* before any byte is read: no string is that long */
  if (len >= MAX_SIZET - sizeof(TString)) luaM_toobig(L);
  if (len == last_len) {
    known = find(L, str, len, last_hash);
    if (known != NULL) return known;
  }
  if (known_in_a_row < KNOWN_MAX) copy = try_allocate(L, len);
  hash = copy != NULL ? mmr3_lua_hash_copy((char *)(copy + 1), str, len)
                      : mmr3_lua_hash(str, len);
  last_len = len;
  last_hash = hash;
  known = find(L, str, len, hash);
  if (known != NULL) {
    if (copy != NULL) give_back(L, copy, len);
    if (known_in_a_row < KNOWN_MAX) known_in_a_row++;
    return known;
  }
  known_in_a_row = 0;
  if (copy == NULL) return create(L, str, len, hash);
  G(L)->totalbytes += block_size(len);
  return link_into_table(L, copy, len, hash);
}

TString *luaS_newlstr(lua_State *L, const char *str, size_t len) {
  if (len < INLINE_LIMIT)
    return find_or_create(L, str, len, inline_hash(str, len));
  if (len < MURMURATION_COPY_MIN)
    return find_or_create(L, str, len, mmr3_lua_hash(str, len));
  return new_large(L, str, len);
}
