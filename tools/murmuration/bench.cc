// murmuration bench: a quick look; bench/ of the source has the whole.
#include <getopt.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "murmuration.h"
#include "tools/murmuration/algorithm.h"
#include "tools/murmuration/processor.h"
#include "tools/murmuration/quote.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

using nlohmann::ordered_json;

constexpr char kUsage[] = R"(usage: murmuration bench [OPTION...]

Prints how many gigabytes a second each function hashes here, one string at a
time and in batches of keys, on each kernel: medians of interleaved rounds, and
how far the rounds differ.

  -a, --algorithm NAME,...  of x86_32, x86_128, x64_128, wide32 (default all)
  -k, --kernel NAME,...     of those that `murmuration info` calls supported
                            (default all)
  -b, --size BYTES,...      lengths, 1 to 1G; K, M and G are powers of 1024
                            (default 16,64,256,1K,16K,100K,16M)
      --batch               batches only
      --single              one string at a time only
  -r, --rounds NUMBER       1 to 1000 (default 7)
  -t, --time MILLISECONDS   of a round of each number, 1 to 10000 (default 5)
      --json                print one JSON object
  -h, --help                show this text
)";

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxSize = size_t{1} << 30;
constexpr size_t kKeysOfBatch = 1000;
// Longer keys gain nothing worth the time.
constexpr size_t kMaxKeyOfBatch = 4096;
// From here on what is measured is mostly something else.
constexpr double kNoisy = 0.1;

struct Options {
  std::vector<const Algorithm*> algorithms;
  std::vector<std::string> kernels;
  std::vector<size_t> sizes = {16, 64, 256, 1024, 16384, 102400, 16777216};
  size_t rounds = 7;
  size_t milliseconds = 5;
  bool batch = true, single = true, json = false;
};

// What is measured at every size.
struct Row {
  const Algorithm* algorithm;
  std::string kernel;  // empty: the function is the same on all
  bool batch;
};

// The rounds of one row at one size, in gigabytes a second.
struct Cell {
  size_t row, size;
  std::vector<double> rates;

  double Median() const { return Sorted()[rates.size() / 2]; }
  // Of the highest and the lowest, as a part of the median.
  double Spread() const {
    return (Sorted().back() - Sorted().front()) / Median();
  }
  std::vector<double> Sorted() const {
    std::vector<double> sorted = rates;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }
};

// ------------------------------------------------------------------- options

std::vector<std::string> Words(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');)
    words.push_back(word);
  return words;
}

// A decimal number, from first to last.
std::optional<size_t> ParseNumber(const std::string& text, size_t first,
                                  size_t last) {
  const bool digits = !text.empty() && text.size() <= 10 &&
                      text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits) return std::nullopt;
  const uint64_t number = std::stoull(text);
  if (number < first || number > last) return std::nullopt;
  return static_cast<size_t>(number);
}

// The same with a unit: 16K is 16384.
std::optional<size_t> ParseSize(std::string text) {
  constexpr char kUnits[] = "KMG";
  unsigned shift = 0;
  for (unsigned i = 0; kUnits[i] != '\0'; ++i)
    if (!text.empty() &&
        (text.back() == kUnits[i] || text.back() == kUnits[i] - 'A' + 'a')) {
      shift = 10 * (i + 1);
      text.pop_back();
      break;
    }
  const auto number = ParseNumber(text, 1, kMaxSize >> shift);
  return number ? std::optional<size_t>(*number << shift) : std::nullopt;
}

std::string FormatSize(size_t bytes) {
  std::string unit;
  for (const char* next : {"K", "M", "G"}) {
    if (bytes % 1024 != 0) break;
    bytes /= 1024;
    unit = next;
  }
  return std::to_string(bytes) + unit;
}

std::vector<std::string> SupportedKernels() {
  std::vector<const char*> names(mmr3_kernels(nullptr, 0));
  mmr3_kernels(names.data(), names.size());
  return {names.begin(), names.end()};
}

