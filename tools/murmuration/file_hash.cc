#include "tools/murmuration/file_hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/murmuration/quote.h"
#include "tools/murmuration/terminal.h"

namespace {

// Measured on a cached file of 4 GB (docs/benchmarks.md): from 1.5 to 8 MiB
// read() is fastest; 128 KiB takes 1.3 times as long, and so does mmap, whose
// page faults cost more than the copy.
constexpr size_t kReadBytes = size_t{2} << 20;
constexpr size_t kPageBytes = 4096;
// Smaller files are done too soon to be shown.
constexpr uint64_t kShownBytes = uint64_t{64} << 20;

class File {
 public:
  explicit File(const std::string& name)
      : owned_(name != "-"),
        descriptor_(owned_ ? open(name.c_str(), O_RDONLY | O_CLOEXEC)
                           : STDIN_FILENO) {}
  ~File() {
    if (owned_ && descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  const bool owned_;
  const int descriptor_;
};

// One for all files: its pages are touched once.
unsigned char* ReadBuffer() {
  static unsigned char* const buffer =
      static_cast<unsigned char*>(std::aligned_alloc(kPageBytes, kReadBytes));
  return buffer;
}

// How far a file has come; its size is 0 if it is not known.
std::string ProgressText(uint64_t done, uint64_t total, double seconds) {
  const double gigabytes = static_cast<double>(done) / 1e9;
  char text[100];
  if (total != 0)
    snprintf(text, sizeof text, "%.2f of %.2f GB, %.0f %%, %.2f GB/s",
             gigabytes, static_cast<double>(total) / 1e9,
             100.0 * static_cast<double>(done) / static_cast<double>(total),
             gigabytes / seconds);
  else
    snprintf(text, sizeof text, "%.2f GB, %.2f GB/s", gigabytes,
             gigabytes / seconds);
  return text;
}

// Feeds the rest of the file to the stream; 0 or an errno value.
int ReadAll(const File& file, const struct stat& status, Stream* stream) {
  unsigned char* const buffer = ReadBuffer();
  if (buffer == nullptr) return ENOMEM;
  const uint64_t total =
      S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0;
  ProgressLine progress;
  uint64_t done = 0;
  for (;;) {
    const ssize_t got = read(file.descriptor(), buffer, kReadBytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    stream->Update(buffer, static_cast<size_t>(got));
    done += static_cast<uint64_t>(got);
    if ((total >= kShownBytes || done >= kShownBytes) && progress.IsDue())
      progress.Show(ProgressText(done, total, progress.Seconds()));
  }
}

FileHash Problem(const std::string& name, int error) {
  return {std::nullopt, error == ENOENT,
          QuoteFile(name) + ": " + strerror(error)};
}

}  // namespace

FileHash HashFile(const std::string& name, const Algorithm& algorithm,
                  uint64_t seed) {
  const File file(name);
  struct stat status;
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0)
    return Problem(name, errno);
  if (S_ISDIR(status.st_mode))
    return {std::nullopt, false,
            QuoteFile(name) + ": is a directory; name the files in it"};
  const std::unique_ptr<Stream> stream = algorithm.start(seed);
  const int error = ReadAll(file, status, stream.get());
  if (error != 0) return Problem(name, error);
  return {stream->Finish(), false, ""};
}
