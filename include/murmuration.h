/* murmuration.h: MurmurHash3, one string at SIMD speed, from C and C++.
 *
 * MurmurHash3 was designed by Austin Appleby (SMHasher, 2010-2012); the three
 * standard variants here return its values bit for bit. wide32 is this
 * library's own function for large strings: MurmurHash3's round in 128 lanes,
 * defined in docs/wide32.md.
 *
 * What holds for every function below, unless its own comment says otherwise:
 *
 *   - Lengths count bytes. Any length is valid; a null pointer is valid when
 *     the length is 0. Nothing outside [data, data + len) is read, and data
 *     needs no alignment.
 *   - A digest is a number, the same on every processor, kernel and byte
 *     order. Written as bytes it is little-endian.
 *   - No function fails, allocates, prints, aborts or throws.
 *   - Every function may be called from any thread, before main, and from a
 *     signal handler once the first call has returned. The first call reads
 *     the environment (MURMURATION_KERNEL): no other thread may change that at
 *     the time, as setenv does. A program with threads that do calls
 *     mmr3_kernel_name once before it starts them.
 *
 * BSD-3-Clause; see LICENSE.
 */
#ifndef MURMURATION_H
#define MURMURATION_H

#include <stddef.h>
#include <stdint.h>

#define MMR3_VERSION_MAJOR 0
#define MMR3_VERSION_MINOR 1
#define MMR3_VERSION_PATCH 0

#if defined(__GNUC__) && !defined(_WIN32)
#define MMR3_API __attribute__((visibility("default")))
#else
#define MMR3_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that was linked, such as "0.1.0". */
MMR3_API const char *mmr3_version(void);

/* ------------------------------------------------- the standard variants */

/* MurmurHash3_x86_32: 32 bits. Mixes the low 32 bits of len into the end.
 * One serial chain: about one byte a cycle on any processor. */
MMR3_API uint32_t mmr3_x86_32(const void *data, size_t len, uint32_t seed);

/* MurmurHash3_x86_128: out[0] to out[3] are h1 to h4. */
MMR3_API void mmr3_x86_128(const void *data, size_t len, uint32_t seed,
                           uint32_t out[4]);

/* MurmurHash3_x64_128: out[0] is h1, out[1] is h2. The seed has 64 bits: h1
 * and h2 both start from it, and a 32-bit seed is zero-extended. */
MMR3_API void mmr3_x64_128(const void *data, size_t len, uint64_t seed,
                           uint64_t out[2]);

/* -------------------------------------------------------------- wide32 */

/* wide32: 32 bits, for large strings. Below 64 bytes the value is that of
 * mmr3_x86_32; from 64 bytes on, 128 lanes take a word each of 512 bytes at a
 * time, on whatever vector unit the processor has, and are summed. The lane
 * count belongs to the definition, so every kernel returns the same value.
 * Not a standard MurmurHash3 value: use it where both ends are this
 * library. */
MMR3_API uint32_t mmr3_wide32(const void *data, size_t len, uint32_t seed);

/* Returns mmr3_wide32(src, len, seed) and leaves a copy of the bytes in dst,
 * in one pass over src. The two regions must not overlap. Nothing outside
 * [dst, dst + len) is written. */
MMR3_API uint32_t mmr3_wide32_copy(void *dst, const void *src, size_t len,
                                   uint32_t seed);

/* -------------------------------------------------------------------- keys */

/* A key of the keyed functions. Keying removes the published collisions of
 * MurmurHash3 that hold for every seed. It is hardening against prepared
 * input, not a pseudo-random function and not a message authentication
 * code. */
typedef struct {
  uint32_t seed;   /* where the state starts */
  uint32_t whiten; /* xored into every word of input; public value 0 */
  uint32_t mul1;   /* odd multiplier; public value 0xcc9e2d51 */
  uint32_t mul2;   /* odd multiplier; public value 0x1b873593 */
} mmr3_key;

/* The key of 16 secret bytes and a seed. The all-zero secret gives the public
 * function, bit for bit. */
MMR3_API mmr3_key mmr3_key_from_secret(const unsigned char secret[16],
                                       uint32_t seed);

/* Fills *key from 16 bytes of the system's random source (getrandom).
 * Returns 0, or an errno value with *key untouched: there is never a weak
 * key. May wait early in the system's start, until the source is ready. */
MMR3_API int mmr3_key_random(mmr3_key *key);

/* The functions of the same name, with a key in place of the seed. */
MMR3_API uint32_t mmr3_x86_32_keyed(const void *data, size_t len,
                                    const mmr3_key *key);
MMR3_API uint32_t mmr3_wide32_keyed(const void *data, size_t len,
                                    const mmr3_key *key);
MMR3_API uint32_t mmr3_wide32_copy_keyed(void *dst, const void *src, size_t len,
                                         const mmr3_key *key);

/* --------------------------------------------------------------------- Lua */

