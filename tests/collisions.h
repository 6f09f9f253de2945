/* collisions.h: inputs that collide in the public functions, in C99.
 *
 * For every seed (J.-P. Aumasson, D. J. Bernstein, M. Bosslet: "Hash-flooding
 * DoS reloaded", 2012): flip a bit of a mixed word that the state's rotation
 * takes to its top. Multiplying by 5 and adding keep a flipped top bit what it
 * is, so that the next word's mixed top bit takes it back. Mixing can be
 * undone, so words exist for any mixed value. Each pair of words or blocks is
 * one free bit: n pairs are 2^n inputs with one digest.
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

/* wide32, every seed: out has 256 bytes, two stripes. Pair i, at most 32 of
 * them, is lane i's word in both. */
static inline void collision_wide32(uint32_t choice, unsigned char *out) {
  size_t i;
  collision_fill(out, 256);
  for (i = 0; i < 32; ++i) {
    if ((choice >> i & 1) == 0) continue;
    collision_flip(out + 4 * i, 18, kCollisionX86_32);
    collision_flip(out + 128 + 4 * i, 31, kCollisionX86_32);
  }
}

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

static inline uint32_t collision_round(uint32_t state, uint32_t mixed) {
  return collision_rotate32(state ^ mixed, 13) * 5 + 0xe6546b64u;
}

/* wide32 under the public key and one known seed: out has 128 bytes, a single
 * stripe. Bit i of choice, i < 16, is lanes i and i + 16: another word in lane
 * i + 16, and in lane i the word that takes its effect back when the two are
 * folded. */
static inline void collision_wide32_known_seed(uint16_t choice, uint32_t seed,
                                               unsigned char *out) {
  const collision_mix32 mix = kCollisionX86_32;
  size_t i;
  collision_fill(out, 128);
  for (i = 0; i < 16; ++i) {
    unsigned char *low = out + 4 * i;
    unsigned char *high = out + 64 + 4 * i;
    uint32_t start[2], lane_low, lane_high, changed_high;
    int k;
    if ((choice >> i & 1) == 0) continue;
    for (k = 0; k < 2; ++k) {
      uint32_t h = (uint32_t)i + (k ? 16 : 0) + 1;
      h = (h ^ h >> 16) * 0x85ebca6bu;
      h = (h ^ h >> 13) * 0xc2b2ae35u;
      start[k] = h ^ h >> 16 ^ seed;
    }
    lane_low =
        collision_round(start[0], collision_mix(collision_get32(low), mix));
    lane_high =
        collision_round(start[1], collision_mix(collision_get32(high), mix));
    collision_put32(high, collision_get32(high) ^ 0x5a5a5a5au);
    changed_high =
        collision_round(start[1], collision_mix(collision_get32(high), mix));
    /* lane_low ^ mix(lane_high) is what folding takes in */
    lane_low ^=
        collision_mix(lane_high, mix) ^ collision_mix(changed_high, mix);
    lane_low = (lane_low - 0xe6546b64u) * (uint32_t)collision_inverse(5);
    lane_low = collision_rotate32(lane_low, 32 - 13) ^ start[0];
    collision_put32(low, collision_unmix(lane_low, mix));
  }
}

#endif /* MURMURATION_TESTS_COLLISIONS_H_ */
