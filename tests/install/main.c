/* What somebody else's program may look like. */
#include <murmuration.h>
#include <stdio.h>

int main(void) {
  /* The published value of MurmurHash3's test string. */
  const char fox[] = "The quick brown fox jumps over the lazy dog";
  const uint32_t digest = mmr3_wide32(fox, sizeof fox - 1, 0x9747b28cu);
  printf("%08x\n", (unsigned)digest);
  return digest == 0x2fa826cdu ? 0 : 1;
}
