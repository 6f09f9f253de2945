#include "tools/murmuration/file_hash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tools/murmuration/terminal.h"

namespace {

// Measured on a cached file of 4 GB (docs/benchmarks.md): from 1.5 to 8 MiB
// read() is fastest; 128 KiB takes 1.3 times as long, and so does mmap, whose
// page faults cost more than the copy.
constexpr size_t kReadBytes = size_t{2} << 20;
constexpr size_t kPageBytes = 4096;

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

// Feeds the rest of the file to the stream; 0 or an errno value.
int ReadAll(const File& file, const struct stat& status, Stream* stream) {
  unsigned char* const buffer = ReadBuffer();
  if (buffer == nullptr) return ENOMEM;
  Progress progress(
      S_ISREG(status.st_mode) ? static_cast<uint64_t>(status.st_size) : 0);
  uint64_t done = 0;
  for (;;) {
    const ssize_t got = read(file.descriptor(), buffer, kReadBytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    stream->Update(buffer, static_cast<size_t>(got));
    done += static_cast<uint64_t>(got);
    progress.Update(done);
  }
}

std::optional<std::string> Fail(const std::string& name,
                                const std::string& reason) {
  PrintError(name + ": " + reason);
  return std::nullopt;
}

}  // namespace

std::optional<std::string> HashFile(const std::string& name,
                                    const Algorithm& algorithm, uint64_t seed) {
  const File file(name);
  struct stat status;
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0)
    return Fail(name, strerror(errno));
  if (S_ISDIR(status.st_mode))
    return Fail(name, "is a directory; name the files in it");
  const std::unique_ptr<Stream> stream = algorithm.start(seed);
  const int error = ReadAll(file, status, stream.get());
  if (error != 0) return Fail(name, strerror(error));
  return ToHex(algorithm, stream->Finish());
}
