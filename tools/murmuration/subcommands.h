// The subcommands: each takes its own arguments, argv[0] being its name, and
// returns the exit status.
#ifndef MURMURATION_TOOLS_MURMURATION_SUBCOMMANDS_H_
#define MURMURATION_TOOLS_MURMURATION_SUBCOMMANDS_H_

int RunSum(int argc, char** argv);
int RunInfo(int argc, char** argv);
int RunBench(int argc, char** argv);
int RunSelftest(int argc, char** argv);

#endif  // MURMURATION_TOOLS_MURMURATION_SUBCOMMANDS_H_
