// Every function on every kernel that it has and that this processor supports,
// and its peers, as function/kernel/bytes[/mode]:
//
//   function/kernel/bytes             each call waits for the digest of the one
//                                     before (latency); data in cache, aligned
//   function/kernel/bytes/throughput  calls that do not wait
//   function/kernel/bytes/unaligned   as the first, one byte off alignment
//   function/kernel/bytes/cold        as the first, data not in cache
//   batch.../kernel/bytes             1024 keys a call; bytes is a key's
//   length,
//                                     or range of lengths
//
// Functions without kernels of their own are "scalar", a peer has the
// instruction set it was compiled for. NAME_again is the function NAME once
// more: what two equal rows differ by, others may differ by as well. Counters:
// bytes and calls (or keys) a second, cycles for a byte and for a call (or
// key), by a clock that is measured before each.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "bench/peers.h"
#include "murmuration.h"

constexpr size_t kMegabyte = size_t{1} << 20;
static std::vector<unsigned char> copy_room(64 * kMegabyte);
unsigned char* const copy_target = copy_room.data();

namespace {

const size_t kSizes[] = {1,   2,    3,    4,     6,      8,        12,  16,
                         24,  32,   48,   64,    96,     127,      128, 160,
                         192, 200,  224,  255,   256,    300,      384, 512,
                         768, 1000, 4096, 16384, 102400, kMegabyte};
// Where memory is what limits, one mode tells it all.
const size_t kLargeSizes[] = {4 * kMegabyte, 16 * kMegabyte, 64 * kMegabyte};
// More than any cache of this processor's kind holds.
constexpr size_t kColdBytes = 256 * kMegabyte;
constexpr size_t kCacheLine = 64;
constexpr size_t kKeys = 1024;

std::vector<unsigned char> Pattern(size_t len) {
  std::vector<unsigned char> bytes(len);
  for (size_t i = 0; i < len; ++i)
    bytes[i] = static_cast<unsigned char>(i * 131 + (i >> 8) * 29);
  return bytes;
}

// What one string is taken from: aligned, and larger than the caches.
const unsigned char* Input() {
  static const auto bytes = Pattern(kColdBytes + 2 * kCacheLine);
  const auto at = reinterpret_cast<uintptr_t>(bytes.data());
  return bytes.data() + (kCacheLine - at % kCacheLine);
}

// ------------------------------------------------------- one string a call

using Hash = uint64_t (*)(const void* data, size_t len, uint64_t seed);

uint64_t X86_32(const void* data, size_t len, uint64_t seed) {
  return mmr3_x86_32(data, len, static_cast<uint32_t>(seed));
}
uint64_t X86_128(const void* data, size_t len, uint64_t seed) {
  uint32_t out[4];
  mmr3_x86_128(data, len, static_cast<uint32_t>(seed), out);
  return out[0];
}
uint64_t X64_128(const void* data, size_t len, uint64_t seed) {
  uint64_t out[2];
  mmr3_x64_128(data, len, seed, out);
  return out[0];
}
uint64_t Wide32(const void* data, size_t len, uint64_t seed) {
  return mmr3_wide32(data, len, static_cast<uint32_t>(seed));
}
uint64_t X86_32Keyed(const void* data, size_t len, uint64_t seed) {
  const mmr3_key key = {static_cast<uint32_t>(seed), 0x12345678, 0x9e3779b1,
                        0x85ebca77};
  return mmr3_x86_32_keyed(data, len, &key);
}
uint64_t Wide32Keyed(const void* data, size_t len, uint64_t seed) {
  const mmr3_key key = {static_cast<uint32_t>(seed), 0x12345678, 0x9e3779b1,
                        0x85ebca77};
  return mmr3_wide32_keyed(data, len, &key);
}
uint64_t Wide32Copy(const void* data, size_t len, uint64_t seed) {
  return mmr3_wide32_copy(copy_target, data, len, static_cast<uint32_t>(seed));
}
uint64_t Wide32ThenMemcpy(const void* data, size_t len, uint64_t seed) {
  const uint32_t digest = mmr3_wide32(data, len, static_cast<uint32_t>(seed));
  memcpy(copy_target, data, len);
  benchmark::ClobberMemory();
  return digest;
}
uint64_t Memcpy(const void* data, size_t len, uint64_t seed) {
  memcpy(copy_target, data, len);
  benchmark::ClobberMemory();
  return seed;
}
uint64_t X86_32Stream(const void* data, size_t len, uint64_t seed) {
  mmr3_x86_32_state state;
  mmr3_x86_32_init(&state, static_cast<uint32_t>(seed));
  mmr3_x86_32_update(&state, data, len);
  return mmr3_x86_32_digest(&state);
}
uint64_t X86_128Stream(const void* data, size_t len, uint64_t seed) {
  mmr3_x86_128_state state;
  mmr3_x86_128_init(&state, static_cast<uint32_t>(seed));
  mmr3_x86_128_update(&state, data, len);
  uint32_t out[4];
  mmr3_x86_128_digest(&state, out);
  return out[0];
}
uint64_t X64_128Stream(const void* data, size_t len, uint64_t seed) {
  mmr3_x64_128_state state;
  mmr3_x64_128_init(&state, seed);
  mmr3_x64_128_update(&state, data, len);
  uint64_t out[2];
  mmr3_x64_128_digest(&state, out);
  return out[0];
}
uint64_t Wide32Stream(const void* data, size_t len, uint64_t seed) {
  mmr3_wide32_state state;
  mmr3_wide32_init(&state, static_cast<uint32_t>(seed));
  mmr3_wide32_update(&state, data, len);
  return mmr3_wide32_digest(&state);
}

const struct {
  const char* name;
  Hash hash;
  bool has_kernels;
} kFunctions[] = {
    {"x86_32", X86_32, false},
    {"x86_128", X86_128, true},
    {"x64_128", X64_128, true},
    {"wide32", Wide32, true},
    {"x86_32_keyed", X86_32Keyed, false},
    {"wide32_keyed", Wide32Keyed, true},
    {"wide32_copy", Wide32Copy, true},
    {"wide32_then_memcpy", Wide32ThenMemcpy, true},
    {"wide32_again", Wide32, true},
    {"x86_32_stream", X86_32Stream, false},
    {"x86_128_stream", X86_128Stream, true},
    {"x64_128_stream", X64_128Stream, true},
    {"wide32_stream", Wide32Stream, true},
};

// bytes and items in each of the benchmark's iterations.
void SetCounters(benchmark::State& state, double clock, const char* item,
                 size_t bytes, size_t items) {
  const auto total = [&](size_t each) {
    return static_cast<double>(state.iterations()) * static_cast<double>(each);
  };
  using benchmark::Counter;
  const auto per_cycle = [&](double count) {
    return Counter(count / clock, static_cast<Counter::Flags>(
                                      Counter::kIsRate | Counter::kInvert));
  };
  state.SetBytesProcessed(static_cast<int64_t>(total(bytes)));
  state.SetItemsProcessed(static_cast<int64_t>(total(items)));
  state.counters["cycles_per_byte"] = per_cycle(total(bytes));
  state.counters[std::string("cycles_per_") + item] = per_cycle(total(items));
  state.counters["clock"] = clock;
}

// The kernel is null for a peer.
void RunOne(benchmark::State& state, const char* kernel, Hash hash, size_t len,
            const std::string& mode) {
  if (kernel != nullptr) mmr3_use_kernel(kernel);
  const unsigned char* data = Input() + (mode == "unaligned" ? 1 : 0);
  // Cold strings are at a power of two of places, a cache line or more apart,
  // in an order that has them all and that no prefetcher guesses.
  size_t distance = kCacheLine;
  while (distance < len) distance *= 2;
  const size_t places = kColdBytes / distance;
  size_t place = 0;

  const double clock = MeasureClock();
  // A call waits for the last one through its address, not through its seed:
  // XXH3 takes longer with a seed than without.
  uint64_t digest = 0, zero = 0;
  asm volatile("" : "+r"(zero));
  if (mode == "throughput") {
    for (auto _ : state) benchmark::DoNotOptimize(hash(data, len, 0));
  } else if (mode == "cold") {
    for (auto _ : state) {
      digest = hash(data + place * distance + (digest & zero), len, 0);
      place = (place * 1103515245 + 12345) % places;
    }
  } else {
    for (auto _ : state) digest = hash(data + (digest & zero), len, 0);
  }
  benchmark::DoNotOptimize(digest);
  SetCounters(state, clock, "call", len, 1);
}

void RegisterOne(const std::string& function, const char* build,
                 const char* kernel, Hash hash) {
  const std::string name = function + "/" + build + "/";
  const auto add = [&](size_t len, const std::string& mode) {
    benchmark::RegisterBenchmark(
        (name + std::to_string(len) + (mode.empty() ? "" : "/" + mode)).c_str(),
        RunOne, kernel, hash, len, mode);
  };
  for (size_t len : kSizes) {
    add(len, "");
    add(len, "throughput");
    if (len >= 16) add(len, "unaligned");
    if (len >= 16) add(len, "cold");
  }
  for (size_t len : kLargeSizes) add(len, "");
}

// ----------------------------------------------------- many keys in a call

struct Keys {
  std::vector<unsigned char> bytes;
  std::vector<const void*> at;
  std::vector<size_t> lens;
  std::vector<int32_t> offsets;
  size_t fixed_len;
  std::vector<uint64_t> out = std::vector<uint64_t>(2 * kKeys);
};

// Lengths are spread evenly, in an order that no predictor learns.
Keys MakeKeys(size_t min_len, size_t max_len) {
  Keys keys;
  keys.fixed_len = min_len;
  keys.offsets = {0};
  uint32_t random = 1;
  for (size_t i = 0; i < kKeys; ++i) {
    random = random * 1664525 + 1013904223;
    keys.lens.push_back(min_len + (random >> 8) % (max_len - min_len + 1));
    keys.offsets.push_back(keys.offsets.back() +
                           static_cast<int32_t>(keys.lens.back()));
  }
  keys.bytes = Pattern(static_cast<size_t>(keys.offsets.back()));
  for (size_t i = 0; i < kKeys; ++i)
    keys.at.push_back(keys.bytes.data() + keys.offsets[i]);
  return keys;
}

using HashKeys = void (*)(Keys& keys);

uint32_t* Out32(Keys& keys) {
  return reinterpret_cast<uint32_t*>(keys.out.data());
}
void X86_32Loop(Keys& k) {
  for (size_t i = 0; i < kKeys; ++i)
    Out32(k)[i] = mmr3_x86_32(k.at[i], k.lens[i], 0);
}
void X86_128Loop(Keys& k) {
  for (size_t i = 0; i < kKeys; ++i)
    mmr3_x86_128(k.at[i], k.lens[i], 0, Out32(k) + 4 * i);
}
void X64_128Loop(Keys& k) {
  for (size_t i = 0; i < kKeys; ++i)
    mmr3_x64_128(k.at[i], k.lens[i], 0, k.out.data() + 2 * i);
}
void X86_32Batch(Keys& k) {
  mmr3_x86_32_batch(k.at.data(), k.lens.data(), kKeys, 0, Out32(k));
}
void X86_128Batch(Keys& k) {
  mmr3_x86_128_batch(k.at.data(), k.lens.data(), kKeys, 0, Out32(k));
}
void X64_128Batch(Keys& k) {
  mmr3_x64_128_batch(k.at.data(), k.lens.data(), kKeys, 0, k.out.data());
}
void X86_32Offsets(Keys& k) {
  mmr3_x86_32_batch_offsets32(k.bytes.data(), k.offsets.data(), kKeys, 0,
                              Out32(k));
}
void X86_32Fixed(Keys& k) {
  mmr3_x86_32_batch_fixed(k.bytes.data(), k.fixed_len, k.fixed_len, kKeys, 0,
                          Out32(k));
}
void X86_128Fixed(Keys& k) {
  mmr3_x86_128_batch_fixed(k.bytes.data(), k.fixed_len, k.fixed_len, kKeys, 0,
                           Out32(k));
}
void X64_128Fixed(Keys& k) {
  mmr3_x64_128_batch_fixed(k.bytes.data(), k.fixed_len, k.fixed_len, kKeys, 0,
                           k.out.data());
}

const struct {
  const char* name;
  HashKeys hash;
  bool has_kernels, fixed_only;
} kBatches[] = {
    {"batch_loop_x86_32", X86_32Loop, false, false},
    {"batch_loop_x86_128", X86_128Loop, false, false},
    {"batch_loop_x64_128", X64_128Loop, false, false},
    {"batch_x86_32", X86_32Batch, true, false},
    {"batch_x86_128", X86_128Batch, true, false},
    {"batch_x64_128", X64_128Batch, true, false},
    {"batch_offsets32_x86_32", X86_32Offsets, true, false},
    {"batch_fixed_x86_32", X86_32Fixed, true, true},
    {"batch_fixed_x86_128", X86_128Fixed, true, true},
    {"batch_fixed_x64_128", X64_128Fixed, true, true},
};

const struct {
  size_t min_len, max_len;
} kKeyLengths[] = {{4, 4}, {8, 8}, {16, 16}, {64, 64}, {1, 64}, {64, 1024}};

void RunKeys(benchmark::State& state, const char* kernel, HashKeys hash,
             size_t min_len, size_t max_len) {
  mmr3_use_kernel(kernel);
  Keys keys = MakeKeys(min_len, max_len);
  const double clock = MeasureClock();
  for (auto _ : state) {
    hash(keys);
    benchmark::ClobberMemory();
  }
  SetCounters(state, clock, "key", keys.bytes.size(), kKeys);
}

// The peers that compute our functions must, or comparing is pointless.
bool PlainPeersAgree() {
  const auto data = Pattern(100);
  bool agree = true;
  for (size_t len = 0; len <= data.size(); ++len)
    agree &=
        PlainX86_32(data.data(), len, 42) == X86_32(data.data(), len, 42) &&
        PlainX86_128(data.data(), len, 42) == X86_128(data.data(), len, 42) &&
        PlainX64_128(data.data(), len, 42) == X64_128(data.data(), len, 42);
  return agree;
}

}  // namespace

