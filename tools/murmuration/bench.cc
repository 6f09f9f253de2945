// murmuration bench: a quick look; bench/ of the source has the whole.
#include <getopt.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "murmuration.h"
#include "tools/murmuration/algorithm.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

constexpr char kUsage[] = R"(usage: murmuration bench

Prints how many gigabytes a second each function hashes here, on each kernel
that it has: medians of interleaved rounds, in a few seconds.

  -h, --help  show this text
)";

using Clock = std::chrono::steady_clock;

constexpr size_t kSizes[] = {16, 64, 256, 1024, 16384, 102400, 16777216};
constexpr size_t kSizeCount = sizeof kSizes / sizeof kSizes[0];
constexpr size_t kRounds = 7;
constexpr std::chrono::milliseconds kRoundTime{5};

struct Row {
  const Algorithm* algorithm;
  const char* kernel;
  std::vector<double> rates[kSizeCount];
};

std::vector<Row> Rows() {
  std::vector<const char*> kernels(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  std::vector<Row> rows;
  for (const Algorithm& algorithm : kAlgorithms)
    for (const char* kernel : kernels)
      if (algorithm.has_kernels || kernel == kernels.back())
        rows.push_back({&algorithm, kernel, {}});
  return rows;
}

// Gigabytes a second of one round. Each call waits for the digest of the last.
double Measure(const Row& row, const unsigned char* data, size_t len) {
  mmr3_use_kernel(row.kernel);
  size_t calls = 0;
  uint64_t seed = 0;
  Clock::duration elapsed{0};
  const Clock::time_point start = Clock::now();
  // The clock is read after twice as many calls each time.
  for (size_t batch = 1; elapsed < kRoundTime; batch *= 2) {
    for (size_t i = 0; i < batch; ++i)
      seed = row.algorithm->hash(data, len, seed)[0];
    calls += batch;
    elapsed = Clock::now() - start;
  }
  return static_cast<double>(calls) * static_cast<double>(len) / 1e9 /
         std::chrono::duration<double>(elapsed).count();
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

}  // namespace

int RunBench(int argc, char** argv) {
  static const option kOptions[] = {{"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  for (int c; (c = getopt_long(argc, argv, "h", kOptions, nullptr)) != -1;) {
    if (c != 'h') return SeeHelp("bench");
    fputs(kUsage, stdout);
    return kExitSuccess;
  }
  if (optind != argc) return UsageError("bench", "bench takes no file");

  std::vector<unsigned char> data(kSizes[kSizeCount - 1]);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<unsigned char>(i * 131 + (i >> 8) * 29);
  std::vector<Row> rows = Rows();
  for (size_t round = 0; round < kRounds; ++round)
    for (size_t size = 0; size < kSizeCount; ++size)
      for (Row& row : rows)
        row.rates[size].push_back(Measure(row, data.data(), kSizes[size]));

  printf("%-16s", "GB/s");
  for (size_t len : kSizes) printf("%9zu", len);
  puts("  bytes");
  for (const Row& row : rows) {
    const std::string name =
        std::string(row.algorithm->name) + "/" + row.kernel;
    printf("%-16s", name.c_str());
    for (const auto& rates : row.rates) printf("%9.2f", Median(rates));
    putchar('\n');
  }
  return FlushOutput() ? kExitSuccess : kExitFailure;
}
