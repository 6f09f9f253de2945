/* murmuration_x86_32.h: MurmurHash3 x86_32 with a key, inline, in C99 and C++.
 *
 * For programs that hash many short keys: the compiler sees the whole function,
 * and no call is made. The values are those of mmr3_x86_32:
 *
 *     uint32_t digest = mmr3_x86_32_inline(data, len, mmr3_public_key(seed));
 *
 * and with another mmr3_key those of mmr3_x86_32_keyed. Needs murmuration.h,
 * and no library to link with; docs/short-keys.md tells what it gains.
 *
 * mmr3_public_key and mmr3_x86_32_inline are the interface; the rest is what
 * they are made of. The library includes this file too: it is the one scalar
 * implementation of the round and of short strings.
 *
 * Algorithm: MurmurHash3_x86_32 by Austin Appleby; the key is this library's
 * (docs/wide32.md). Reads [data, data + len) only, bytes are unsigned, any
 * alignment and any byte order. Pure functions, safe from any thread and from
 * signal handlers.
 */
#ifndef MMR3_X86_32_H
#define MMR3_X86_32_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "murmuration.h"

/* Usable in constant expressions where the language has them. */
#if defined(__cplusplus) && __cplusplus >= 201402L
#define MMR3_PURE static constexpr inline
#else
#define MMR3_PURE static inline
#endif

/* The compiler may not merge what computes the value with what uses it; the
 * second has the value in a register that an lea may start from with no third
 * term, as it may not from rbp and r13. */
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define MMR3_KEEP_APART(value) __asm__("" : "+r"(value))
#define MMR3_KEEP_AS_LEA_BASE(value) __asm__("" : "+Q"(value))
#elif defined(__GNUC__) && (defined(__aarch64__) || defined(__arm__))
#define MMR3_KEEP_APART(value) __asm__("" : "+r"(value))
#define MMR3_KEEP_AS_LEA_BASE(value) (void)(value)
#else
#define MMR3_KEEP_APART(value) (void)(value)
#define MMR3_KEEP_AS_LEA_BASE(value) (void)(value)
#endif

/* C++ has no conversion from void, C no other cast. */
#ifdef __cplusplus
#define MMR3_BYTES(data) static_cast<const unsigned char *>(data)
#else
#define MMR3_BYTES(data) (data)
#endif

#if defined(__GNUC__)
#define MMR3_UNLIKELY(condition) __builtin_expect(condition, 0)
#else
#define MMR3_UNLIKELY(condition) (condition)
#endif

#define MMR3_PUBLIC_MUL1 0xcc9e2d51u
#define MMR3_PUBLIC_MUL2 0x1b873593u
#define MMR3_ROUND_ADD 0xe6546b64u

MMR3_PURE uint32_t mmr3_rotate_left32(uint32_t value, unsigned bits) {
#if defined(__clang__)
  /* clang would turn a rotated product into two products and an or */
  return __builtin_rotateleft32(value, bits);
#else
  return (value << bits) | (value >> (32 - bits));
#endif
}

static inline uint32_t mmr3_load_le32(const unsigned char *bytes) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
#else
  const uint32_t first = bytes[0], second = bytes[1], third = bytes[2],
                 fourth = bytes[3];
  return first | second << 8 | third << 16 | fourth << 24;
#endif
}

/* The low 32 bits of a length. (No cast: C++ has other ones than C.) */
MMR3_PURE uint32_t mmr3_low32(size_t len) { return len & 0xffffffffu; }

/* The key of the public function, which is MurmurHash3's. */
MMR3_PURE mmr3_key mmr3_public_key(uint32_t seed) {
  const mmr3_key key = {seed, 0, MMR3_PUBLIC_MUL1, MMR3_PUBLIC_MUL2};
  return key;
}

/* What a word of input becomes before it meets the state. */
MMR3_PURE uint32_t mmr3_mix32(uint32_t word, mmr3_key key) {
  word = (word ^ key.whiten) * key.mul1;
  return mmr3_rotate_left32(word, 15) * key.mul2;
}

