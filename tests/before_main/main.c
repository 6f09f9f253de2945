/* The hash of 1000 bytes 'm' that constructors took before main, in the program
 * and in a shared library. Each has the archive of its own. */
#include <stdint.h>
#include <stdio.h>

extern uint32_t hashed_in_program;
extern uint32_t hashed_in_library;

int main(void) {
  const uint32_t expected = 0xc7b60809u; /* tests/oracle */
  if (hashed_in_program == expected && hashed_in_library == expected) return 0;
  fprintf(stderr, "before main: program %08x, library %08x, expected %08x\n",
          (unsigned)hashed_in_program, (unsigned)hashed_in_library,
          (unsigned)expected);
  return 1;
}
