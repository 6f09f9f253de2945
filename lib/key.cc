#include <errno.h>
#include <sys/random.h>

#include "murmuration_x86_32.h"

mmr3_key mmr3_key_from_secret(const unsigned char secret[16], uint32_t seed) {
  return {seed ^ mmr3_load_le32(secret), mmr3_load_le32(secret + 4),
          MMR3_PUBLIC_MUL1 ^ mmr3_load_le32(secret + 8) << 1,
          MMR3_PUBLIC_MUL2 ^ mmr3_load_le32(secret + 12) << 1};
}

int mmr3_key_random(mmr3_key* key) {
  unsigned char secret[16];
  ssize_t filled;
  // Up to 256 bytes come whole, or not at all.
  do filled = getrandom(secret, sizeof secret, 0);
  while (filled < 0 && errno == EINTR);
  if (filled != static_cast<ssize_t>(sizeof secret))
    return filled < 0 ? errno : EIO;
  *key = mmr3_key_from_secret(secret, 0);
  return 0;
}
