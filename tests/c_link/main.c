/* The interface from plain C: built as strict C99, linked by the C compiler
 * with the archive and nothing else. Prints nothing when all is well. */
#include <stdio.h>
#include <string.h>

#include "murmuration.h"

static int failures;

static void check(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "failed: %s\n", what);
  ++failures;
}

int main(void) {
  static const char fox[] = "The quick brown fox jumps over the lazy dog";
  const size_t len = sizeof fox - 1;
  char copy[sizeof fox];
  unsigned char high[299];
  size_t i;
  uint32_t x86_128[4];
  uint64_t x64_128[2];
  const unsigned char zero[16] = {0};
  mmr3_key key = mmr3_key_from_secret(zero, 0x9747b28cu);
  mmr3_key random = {0, 0, 0, 0};
  const char *kernel;

  /* Published values: MurmurHash3's own test string. */
  check(mmr3_x86_32(fox, len, 0x9747b28cu) == 0x2fa826cdu, "x86_32");
  check(mmr3_x86_32_keyed(fox, len, &key) == 0x2fa826cdu, "x86_32_keyed");
  check(mmr3_wide32(fox, len, 0x9747b28cu) == 0x2fa826cdu, "wide32");
  check(mmr3_wide32_keyed(fox, len, &key) == 0x2fa826cdu, "wide32_keyed");
  mmr3_x64_128(fox, len, 0, x64_128);
  check(x64_128[0] == 0xe34bbc7bbc071b6cu && x64_128[1] == 0x7a433ca9c49a9347u,
        "x64_128");
  mmr3_x86_128(fox, 0, 0x7bu, x86_128);
  check(x86_128[0] == 0xfedc5245u && x86_128[1] == 0x26f3e799u, "x86_128");
  /* Bytes above 0x7f, in blocks and tails: tests/oracle. */
  for (i = 0; i < sizeof high; ++i)
    high[i] = (unsigned char)(0x80u | (i * 7 & 0x7f));
  check(mmr3_x86_32(high, sizeof high, 1) == 0x21771768u, "x86_32, high");
  check(mmr3_wide32(high, sizeof high, 1) == 0x24dd7facu, "wide32, high");
  mmr3_x86_128(high, sizeof high, 1, x86_128);
  check(x86_128[0] == 0x91c8542eu && x86_128[3] == 0xc4cb4500u,
        "x86_128, high");
  mmr3_x64_128(high, sizeof high, 1, x64_128);
  check(x64_128[0] == 0xe77f173966c80b96u && x64_128[1] == 0x665c85ae54d827e4u,
        "x64_128, high");
  check(mmr3_wide32_copy(copy, fox, sizeof fox, 1) ==
                mmr3_wide32(fox, sizeof fox, 1) &&
            strcmp(copy, fox) == 0,
        "wide32_copy");
  check(mmr3_wide32_copy_keyed(copy, fox, len, &key) == 0x2fa826cdu,
        "wide32_copy_keyed");
  check(mmr3_lua_set_secret(zero) == 0, "lua_set_secret");
  check(mmr3_lua_hash("hello", 5) == 0x7b258471u, "lua_hash");
  check(mmr3_lua_hash_copy(copy, "hello", 5) == 0x7b258471u, "lua_hash_copy");
  check(mmr3_lua_set_secret(zero) == -1, "lua_set_secret after a hash");
  check(mmr3_lua_key->mul1 == 0xcc9e2d51u, "lua_key");
  check(mmr3_key_random(&random) == 0 && (random.mul1 & 1) == 1, "key_random");
  check(mmr3_kernels(&kernel, 1) >= 1, "kernels");
  check(strcmp(kernel, mmr3_kernel_name()) == 0, "kernel_name");
  check(mmr3_use_kernel("scalar") == 0, "use_kernel");
  check(mmr3_wide32_resolve()(fox, len, 0x9747b28cu) == 0x2fa826cdu, "resolve");
  check(strlen(mmr3_version()) >= 5, "version");
  return failures == 0 ? 0 : 1;
}
