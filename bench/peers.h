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

// MurmurHash3 as a plain loop over blocks: what most programs have
// (plain_murmur3.cc).
uint64_t PlainX86_32(const void* data, size_t len, uint64_t seed);
uint64_t PlainX86_128(const void* data, size_t len, uint64_t seed);
uint64_t PlainX64_128(const void* data, size_t len, uint64_t seed);

// From Debian's libxxhash. XXH3 by its own run-time dispatch on x86
// (xxhash_peer.cc), and from its header, compiled for AVX2
// (xxhash_avx2_peer.cc).
uint64_t Xxh64(const void* data, size_t len, uint64_t seed);
uint64_t Xxh3(const void* data, size_t len, uint64_t seed);
uint64_t Xxh3Avx2(const void* data, size_t len, uint64_t seed);

#endif  // MURMURATION_BENCH_PEERS_H_
