// Lua 5.1's own headers, the internal ones too, for C++.
#ifndef MURMURATION_TESTS_LUA_LUA_INTERNALS_H_
#define MURMURATION_TESTS_LUA_LUA_INTERNALS_H_

extern "C" {
#include "lua.h"
// lua.h comes first
#include "lauxlib.h"
#include "lgc.h"
#include "lobject.h"
#include "lstate.h"
#include "lstring.h"
#include "lualib.h"
}

#endif  // MURMURATION_TESTS_LUA_LUA_INTERNALS_H_
