#ifndef MURMURATION_TOOLS_MURMURATION_FILE_HASH_H_
#define MURMURATION_TOOLS_MURMURATION_FILE_HASH_H_

#include <optional>
#include <string>

#include "tools/murmuration/algorithm.h"

// The digest of a file, or of standard input if its name is "-"; nothing, after
// a message on standard error, if it cannot be read or is a directory.
std::optional<std::string> HashFile(const std::string& name,
                                    const Algorithm& algorithm, uint64_t seed);

#endif  // MURMURATION_TOOLS_MURMURATION_FILE_HASH_H_
