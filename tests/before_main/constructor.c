/* Hashes before main: compiled into a program, and into a shared library that
 * the program loads. */
#include <stdint.h>

#include "murmuration.h"

#ifndef RESULT_NAME
#define RESULT_NAME hashed_in_program
#endif

uint32_t RESULT_NAME;

/* the earliest priority that is not the implementation's own */
__attribute__((constructor(101))) static void hash_before_main(void) {
  static unsigned char data[1000];
  static unsigned char copy[1000];
  unsigned char zero[16] = {0};
  mmr3_key key;
  uint32_t hash;
  int i;
  for (i = 0; i < 1000; ++i) data[i] = 'm';
  key = mmr3_key_from_secret(zero, 0);
  hash = mmr3_wide32(data, sizeof data, 0);
  if (mmr3_wide32_copy(copy, data, sizeof data, 0) == hash &&
      mmr3_wide32_keyed(data, sizeof data, &key) == hash &&
      mmr3_kernel_name()[0] != '\0')
    RESULT_NAME = hash;
}