// Each sets what the text says, or returns what is wrong with it.
std::string SetAlgorithms(const std::string& text, Options* options) {
  options->algorithms.clear();
  for (const std::string& name : Words(text)) {
    const Algorithm* algorithm = FindAlgorithm(name);
    if (algorithm == nullptr)
      return "no algorithm " + Quote(name) + ": " + AlgorithmNames();
    options->algorithms.push_back(algorithm);
  }
  return options->algorithms.empty() ? "--algorithm wants a name" : "";
}

std::string SetKernels(const std::string& text, Options* options) {
  const std::vector<std::string> supported = SupportedKernels();
  options->kernels = Words(text);
  for (const std::string& name : options->kernels)
    if (std::find(supported.begin(), supported.end(), name) == supported.end())
      return "no kernel " + Quote(name) + " here: " + JoinNames(supported);
  return options->kernels.empty() ? "--kernel wants a name" : "";
}

std::string SetSizes(const std::string& text, Options* options) {
  options->sizes.clear();
  for (const std::string& word : Words(text)) {
    const auto size = ParseSize(word);
    if (!size) return Quote(word) + " is no length: 1 to 1G bytes";
    options->sizes.push_back(*size);
  }
  return options->sizes.empty() ? "--size wants a length" : "";
}

std::string SetNumber(const std::string& text, const char* what, size_t last,
                      size_t* number) {
  const auto parsed = ParseNumber(text, 1, last);
  if (!parsed)
    return Quote(text) + " is no number of " + what + ": 1 to " +
           std::to_string(last);
  *number = *parsed;
  return "";
}

// ----------------------------------------------------------------- measuring

std::vector<Row> Rows(const Options& options) {
  std::vector<Row> rows;
  if (options.single)
    for (const Algorithm* algorithm : options.algorithms) {
      if (algorithm->has_kernels)
        for (const std::string& kernel : options.kernels)
          rows.push_back({algorithm, kernel, false});
      else
        rows.push_back({algorithm, "", false});
    }
  if (options.batch)
    for (const Algorithm* algorithm : options.algorithms)
      if (algorithm->hash_batch != nullptr)
        for (const std::string& kernel : options.kernels)
          rows.push_back({algorithm, kernel, true});
  return rows;
}

std::vector<Cell> Cells(const std::vector<Row>& rows,
                        const std::vector<size_t>& sizes) {
  std::vector<Cell> cells;
  for (size_t size = 0; size < sizes.size(); ++size)
    for (size_t row = 0; row < rows.size(); ++row)
      if (!rows[row].batch || sizes[size] <= kMaxKeyOfBatch)
        cells.push_back({row, size, {}});
  return cells;
}

Batch KeysOf(const std::vector<unsigned char>& data, size_t len) {
  Batch batch;
  for (size_t i = 0; i < kKeysOfBatch; ++i) {
    batch.keys.push_back(data.data() + i * len);
    batch.lens.push_back(len);
  }
  batch.out.resize(2 * kKeysOfBatch);
  return batch;
}

// Gigabytes a second of one round.
double Measure(const Row& row, const std::vector<unsigned char>& data,
               size_t len, Clock::duration round_time) {
  if (!row.kernel.empty()) mmr3_use_kernel(row.kernel.c_str());
  Batch batch;
  if (row.batch) batch = KeysOf(data, len);
  size_t calls = 0;
  uint64_t seed = 0;
  Clock::duration elapsed{0};
  const Clock::time_point start = Clock::now();
  // The clock is read after twice as many calls each time.
  for (size_t more = 1; elapsed < round_time; more *= 2) {
    if (row.batch)
      for (size_t i = 0; i < more; ++i) row.algorithm->hash_batch(&batch, i);
    else  // each call waits for the digest of the last
      for (size_t i = 0; i < more; ++i)
        seed = row.algorithm->hash(data.data(), len, seed)[0];
    calls += more;
    elapsed = Clock::now() - start;
  }
  const double bytes = static_cast<double>(calls) * static_cast<double>(len) *
                       (row.batch ? kKeysOfBatch : 1);
  return bytes / 1e9 / std::chrono::duration<double>(elapsed).count();
}

