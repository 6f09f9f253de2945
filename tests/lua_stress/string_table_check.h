/* A walk over the string table of a Lua state, for tests. */
#ifndef MURMURATION_TESTS_STRING_TABLE_CHECK_H_
#define MURMURATION_TESTS_STRING_TABLE_CHECK_H_

#include <stddef.h>

struct lua_State;

/* Null if the table of L's strings is whole: every string is in the chain that
 * its hash says, ends in a zero byte, is there once, and has the hash that
 * mmr3_lua_hash gives its bytes (in a Lua without Murmuration that is left
 * out); and there are as many as the table counts. Else what is wrong. */
const char *string_table_fault(struct lua_State *L);

#endif /* MURMURATION_TESTS_STRING_TABLE_CHECK_H_ */
