/* murmuration_x86_32.h alone, as C99 or C++, linked with no library: 0 when its
 * digests are the published ones (tests/vectors/murmur3.tsv, tests/oracle). */
#include <murmuration_x86_32.h>

static const struct {
  const char *text;
  size_t len;
  uint32_t seed, digest;
} known[] = {
    {"", 0, 0, 0},
    {"", 0, 0xffffffffu, 0x81f16f39u},
    {"\xff", 1, 0, 0xfd6cf10du},
    {"abc", 3, 0, 0xb3dd93fau},
    {"test", 4, 0, 0xba6bd213u},
    {"\xff\xff\xff\xff", 4, 0, 0x76293b50u},
    {"today", 5, 0, 0xfea32af2u},
    {"The quick brown fox jumps over the lazy dog", 43, 0x9747b28cu,
     0x2fa826cdu},
};

int main(void) {
  size_t i;
  for (i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (mmr3_x86_32_inline(known[i].text, known[i].len,
                           mmr3_public_key(known[i].seed)) != known[i].digest)
      return 1;
  return mmr3_x86_32_inline(NULL, 0, mmr3_public_key(0)) == 0 ? 0 : 1;
}