void MeasureAll(const Options& options, const std::vector<Row>& rows,
                std::vector<Cell>* cells) {
  size_t longest = 0;
  for (size_t len : options.sizes)
    longest = std::max(
        {longest, len, len <= kMaxKeyOfBatch ? len * kKeysOfBatch : 0});
  std::vector<unsigned char> data(longest);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<unsigned char>(i * 131 + (i >> 8) * 29);

  ProgressLine progress;
  const size_t total = options.rounds * cells->size();
  size_t done = 0;
  for (size_t round = 0; round < options.rounds; ++round)
    for (Cell& cell : *cells) {
      cell.rates.push_back(
          Measure(rows[cell.row], data, options.sizes[cell.size],
                  std::chrono::milliseconds(options.milliseconds)));
      ++done;
      if (!progress.IsDue()) continue;
      const double part =
          static_cast<double>(done) / static_cast<double>(total);
      char text[80];
      snprintf(text, sizeof text, "%.0f %%, round %zu of %zu, %.0f s left",
               100 * part, round + 1, options.rounds,
               progress.Seconds() * (1 - part) / part);
      progress.Show(text);
    }
}

// ------------------------------------------------------------------- results

std::string RowName(const Row& row) {
  return std::string(row.algorithm->name) + (row.batch ? " batch" : "") +
         (row.kernel.empty() ? "" : "/" + row.kernel);
}

const Cell& Worst(const std::vector<Cell>& cells) {
  return *std::max_element(
      cells.begin(), cells.end(),
      [](const Cell& a, const Cell& b) { return a.Spread() < b.Spread(); });
}

// Half of the cells have a smaller spread.
double TypicalSpread(const std::vector<Cell>& cells) {
  std::vector<double> spreads;
  for (const Cell& cell : cells) spreads.push_back(cell.Spread());
  std::sort(spreads.begin(), spreads.end());
  return spreads[spreads.size() / 2];
}

std::string FormatNoise(const Options& options, const std::vector<Row>& rows,
                        const std::vector<Cell>& cells) {
  if (options.rounds == 1) return "One round: how noisy it was is not known.\n";
  const Cell& worst = Worst(cells);
  const double typical = TypicalSpread(cells);
  char text[400];
  snprintf(
      text, sizeof text,
      "From the lowest to the highest of %zu rounds: %.0f %% of the median "
      "in half of the\ncases, at most %.0f %% (%s, %s bytes).\n%s",
      options.rounds, 100 * typical, 100 * worst.Spread(),
      RowName(rows[worst.row]).c_str(),
      FormatSize(options.sizes[worst.size]).c_str(),
      typical > kNoisy ? "That is noisy: something else was running, or "
                         "--time is too short.\n"
                       : "");
  return text;
}

std::string FormatTable(const Options& options, const std::vector<Row>& rows,
                        const std::vector<Cell>& cells) {
  const Processor processor = ReadProcessor();
  constexpr size_t kRate = 8;
  constexpr char kHead[] = "GB/s of bytes";
  size_t name_width = sizeof kHead - 1;
  for (const Row& row : rows)
    name_width = std::max(name_width, RowName(row).size());
  std::string text = processor.name + ": " + Identity(processor) + "\n\n" +
                     Padded(kHead, name_width);
  const auto right = [](const std::string& cell) {
    return std::string(kRate - std::min(kRate - 1, cell.size()), ' ') + cell;
  };
  for (size_t len : options.sizes) text += right(FormatSize(len));
  text += "\n";
  for (size_t row = 0; row < rows.size(); ++row) {
    text += Padded(RowName(rows[row]), name_width);
    for (size_t size = 0; size < options.sizes.size(); ++size) {
      std::string rate = "-";
      for (const Cell& cell : cells)
        if (cell.row == row && cell.size == size) {
          char digits[40];
          snprintf(digits, sizeof digits, "%.2f", cell.Median());
          rate = digits;
        }
      text += right(rate);
    }
    text += "\n";
  }
  return text + "\n";
}

