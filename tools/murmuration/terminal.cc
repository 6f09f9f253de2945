#include "tools/murmuration/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr uint64_t kLargeFile = uint64_t{64} << 20;
constexpr std::chrono::milliseconds kFirstShown{200};
constexpr std::chrono::milliseconds kShownEvery{100};
constexpr char kClearLine[] = "\r\033[K";

// A terminal that understands escape sequences.
bool IsTerminal(int descriptor) {
  const char* term = getenv("TERM");
  return isatty(descriptor) && term != nullptr && strcmp(term, "dumb") != 0;
}

bool ColorWanted() {
  static const bool wanted = [] {
    const char* no_color = getenv("NO_COLOR");
    return (no_color == nullptr || *no_color == '\0') &&
           IsTerminal(STDOUT_FILENO);
  }();
  return wanted;
}

std::string Colored(const char* color, const std::string& text) {
  return ColorWanted() ? color + text + "\033[0m" : text;
}

double Gigabytes(uint64_t bytes) { return static_cast<double>(bytes) / 1e9; }

}  // namespace

void PrintError(const std::string& message) {
  fprintf(stderr, "murmuration: %s\n", message.c_str());
}

int UsageError(const std::string& subcommand, const std::string& message) {
  PrintError(message);
  return SeeHelp(subcommand);
}

int SeeHelp(const std::string& subcommand) {
  PrintError("see murmuration " + subcommand + (subcommand.empty() ? "" : " ") +
             "--help");
  return kExitUsage;
}

bool FlushOutput() {
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  PrintError(std::string("cannot write the output: ") + strerror(errno));
  return false;
}

std::string Green(const std::string& text) { return Colored("\033[32m", text); }

std::string Red(const std::string& text) { return Colored("\033[31m", text); }

Progress::Progress(uint64_t total)
    : wanted_(IsTerminal(STDERR_FILENO)),
      total_(total),
      start_(Clock::now()),
      next_(start_ + kFirstShown) {}

Progress::~Progress() {
  if (shown_) fputs(kClearLine, stderr);
}

void Progress::Update(uint64_t done) {
  if (!wanted_ || (total_ < kLargeFile && done < kLargeFile)) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kShownEvery;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  fprintf(stderr, "%s%.2f", kClearLine, Gigabytes(done));
  if (total_ != 0)
    fprintf(stderr, " of %.2f GB, %.0f %%", Gigabytes(total_),
            100.0 * static_cast<double>(done) / static_cast<double>(total_));
  else
    fputs(" GB", stderr);
  fprintf(stderr, ", %.2f GB/s", Gigabytes(done) / seconds);
}
