/* A secret of one copy of the library in a process leaves the other copy alone.
 * One is in this program, which exports its symbols as servers do, one in a
 * shared object: one of them in a Lua of apply.sh's making, the other from the
 * archive.
 *
 *   two_copies OBJECT program|object    which of the two gets the secret
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "copy.h"
#include "murmuration.h"

extern const struct copy copy_of_program;

static const unsigned char secret[16] = "sixteen secrets";
static int failures;

static void expect_hash(const char *whose, const struct copy *copy,
                        const unsigned char key_secret[16]) {
  static char str[5000];
  const size_t lengths[] = {5, 200, sizeof str};
  size_t i;
  memset(str, 's', sizeof str);
  for (i = 0; i < 3; ++i) {
    const mmr3_key key = mmr3_key_from_secret(key_secret, (uint32_t)lengths[i]);
    const uint32_t expected = mmr3_wide32_keyed(str, lengths[i], &key);
    const int64_t actual = copy->hash(str, lengths[i]);
    if (actual == (int64_t)expected) continue;
    fprintf(stderr, "failed: %s hashes %u bytes to %llx, not %x\n", whose,
            (unsigned)lengths[i], (unsigned long long)actual,
            (unsigned)expected);
    ++failures;
  }
}

int main(int argc, char **argv) {
  static const unsigned char none[16];
  const struct copy *copy_of_object;
  void *object = argc == 3 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int to_program;
  if (object == NULL) {
    fprintf(stderr, "two_copies OBJECT program|object: %s\n",
            argc == 3 ? dlerror() : "wrong usage");
    return 2;
  }
  copy_of_object = (const struct copy *)dlsym(object, "copy_of_object");
  if (copy_of_object == NULL) {
    fprintf(stderr, "two_copies: %s\n", dlerror());
    return 2;
  }
  to_program = strcmp(argv[2], "program") == 0;
  /* The other one has hashed before, the first one has not: a secret comes
   * first. */
  expect_hash("the copy without a secret, before",
              to_program ? copy_of_object : &copy_of_program, none);
  (to_program ? &copy_of_program : copy_of_object)->set_secret(secret);
  expect_hash("the program", &copy_of_program, to_program ? secret : none);
  expect_hash("the object", copy_of_object, to_program ? none : secret);
  return failures == 0 ? 0 : 1;
}
