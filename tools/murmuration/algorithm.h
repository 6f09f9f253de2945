// The functions that the command knows, one row each.
#ifndef MURMURATION_TOOLS_MURMURATION_ALGORITHM_H_
#define MURMURATION_TOOLS_MURMURATION_ALGORITHM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

// Many keys at once: key i is lens[i] bytes at keys[i], and its digest goes to
// out as the library lays it out.
struct Batch {
  std::vector<const void*> keys;
  std::vector<size_t> lens;
  std::vector<uint64_t> out;  // 2 words a key
};

struct Algorithm {
  const char* name;   // what -a takes
  const char* tag;    // what a tagged line begins with
  size_t words;       // of its digests
  uint64_t max_seed;  // 32 or 64 bits
  bool has_kernels;   // its speed depends on the kernel
  Digest (*hash)(const void* data, size_t len, uint64_t seed);
  std::unique_ptr<Stream> (*start)(uint64_t seed);
  void (*hash_batch)(Batch* batch, uint64_t seed);  // null: has none
};

extern const Algorithm kAlgorithms[4];

// What sum computes without -a: a standard value, of 128 bits.
extern const Algorithm& kDefaultAlgorithm;

// Null if there is none of that name.
const Algorithm* FindAlgorithm(const std::string& name);

// Their names, for messages.
std::string AlgorithmNames();

// "a, b, c or d".
std::string JoinNames(const std::vector<std::string>& names);

// How a digest is written.
enum class DigestForm {
  kHex,     // eight digits a word, lower case
  kSigned,  // decimal, as a signed number: of one word only
};
std::string FormatDigest(const Algorithm& algorithm, const Digest& digest,
                         DigestForm form);

// Hexadecimal digits may be capitals. Nothing if the text is no digest of that
// algorithm in that form; what has no signed form is always hexadecimal.
std::optional<Digest> ParseDigest(const Algorithm& algorithm,
                                  const std::string& text, DigestForm form);

#endif  // MURMURATION_TOOLS_MURMURATION_ALGORITHM_H_
