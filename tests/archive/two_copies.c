/* Two copies of the library in a process: one in the program, one in a shared
 * object that it loads, twice. They agree, and each has its own kernel. Prints
 * nothing when all is well.
 *
 *   two_copies PLUGIN
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "murmuration.h"
#include "plugin.h"

static int failures;

static void check(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

static void compare(const struct plugin *plugin) {
  static char data[5000];
  size_t len;
  memset(data, 'm', sizeof data);
  for (len = 0; len <= sizeof data; len += 1 + len / 16) {
    uint64_t mine[2], theirs[2];
    mmr3_x64_128(data, len, 7, mine);
    plugin->standard(data, len, theirs);
    check(memcmp(mine, theirs, sizeof mine) == 0, "x64_128 agrees");
    check(plugin->digest(data, len) == mmr3_wide32(data, len, 7),
          "wide32 agrees");
    check((*plugin->lua_hash)(data, len) == mmr3_lua_hash(data, len),
          "lua_hash agrees");
  }
}

int main(int argc, char **argv) {
  int time;
  if (argc != 2) {
    fprintf(stderr, "usage: two_copies PLUGIN\n");
    return 2;
  }
  for (time = 0; time < 2; ++time) {
    void *object = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    const struct plugin *plugin;
    const char *best = mmr3_kernel_name();
    if (object == NULL) {
      fprintf(stderr, "cannot load: %s\n", dlerror());
      return 1;
    }
    plugin = (const struct plugin *)dlsym(object, "plugin");
    if (plugin == NULL) {
      fprintf(stderr, "cannot find: %s\n", dlerror());
      return 1;
    }
    check(strcmp(plugin->kernel_name(), best) == 0, "both choose one kernel");
    compare(plugin);
    check(plugin->use_kernel("scalar") == 0, "use_kernel");
    /* Where the program's symbols come first there is one copy, not two. */
    if (plugin->use_kernel != mmr3_use_kernel)
      check(strcmp(mmr3_kernel_name(), best) == 0, "the other kernel stays");
    compare(plugin);
    check(dlclose(object) == 0, "unload");
    check(dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) == NULL, "it is unloaded");
  }
  return failures == 0 ? 0 : 1;
}
