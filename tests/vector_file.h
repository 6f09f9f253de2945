// Reads the known answers in tests/vectors/.
#ifndef MURMURATION_TESTS_VECTOR_FILE_H_
#define MURMURATION_TESTS_VECTOR_FILE_H_

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using Fields = std::vector<std::string>;

// The rows of a tab-separated file, without comments and the header line.
inline std::vector<Fields> ReadVectorFile(const std::string& name) {
  std::ifstream file(std::string(MURMURATION_VECTORS_DIR "/") + name);
  std::vector<Fields> rows;
  std::string line;
  bool header = true;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (header) {
      header = false;
      continue;
    }
    std::istringstream fields(line);
    rows.emplace_back();
    std::string field;
    while (std::getline(fields, field, '\t')) rows.back().push_back(field);
  }
  return rows;
}

// "-" stands for no bytes.
inline std::vector<uint8_t> FromHex(const std::string& hex) {
  std::vector<uint8_t> bytes;
  if (hex == "-") return bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(
        static_cast<uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

// A number as little-endian bytes in hexadecimal.
template <class Number>
std::string ToHexBytes(Number number) {
  static const char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (size_t i = 0; i < sizeof number; ++i, number >>= 8) {
    hex += kDigits[number >> 4 & 15];
    hex += kDigits[number & 15];
  }
  return hex;
}

#endif  // MURMURATION_TESTS_VECTOR_FILE_H_
