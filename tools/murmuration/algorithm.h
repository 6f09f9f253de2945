// The functions that the command knows, one row each.
#ifndef MURMURATION_TOOLS_MURMURATION_ALGORITHM_H_
#define MURMURATION_TOOLS_MURMURATION_ALGORITHM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

// A digest as it is read: its words as numbers, first word first, the higher
// half of a 64-bit word before the lower. A 32-bit digest is the first of the
// four, and the others are 0.
using Digest = std::array<uint32_t, 4>;

// One digest in the making.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void Update(const void* data, size_t len) = 0;
  virtual Digest Finish() const = 0;
};

struct Algorithm {
  const char* name;   // what -a takes
  const char* tag;    // what a tagged line begins with
  size_t words;       // of its digests
  uint64_t max_seed;  // 32 or 64 bits
  bool has_kernels;   // its speed depends on the kernel
  Digest (*hash)(const void* data, size_t len, uint64_t seed);
  std::unique_ptr<Stream> (*start)(uint64_t seed);
};

extern const Algorithm kAlgorithms[4];

// What sum computes without -a: a standard value, of 128 bits.
extern const Algorithm& kDefaultAlgorithm;

// Null if there is none of that name.
const Algorithm* FindAlgorithm(const std::string& name);

// Eight hexadecimal digits a word, lower case.
std::string ToHex(const Algorithm& algorithm, const Digest& digest);

#endif  // MURMURATION_TOOLS_MURMURATION_ALGORITHM_H_