int main(int argc, char** argv) {
  if (!PlainPeersAgree()) {
    fputs("murmuration_bench: a plain peer computes other values than ours\n",
          stderr);
    return 1;
  }
  std::vector<const char*> kernels(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  for (const auto& function : kFunctions)
    for (const char* kernel : kernels)
      if (function.has_kernels || kernel == kernels.back())
        RegisterOne(function.name, kernel, kernel, function.hash);
  RegisterOne("memcpy", "libc", nullptr, Memcpy);
  for (const Peer& peer : Peers())
    RegisterOne(peer.function, peer.build, nullptr, peer.hash);
  for (const auto& batch : kBatches)
    for (const char* kernel : kernels)
      for (const auto& lens : kKeyLengths) {
        if (!batch.has_kernels && kernel != kernels.back()) continue;
        const bool fixed = lens.min_len == lens.max_len;
        if (batch.fixed_only && !fixed) continue;
        const std::string bytes =
            std::to_string(lens.min_len) +
            (fixed ? "" : "-" + std::to_string(lens.max_len));
        benchmark::RegisterBenchmark(
            (std::string(batch.name) + "/" + kernel + "/" + bytes).c_str(),
            RunKeys, kernel, batch.hash, lens.min_len, lens.max_len);
      }
  benchmark::AddCustomContext("murmuration_version", mmr3_version());
  benchmark::AddCustomContext("best_kernel", kernels.front());
  benchmark::AddCustomContext("missing_peers", MissingPeers());
  benchmark::AddCustomContext("compiler", MURMURATION_BENCH_COMPILER);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
