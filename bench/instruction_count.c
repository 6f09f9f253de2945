/* One call, for an emulator that counts instructions (bench/run-arch.sh).
 *
 *   instruction_count KERNEL FUNCTION LENGTH
 *   instruction_count list      the kernels that run here
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "murmuration.h"

static unsigned char data[1 << 16];
static unsigned char copy[1 << 16];

int main(int argc, char **argv) {
  uint32_t out[4];
  uint64_t out64[2];
  size_t len;
  const char *function;
  if (argc == 2 && strcmp(argv[1], "list") == 0) {
    const char *names[16];
    const size_t count = mmr3_kernels(names, 16);
    size_t i;
    for (i = 0; i < count && i < 16; ++i) puts(names[i]);
    return 0;
  }
  if (argc != 4 || mmr3_use_kernel(argv[1]) != 0) return 2;
  function = argv[2];
  len = strtoul(argv[3], NULL, 10);
  if (len > sizeof data) return 2;
  if (strcmp(function, "x86_32") == 0)
    out[0] = mmr3_x86_32(data, len, 0);
  else if (strcmp(function, "x86_128") == 0)
    mmr3_x86_128(data, len, 0, out);
  else if (strcmp(function, "x64_128") == 0)
    mmr3_x64_128(data, len, 0, out64);
  else if (strcmp(function, "wide32") == 0)
    out[0] = mmr3_wide32(data, len, 0);
  else if (strcmp(function, "wide32_copy") == 0)
    out[0] = mmr3_wide32_copy(copy, data, len, 0);
  else
    return 2;
  return 0;
}
