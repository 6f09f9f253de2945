/* Prints what this process got: "KERNEL secure" in a set-user-id program, else
 * "KERNEL". Fails unless each supported kernel computes what it should. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "murmuration.h"

int main(void) {
  const char *chosen = mmr3_kernel_name();
  const char *names[16];
  const size_t count = mmr3_kernels(names, 16);
  char data[1000];
  size_t i;
  memset(data, 'm', sizeof data);
  for (i = 0; i < count && i < 16; ++i) {
    if (mmr3_use_kernel(names[i]) != 0 ||
        mmr3_wide32(data, sizeof data, 0) != 0xc7b60809u) { /* tests/oracle */
      fprintf(stderr, "kernel_probe: %s is wrong\n", names[i]);
      return 1;
    }
  }
  printf("%s%s\n", chosen, getauxval(AT_SECURE) != 0 ? " secure" : "");
  return 0;
}
