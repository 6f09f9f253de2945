/* Routes keys to the shards of a service: reads one key a line and prints
 * "SHARD KEY" for each.
 *
 * All keys of a batch are hashed in one call. A shard is chosen from the digest
 * by jump consistent hashing (Lamping and Veach, 2014): every shard gets its
 * share, and when one is added, only the keys that it gets move. Digests are
 * MurmurHash3's own, so that services in other languages route alike. */
#define _POSIX_C_SOURCE 200809L /* getline */

#include <murmuration.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBatchKeys = 1024 };

/* The shard, from 0 to shards - 1, of a key with this digest. */
static long choose_shard(uint64_t digest, long shards) {
  long shard = 0;
  double next = 0;
  while (next < (double)shards) {
    shard = (long)next;
    digest = digest * 2862933555777941757u + 1;
    next = (double)(shard + 1) * 2147483648.0 / (double)((digest >> 33) + 1);
  }
  return shard;
}

/* Routes the keys of one batch and frees them. */
static void route(char *keys[], size_t lens[], size_t n, long shards) {
  uint64_t digests[2 * kBatchKeys];
  mmr3_x64_128_batch((const void *const *)keys, lens, n, 0, digests);
  for (size_t i = 0; i < n; ++i) {
    printf("%ld ", choose_shard(digests[2 * i], shards));
    fwrite(keys[i], 1, lens[i], stdout);
    putchar('\n');
    free(keys[i]);
  }
}

int main(int argc, char **argv) {
  const long shards = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
  if (shards < 1) {
    fputs("usage: partitioner SHARDS <KEYS\n", stderr);
    return 2;
  }
  char *keys[kBatchKeys];
  size_t lens[kBatchKeys], n = 0, capacity = 0;
  char *line = NULL;
  for (ssize_t got; (got = getline(&line, &capacity, stdin)) >= 0;) {
    if (got > 0 && line[got - 1] == '\n') --got;
    keys[n] = line;
    lens[n++] = (size_t)got;
    line = NULL; /* the batch owns it now */
    if (n == kBatchKeys) {
      route(keys, lens, n, shards);
      n = 0;
    }
  }
  free(line);
  route(keys, lens, n, shards);
  return ferror(stdin) || fflush(stdout) != 0 ? 1 : 0;
}
