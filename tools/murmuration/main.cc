// The murmuration command: finds the subcommand.
#include <getopt.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "murmuration.h"
#include "tools/murmuration/algorithm.h"
#include "tools/murmuration/quote.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

constexpr char kUsage[] = R"(usage: murmuration SUBCOMMAND [ARGUMENT...]

MurmurHash3 and wide32 at the speed of the processor.

  sum       print or check the digests of files
  info      this processor, the kernels for it, which one is chosen and why
  bench     the speed of every function here, in seconds
  selftest  known answers on every kernel
  help      show this text; before a subcommand, its own

  -h, --help     show this text; after a subcommand, its own
  -V, --version  print the version

MURMURATION_KERNEL=NAME in the environment forces a kernel.
)";

constexpr struct {
  const char* name;
  int (*run)(int argc, char** argv);
} kSubcommands[] = {
    {"sum", RunSum},
    {"info", RunInfo},
    {"bench", RunBench},
    {"selftest", RunSelftest},
};

// Its arguments begin with its name.
int RunSubcommand(const std::string& name, int argc, char** argv) {
  for (const auto& subcommand : kSubcommands)
    if (name == subcommand.name) {
      opterr = 0;  // OptionError has its own messages
      return subcommand.run(argc, argv);
    }
  std::vector<std::string> names;
  for (const auto& subcommand : kSubcommands) names.push_back(subcommand.name);
  names.push_back("help");
  return UsageError("",
                    "no subcommand " + Quote(name) + ": " + JoinNames(names));
}

int Run(int argc, char** argv) {
  if (argc < 2) return UsageError("", "a subcommand is wanted");
  const std::string name = argv[1];
  const bool help = name == "help";
  if (name == "-h" || name == "--help" ||
      (help && (argc == 2 || argv[2] == name))) {
    PrintOutput(kUsage);
    return kExitSuccess;
  }
  if (name == "-V" || name == "--version") {
    PrintOutput(std::string("murmuration ") + mmr3_version() + "\n");
    return kExitSuccess;
  }
  if (!help) return RunSubcommand(name, argc - 1, argv + 1);
  if (argc > 3) return UsageError("", "help takes one subcommand");
  char option[] = "--help";
  char* arguments[] = {argv[2], option, nullptr};
  return RunSubcommand(argv[2], 2, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  // Lines appear whole and at once, beside those of other programs too.
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  int status = kExitFailure;
  try {
    status = Run(argc, argv);
  } catch (const std::bad_alloc&) {
    PrintError("not enough memory");
  } catch (const std::exception& error) {
    PrintError(error.what());
  }
  return FinishOutput() ? status : kExitFailure;
}
