/* A shared object with a copy of the library of its own. */
#include "plugin.h"

#include "murmuration.h"

static uint32_t digest(const void *data, size_t len) {
  return mmr3_wide32(data, len, 7);
}
static void standard(const void *data, size_t len, uint64_t out[2]) {
  mmr3_x64_128(data, len, 7, out);
}

__attribute__((visibility("default"))) const struct plugin plugin = {
    digest, standard, mmr3_use_kernel, mmr3_kernel_name, &mmr3_lua_hash};
