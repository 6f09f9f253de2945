#include "bench/peers.h"

#include <cstring>

#include "murmuration.h"

std::vector<Peer> Peers() {
  std::vector<Peer> peers = {
    {"plain_x86_32", "plain", PlainX86_32},
    {"plain_x86_128", "plain", PlainX86_128},
    {"plain_x64_128", "plain", PlainX64_128},
#if defined(MURMURATION_BENCH_XXHASH)
    {"XXH64", "libxxhash", Xxh64},
    {"XXH3", "libxxhash", Xxh3},
#endif
  };
#if defined(MURMURATION_BENCH_XXHASH_AVX2)
  std::vector<const char*> kernels(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  for (const char* kernel : kernels)
    if (strcmp(kernel, "avx2") == 0)
      peers.push_back({"XXH3", "mavx2", Xxh3Avx2});
#endif
  return peers;
}

const char* MissingPeers() {
#if defined(MURMURATION_BENCH_XXHASH)
  return "none";
#else
  return "XXH3 and XXH64: no libxxhash when this was built";
#endif
}
