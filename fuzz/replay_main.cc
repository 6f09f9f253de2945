// Runs a fuzz target on the files of folders: what a build without a fuzzer's
// own main has in its place. Files are read through the C library, which
// MemorySanitizer knows; that of C++ is not instrumented.
#include <dirent.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size);

namespace {

[[noreturn]] void Fail(const std::string& path) {
  perror(path.c_str());
  exit(1);
}

std::vector<uint8_t> Contents(const std::string& path) {
  FILE* file = fopen(path.c_str(), "rb");
  if (file == nullptr) Fail(path);
  std::vector<uint8_t> bytes;
  uint8_t piece[4096];
  while (const size_t read = fread(piece, 1, sizeof piece, file))
    bytes.insert(bytes.end(), piece, piece + read);
  if (ferror(file)) Fail(path);
  fclose(file);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  size_t replayed = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string folder = argv[i];
    if (folder[0] == '-') continue;  // an option of the fuzzer
    DIR* entries = opendir(folder.c_str());
    if (entries == nullptr) Fail(folder);
    for (;;) {
      errno = 0;
      const dirent* entry = readdir(entries);
      if (entry == nullptr && errno != 0) Fail(folder);
      if (entry == nullptr) break;
      if (entry->d_name[0] == '.') continue;
      const std::vector<uint8_t> input = Contents(folder + "/" + entry->d_name);
      LLVMFuzzerTestOneInput(input.data(), input.size());
      ++replayed;
    }
    closedir(entries);
  }
  printf("%zu inputs replayed\n", replayed);
  return replayed == 0;
}
