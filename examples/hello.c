/* A digest of one string: the shortest use of the library. */
#include <murmuration.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const char *text = "hello";
  uint64_t digest[2];
  mmr3_x64_128(text, strlen(text), 0, digest);
  printf("%016llx%016llx\n", (unsigned long long)digest[0],
         (unsigned long long)digest[1]);
  return 0;
}
