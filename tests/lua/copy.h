/* A copy of the library, as one part of a process sees it. */
#ifndef MURMURATION_TESTS_LUA_COPY_H
#define MURMURATION_TESTS_LUA_COPY_H

#include <stddef.h>
#include <stdint.h>

struct copy {
  void (*set_secret)(const unsigned char secret[16]);
  /* what Lua's strings are hashed with; negative: Lua has no memory */
  int64_t (*hash)(const char *str, size_t len);
};

#endif /* MURMURATION_TESTS_LUA_COPY_H */