ordered_json ToJson(const Options& options, const std::vector<Row>& rows,
                    const std::vector<Cell>& cells) {
  ordered_json results = ordered_json::array();
  for (const Cell& cell : cells) {
    const Row& row = rows[cell.row];
    const std::vector<double> sorted = cell.Sorted();
    results.push_back(
        {{"algorithm", row.algorithm->name},
         {"kernel",
          row.kernel.empty() ? ordered_json() : ordered_json(row.kernel)},
         {"batch", row.batch},
         {"keys", row.batch ? kKeysOfBatch : 1},
         {"bytes", options.sizes[cell.size]},
         {"median", cell.Median()},
         {"lowest", sorted.front()},
         {"highest", sorted.back()}});
  }
  return {
      {"version", mmr3_version()},
      {"processor", ToJson(ReadProcessor())},
      {"architecture", Architecture()},
      {"unit", "gigabytes per second"},
      {"rounds", options.rounds},
      {"milliseconds", options.milliseconds},
      {"spread",
       {{"typical", TypicalSpread(cells)}, {"highest", Worst(cells).Spread()}}},
      {"results", results}};
}

}  // namespace

int RunBench(int argc, char** argv) {
  enum { kBatch = 256, kSingle, kJson };
  static const option kOptions[] = {
      {"algorithm", required_argument, nullptr, 'a'},
      {"kernel", required_argument, nullptr, 'k'},
      {"size", required_argument, nullptr, 'b'},
      {"batch", no_argument, nullptr, kBatch},
      {"single", no_argument, nullptr, kSingle},
      {"rounds", required_argument, nullptr, 'r'},
      {"time", required_argument, nullptr, 't'},
      {"json", no_argument, nullptr, kJson},
      {"help", no_argument, nullptr, 'h'},
      {nullptr, 0, nullptr, 0}};
  Options options;
  for (const Algorithm& algorithm : kAlgorithms)
    options.algorithms.push_back(&algorithm);
  options.kernels = SupportedKernels();
  bool batch = false, single = false;
  for (int c; (c = getopt_long(argc, argv, ":a:k:b:r:t:h", kOptions,
                               nullptr)) != -1;) {
    std::string wrong;
    switch (c) {
      case 'a':
        wrong = SetAlgorithms(optarg, &options);
        break;
      case 'k':
        wrong = SetKernels(optarg, &options);
        break;
      case 'b':
        wrong = SetSizes(optarg, &options);
        break;
      case 'r':
        wrong = SetNumber(optarg, "rounds", 1000, &options.rounds);
        break;
      case 't':
        wrong = SetNumber(optarg, "milliseconds", 10000, &options.milliseconds);
        break;
      case kBatch:
        batch = true;
        break;
      case kSingle:
        single = true;
        break;
      case kJson:
        options.json = true;
        break;
      case 'h':
        PrintOutput(kUsage);
        return kExitSuccess;
      default:
        return OptionError("bench", kOptions, c, argv);
    }
    if (!wrong.empty()) return UsageError("bench", wrong);
  }
  if (optind != argc) return UsageError("bench", "bench takes no file");
  options.batch = batch || !single;
  options.single = single || !batch;

  const std::vector<Row> rows = Rows(options);
  std::vector<Cell> cells = Cells(rows, options.sizes);
  if (cells.empty())
    return UsageError(
        "bench",
        "nothing to measure: wide32 has no batches, nor have keys "
        "of more than " +
            std::to_string(kMaxKeyOfBatch) + " bytes");
  MeasureAll(options, rows, &cells);
  if (options.json)
    PrintOutput(
        ToJson(options, rows, cells)
            .dump(2, ' ', false, ordered_json::error_handler_t::replace) +
        "\n");
  else
    PrintOutput(FormatTable(options, rows, cells) +
                FormatNoise(options, rows, cells));
  return kExitSuccess;
}
