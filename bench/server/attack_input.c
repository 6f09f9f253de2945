/* attack_input.c: writes the input of bench/server/attack.py.
 *
 *   attack_input keys|cjson random|colliding COUNT
 *
 *   keys   COUNT strings of 128 bytes, one after the other
 *   cjson  a JSON object that has them as keys
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/attack_strings.h"

static unsigned char strings[ATTACK_MOST * ATTACK_LENGTH];
static char json[ATTACK_JSON_MOST];

int main(int argc, char **argv) {
  const long count = argc == 4 ? atol(argv[3]) : 0;
  const int cjson = argc == 4 && strcmp(argv[1], "cjson") == 0;
  const int colliding = argc == 4 && strcmp(argv[2], "colliding") == 0;
  const void *output = strings;
  size_t size;
  if (count < 1 || count > ATTACK_MOST ||
      (!cjson && strcmp(argv[1], "keys") != 0) ||
      (!colliding && strcmp(argv[2], "random") != 0)) {
    fprintf(stderr, "usage: attack_input keys|cjson random|colliding COUNT\n");
    return 2;
  }
  attack_strings(colliding, (size_t)count, strings);
  size = (size_t)count * ATTACK_LENGTH;
  if (cjson) {
    size = attack_json(strings, (size_t)count, json);
    output = json;
  }
  if (fwrite(output, 1, size, stdout) != size || fflush(stdout) != 0) {
    perror("attack_input");
    return 1;
  }
  return 0;
}
