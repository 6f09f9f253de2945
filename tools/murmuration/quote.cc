#include "tools/murmuration/quote.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

// Code points that are not shown as they are: controls, and those that break a
// line or turn its direction.
constexpr struct {
  uint32_t first, last;
} kUnprintable[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c}, {0x200e, 0x200f},
    {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb},
};

bool IsContinuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// The bytes of the character that begins at text[at], 0 if it is no UTF-8 or
// not printable.
size_t PrintableBytes(const std::string& text, size_t at) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i])
                           : static_cast<unsigned char>(0);
  };
  const unsigned char lead = byte(at);
  const size_t size = lead < 0x80           ? 1
                      : (lead >> 5) == 0x06 ? 2
                      : (lead >> 4) == 0x0e ? 3
                      : (lead >> 3) == 0x1e ? 4
                                            : 0;
  if (size == 0) return 0;
  uint32_t code = size == 1 ? lead : lead & (0x7fu >> size);
  for (size_t i = 1; i < size; ++i) {
    if (!IsContinuation(byte(at + i))) return 0;
    code = code << 6 | (byte(at + i) & 0x3fu);
  }
  // The shortest form of a character, and no half of a pair of UTF-16.
  constexpr uint32_t kFirstOfSize[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kFirstOfSize[size] || code > 0x10ffff ||
      (code >= 0xd800 && code <= 0xdfff))
    return 0;
  for (const auto& range : kUnprintable)
    if (code >= range.first && code <= range.last) return 0;
  return size;
}

bool IsPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) >= 0x80) ||
         (c != '\0' && strchr("_./+-,@%", c) != nullptr);
}

std::string Escaped(const std::string& text) {
  constexpr struct {
    char character, letter;
  } kLetters[] = {
      {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}, {'\\', '\\'}, {'\'', '\''}};
  std::string escaped = "$'";
  for (size_t at = 0; at < text.size();) {
    const char* letter = nullptr;
    for (const auto& row : kLetters)
      if (text[at] == row.character) letter = &row.letter;
    const size_t bytes = PrintableBytes(text, at);
    if (letter != nullptr) {
      escaped += '\\';
      escaped += *letter;
    } else if (bytes != 0) {
      escaped.append(text, at, bytes);
    } else {
      char digits[5];
      snprintf(digits, sizeof digits, "\\%03o",
               static_cast<unsigned>(static_cast<unsigned char>(text[at])));
      escaped += digits;
    }
    at += letter == nullptr && bytes != 0 ? bytes : 1;
  }
  return escaped + "'";
}

}  // namespace

bool HasUnprintable(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = PrintableBytes(text, at);
    if (bytes == 0) return true;
    at += bytes;
  }
  return false;
}

std::string Quote(const std::string& text) {
  bool plain = !text.empty();
  for (char c : text) plain &= IsPlain(c);
  if (HasUnprintable(text) || text.find('\'') != std::string::npos)
    return Escaped(text);
  return plain ? text : "'" + text + "'";
}

std::string QuoteFile(const std::string& name) {
  return name == "-" ? "standard input" : Quote(name);
}
