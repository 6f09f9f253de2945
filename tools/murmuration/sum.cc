// murmuration sum: digests of files, printed or checked.
#include <getopt.h>

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "tools/murmuration/digest_line.h"
#include "tools/murmuration/file_hash.h"
#include "tools/murmuration/quote.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

constexpr char kUsage[] =
    R"(usage: murmuration sum [OPTION...] [FILE...]
       murmuration sum --check [OPTION...] [LIST...]

Prints "DIGEST  FILE" for each file, or checks the files in lists of such lines.
Without a file, or where it is -, reads standard input.

  -a, --algorithm NAME  x86_32, x86_128, x64_128 (default) or wide32
  -s, --seed SEED       decimal or 0x...; 32 bits may be signed (default 0)
      --signed          digests of 32 bits in decimal, signed
      --tag             print "ALGORITHM (FILE) = DIGEST"
  -z, --zero            end lines with a zero byte, do not escape file names
  -c, --check           check the files that the lists name; -a and -s hold for
                        lines without an ALGORITHM
  These want --check:
      --ignore-missing  skip files that do not exist
  -q, --quiet           no OK lines
      --status          no output, the exit status tells
      --strict          fail for lines that are no digest lines
  -w, --warn            name each such line
  -h, --help            show this text

Exit status: 0, 1 if a file was not read or does not match, 2 for wrong usage.
)";

struct Options {
  const Algorithm* algorithm = &kDefaultAlgorithm;
  uint64_t seed = 0;
  DigestForm form = DigestForm::kHex;
  bool tag = false, zero = false, check = false;
  // With check:
  bool ignore_missing = false, quiet = false, status = false, strict = false,
       warn = false;
};

bool PrintDigest(const std::string& file, const Options& options) {
  const FileHash hash = HashFile(file, *options.algorithm, options.seed);
  if (!hash.digest) {
    PrintError(hash.problem);
    return false;
  }
  PrintOutput(
      FormatDigestLine({options.algorithm, options.seed, *hash.digest, file},
                       options.tag, options.form, !options.zero) +
      (options.zero ? '\0' : '\n'));
  return true;
}

// What --check counts in one list.
struct Counts {
  size_t lines = 0, malformed = 0, missing = 0, unread = 0, mismatches = 0;
};

// A terminal gets no control characters of a list that others have written.
std::string FileOfVerdict(const std::string& file) {
  return OutputIsTerminal() && HasUnprintable(file) ? Quote(file)
                                                    : EscapeFileName(file);
}

void CheckLine(const DigestLine& line, const Options& options, Counts* counts) {
  ++counts->lines;
  const FileHash hash = HashFile(line.file, *line.algorithm, line.seed);
  std::string verdict;
  if (!hash.digest && hash.missing && options.ignore_missing) {
    ++counts->missing;
  } else if (!hash.digest) {
    ++counts->unread;
    PrintError(hash.problem);
    verdict = Red("FAILED") + " open or read";
  } else if (*hash.digest != line.digest) {
    ++counts->mismatches;
    verdict = Red("FAILED");
  } else if (!options.quiet) {
    verdict = Green("OK");
  }
  if (!verdict.empty() && !options.status)
    PrintOutput(FileOfVerdict(line.file) + ": " + verdict + "\n");
}

void Warn(size_t count, const char* one, const char* many) {
  if (count != 0)
    PrintError("WARNING: " + std::to_string(count) + " " +
               (count == 1 ? one : many));
}

// What is wrong with a list that has no digest line.
std::string WithoutLines(const std::string& first, const Options& options) {
  const std::string start = first.substr(0, 2);
  if (start == "\xff\xfe" || start == "\xfe\xff")
    return "is text in UTF-16; save it as UTF-8";
  if (first.find('\0') != std::string::npos)
    return "has zero bytes; --check reads lists that --zero has not made";
  return std::string(
             "has no digest lines; those without a tag are taken for ") +
         options.algorithm->name + ", -a names another";
}

bool CheckList(const std::string& name, const Options& options) {
  std::ifstream file;
  if (name != "-") {
    file.open(name);
    if (!file.is_open()) {
      PrintError(Quote(name) + ": " + strerror(errno));
      return false;
    }
  }
  std::istream& list = name == "-" ? std::cin : file;

  Counts counts;
  std::string text, first;
  for (size_t number = 1; !OutputFailed() && std::getline(list, text);
       ++number) {
    if (number == 1) first = text;
    if (IsBlankOrComment(text)) continue;
    const auto line =
        ParseDigestLine(text, *options.algorithm, options.seed, options.form);
    if (line) {
      CheckLine(*line, options, &counts);
      continue;
    }
    ++counts.malformed;
    if (options.warn)
      PrintError(QuoteFile(name) + ":" + std::to_string(number) +
                 ": no digest line of " + options.algorithm->name);
  }
  if (OutputFailed()) return false;
  if (list.bad()) {  // a directory, for one
    PrintError(QuoteFile(name) + ": " + strerror(errno));
    return false;
  }
  if (counts.lines == 0) {
    PrintError(QuoteFile(name) + ": " + WithoutLines(first, options));
    return false;
  }
  if (!options.status) {
    Warn(counts.malformed, "line is improperly formatted",
         "lines are improperly formatted");
    Warn(counts.unread, "listed file could not be read",
         "listed files could not be read");
    Warn(counts.mismatches, "computed digest did NOT match",
         "computed digests did NOT match");
    if (counts.missing == counts.lines)
      PrintError(QuoteFile(name) + ": no file was verified");
  }
  return counts.unread == 0 && counts.mismatches == 0 &&
         counts.missing != counts.lines &&
         (counts.malformed == 0 || !options.strict);
}