/* What luaS_newlstr calls for large strings: wide32 under the key of the Lua
 * secret, seeded with the low 32 bits of the length. With the all-zero
 * secret, which is the default, a string below 64 bytes gets MurmurHash3
 * x86_32 seeded with its length. Constant pointers, never null. */
typedef uint32_t (*mmr3_lua_hash_fn)(const char *str, size_t len);
typedef uint32_t (*mmr3_lua_hash_copy_fn)(char *dst, const char *str,
                                          size_t len);
MMR3_API extern const mmr3_lua_hash_fn mmr3_lua_hash;
MMR3_API extern const mmr3_lua_hash_copy_fn mmr3_lua_hash_copy;

/* The key behind the two, before the length is xored into its seed: what a
 * host needs that hashes its short strings inline. Read-only, never null. */
MMR3_API extern const mmr3_key *const mmr3_lua_key;

/* Sets the Lua secret of this process. Call it before the first lua_State
 * exists and while no other thread hashes. Returns 0, or -1 with nothing
 * changed when either of the two functions above has been called: strings
 * that are in a string table would not be found any more. (The luaS_newlstr of
 * integrations/lua51 calls one for the first string of a lua_State. A host
 * that hashes short strings inline and calls neither is not noticed.) */
MMR3_API int mmr3_lua_set_secret(const unsigned char secret[16]);

/* ------------------------------------------------------ many keys at once
 *
 * Digests of n independent keys: what the one-at-a-time function returns for
 * key i is written to out, digest after digest: 1 word each for x86_32, 2 (h1,
 * h2) for x64_128, 4 (h1 to h4) for x86_128. n may be 0, and pointers may then
 * be null. Lengths may differ in any mixture, keys may overlap or be the same,
 * and a key of length 0 may be null; nothing outside a key is read. out must
 * not overlap the input. Keys of like length are hashed side by side, on
 * vectors where that is faster (docs/batches.md tells when, and what it
 * gains); where it is not, a call takes some 20 cycles more than a loop over
 * the one-at-a-time function. At most 20 KB of stack is used.
 *
 *   _batch             key i is lens[i] bytes at keys[i]
 *   _batch_fixed       key i is key_len bytes at keys + i * stride; any stride:
 *                      smaller than key_len, where keys overlap; 0, where all
 *                      are one; negative, where keys points to the last in
 *                      memory
 *   _batch_offsets32   key i is the bytes from offsets[i] to offsets[i + 1];
 *   _batch_offsets64   n + 1 offsets, never falling, the first any number from
 *                      0: the layout of Arrow's string and large_string arrays,
 *                      whole or sliced
 *   _seeds             one key under n seeds
 */
MMR3_API void mmr3_x86_32_batch(const void *const *keys, const size_t *lens,
                                size_t n, uint32_t seed, uint32_t *out);
MMR3_API void mmr3_x86_32_batch_fixed(const void *keys, size_t key_len,
                                      ptrdiff_t stride, size_t n, uint32_t seed,
                                      uint32_t *out);
MMR3_API void mmr3_x86_32_batch_offsets32(const void *bytes,
                                          const int32_t *offsets, size_t n,
                                          uint32_t seed, uint32_t *out);
MMR3_API void mmr3_x86_32_batch_offsets64(const void *bytes,
                                          const int64_t *offsets, size_t n,
                                          uint32_t seed, uint32_t *out);
MMR3_API void mmr3_x86_32_seeds(const void *data, size_t len,
                                const uint32_t *seeds, size_t n, uint32_t *out);

MMR3_API void mmr3_x86_128_batch(const void *const *keys, const size_t *lens,
                                 size_t n, uint32_t seed, uint32_t *out);
MMR3_API void mmr3_x86_128_batch_fixed(const void *keys, size_t key_len,
                                       ptrdiff_t stride, size_t n,
                                       uint32_t seed, uint32_t *out);
MMR3_API void mmr3_x86_128_batch_offsets32(const void *bytes,
                                           const int32_t *offsets, size_t n,
                                           uint32_t seed, uint32_t *out);
MMR3_API void mmr3_x86_128_batch_offsets64(const void *bytes,
                                           const int64_t *offsets, size_t n,
                                           uint32_t seed, uint32_t *out);
MMR3_API void mmr3_x86_128_seeds(const void *data, size_t len,
                                 const uint32_t *seeds, size_t n,
                                 uint32_t *out);

MMR3_API void mmr3_x64_128_batch(const void *const *keys, const size_t *lens,
                                 size_t n, uint64_t seed, uint64_t *out);
MMR3_API void mmr3_x64_128_batch_fixed(const void *keys, size_t key_len,
                                       ptrdiff_t stride, size_t n,
                                       uint64_t seed, uint64_t *out);
MMR3_API void mmr3_x64_128_batch_offsets32(const void *bytes,
                                           const int32_t *offsets, size_t n,
                                           uint64_t seed, uint64_t *out);
