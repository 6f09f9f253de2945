// murmuration.hpp as C++20: the functions that take a span, which comes with
// it.
#include <gtest/gtest.h>

#include <string>

#include "murmuration.hpp"

namespace {

TEST(CppHeader, Span) {
  for (size_t len : {0u, 1u, 77u, 300u}) {
    const std::string text(len, '\x80');
    const auto bytes = std::as_bytes(std::span(text));
    EXPECT_EQ(mmr3::x86_32(bytes, 3), mmr3::x86_32(text, 3));
    EXPECT_EQ(mmr3::x86_128(bytes, 3), mmr3::x86_128(text, 3));
    EXPECT_EQ(mmr3::x64_128(bytes, 3), mmr3::x64_128(text, 3));
    EXPECT_EQ(mmr3::wide32(bytes, 3), mmr3::wide32(text, 3));
  }
}

}  // namespace
