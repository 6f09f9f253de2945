/* One call, for an emulator that counts instructions (bench/run-arch.sh).
 *
 *   instruction_count KERNEL FUNCTION LENGTH
 *   instruction_count list      the kernels that run here
 *
 * FUNCTION is x86_32, x86_128, x64_128, wide32 or wide32_copy; or one of the
 * first three as FUNCTION/KEY_LENGTH, for a batch of LENGTH bytes of keys.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "murmuration.h"

static unsigned char data[1 << 16];
static unsigned char copy[1 << 16];
static uint32_t out[1 << 16];
static uint64_t out64[1 << 15];

/* Returns 0, or 2 for an unknown function. */
static int hash_batch(const char *function, size_t key_len, size_t len) {
  const size_t n = len / key_len;
  if (strncmp(function, "x86_32/", 7) == 0)
    mmr3_x86_32_batch_fixed(data, key_len, key_len, n, 0, out);
  else if (strncmp(function, "x86_128/", 8) == 0)
    mmr3_x86_128_batch_fixed(data, key_len, key_len, n, 0, out);
  else if (strncmp(function, "x64_128/", 8) == 0)
    mmr3_x64_128_batch_fixed(data, key_len, key_len, n, 0, out64);
  else
    return 2;
  return 0;
}

int main(int argc, char **argv) {
  size_t len;
  const char *function, *key_length;
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
  key_length = strchr(function, '/');
  if (key_length != NULL) {
    const size_t key_len = strtoul(key_length + 1, NULL, 10);
    return key_len < 4 ? 2 : hash_batch(function, key_len, len);
  }
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
