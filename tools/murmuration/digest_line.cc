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
        ParseSeed(tag.substr(mark + strlen(kSeedMark)), algorithm);
    line->seed = seed.value_or(0);
    return seed.has_value();
  }
  return false;
}

// What editors and terminals of other systems add to a line.
std::string WithoutForeignBytes(std::string text) {
  constexpr char kByteOrderMark[] = "\xef\xbb\xbf";
  if (text.compare(0, strlen(kByteOrderMark), kByteOrderMark) == 0)
    text.erase(0, strlen(kByteOrderMark));
  // A name that ends with a carriage return is escaped.
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return text;
}

}  // namespace

std::string EscapeFileName(const std::string& file) {
  return (IsEscaped(file) ? "\\" : "") + Escape(file);
}

std::string FormatDigestLine(const DigestLine& line, bool tagged,
                             DigestForm form, bool escaped) {
  const std::string file = escaped ? Escape(line.file) : line.file;
  const std::string digest = FormatDigest(*line.algorithm, line.digest, form);
  return (escaped && IsEscaped(line.file) ? "\\" : "") +
         (tagged
              ? Tag(*line.algorithm, line.seed) + " (" + file + ") = " + digest
              : digest + "  " + file);
}

bool IsBlankOrComment(const std::string& text) {
  const std::string line = WithoutForeignBytes(text);
  return line.empty() || line[0] == '#';
}

std::optional<DigestLine> ParseDigestLine(std::string text,
                                          const Algorithm& untagged_algorithm,
                                          uint64_t untagged_seed,
                                          DigestForm form) {
  // No file's name has a zero byte: lists of --zero are no lists of lines.
  if (text.find('\0') != std::string::npos) return std::nullopt;
  text = WithoutForeignBytes(text);
  text.erase(0, text.find_first_not_of(" \t"));
  const bool escaped = !text.empty() && text[0] == '\\';
  if (escaped) text.erase(0, 1);

  DigestLine line = {&untagged_algorithm, untagged_seed, {}, ""};
  std::string digest;
  const size_t open = text.find(" (");
  const size_t close = text.rfind(") = ");
  if (open != std::string::npos && close != std::string::npos &&
      open + 2 <= close && ParseTag(text.substr(0, open), &line)) {
    line.file = text.substr(open + 2, close - open - 2);
    digest = text.substr(close + 4);
  } else {
    const size_t blank = text.find_first_of(" \t");
    if (blank == std::string::npos) return std::nullopt;
    digest = text.substr(0, blank);
    // A second space, or a star for what others call binary mode.
    const bool two = blank + 1 < text.size() &&
                     (text[blank + 1] == ' ' || text[blank + 1] == '*');
    line.file = text.substr(blank + (two ? 2 : 1));
  }
  if (escaped) {
    const auto file = Unescape(line.file);
    if (!file) return std::nullopt;
    line.file = *file;
  }
  const auto parsed = ParseDigest(*line.algorithm, digest, form);
  if (line.file.empty() || !parsed) return std::nullopt;
  line.digest = *parsed;
  return line;
}

std::optional<uint64_t> ParseSeed(const std::string& text,
                                  const Algorithm& algorithm) {
  const bool hexadecimal = text.compare(0, 2, "0x") == 0;
  const char* first = text.data() + (hexadecimal ? 2 : 0);
  const char* last = text.data() + text.size();
  if (algorithm.max_seed == UINT32_MAX && !text.empty() && text[0] == '-') {
    int32_t seed = 0;
    const auto read = std::from_chars(first, last, seed);
    if (read.ec != std::errc() || read.ptr != last) return std::nullopt;
    return static_cast<uint32_t>(seed);
  }
  uint64_t seed = 0;
  const auto read = std::from_chars(first, last, seed, hexadecimal ? 16 : 10);
  if (read.ec != std::errc() || read.ptr != last || seed > algorithm.max_seed)
    return std::nullopt;
  return seed;
}
