#include "string_table_check.h"

#include <string.h>

#define LUA_CORE

#include "lua.h"
/* lua.h comes first in every file of Lua's core */
#include "lobject.h"
#include "lstate.h"
#include "lstring.h"
#ifdef HAVE_MURMURATION
#include "murmuration.h"
#endif

static int is_twice(GCObject *o) {
  const TString *ts = rawgco2ts(o);
  for (o = o->gch.next; o != NULL; o = o->gch.next) {
    const TString *other = rawgco2ts(o);
    if (other->tsv.len == ts->tsv.len &&
        memcmp(getstr(other), getstr(ts), ts->tsv.len) == 0)
      return 1;
  }
  return 0;
}

const char *string_table_fault(lua_State *L) {
  const stringtable *table = &G(L)->strt;
  size_t count = 0;
  int i;
  for (i = 0; i < table->size; ++i) {
    GCObject *o;
    for (o = table->hash[i]; o != NULL; o = o->gch.next) {
      const TString *ts = rawgco2ts(o);
      if (o->gch.tt != LUA_TSTRING) return "no string in the table";
      if (lmod(ts->tsv.hash, table->size) != i) return "string in wrong chain";
      if (getstr(ts)[ts->tsv.len] != '\0') return "string without its zero";
#ifdef HAVE_MURMURATION
      if (ts->tsv.hash != mmr3_lua_hash(getstr(ts), ts->tsv.len))
        return "string with wrong hash";
#endif
      if (is_twice(o)) return "string twice in the table";
      if (++count > table->nuse) return "more strings than counted";
    }
  }
  return count == table->nuse ? NULL : "fewer strings than counted";
}
