// Other hash functions to compare with, in the same binary.
#ifndef MURMURATION_BENCH_PEERS_H_
#define MURMURATION_BENCH_PEERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

struct Peer {
  const char* function;
  const char* build;  // stands where our functions have their kernel
  uint64_t (*hash)(const void* data, size_t len, uint64_t seed);
};

// Those that were compiled in and that this processor runs.
std::vector<Peer> Peers();

// Those that were not, each with its reason; "none".
const char* MissingPeers();

// Where functions that copy write to: 64 MB.
extern unsigned char* const copy_target;

// MurmurHash3 as a plain loop over blocks: what most programs have
// (plain_murmur3.cc).
uint64_t PlainX86_32(const void* data, size_t len, uint64_t seed);
uint64_t PlainX86_128(const void* data, size_t len, uint64_t seed);
uint64_t PlainX64_128(const void* data, size_t len, uint64_t seed);

// From xxhash.h, compiled for an instruction set each (xxh3_peer.cc). There are
// those that MURMURATION_BENCH_XXHASH_... is defined for.
#define MURMURATION_DECLARE_XXHASH(set)                                       \
  uint64_t Xxh3_##set(const void* data, size_t len, uint64_t seed);           \
  uint64_t Xxh3ThenMemcpy_##set(const void* data, size_t len, uint64_t seed); \
  uint64_t Xxh64_##set(const void* data, size_t len, uint64_t seed);
MURMURATION_DECLARE_XXHASH(sse2)
MURMURATION_DECLARE_XXHASH(avx2)
MURMURATION_DECLARE_XXHASH(avx512)
MURMURATION_DECLARE_XXHASH(baseline)

#endif  // MURMURATION_BENCH_PEERS_H_
