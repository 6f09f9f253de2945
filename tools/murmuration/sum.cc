// murmuration sum: digests of files, printed or checked.
#include <getopt.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "tools/murmuration/digest_line.h"
#include "tools/murmuration/file_hash.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

constexpr char kUsage[] =
    R"(usage: murmuration sum [OPTION...] [FILE...]
       murmuration sum --check [OPTION...] [LIST...]

Prints a line "DIGEST  FILE" for each file, or checks lists of such lines.
Without a file, or where it is -, reads standard input.

  -a, --algorithm NAME  x86_32, x86_128, x64_128 (default) or wide32
  -s, --seed SEED       decimal, or hexadecimal after 0x (default 0)
      --tag             print "ALGORITHM (FILE) = DIGEST"
  -c, --check           check the files that the lists name; -a and -s hold for
                        lines without an ALGORITHM
      --quiet           with --check: no OK lines
      --status          with --check: no output, the exit status tells
      --strict          with --check: fail for lines that are no digest lines
  -w, --warn            with --check: name each such line
  -h, --help            show this text

Exit status: 0, 1 if a file was not read or does not match, 2 for wrong usage.
)";

struct Options {
  const Algorithm* algorithm = &kDefaultAlgorithm;
  uint64_t seed = 0;
  bool tag = false, check = false;
  bool quiet = false, status = false, strict = false, warn = false;
};

bool PrintDigest(const std::string& file, const Options& options) {
  const auto digest = HashFile(file, *options.algorithm, options.seed);
  if (!digest) return false;
  puts(FormatDigestLine({options.algorithm, options.seed, *digest, file},
                        options.tag)
           .c_str());
  return true;
}

// What --check counts in one list.
struct Counts {
  size_t lines = 0, malformed = 0, unread = 0, mismatches = 0;
};

void CheckLine(const DigestLine& line, const Options& options, Counts* counts) {
  const auto digest = HashFile(line.file, *line.algorithm, line.seed);
  std::string verdict;
  if (!digest) {
    ++counts->unread;
    verdict = Red("FAILED") + " open or read";
  } else if (*digest != line.digest) {
    ++counts->mismatches;
    verdict = Red("FAILED");
  } else if (!options.quiet) {
    verdict = Green("OK");
  }
  if (!verdict.empty() && !options.status)
    printf("%s: %s\n", EscapeFileName(line.file).c_str(), verdict.c_str());
}

void Warn(size_t count, const char* one, const char* many) {
  if (count != 0)
    PrintError("WARNING: " + std::to_string(count) + " " +
               (count == 1 ? one : many));
}

bool CheckList(const std::string& name, const Options& options) {
  std::ifstream file;
  if (name != "-") {
    file.open(name);
    if (!file.is_open()) {
      PrintError(name + ": " + strerror(errno));
      return false;
    }
  }
  std::istream& list = name == "-" ? std::cin : file;

  Counts counts;
  std::string text;
  for (size_t number = 1; std::getline(list, text); ++number) {
    if (text.empty() || text[0] == '#') continue;
    const auto line = ParseDigestLine(text, *options.algorithm, options.seed);
    if (line) {
      ++counts.lines;
      CheckLine(*line, options, &counts);
      continue;
    }
    ++counts.malformed;
    if (options.warn)
      PrintError(name + ":" + std::to_string(number) + ": no digest line of " +
                 options.algorithm->name);
  }
  if (list.bad()) {  // a directory, for one
    PrintError(name + ": " + strerror(errno));
    return false;
  }
  if (counts.lines == 0) {
    PrintError(name +
               ": has no digest lines; those without a tag are taken for " +
               options.algorithm->name + ", -a names another");
    return false;
  }
  if (!options.status) {
    Warn(counts.malformed, "line is improperly formatted",
         "lines are improperly formatted");
    Warn(counts.unread, "listed file could not be read",
         "listed files could not be read");
    Warn(counts.mismatches, "computed digest did NOT match",
         "computed digests did NOT match");
  }
  return counts.unread == 0 && counts.mismatches == 0 &&
         (counts.malformed == 0 || !options.strict);
}

}  // namespace

int RunSum(int argc, char** argv) {
  enum { kTag = 256, kQuiet, kStatus, kStrict };
  static const option kOptions[] = {
      {"algorithm", required_argument, nullptr, 'a'},
      {"seed", required_argument, nullptr, 's'},
      {"tag", no_argument, nullptr, kTag},
      {"check", no_argument, nullptr, 'c'},
      {"quiet", no_argument, nullptr, kQuiet},
      {"status", no_argument, nullptr, kStatus},
      {"strict", no_argument, nullptr, kStrict},
      {"warn", no_argument, nullptr, 'w'},
      {"help", no_argument, nullptr, 'h'},
      {nullptr, 0, nullptr, 0},
  };
  Options options;
  const char* seed = "0";
  for (int c;
       (c = getopt_long(argc, argv, "a:s:cwh", kOptions, nullptr)) != -1;)
    switch (c) {
      case 'a':
        options.algorithm = FindAlgorithm(optarg);
        if (options.algorithm == nullptr)
          return UsageError("sum", std::string("no algorithm ") + optarg);
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
      case kTag:
        options.tag = true;
        break;
      case kQuiet:
        options.quiet = true;
        break;
      case kStatus:
        options.status = true;
        break;
      case kStrict:
        options.strict = true;
        break;
      case 'h':
        fputs(kUsage, stdout);
        return kExitSuccess;
      default:
        return SeeHelp("sum");
    }
  const auto parsed = ParseSeed(seed, options.algorithm->max_seed);
  if (!parsed)
    return UsageError("sum", std::string(seed) + " is no seed of " +
                                 options.algorithm->name + ": 0 to " +
                                 std::to_string(options.algorithm->max_seed));
  options.seed = *parsed;
  if (options.check && options.tag)
    return UsageError("sum", "--tag has no meaning with --check");
  if (!options.check &&
      (options.quiet || options.status || options.strict || options.warn))
    return UsageError("sum",
                      "--quiet, --status, --strict and --warn want --check");

  std::vector<std::string> files(argv + optind, argv + argc);
  if (files.empty()) files.push_back("-");
  bool good = true;
  for (const std::string& file : files)
    good &=
        options.check ? CheckList(file, options) : PrintDigest(file, options);
  return FlushOutput() && good ? kExitSuccess : kExitFailure;
}
