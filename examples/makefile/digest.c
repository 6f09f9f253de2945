/* Prints the wide32 digest of standard input and the kernel that computed it.
 * Holds the input in memory: at most 1 MiB of it. */
#include <murmuration.h>
#include <stdio.h>

static char input[1 << 20];

int main(void) {
  const size_t len = fread(input, 1, sizeof input, stdin);
  printf("%08x %s\n", (unsigned)mmr3_wide32(input, len, 0), mmr3_kernel_name());
  return ferror(stdin) ? 1 : 0;
}
