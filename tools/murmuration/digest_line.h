// A line of a list of digests, in the two forms that md5sum and its kind have:
//
//   DIGEST  FILE
//   TAG (FILE) = DIGEST
//
// TAG names the algorithm, and the seed if it is not 0: MURMUR3_X86_32, or
// MURMUR3_X86_32-SEED-0x2a. A line whose file name has a backslash, newline or
// carriage return begins with a backslash, and those are written \\, \n and \r.
#ifndef MURMURATION_TOOLS_MURMURATION_DIGEST_LINE_H_
#define MURMURATION_TOOLS_MURMURATION_DIGEST_LINE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tools/murmuration/algorithm.h"

struct DigestLine {
  const Algorithm* algorithm;
  uint64_t seed;
  std::string digest;  // lower case
  std::string file;
};

// Without the newline.
std::string FormatDigestLine(const DigestLine& line, bool tagged);

// The file name as a line shows it: with the leading backslash if it needs one.
std::string EscapeFileName(const std::string& file);

// Reads either form. An untagged line does not tell its algorithm and seed:
// they are those given. Nothing if the text is no such line.
std::optional<DigestLine> ParseDigestLine(std::string text,
                                          const Algorithm& untagged_algorithm,
                                          uint64_t untagged_seed);

// A number in decimal, or in hexadecimal after 0x. Nothing if the text is
// anything else or the number is over max.
std::optional<uint64_t> ParseSeed(const std::string& text, uint64_t max);

#endif  // MURMURATION_TOOLS_MURMURATION_DIGEST_LINE_H_
