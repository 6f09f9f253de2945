/* collisions.h: inputs that collide in the public functions, in C99.
 *
 * For every seed, as published (J.-P. Aumasson, D. J. Bernstein, M. Bosslet:
 * "Hash-flooding DoS reloaded", 2012): flip a bit of a mixed word that the
 * state's rotation takes to its top. Multiplying by 5 and adding keep a flipped
 * top bit what it is, so that the next word's mixed top bit takes it back.
 * Mixing can be undone, so words exist for any mixed value. Each pair of words
 * or blocks is one free bit: n pairs are 2^n inputs with one digest.
 *
 * Shares no code with the library. choice has one bit for each pair; inputs of
 * one function with the same number of pairs and different choices differ, have
 * equal lengths, and collide. Which bytes they consist of is fixed.
 */
#ifndef MURMURATION_TESTS_COLLISIONS_H_
#define MURMURATION_TESTS_COLLISIONS_H_

#include <stddef.h>
#include <stdint.h>

/* The one number x with x * odd = 1, modulo 2^64 and so 2^32. */
static inline uint64_t collision_inverse(uint64_t odd) {
  uint64_t inverse = odd; /* right in its low 3 bits; each step doubles them */
  int step;
  for (step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

static inline uint32_t collision_rotate32(uint32_t value, unsigned bits) {
  return value << bits | value >> (32 - bits);
}

static inline uint64_t collision_rotate64(uint64_t value, unsigned bits) {
  return value << bits | value >> (64 - bits);
}

/* How a 32-bit word is mixed: multiply, rotate left, multiply. */
typedef struct {
  uint32_t mul1;
  unsigned rotation;
  uint32_t mul2;
} collision_mix32;

static inline uint32_t collision_mix(uint32_t word, collision_mix32 mix) {
  return collision_rotate32(word * mix.mul1, mix.rotation) * mix.mul2;
}

static inline uint32_t collision_unmix(uint32_t mixed, collision_mix32 mix) {
  uint32_t word = mixed * (uint32_t)collision_inverse(mix.mul2);
  return collision_rotate32(word, 32 - mix.rotation) *
         (uint32_t)collision_inverse(mix.mul1);
}

static inline void collision_put32(unsigned char *out, uint32_t word) {
  int i;
  for (i = 0; i < 4; ++i) out[i] = (unsigned char)(word >> (8 * i));
}

static inline uint32_t collision_get32(const unsigned char *bytes) {
  uint32_t word = 0;
  int i;
  for (i = 3; i >= 0; --i) word = word << 8 | bytes[i];
  return word;
}

/* Any bytes would do; these are the same in every run. */
static inline void collision_fill(unsigned char *out, size_t len) {
  uint32_t state = 2463534242u;
  size_t i;
  for (i = 0; i < len; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    out[i] = (unsigned char)(state >> 24);
  }
}

/* Flips bit `bit` of what the word at `at` is mixed to. */
static inline void collision_flip(unsigned char *at, unsigned bit,
                                  collision_mix32 mix) {
  uint32_t mixed = collision_mix(collision_get32(at), mix);
  collision_put32(at, collision_unmix(mixed ^ (uint32_t)1 << bit, mix));
}

static const collision_mix32 kCollisionX86_32 = {0xcc9e2d51u, 15, 0x1b873593u};

/* x86_32, every seed: out has 8 * pairs bytes. The state's rotation is 13. */
static inline void collision_x86_32(uint32_t choice, size_t pairs,
                                    unsigned char *out) {
  size_t i;
  collision_fill(out, 8 * pairs);
  for (i = 0; i < pairs; ++i) {
    if ((choice >> i & 1) == 0) continue;
    collision_flip(out + 8 * i, 18, kCollisionX86_32);
    collision_flip(out + 8 * i + 4, 31, kCollisionX86_32);
  }
}

/* -------------------------------------------------------------- wide32 */

enum {
  COLLISION_LANES = 128,
  COLLISION_STRIPE = 512 /* bytes that go once round all lanes */
};

/* wide32, every seed: out has two stripes, 1024 bytes. Pair i is lane i's word
 * in both; bit i of choice is bit i % 32 of choice[i / 32]. */
static inline void collision_wide32(const uint32_t choice[4],
                                    unsigned char *out) {
  size_t i;
  collision_fill(out, 2 * COLLISION_STRIPE);
  for (i = 0; i < COLLISION_LANES; ++i) {
    if ((choice[i / 32] >> i % 32 & 1) == 0) continue;
    collision_flip(out + 4 * i, 18, kCollisionX86_32);
    collision_flip(out + COLLISION_STRIPE + 4 * i, 31, kCollisionX86_32);
  }
}

/* Lane j starts with this xor the seed. */
static inline uint32_t collision_lane_start(size_t j) {
  uint32_t h = (uint32_t)j + 1;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  return h ^ h >> 16;
}

/* wide32, every seed, within a stripe: out has 16 * swaps bytes, and swaps is
 * 4, 8, ... or 32. The sum takes pairs of lanes in any order, and what xoring a
 * mixed word into lane j makes can be had in any other lane, whatever the seed:
 * bit i of choice swaps pairs 2i and 2i + 1. */
static inline void collision_wide32_swaps(uint32_t choice, size_t swaps,
                                          unsigned char *out) {
  const collision_mix32 mix = kCollisionX86_32;
  size_t i, k;
  collision_fill(out, 16 * swaps);
  for (i = 0; i < swaps; ++i) {
    if ((choice >> i & 1) == 0) continue;
    for (k = 0; k < 2; ++k) {
      const size_t a = 4 * i + k, b = a + 2;
      const uint32_t starts = collision_lane_start(a) ^ collision_lane_start(b);
      const uint32_t mixed_a = collision_mix(collision_get32(out + 4 * a), mix);
      const uint32_t mixed_b = collision_mix(collision_get32(out + 4 * b), mix);
      collision_put32(out + 4 * a, collision_unmix(mixed_b ^ starts, mix));
      collision_put32(out + 4 * b, collision_unmix(mixed_a ^ starts, mix));
    }
  }
}

static inline uint32_t collision_lane(const unsigned char *bytes, size_t j,
                                      uint32_t seed) {
  const uint32_t mixed =
      collision_mix(collision_get32(bytes + 4 * j), kCollisionX86_32);
  return collision_rotate32(collision_lane_start(j) ^ seed ^ mixed, 13) * 5 +
         0xe6546b64u;
}

/* Writes the word that makes lane j what `lane` says. */
static inline void collision_put_lane(unsigned char *bytes, size_t j,
                                      uint32_t seed, uint32_t lane) {
  const uint32_t state = (lane - 0xe6546b64u) * (uint32_t)collision_inverse(5);
  const uint32_t mixed =
      collision_rotate32(state, 32 - 13) ^ collision_lane_start(j) ^ seed;
  collision_put32(bytes + 4 * j, collision_unmix(mixed, kCollisionX86_32));
}

/* wide32 under the public key and one known seed: out has 128 bytes. Bit i of
 * choice is lanes 2i and 2i + 1, low and high: they add (low + 2^32)(high + 1)
 * and a constant to the sum, and 2u * 3v = 3u * 2v. */
static inline void collision_wide32_known_seed(uint16_t choice, uint32_t seed,
                                               unsigned char *out) {
  size_t i;
  collision_fill(out, 128);
  for (i = 0; i < 16; ++i) {
    /* 2u and 3u are from 2^32 to 2^33, 2v and 3v from 1 to 2^32 */
    const uint32_t u = 0x80000000u + collision_get32(out + 8 * i) % 0x2aaaaaabu;
    const uint32_t v = 1 + collision_get32(out + 8 * i + 4) % 0x55555555u;
    const uint32_t factor = (choice >> i & 1) ? 3 : 2;
    collision_put_lane(out, 2 * i, seed, factor * u); /* less 2^32 */
    collision_put_lane(out, 2 * i + 1, seed, (5 - factor) * v - 1);
  }
}

/* wide32 under the public key and one known seed: changes the last 16 of len
 * bytes so that the lanes add `sum` to the length's part, whatever the others
 * are. len is a multiple of 64 up to 512. A pair with a zero adds the other
 * lane as it is: two pairs are all 64 bits. */
static inline void collision_wide32_any_bytes(uint64_t sum, uint32_t seed,
                                              unsigned char *bytes,
                                              size_t len) {
  const size_t last = len / 4 - 4;
  size_t j;
  for (j = 0; j < last; j += 2) {
    const uint64_t low = collision_lane(bytes, j, seed);
    const uint64_t high = collision_lane(bytes, j + 1, seed);
    sum -= (high << 32) + low + low * high;
  }
  collision_put_lane(bytes, last, seed, (uint32_t)sum);
  collision_put_lane(bytes, last + 1, seed, 0);
  collision_put_lane(bytes, last + 2, seed, 0);
  collision_put_lane(bytes, last + 3, seed, (uint32_t)(sum >> 32));
}

/* ------------------------------------------- the variants of 128 bits */

/* x86_128, every seed: out has 32 * pairs bytes. In the first block of a pair
 * word 0 flips the top of state 1, which is added to state 4: word 3 flips that
 * back. In the second block word 0 flips state 1 back. */
static inline void collision_x86_128(uint32_t choice, size_t pairs,
                                     unsigned char *out) {
  const collision_mix32 word0 = {0x239b961bu, 15, 0xab0e9789u};
  const collision_mix32 word3 = {0xa1e38b93u, 18, 0x239b961bu};
  size_t i;
  collision_fill(out, 32 * pairs);
  for (i = 0; i < pairs; ++i) {
    if ((choice >> i & 1) == 0) continue;
    collision_flip(out + 32 * i, 12, word0);      /* rotated by 19 */
    collision_flip(out + 32 * i + 12, 18, word3); /* rotated by 13 */
    collision_flip(out + 32 * i + 16, 31, word0);
  }
}

static inline void collision_flip64(unsigned char *at, unsigned bit,
                                    uint64_t mul1, unsigned rotation,
                                    uint64_t mul2) {
  uint64_t word = collision_get32(at) | (uint64_t)collision_get32(at + 4) << 32;
  uint64_t mixed = collision_rotate64(word * mul1, rotation) * mul2;
  mixed ^= (uint64_t)1 << bit;
  word = collision_rotate64(mixed * collision_inverse(mul2), 64 - rotation) *
         collision_inverse(mul1);
  collision_put32(at, (uint32_t)word);
  collision_put32(at + 4, (uint32_t)(word >> 32));
}

/* x64_128, every seed: out has 32 * pairs bytes. In the first block of a pair
 * word 0 flips the top of state 1, which is added to state 2: word 1 flips that
 * back. In the second block word 0 flips state 1 back. */
static inline void collision_x64_128(uint32_t choice, size_t pairs,
                                     unsigned char *out) {
  const uint64_t mul1 = 0x87c37b91114253d5u;
  const uint64_t mul2 = 0x4cf5ad432745937fu;
  size_t i;
  collision_fill(out, 32 * pairs);
  for (i = 0; i < pairs; ++i) {
    if ((choice >> i & 1) == 0) continue;
    collision_flip64(out + 32 * i, 36, mul1, 31, mul2);     /* rotated by 27 */
    collision_flip64(out + 32 * i + 8, 32, mul2, 33, mul1); /* rotated by 31 */
    collision_flip64(out + 32 * i + 16, 63, mul1, 31, mul2);
  }
}

#endif /* MURMURATION_TESTS_COLLISIONS_H_ */
