/* What the shared object of plugin.c offers, under the name "plugin". */
#ifndef MURMURATION_TESTS_ARCHIVE_PLUGIN_H
#define MURMURATION_TESTS_ARCHIVE_PLUGIN_H

#include "murmuration.h"

struct plugin {
  uint32_t (*digest)(const void *data, size_t len);
  void (*standard)(const void *data, size_t len, uint64_t out[2]);
  int (*use_kernel)(const char *name);
  const char *(*kernel_name)(void);
  const mmr3_lua_hash_fn *lua_hash;
};

#endif
