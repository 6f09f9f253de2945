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
  Digest digest;
  std::string file;
};

// Without what ends it. A line that ends with a zero byte needs no escaping of
// the file's name, and has none.
std::string FormatDigestLine(const DigestLine& line, bool tagged,
                             DigestForm form, bool escaped);

// The file name as a line shows it: with the leading backslash if it needs one.
std::string EscapeFileName(const std::string& file);

// Reads either form, as md5sum does: without blanks in front, one blank in
// place of two, capitals in the digest, a carriage return or a byte order mark
// of others' editors. An untagged line does not tell its algorithm and seed:
// they are those given. Nothing if the text is no such line.
std::optional<DigestLine> ParseDigestLine(std::string text,
                                          const Algorithm& untagged_algorithm,
                                          uint64_t untagged_seed,
                                          DigestForm form);

// Whether lists skip the line: empty, or a comment, which begins with #.
bool IsBlankOrComment(const std::string& text);

// A number in decimal, or in hexadecimal after 0x; 32-bit seeds may be signed:
// -1 is 0xffffffff. Nothing if the text is anything else or out of range.
std::optional<uint64_t> ParseSeed(const std::string& text,
                                  const Algorithm& algorithm);

#endif  // MURMURATION_TOOLS_MURMURATION_DIGEST_LINE_H_
