#include "tools/murmuration/digest_line.h"

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace {

constexpr char kSeedMark[] = "-SEED-";

// What stands for what in an escaped file name.
constexpr struct {
  char character, letter;
} kEscapes[] = {{'\\', '\\'}, {'\n', 'n'}, {'\r', 'r'}};

std::string Escape(const std::string& file) {
  std::string escaped;
  for (char c : file) {
    bool found = false;
    for (const auto& escape : kEscapes)
      if (c == escape.character) {
        escaped += '\\';
        escaped += escape.letter;
        found = true;
      }
    if (!found) escaped += c;
  }
  return escaped;
}

std::optional<std::string> Unescape(const std::string& escaped) {
  std::string file;
  for (size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '\\') {
      file += escaped[i];
      continue;
    }
    if (++i == escaped.size()) return std::nullopt;
    bool found = false;
    for (const auto& escape : kEscapes)
      if (escaped[i] == escape.letter) {
        file += escape.character;
        found = true;
      }
    if (!found) return std::nullopt;
  }
  return file;
}

bool IsEscaped(const std::string& file) {
  return file.find_first_of("\\\n\r") != std::string::npos;
}

std::string Tag(const Algorithm& algorithm, uint64_t seed) {
  if (seed == 0) return algorithm.tag;
  char digits[19];
  snprintf(digits, sizeof digits, "0x%" PRIx64, seed);
  return std::string(algorithm.tag) + kSeedMark + digits;
}

// Sets algorithm and seed; false if the tag is unknown.
bool ParseTag(const std::string& tag, DigestLine* line) {
  const size_t mark = tag.find(kSeedMark);
  for (const Algorithm& algorithm : kAlgorithms) {
    if (tag.substr(0, mark) != algorithm.tag) continue;
    line->algorithm = &algorithm;
    line->seed = 0;
    if (mark == std::string::npos) return true;
    const auto seed =
        ParseSeed(tag.substr(mark + strlen(kSeedMark)), algorithm.max_seed);
    line->seed = seed.value_or(0);
    return seed.has_value();
  }
  return false;
}

// Lower-cases the digest; false if it is none of the algorithm.
bool NormalizeDigest(DigestLine* line) {
  if (line->digest.size() != 8 * line->algorithm->words) return false;
  for (char& c : line->digest) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return false;
  }
  return true;
}

}  // namespace

std::string EscapeFileName(const std::string& file) {
  return (IsEscaped(file) ? "\\" : "") + Escape(file);
}

std::string FormatDigestLine(const DigestLine& line, bool tagged) {
  const std::string file = Escape(line.file);
  return (IsEscaped(line.file) ? "\\" : "") +
         (tagged ? Tag(*line.algorithm, line.seed) + " (" + file +
                       ") = " + line.digest
                 : line.digest + "  " + file);
}

std::optional<DigestLine> ParseDigestLine(std::string text,
                                          const Algorithm& untagged_algorithm,
                                          uint64_t untagged_seed) {
  const bool escaped = !text.empty() && text[0] == '\\';
  if (escaped) text.erase(0, 1);

  DigestLine line = {&untagged_algorithm, untagged_seed, "", ""};
  const size_t open = text.find(" (");
  const size_t close = text.rfind(") = ");
  if (open != std::string::npos && close != std::string::npos &&
      open + 2 <= close && ParseTag(text.substr(0, open), &line)) {
    line.file = text.substr(open + 2, close - open - 2);
    line.digest = text.substr(close + 4);
  } else {
    const size_t space = text.find(' ');
    // A second space, or a star for what others call binary mode.
    if (space == std::string::npos || space + 1 >= text.size() ||
        (text[space + 1] != ' ' && text[space + 1] != '*'))
      return std::nullopt;
    line.digest = text.substr(0, space);
    line.file = text.substr(space + 2);
  }
  if (escaped) {
    const auto file = Unescape(line.file);
    if (!file) return std::nullopt;
    line.file = *file;
  }
  if (line.file.empty() || !NormalizeDigest(&line)) return std::nullopt;
  return line;
}

std::optional<uint64_t> ParseSeed(const std::string& text, uint64_t max) {
  const bool hexadecimal = text.compare(0, 2, "0x") == 0;
  const char* first = text.data() + (hexadecimal ? 2 : 0);
  const char* last = text.data() + text.size();
  uint64_t seed = 0;
  const auto read = std::from_chars(first, last, seed, hexadecimal ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != last || seed > max)
    return std::nullopt;
  return seed;
}
