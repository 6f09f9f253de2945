#include "bench/peers.h"

namespace {

#if defined(MURMURATION_BENCH_XXHASH_avx512)
bool HasX86_64V4() {
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl");
}
#endif

#if defined(MURMURATION_BENCH_XXHASH_avx2)
bool HasX86_64V3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
         __builtin_cpu_supports("fma");
}
#endif

}  // namespace

std::vector<Peer> Peers() {
  std::vector<Peer> peers = {
    {"plain_x86_32", "plain", PlainX86_32},
    {"plain_x86_128", "plain", PlainX86_128},
    {"plain_x64_128", "plain", PlainX64_128},
#if defined(MURMURATION_BENCH_XXHASH_baseline)
    {"XXH64", "baseline", Xxh64_baseline},
    {"XXH3", "baseline", Xxh3_baseline},
    {"XXH3_then_memcpy", "baseline", Xxh3ThenMemcpy_baseline},
#endif
#if defined(MURMURATION_BENCH_XXHASH_sse2)
    {"XXH64", "sse2", Xxh64_sse2},
    {"XXH3", "sse2", Xxh3_sse2},
    {"XXH3_then_memcpy", "sse2", Xxh3ThenMemcpy_sse2},
#endif
  };
#if defined(MURMURATION_BENCH_XXHASH_avx2)
  if (HasX86_64V3()) {
    peers.push_back({"XXH3", "avx2", Xxh3_avx2});
    peers.push_back({"XXH3_then_memcpy", "avx2", Xxh3ThenMemcpy_avx2});
  }
#endif
#if defined(MURMURATION_BENCH_XXHASH_avx512)
  if (HasX86_64V4()) {
    peers.push_back({"XXH3", "avx512", Xxh3_avx512});
    peers.push_back({"XXH3_then_memcpy", "avx512", Xxh3ThenMemcpy_avx512});
  }
#endif
  return peers;
}

const char* MissingPeers() {
#if defined(MURMURATION_BENCH_XXHASH)
  return "none";
#else
  return "XXH3 and XXH64: no xxhash.h when this was built (Debian: "
         "libxxhash-dev)";
#endif
}
