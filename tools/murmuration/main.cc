// The murmuration command: finds the subcommand.
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "murmuration.h"
#include "tools/murmuration/subcommands.h"
#include "tools/murmuration/terminal.h"

namespace {

constexpr char kUsage[] = R"(usage: murmuration SUBCOMMAND [ARGUMENT...]

MurmurHash3 and wide32 at the speed of the processor.

  sum       print or check the digests of files
  info      this processor, the kernels for it, which one is chosen and why
  bench     the speed of every function here, in seconds
  selftest  known answers on every kernel

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

int Run(int argc, char** argv) {
  if (argc < 2) return UsageError("", "a subcommand is wanted");
  const std::string name = argv[1];
  if (name == "-h" || name == "--help") {
    fputs(kUsage, stdout);
    return FlushOutput() ? kExitSuccess : kExitFailure;
  }
  if (name == "-V" || name == "--version") {
    printf("murmuration %s\n", mmr3_version());
    return FlushOutput() ? kExitSuccess : kExitFailure;
  }
  for (const auto& subcommand : kSubcommands)
    if (name == subcommand.name) {
      // What getopt_long begins its messages with.
      std::string program = "murmuration " + name;
      argv[1] = program.data();
      return subcommand.run(argc - 1, argv + 1);
    }
  return UsageError("", "no subcommand " + name);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::exception& error) {
    PrintError(error.what());
    return kExitFailure;
  }
}
