// murmuration.hpp: the same values as the C functions, in the shapes of C++.
#include <gtest/gtest.h>

#include <deque>
#include <list>
#include <string>
#include <unordered_map>

#include "murmuration.hpp"

namespace {

// Known answers (tests/vectors/murmur3.tsv).
static_assert(mmr3::x86_32("") == 0);
static_assert(mmr3::x86_32("", 0xffffffff) == 0x81f16f39);
static_assert(mmr3::x86_32("abc") == 0xb3dd93fa);
static_assert(mmr3::x86_32("test") == 0xba6bd213);
static_assert(mmr3::x86_32("today") == 0xfea32af2);
static_assert(mmr3::x86_32("The quick brown fox jumps over the lazy dog",
                           0x9747b28c) == 0x2fa826cd);
// A byte above 0x7f, in the tail and in a block.
static_assert(mmr3::x86_32("\xff") == 0xfd6cf10d);
static_assert(mmr3::x86_32("\xff\xff\xff\xff") == 0x76293b50);

std::string Text(size_t len) {
  std::string text;
  for (size_t i = 0; i < len; ++i) text += static_cast<char>(i * 37 + 128);
  return text;
}

TEST(CppHeader, ConstantAndLibraryAgree) {
  for (size_t len = 0; len < 100; ++len)
    EXPECT_EQ(mmr3::detail::x86_32(Text(len), 7),
              mmr3_x86_32(Text(len).data(), len, 7));
}

TEST(CppHeader, OneKey) {
  for (size_t len : {0u, 1u, 15u, 16u, 100u, 1000u}) {
    const std::string text = Text(len);
    EXPECT_EQ(mmr3::x86_32(text, 3), mmr3_x86_32(text.data(), len, 3));
    EXPECT_EQ(mmr3::wide32(text, 3), mmr3_wide32(text.data(), len, 3));
    const mmr3_key key = {1, 2, 3, 5};
    EXPECT_EQ(mmr3::x86_32(text, key),
              mmr3_x86_32_keyed(text.data(), len, &key));
    EXPECT_EQ(mmr3::wide32(text, key),
              mmr3_wide32_keyed(text.data(), len, &key));
    mmr3::x86_128_digest of_x86;
    mmr3_x86_128(text.data(), len, 3, of_x86.data());
    EXPECT_EQ(mmr3::x86_128(text, 3), of_x86);
    mmr3::x64_128_digest of_x64;
    mmr3_x64_128(text.data(), len, 0x100000003, of_x64.data());
    EXPECT_EQ(mmr3::x64_128(text, 0x100000003), of_x64);
  }
}

TEST(CppHeader, Hasher) {
  std::unordered_map<std::string, int, mmr3::hasher, std::equal_to<>> map(
      8, mmr3::hasher(99));
  for (int i = 0; i < 1000; ++i) map[Text(static_cast<size_t>(i))] = i;
  ASSERT_EQ(map.size(), 1000u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(map.at(Text(static_cast<size_t>(i))), i);
  EXPECT_EQ(map.find("not there"), map.end());
  EXPECT_EQ(mmr3::hasher(5)("key"),
            static_cast<size_t>(mmr3::x64_128("key", 5)[0]));
  EXPECT_NE(mmr3::hasher(5)("key"), mmr3::hasher(6)("key"));
}

template <class Stream, class Hash>
void CheckStream(Hash hash) {
  const std::string text = Text(1000);
  Stream stream(3);
  for (size_t at = 0; at < text.size(); at += 77) {
    EXPECT_EQ(stream.digest(), hash(text.substr(0, at)));
    Stream copy = stream;
    copy.update("elsewhere");
    stream.update(std::string_view(text).substr(at, 77));
  }
  EXPECT_EQ(stream.digest(), hash(text));
}

TEST(CppHeader, Streams) {
  CheckStream<mmr3::x86_32_stream>(
      [](const std::string& text) { return mmr3::x86_32(text, 3); });
  CheckStream<mmr3::x86_128_stream>(
      [](const std::string& text) { return mmr3::x86_128(text, 3); });
  CheckStream<mmr3::x64_128_stream>(
      [](const std::string& text) { return mmr3::x64_128(text, 3); });
  CheckStream<mmr3::wide32_stream>(
      [](const std::string& text) { return mmr3::wide32(text, 3); });
}

TEST(CppHeader, BatchOfStrings) {
  std::vector<std::string> strings;
  for (size_t i = 0; i < 300; ++i) strings.push_back(Text(i));
  const std::deque<std::string_view> views(strings.begin(), strings.end());
  const std::list<const char*> literals = {"a", "", "some more"};
  const auto x86_32 = mmr3::x86_32_batch(strings, 5);
  const auto x86_128 = mmr3::x86_128_batch(strings, 5);
  const auto x64_128 = mmr3::x64_128_batch(views, 5);
  ASSERT_EQ(x86_32.size(), strings.size());
  for (size_t i = 0; i < strings.size(); ++i) {
    EXPECT_EQ(x86_32[i], mmr3::x86_32(strings[i], 5));
    EXPECT_EQ(x86_128[i], mmr3::x86_128(strings[i], 5));
    EXPECT_EQ(x64_128[i], mmr3::x64_128(strings[i], 5));
  }
  EXPECT_EQ(mmr3::x86_32_batch(literals)[2], mmr3::x86_32("some more"));
  EXPECT_TRUE(mmr3::x86_32_batch(std::vector<std::string>()).empty());
}

TEST(CppHeader, BatchOfValues) {
  std::vector<uint64_t> values(100);
  for (size_t i = 0; i < values.size(); ++i) values[i] = i * i * i;
  const auto digests = mmr3::x64_128_batch(values, 5);
  ASSERT_EQ(digests.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(digests[i],
              mmr3::x64_128({reinterpret_cast<const char*>(&values[i]), 8}, 5));
  const std::array<std::array<unsigned char, 16>, 3> uuids = {};
  EXPECT_EQ(mmr3::x86_32_batch(uuids).size(), 3u);
  EXPECT_EQ(mmr3::x86_32_batch(uuids)[1], mmr3::x86_32(std::string(16, '\0')));
}

}  // namespace
