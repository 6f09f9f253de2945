#ifndef MURMURATION_TOOLS_MURMURATION_FILE_HASH_H_
#define MURMURATION_TOOLS_MURMURATION_FILE_HASH_H_

#include <optional>
#include <string>

#include "tools/murmuration/algorithm.h"

struct FileHash {
  std::optional<Digest> digest;
  // Without a digest:
  bool missing;         // there is no file of that name
  std::string problem;  // for PrintError
};

// Hashes a file, or standard input if its name is "-". A directory has no
// digest. Shows on a terminal how far a file of 64 MiB and more has come.
FileHash HashFile(const std::string& name, const Algorithm& algorithm,
                  uint64_t seed);

#endif  // MURMURATION_TOOLS_MURMURATION_FILE_HASH_H_