/* One block step: the state takes in a word. A bijection in each argument. */
MMR3_PURE uint32_t mmr3_round32(uint32_t state, uint32_t word, mmr3_key key) {
  state = mmr3_rotate_left32(state ^ mmr3_mix32(word, key), 13);
  return state * 5 + MMR3_ROUND_ADD;
}

/* The finalizer. */
MMR3_PURE uint32_t mmr3_fmix32(uint32_t state) {
  state = (state ^ state >> 16) * 0x85ebca6bu;
  state = (state ^ state >> 13) * 0xc2b2ae35u;
  return state ^ state >> 16;
}

/* mmr3_round32 of a word that was mixed, as the chain from state to state is
 * shortest. */
static inline uint32_t mmr3_take32(uint32_t state, uint32_t mixed) {
#if defined(__aarch64__) || defined(__arm__)
  /* A rotation is free in the exclusive-or that follows it, if the word is
   * rotated off the chain; and state * 5 is one addition of a shifted operand.
   * llvm-mca: 1.2 to 1.4 times as fast on Apple's, Fujitsu's, HiSilicon's and
   * Qualcomm's cores, the same on Arm's, Cavium's and Samsung's. */
  mixed = mmr3_rotate_left32(mixed, 13);
  MMR3_KEEP_APART(mixed);
  state = mixed ^ mmr3_rotate_left32(state, 13);
  MMR3_KEEP_APART(state);
  uint32_t sum = state + MMR3_ROUND_ADD;
  MMR3_KEEP_APART(sum);
  return sum + (state << 2);
#else
  state = mmr3_rotate_left32(state ^ mixed, 13);
  /* Two operations of a cycle each: an lea of three terms takes longer. */
  MMR3_KEEP_AS_LEA_BASE(state);
  state *= 5;
  MMR3_KEEP_APART(state);
  return state + MMR3_ROUND_ADD;
#endif
}

/* The block steps for the words of [data, end), a multiple of 4 bytes. */
static inline uint32_t mmr3_x86_32_blocks(uint32_t state,
                                          const unsigned char *data,
                                          const unsigned char *end,
                                          mmr3_key key) {
  /* Zen 4: 4.0 cycles a block, which is the chain's length; with mmr3_round32
   * 4.25, and 5.8 where clang starts an lea from rbp. */
  for (; data != end; data += 4)
    state = mmr3_take32(state, mmr3_mix32(mmr3_load_le32(data), key));
  return state;
}

/* What follows the blocks: 0 to 3 bytes that are left of len, and len itself.
 */
static inline uint32_t mmr3_x86_32_finish(uint32_t state,
                                          const unsigned char *tail, size_t len,
                                          mmr3_key key) {
  const size_t left = len % 4;
  if (left != 0) {
    uint32_t word = tail[0];
    if (left > 1) {
      const uint32_t second = tail[1];
      word |= second << 8;
    }
    if (left > 2) {
      const uint32_t third = tail[2];
      word |= third << 16;
    }
    state ^= mmr3_mix32(word, key);
  }
  return mmr3_fmix32(state ^ mmr3_low32(len));
}

/* The same of a string of 4 bytes or more that lies at data as a whole: what is
 * left is shifted out of its last 4 bytes. More branches on how many they are
 * would be mispredicted where lengths vary. */
static inline uint32_t mmr3_x86_32_finish_string(uint32_t state,
                                                 const unsigned char *data,
                                                 size_t len, mmr3_key key) {
  const size_t left = len % 4;
  if (left != 0) {
    const uint32_t last = mmr3_load_le32(data + len - 4);
    state ^= mmr3_mix32(last >> (8 * (4 - left)), key);
  }
  return mmr3_fmix32(state ^ mmr3_low32(len));
}

/* x86_32 of the len bytes at data, which may be null when len is 0. */
static inline uint32_t mmr3_x86_32_inline(const void *data, size_t len,
                                          mmr3_key key) {
  const unsigned char *const bytes = MMR3_BYTES(data);
  if (MMR3_UNLIKELY(len < 4))
    return mmr3_x86_32_finish(key.seed, bytes, len, key);
  return mmr3_x86_32_finish_string(
      mmr3_x86_32_blocks(key.seed, bytes, bytes + (len - len % 4), key), bytes,
      len, key);
}

#endif /* MMR3_X86_32_H */