MMR3_API void mmr3_x64_128_batch_offsets64(const void *bytes,
                                           const int64_t *offsets, size_t n,
                                           uint64_t seed, uint64_t *out);
MMR3_API void mmr3_x64_128_seeds(const void *data, size_t len,
                                 const uint64_t *seeds, size_t n,
                                 uint64_t *out);

/* ---------------------------------------------------------------- streams
 *
 * A string that arrives in pieces: init, any number of updates with pieces of
 * any length, digest. The digest is that of the one-shot function on all bytes
 * so far, however they were split; it may be taken at any time and more than
 * once, and updating may go on after it. A state is plain data: it may be
 * copied, and it owns nothing. Its members are not for use. Two threads must
 * not update one state at the same time. The total may exceed 4 GiB.
 */
typedef struct {
  uint64_t len;
  uint32_t h;
  unsigned char waiting[4];
} mmr3_x86_32_state;
MMR3_API void mmr3_x86_32_init(mmr3_x86_32_state *s, uint32_t seed);
MMR3_API void mmr3_x86_32_update(mmr3_x86_32_state *s, const void *data,
                                 size_t len);
MMR3_API uint32_t mmr3_x86_32_digest(const mmr3_x86_32_state *s);

typedef struct {
  uint64_t len;
  uint32_t h[4];
  unsigned char waiting[16];
} mmr3_x86_128_state;
MMR3_API void mmr3_x86_128_init(mmr3_x86_128_state *s, uint32_t seed);
MMR3_API void mmr3_x86_128_update(mmr3_x86_128_state *s, const void *data,
                                  size_t len);
MMR3_API void mmr3_x86_128_digest(const mmr3_x86_128_state *s, uint32_t out[4]);

typedef struct {
  uint64_t len;
  uint64_t h[2];
  unsigned char waiting[16];
} mmr3_x64_128_state;
MMR3_API void mmr3_x64_128_init(mmr3_x64_128_state *s, uint64_t seed);
MMR3_API void mmr3_x64_128_update(mmr3_x64_128_state *s, const void *data,
                                  size_t len);
MMR3_API void mmr3_x64_128_digest(const mmr3_x64_128_state *s, uint64_t out[2]);

typedef struct {
  uint32_t lane[128];
  uint64_t len;
  uint32_t seed;
  unsigned char waiting[64];
} mmr3_wide32_state;
MMR3_API void mmr3_wide32_init(mmr3_wide32_state *s, uint32_t seed);
MMR3_API void mmr3_wide32_update(mmr3_wide32_state *s, const void *data,
                                 size_t len);
MMR3_API uint32_t mmr3_wide32_digest(const mmr3_wide32_state *s);

/* ------------------------------------------------- other people's variants
 *
 * Two systems whose values differ from MurmurHash3's, and are relied upon.
 * docs/compatibility.md has the recipes of others, who need no function of
 * their own.
 */

/* Cassandra's and Scylla's: x64_128 with the bytes of the tail, the last len
 * modulo 16, taken as signed. Equal to mmr3_x64_128 when none of them is above
 * 0x7f. A partitioner's token is out[0] as a signed number. */
MMR3_API void mmr3_x64_128_cassandra(const void *data, size_t len,
                                     uint64_t seed, uint64_t out[2]);

/* Spark's hash(): x86_32 with each byte of the tail, the last len modulo 4,
 * taken as a signed block of its own. Equal to mmr3_x86_32 when len is a
 * multiple of 4. Spark's default seed is 42. */
MMR3_API uint32_t mmr3_x86_32_spark(const void *data, size_t len,
                                    uint32_t seed);

/* ------------------------------------------------------- run-time dispatch
 *
 * A kernel is one implementation of the functions above for one kind of
 * processor. The first call chooses the best one that this processor and its
 * operating system support. MURMURATION_KERNEL=name in the environment forces
 * another; a name that is unknown or not supported here is ignored, and so is
 * the variable in a set-user-id program. All kernels return the same values.
 */
typedef uint32_t (*mmr3_hash_fn)(const void *data, size_t len, uint32_t seed);

/* The chosen kernel's own wide32, for a host that wants to cache the pointer.
 * Never null; later calls of mmr3_use_kernel do not change what it runs. */
MMR3_API mmr3_hash_fn mmr3_wide32_resolve(void);

/* The active kernel: "scalar", "sse4", "avx2", "avx512vl",
 * "avx512" or "neon". */
MMR3_API const char *mmr3_kernel_name(void);

/* Writes the names of the kernels that are supported here into names, best
 * first, at most capacity of them, and returns how many there are. names may
 * be null when capacity is 0. */
MMR3_API size_t mmr3_kernels(const char **names, size_t capacity);

/* Makes the named kernel the active one, for all threads. Returns 0, or -1
 * and changes nothing: the name is null, unknown, or not supported here. */
MMR3_API int mmr3_use_kernel(const char *name);

#ifdef __cplusplus
}
#endif

#endif /* MURMURATION_H */
