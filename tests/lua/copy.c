/* The copy of the program, or of the shared object, that this is compiled into:
 * of a Lua that apply.sh put it into (COPY_OF_LUA), or linked from the archive.
 */
#include "copy.h"

#ifdef COPY_OF_LUA
#define LUA_CORE
#include "lua.h"
/* lua.h comes first in every file that sees Lua's core */
#include "lauxlib.h"
#include "lobject.h"
#include "lstate.h"
#endif
#include "murmuration.h"

static void set_secret(const unsigned char secret[16]) {
  (void)mmr3_lua_set_secret(secret);
}

#ifdef COPY_OF_LUA
static int64_t hash(const char *str, size_t len) {
  int64_t result;
  lua_State *L = luaL_newstate();
  if (L == NULL) return -1;
  lua_pushlstring(L, str, len);
  result = rawtsvalue(L->top - 1)->tsv.hash;
  lua_close(L);
  return result;
}
#else
static int64_t hash(const char *str, size_t len) {
  return mmr3_lua_hash(str, len);
}
#endif

extern __attribute__((visibility("default"))) const struct copy COPY_NAME;
const struct copy COPY_NAME = {set_secret, hash};
