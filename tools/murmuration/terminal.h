// What the command does differently on a terminal, and its messages.
#ifndef MURMURATION_TOOLS_MURMURATION_TERMINAL_H_
#define MURMURATION_TOOLS_MURMURATION_TERMINAL_H_

#include <chrono>
#include <cstdint>
#include <string>

// Exit statuses of every subcommand.
enum : int {
  kExitSuccess = 0,
  kExitFailure = 1,  // a file could not be read, or a check failed
  kExitUsage = 2,
};

// "murmuration: MESSAGE" on standard error.
void PrintError(const std::string& message);

// The same with where to find help; returns kExitUsage. The subcommand is empty
// for the command itself.
int UsageError(const std::string& subcommand, const std::string& message);

// What UsageError does, after getopt_long has printed what is wrong.
int SeeHelp(const std::string& subcommand);

// Flushes standard output; false, after a message, if that or any write before
// it failed.
bool FlushOutput();

// Text in a colour for standard output: as it is when that is no terminal or
// NO_COLOR is set.
std::string Green(const std::string& text);
std::string Red(const std::string& text);

// A line on standard error about a large file, if that is a terminal: from 64
// MiB and a fifth of a second on.
class Progress {
 public:
  // total is the size of the file, or 0 if it is not known.
  explicit Progress(uint64_t total);
  ~Progress();  // takes the line away
  void Update(uint64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  const bool wanted_;
  const uint64_t total_;
  const Clock::time_point start_;
  Clock::time_point next_;
  bool shown_ = false;
};

#endif  // MURMURATION_TOOLS_MURMURATION_TERMINAL_H_
