// What the command writes: its output, its messages, and what is different on a
// terminal.
#ifndef MURMURATION_TOOLS_MURMURATION_TERMINAL_H_
#define MURMURATION_TOOLS_MURMURATION_TERMINAL_H_

#include <getopt.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

// Exit statuses of every subcommand.
enum : int {
  kExitSuccess = 0,
  kExitFailure = 1,  // a file could not be read, or a check failed
  kExitUsage = 2,
};

// ------------------------------------------------------------------ messages

// "murmuration: MESSAGE" on standard error. Words of the user in it are quoted
// (quote.h).
void PrintError(const std::string& message);

// The same with where to find help; returns kExitUsage. The subcommand is empty
// for the command itself.
int UsageError(const std::string& subcommand, const std::string& message);

// UsageError for what getopt_long has just refused: result is what it returned.
// Its opterr must be 0 and its list of short options begin with a colon.
int OptionError(const std::string& subcommand, const option* options,
                int result, char** argv);

// -------------------------------------------------------------------- output

// Standard output, whole lines at a time: for the first bytes that it does not
// take, FinishOutput has a message.
void PrintOutput(const std::string& text);

// Whether something could not be written: nothing more need be computed.
bool OutputFailed();

// Writes what is left; false, after a message, if that or any write failed.
bool FinishOutput();

bool OutputIsTerminal();

// With blanks behind it until it has that many characters.
std::string Padded(std::string text, size_t width);

// Text in a colour for standard output: as it is when that is no terminal or
// NO_COLOR is set.
std::string Green(const std::string& text);
std::string Red(const std::string& text);

// ------------------------------------------------------------------ progress

// A line on standard error, if that is a terminal, that the next one replaces.
// It is taken away at the end, also when a signal ends the process.
class ProgressLine {
 public:
  // Nothing is shown before that time has passed.
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether it is time for another line.
  bool IsDue();
  void Show(const std::string& text);
  double Seconds() const;  // since it began

 private:
  using Clock = std::chrono::steady_clock;
  const bool wanted_;
  const Clock::time_point start_;
  Clock::time_point next_;
  bool shown_ = false;
};

#endif  // MURMURATION_TOOLS_MURMURATION_TERMINAL_H_
