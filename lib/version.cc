#include "murmuration.h"

#define MMR3_TEXT_OF(number) #number
#define MMR3_TEXT(number) MMR3_TEXT_OF(number)

const char* mmr3_version(void) {
  return MMR3_TEXT(MMR3_VERSION_MAJOR) "." MMR3_TEXT(
      MMR3_VERSION_MINOR) "." MMR3_TEXT(MMR3_VERSION_PATCH);
}
