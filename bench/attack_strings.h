/* attack_strings.h: strings that have one hash in a Lua with Murmuration and
 * without a secret, random ones to compare with, and JSON that has either as
 * keys. For the benchmarks of what an attack costs. */
#ifndef MURMURATION_BENCH_ATTACK_STRINGS_H_
#define MURMURATION_BENCH_ATTACK_STRINGS_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/collisions.h"

enum {
  ATTACK_LENGTH = 128, /* of each string */
  ATTACK_MOST = 65536, /* strings that differ */
  /* each byte as six characters at most, quotes, colon, number, comma */
  ATTACK_JSON_MOST = ATTACK_MOST * (6 * ATTACK_LENGTH + 6) + 2
};

/* The first `count` strings, one after the other. */
static void attack_strings(int colliding, size_t count, unsigned char *out) {
  uint64_t state = 1;
  size_t i, j;
  for (i = 0; i < count; ++i, out += ATTACK_LENGTH) {
    if (colliding) {
      collision_wide32_known_seed((uint16_t)i, ATTACK_LENGTH, out);
      continue;
    }
    for (j = 0; j < ATTACK_LENGTH; ++j) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      out[j] = (unsigned char)(state >> 56);
    }
  }
}

/* One object with the strings as keys. Returns its length. */
static size_t attack_json(const unsigned char *strings, size_t count,
                          char *json) {
  char *out = json;
  size_t i, j;
  *out++ = '{';
  for (i = 0; i < count; ++i) {
    *out++ = '"';
    for (j = 0; j < ATTACK_LENGTH; ++j) {
      const unsigned byte = *strings++;
      if (byte < 0x20 || byte == '"' || byte == '\\')
        out += sprintf(out, "\\u%04x", byte);
      else
        *out++ = (char)byte;
    }
    memcpy(out, "\":1,", 4);
    out += 4;
  }
  out[-1] = '}';
  return (size_t)(out - json);
}

#endif /* MURMURATION_BENCH_ATTACK_STRINGS_H_ */
