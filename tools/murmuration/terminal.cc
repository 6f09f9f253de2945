#include "tools/murmuration/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/murmuration/quote.h"

namespace {

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

// The errno of the first write that failed.
int output_error = 0;

void NoteOutputError() {
  if (output_error == 0) output_error = errno != 0 ? errno : EIO;
}

// ---------------------------------------------------- signals and progress

constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

// Its action is the default one again: the process ends on return.
void ClearLineAndEnd(int signal) {
  const ssize_t written =
      write(STDERR_FILENO, kClearLine, sizeof kClearLine - 1);
  (void)written;
  raise(signal);
}

// Those that somebody has set, such as nohup's, stay.
void ReplaceAction(void (*from)(int), void (*to)(int)) {
  for (int signal : kEndingSignals) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler != from)
      continue;
    memset(&action, 0, sizeof action);
    action.sa_handler = to;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void PrintError(const std::string& message) {
  fprintf(stderr, "murmuration: %s\n", message.c_str());
}

int UsageError(const std::string& subcommand, const std::string& message) {
  PrintError(message + " (see murmuration " + subcommand +
             (subcommand.empty() ? "" : " ") + "--help)");
  return kExitUsage;
}

int OptionError(const std::string& subcommand, const option* options,
                int result, char** argv) {
  for (; options->name != nullptr; ++options)
    if (optopt == options->val)
      return UsageError(subcommand, std::string("--") + options->name +
                                        (result == ':' ? " wants a value"
                                                       : " takes no value"));
  const std::string word = optopt != 0
                               ? "-" + std::string(1, static_cast<char>(optopt))
                               : argv[optind - 1];
  return UsageError(subcommand,
                    Quote(word) + (optopt != 0 ? " is no option"
                                               : " is no option, or begins "
                                                 "more than one"));
}

void PrintOutput(const std::string& text) {
  errno = 0;
  if (fwrite(text.data(), 1, text.size(), stdout) != text.size())
    NoteOutputError();
}

bool OutputFailed() { return output_error != 0; }

bool FinishOutput() {
  errno = 0;
  if (fflush(stdout) != 0) NoteOutputError();
  if (!OutputFailed()) return true;
  PrintError(std::string("cannot write the output: ") + strerror(output_error));
  return false;
}

bool OutputIsTerminal() { return isatty(STDOUT_FILENO) != 0; }

std::string Padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string Green(const std::string& text) { return Colored("\033[32m", text); }

std::string Red(const std::string& text) { return Colored("\033[31m", text); }

ProgressLine::ProgressLine()
    : wanted_(IsTerminal(STDERR_FILENO)),
      start_(Clock::now()),
      next_(start_ + kFirstShown) {}

ProgressLine::~ProgressLine() {
  if (!shown_) return;
  fputs(kClearLine, stderr);
  ReplaceAction(ClearLineAndEnd, SIG_DFL);
}

bool ProgressLine::IsDue() { return wanted_ && Clock::now() >= next_; }

void ProgressLine::Show(const std::string& text) {
  if (!shown_) ReplaceAction(SIG_DFL, ClearLineAndEnd);
  shown_ = true;
  next_ = Clock::now() + kShownEvery;
  fprintf(stderr, "%s%s", kClearLine, text.c_str());
}

double ProgressLine::Seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}
