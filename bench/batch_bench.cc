// Batches, long strings and streams against plain loops, as ratios: how many
// times as fast each kernel is as a loop over the one-at-a-time function of the
// same build (batches), as the plain loop of bench/plain_murmur3.cc (one
// string), as one call (streams). Rounds are interleaved, a ratio is the median
// of its rounds; 1.00 is equal, below it the kernel is slower.
//
//   batch_bench [--rounds N] [TEXT]    only rows whose name has TEXT in it
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "bench/clock.h"
#include "bench/peers.h"
#include "murmuration.h"

namespace {

using Work = std::function<void()>;

std::vector<const char*> kernels;
std::string wanted;
int rounds = 15;

// The time of this thread alone: other work on the machine does not count.
double Now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

double Seconds(const Work& work, int repeats) {
  const double start = Now();
  for (int i = 0; i < repeats; ++i) work();
  return Now() - start;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// One row: what `plain` needs for each of `items`, and the ratio of each
// kernel.
void Row(const std::string& name, size_t items, const Work& plain,
         const Work& work) {
  if (name.find(wanted) == std::string::npos) return;
  constexpr double kSecondsEach = 0.002;
  int repeats = 1;
  while (Seconds(plain, repeats) < kSecondsEach) repeats *= 2;
  std::vector<double> cycles;
  std::vector<std::vector<double>> ratios(kernels.size());
  for (int round = 0; round < rounds; ++round) {
    const double clock = MeasureClock();
    for (size_t k = 0; k < kernels.size(); ++k) {
      // The plain loop before each kernel: the clock changes within a round.
      mmr3_use_kernel(kernels[k]);
      const double plain_seconds = Seconds(plain, repeats);
      ratios[k].push_back(plain_seconds / Seconds(work, repeats));
      if (k == 0)
        cycles.push_back(plain_seconds * clock / repeats / double(items));
    }
  }
  std::printf("%-34s %9.1f", name.c_str(), Median(cycles));
  for (const auto& of_kernel : ratios) std::printf(" %7.2f", Median(of_kernel));
  std::printf("\n");
  std::fflush(stdout);
}

void Header(const char* what) {
  std::printf("\n%-34s %9s", what, "cycles");
  for (const char* kernel : kernels) std::printf(" %7s", kernel);
  std::printf("\n");
}

std::vector<unsigned char> Pattern(size_t len) {
  std::vector<unsigned char> bytes(len);
  std::mt19937 random(1);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

struct X86_32 {
  using Seed = uint32_t;
  using Word = uint32_t;
  static constexpr size_t kWords = 1;
  static constexpr const char* kName = "x86_32";
  static void One(const void* data, size_t len, Seed seed, Word* out) {
    *out = mmr3_x86_32(data, len, seed);
  }
  static constexpr auto kBatch = mmr3_x86_32_batch;
  static constexpr auto kFixed = mmr3_x86_32_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x86_32_batch_offsets32;
  static constexpr auto kSeeds = mmr3_x86_32_seeds;
};

struct X86_128 {
  using Seed = uint32_t;
  using Word = uint32_t;
  static constexpr size_t kWords = 4;
  static constexpr const char* kName = "x86_128";
  static void One(const void* data, size_t len, Seed seed, Word* out) {
    mmr3_x86_128(data, len, seed, out);
  }
  static constexpr auto kBatch = mmr3_x86_128_batch;
  static constexpr auto kFixed = mmr3_x86_128_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x86_128_batch_offsets32;
  static constexpr auto kSeeds = mmr3_x86_128_seeds;
};

struct X64_128 {
  using Seed = uint64_t;
  using Word = uint64_t;
  static constexpr size_t kWords = 2;
  static constexpr const char* kName = "x64_128";
  static void One(const void* data, size_t len, Seed seed, Word* out) {
    mmr3_x64_128(data, len, seed, out);
  }
  static constexpr auto kBatch = mmr3_x64_128_batch;
  static constexpr auto kFixed = mmr3_x64_128_batch_fixed;
  static constexpr auto kOffsets32 = mmr3_x64_128_batch_offsets32;
  static constexpr auto kSeeds = mmr3_x64_128_seeds;
};

template <class V>
std::string Name(const char* shape, const std::string& lengths, size_t n) {
  return std::string(V::kName) + " " + shape + " " + lengths +
         " n=" + std::to_string(n);
}

template <class V>
void Fixed(size_t key_len, size_t stride, size_t n) {
  const std::vector<unsigned char> bytes = Pattern(stride * n + key_len);
  std::vector<typename V::Word> out(n * V::kWords);
  std::string lengths = std::to_string(key_len);
  if (stride != key_len) lengths += "/" + std::to_string(stride);
  Row(
      Name<V>("fixed", lengths, n), n,
      [&] {
        for (size_t i = 0; i < n; ++i)
          V::One(bytes.data() + i * stride, key_len, 1, &out[i * V::kWords]);
      },
      [&] { V::kFixed(bytes.data(), key_len, stride, n, 1, out.data()); });
}

template <class V>
void Ragged(size_t min, size_t max, size_t n) {
  std::mt19937 random(2);
  std::vector<size_t> lens(n);
  std::vector<int32_t> offsets = {0};
  for (size_t& len : lens) {
    len = min + random() % (max - min + 1);
    offsets.push_back(offsets.back() + static_cast<int32_t>(len));
  }
  const std::vector<unsigned char> bytes = Pattern(size_t(offsets[n]));
  std::vector<const void*> keys;
  for (size_t i = 0; i < n; ++i) keys.push_back(bytes.data() + offsets[i]);
  std::vector<typename V::Word> out(n * V::kWords);
  const std::string lengths = std::to_string(min) + "-" + std::to_string(max);
  const Work plain = [&] {
    for (size_t i = 0; i < n; ++i)
      V::One(keys[i], lens[i], 1, &out[i * V::kWords]);
  };
  Row(Name<V>("batch", lengths, n), n, plain,
      [&] { V::kBatch(keys.data(), lens.data(), n, 1, out.data()); });
  Row(
      Name<V>("offsets", lengths, n), n,
      [&] {
        for (size_t i = 0; i < n; ++i)
          V::One(bytes.data() + offsets[i], size_t(offsets[i + 1] - offsets[i]),
                 1, &out[i * V::kWords]);
      },
      [&] { V::kOffsets32(bytes.data(), offsets.data(), n, 1, out.data()); });
}

template <class V>
void Seeds(size_t len, size_t n) {
  const std::vector<unsigned char> bytes = Pattern(len);
  std::vector<typename V::Seed> seeds(n);
  for (size_t i = 0; i < n; ++i) seeds[i] = typename V::Seed(i * 77);
  std::vector<typename V::Word> out(n * V::kWords);
  Row(
      Name<V>("seeds", std::to_string(len), n), n,
      [&] {
        for (size_t i = 0; i < n; ++i)
          V::One(bytes.data(), len, seeds[i], &out[i * V::kWords]);
      },
      [&] { V::kSeeds(bytes.data(), len, seeds.data(), n, out.data()); });
}

template <class V>
void Batches() {
  Header("batches, against one at a time");
  constexpr size_t kMany = 4096;
  for (size_t key_len : {4, 8, 16}) Fixed<V>(key_len, key_len, kMany);
  for (size_t key_len : {8, 16}) Fixed<V>(key_len, 40, kMany);
  for (size_t key_len : {1, 3, 5, 12, 20, 36, 64, 100, 256})
    Fixed<V>(key_len, key_len, kMany);
  Ragged<V>(1, 15, kMany);
  Ragged<V>(1, 64, 4 * kMany);
  Ragged<V>(64, 1024, kMany / 4);
  Ragged<V>(0, 8192, kMany / 16);
  for (size_t len : {4, 8, 20, 100, 1000}) Seeds<V>(len, 1024);
  for (size_t n : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 256}) {
    Fixed<V>(8, 8, n);
    Fixed<V>(16, 16, n);
    Fixed<V>(33, 33, n);
    Ragged<V>(1, 64, n);
    Ragged<V>(64, 1024, n);
    Seeds<V>(8, n);
    Seeds<V>(100, n);
  }
}

volatile uint64_t sink;

void OneString() {
  Header("one string, against a plain loop");
  const std::vector<unsigned char> bytes = Pattern(100000);
  for (size_t len :
       {16, 40, 100, 256, 500, 512, 700, 1000, 4096, 10000, 100000}) {
    const std::string lengths = " one " + std::to_string(len);
    Row(
        "x86_32" + lengths, 1,
        [&] { sink = PlainX86_32(bytes.data(), len, 1); },
        [&] { sink = mmr3_x86_32(bytes.data(), len, 1); });
    Row(
        "x64_128" + lengths, 1,
        [&] { sink = PlainX64_128(bytes.data(), len, 1); },
        [&] {
          uint64_t out[2];
          mmr3_x64_128(bytes.data(), len, 1, out);
          sink = out[0];
        });
    Row(
        "x86_128" + lengths, 1,
        [&] { sink = PlainX86_128(bytes.data(), len, 1); },
        [&] {
          uint32_t out[4];
          mmr3_x86_128(bytes.data(), len, 1, out);
          sink = out[0];
        });
  }
}

template <class State, class Seed, class One, class Digest>
void Stream(const char* name, void (*init)(State*, Seed),
            void (*update)(State*, const void*, size_t), const One& one,
            const Digest& digest) {
  constexpr size_t kLength = size_t{1} << 20;
  const std::vector<unsigned char> bytes = Pattern(kLength);
  for (size_t piece : {size_t{65536}, size_t{65531}, size_t{1000}})
    Row(
        std::string(name) + " stream of " + std::to_string(piece), 1,
        [&] { one(bytes.data(), kLength); },
        [&] {
          State state;
          init(&state, 1);
          for (size_t at = 0; at < kLength; at += piece)
            update(&state, bytes.data() + at, std::min(piece, kLength - at));
          digest(&state);
        });
}

void Streams() {
  Header("streams of 1 MB, against one call");
  Stream(
      "x86_32", mmr3_x86_32_init, mmr3_x86_32_update,
      [](const void* data, size_t len) { sink = mmr3_x86_32(data, len, 1); },
      [](const mmr3_x86_32_state* s) { sink = mmr3_x86_32_digest(s); });
  Stream(
      "x86_128", mmr3_x86_128_init, mmr3_x86_128_update,
      [](const void* data, size_t len) {
        uint32_t out[4];
        mmr3_x86_128(data, len, 1, out);
        sink = out[0];
      },
      [](const mmr3_x86_128_state* s) {
        uint32_t out[4];
        mmr3_x86_128_digest(s, out);
        sink = out[0];
      });
  Stream(
      "x64_128", mmr3_x64_128_init, mmr3_x64_128_update,
      [](const void* data, size_t len) {
        uint64_t out[2];
        mmr3_x64_128(data, len, 1, out);
        sink = out[0];
      },
      [](const mmr3_x64_128_state* s) {
        uint64_t out[2];
        mmr3_x64_128_digest(s, out);
        sink = out[0];
      });
  Stream(
      "wide32", mmr3_wide32_init, mmr3_wide32_update,
      [](const void* data, size_t len) { sink = mmr3_wide32(data, len, 1); },
      [](const mmr3_wide32_state* s) { sink = mmr3_wide32_digest(s); });
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--help") == 0) {
      std::printf("usage: batch_bench [--rounds N] [TEXT]\n");
      return 0;
    }
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) {
      rounds = std::max(1, std::atoi(argv[++i]));
    } else if (argv[i][0] == '-') {
      std::fprintf(stderr, "batch_bench: unknown option %s; see --help\n",
                   argv[i]);
      return 2;
    } else {
      wanted = argv[i];
    }
  }
  kernels.resize(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  Batches<X86_32>();
  Batches<X64_128>();
  Batches<X86_128>();
  OneString();
  Streams();
}