// Why a text is no seed of the algorithm.
std::string NoSeed(const std::string& text, const Algorithm& algorithm) {
  const bool has_32_bits = algorithm.max_seed == UINT32_MAX;
  std::string message = Quote(text) + " is no seed of " + algorithm.name +
                        ": " + std::to_string(has_32_bits ? INT32_MIN : 0) +
                        " to " + std::to_string(algorithm.max_seed) +
                        ", decimal, or hexadecimal after 0x";
  // Others take a signed number of 32 bits and extend it with zeros or signs.
  const auto narrow = ParseSeed(text, *FindAlgorithm("x86_32"));
  if (!has_32_bits && narrow) {
    char forms[80];
    snprintf(forms, sizeof forms, "; is 0x%" PRIx32 " meant, or 0x%" PRIx64 "?",
             static_cast<uint32_t>(*narrow), *narrow | ~uint64_t{UINT32_MAX});
    message += forms;
  }
  return message;
}

// What is wrong with the options together; empty if nothing is.
std::string Contradiction(const Options& options) {
  if (options.form == DigestForm::kSigned && options.algorithm->words != 1)
    return std::string("--signed is for digests of 32 bits, and ") +
           options.algorithm->name + " has 128: choose -a x86_32 or -a wide32";
  const struct {
    bool given;
    bool with_check;
    const char* name;
  } rules[] = {
      {options.tag, false, "--tag"},
      {options.zero, false, "--zero"},
      {options.ignore_missing, true, "--ignore-missing"},
      {options.quiet, true, "--quiet"},
      {options.status, true, "--status"},
      {options.strict, true, "--strict"},
      {options.warn, true, "--warn"},
  };
  for (const auto& rule : rules)
    if (rule.given && rule.with_check != options.check)
      return rule.name + std::string(rule.with_check
                                         ? " wants --check"
                                         : " has no meaning with --check");
  return "";
}

}  // namespace

int RunSum(int argc, char** argv) {
  enum { kTag = 256, kSigned, kIgnoreMissing, kStatus, kStrict };
  static const option kOptions[] = {
      {"algorithm", required_argument, nullptr, 'a'},
      {"seed", required_argument, nullptr, 's'},
      {"signed", no_argument, nullptr, kSigned},
      {"tag", no_argument, nullptr, kTag},
      {"zero", no_argument, nullptr, 'z'},
      {"check", no_argument, nullptr, 'c'},
      {"ignore-missing", no_argument, nullptr, kIgnoreMissing},
      {"quiet", no_argument, nullptr, 'q'},
      {"status", no_argument, nullptr, kStatus},
      {"strict", no_argument, nullptr, kStrict},
      {"warn", no_argument, nullptr, 'w'},
      {"help", no_argument, nullptr, 'h'},
      {nullptr, 0, nullptr, 0},
  };
  Options options;
  const char* seed = "0";
  for (int c;
       (c = getopt_long(argc, argv, ":a:s:zcqwh", kOptions, nullptr)) != -1;)
    switch (c) {
      case 'a':
        options.algorithm = FindAlgorithm(optarg);
        if (options.algorithm == nullptr)
          return UsageError(
              "sum", "no algorithm " + Quote(optarg) + ": " + AlgorithmNames());
        break;
      case 's':
        seed = optarg;
        break;
      case 'c':
        options.check = true;
        break;
      case 'w':
        options.warn = true;
        break;
      case 'z':
        options.zero = true;
        break;
      case 'q':
        options.quiet = true;
        break;
      case kSigned:
        options.form = DigestForm::kSigned;
        break;
      case kIgnoreMissing:
        options.ignore_missing = true;
        break;
      case kTag:
        options.tag = true;
        break;
      case kStatus:
        options.status = true;
        break;
      case kStrict:
        options.strict = true;
        break;
      case 'h':
        PrintOutput(kUsage);
        return kExitSuccess;
      default:
        return OptionError("sum", kOptions, c, argv);
    }
  const auto parsed = ParseSeed(seed, *options.algorithm);
  if (!parsed) return UsageError("sum", NoSeed(seed, *options.algorithm));
  options.seed = *parsed;
  const std::string contradiction = Contradiction(options);
  if (!contradiction.empty()) return UsageError("sum", contradiction);

  std::vector<std::string> files(argv + optind, argv + argc);
  if (files.empty()) files.push_back("-");
  bool good = true;
  for (const std::string& file : files) {
    if (OutputFailed()) break;
    good &=
        options.check ? CheckList(file, options) : PrintDigest(file, options);
  }
  return good ? kExitSuccess : kExitFailure;
}
