// The hashes that benchmarks compile in place of wide32: a benchmark of another
// hash than it names would compare with nothing.
#define MURMURATION_COMPARISON_HASH hash_every_byte
#include <gtest/gtest.h>

#include <string>
#include <vector>

#if defined(MURMURATION_TESTS_XXHASH)
#include <xxhash.h>
#endif

extern "C" {
#include "integrations/lua51/murmuration_comparison.h"
}
#include "tests/naive_murmur3.h"

namespace {

std::string Text(size_t len) {
  std::string text(len, ' ');
  for (size_t i = 0; i < len; ++i) text[i] = static_cast<char>(i * 37 + 128);
  return text;
}

uint32_t X86_32OfPrefix(const std::string& text, size_t len) {
  naive::Key key;
  key.seed = static_cast<uint32_t>(text.size());
  return naive::X86_32(
      std::vector<uint8_t>(text.begin(), text.begin() + ptrdiff_t(len)), key);
}

// What Lua 5.1.5 keeps in its string objects: below 32 bytes it takes in each.
TEST(ComparisonHash, EveryByte) {
  EXPECT_EQ(hash_every_byte("", 0), 0u);
  EXPECT_EQ(hash_every_byte("a", 1), 0x80u);
  EXPECT_EQ(hash_every_byte("murmuration", 11), 0xc142c333u);
  EXPECT_EQ(inline_hash("0123456789abcdef0123456789abcde", 31), 0xc44d1382u);
}

TEST(ComparisonHash, Scalar) {
  for (size_t len : {0u, 1u, 63u, 64u, 65u, 5000u}) {
    const std::string text = Text(len);
    EXPECT_EQ(hash_scalar(text.data(), len), X86_32OfPrefix(text, len)) << len;
  }
}

TEST(ComparisonHash, First64) {
  for (size_t len : {0u, 1u, 63u, 64u, 65u, 5000u}) {
    const std::string text = Text(len);
    EXPECT_EQ(hash_first_64(text.data(), len),
              X86_32OfPrefix(text, len < 64 ? len : 64))
        << len;
  }
}

#if defined(MURMURATION_TESTS_XXHASH)
// Cut to 32 bits from 64 bytes on, and what Valkey does below.
TEST(ComparisonHash, Xxh3) {
  for (size_t len : {0u, 1u, 63u}) {
    const std::string text = Text(len);
    EXPECT_EQ(hash_xxh3(text.data(), len), X86_32OfPrefix(text, len)) << len;
  }
  for (size_t len : {64u, 65u, 128u, 240u, 241u, 1024u, 1025u, 5000u}) {
    const std::string text = Text(len);
    EXPECT_EQ(hash_xxh3(text.data(), len),
              static_cast<uint32_t>(XXH3_64bits(text.data(), len)))
        << len;
  }
}
#else
TEST(ComparisonHash, Xxh3) {
  GTEST_SKIP() << "no libxxhash when this was built (Debian: libxxhash-dev)";
}
#endif

}  // namespace
