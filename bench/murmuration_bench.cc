// Every one-shot function on every kernel that this processor supports, as
// function/kernel/bytes. Functions without kernels of their own are "scalar".
//
// Each call waits for the digest of the one before (latency), as a caller does
// that needs the value at once.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "murmuration.h"

namespace {

const size_t kSizes[] = {1,   4,    8,    16,    32,     64,
                         127, 128,  200,  255,   256,    300,
                         512, 1000, 4096, 16384, 102400, 1048576};

struct Buffers {
  std::vector<unsigned char> src, dst;
  explicit Buffers(size_t len) : src(len + 1), dst(len + 1) {
    for (size_t i = 0; i < src.size(); ++i)
      src[i] = static_cast<unsigned char>(i * 131 + (i >> 8) * 29);
  }
};

using Call = uint32_t (*)(Buffers& buffers, size_t len, uint32_t seed);

uint32_t X86_32(Buffers& b, size_t len, uint32_t seed) {
  return mmr3_x86_32(b.src.data(), len, seed);
}
uint32_t X86_128(Buffers& b, size_t len, uint32_t seed) {
  uint32_t out[4];
  mmr3_x86_128(b.src.data(), len, seed, out);
  return out[0];
}
uint32_t X64_128(Buffers& b, size_t len, uint32_t seed) {
  uint64_t out[2];
  mmr3_x64_128(b.src.data(), len, seed, out);
  return static_cast<uint32_t>(out[0]);
}
uint32_t Wide32(Buffers& b, size_t len, uint32_t seed) {
  return mmr3_wide32(b.src.data(), len, seed);
}
uint32_t Wide32Keyed(Buffers& b, size_t len, uint32_t seed) {
  const mmr3_key key = {seed, 0x12345678, 0x9e3779b1, 0x85ebca77};
  return mmr3_wide32_keyed(b.src.data(), len, &key);
}
uint32_t Wide32Copy(Buffers& b, size_t len, uint32_t seed) {
  return mmr3_wide32_copy(b.dst.data(), b.src.data(), len, seed);
}
uint32_t Wide32ThenMemcpy(Buffers& b, size_t len, uint32_t seed) {
  const uint32_t digest = mmr3_wide32(b.src.data(), len, seed);
  memcpy(b.dst.data(), b.src.data(), len);
  benchmark::ClobberMemory();
  return digest;
}

struct Function {
  const char* name;
  Call call;
  bool has_kernels;
};
const Function kFunctions[] = {
    {"x86_32", X86_32, false},
    {"x86_128", X86_128, false},
    {"x64_128", X64_128, false},
    {"wide32", Wide32, true},
    {"wide32_keyed", Wide32Keyed, true},
    {"wide32_copy", Wide32Copy, true},
    {"wide32_then_memcpy", Wide32ThenMemcpy, true},
};

void Run(benchmark::State& state, const char* kernel, Call call, size_t len) {
  if (mmr3_use_kernel(kernel) != 0) {
    state.SkipWithError("kernel is not supported");
    return;
  }
  Buffers buffers(len);
  uint32_t digest = 0;
  for (auto _ : state) digest = call(buffers, len, digest);
  benchmark::DoNotOptimize(digest);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) *
                          static_cast<int64_t>(len));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> kernels(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  for (const Function& function : kFunctions)
    for (const char* kernel : kernels) {
      if (!function.has_kernels && strcmp(kernel, "scalar") != 0) continue;
      for (size_t len : kSizes)
        benchmark::RegisterBenchmark((std::string(function.name) + "/" +
                                      kernel + "/" + std::to_string(len))
                                         .c_str(),
                                     Run, kernel, function.call, len);
    }
  benchmark::AddCustomContext("murmuration_version", mmr3_version());
  benchmark::AddCustomContext("best_kernel", kernels.front());
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
