// murmuration.hpp: the values of the C functions, from whatever holds the
// bytes. Built as C++17, C++20 and C++23.
#include <gtest/gtest.h>

#include <deque>
#include <forward_list>
#include <list>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "murmuration.hpp"
#if defined(__cpp_lib_span)
#include <span>
#endif
// clang 14 cannot read what libstdc++ has of them.
#if defined(__cpp_lib_ranges) && (!defined(__clang__) || __clang_major__ >= 16)
#include <ranges>
#define MURMURATION_TESTS_VIEWS
#endif

extern size_t allocations;  // allocations.cc

namespace {

using mmr3::seed32;
using mmr3::seed64;

// Known answers (tests/vectors/murmur3.tsv).
static_assert(mmr3::x86_32("") == 0);
static_assert(mmr3::x86_32("", seed32(0xffffffff)) == 0x81f16f39);
static_assert(mmr3::x86_32("", seed32(-1)) == 0x81f16f39);
static_assert(mmr3::x86_32("abc") == 0xb3dd93fa);
static_assert(mmr3::x86_32("test") == 0xba6bd213);
static_assert(mmr3::x86_32("today") == 0xfea32af2);
static_assert(mmr3::x86_32("The quick brown fox jumps over the lazy dog",
                           seed32(0x9747b28c)) == 0x2fa826cd);
// A byte above 0x7f, in the tail and in a block.
static_assert(mmr3::x86_32("\xff") == 0xfd6cf10d);
static_assert(mmr3::x86_32("\xff\xff\xff\xff") == 0x76293b50);
// Pointer and length; what is before a zero; all of a string.
static_assert(mmr3::x86_32({"hello world", 5}) == 0x248bfa47);
static_assert(mmr3::x86_32("hello\0world") == 0x248bfa47);
static_assert(mmr3::x86_32(std::string_view("hello")) == 0x248bfa47);

// What a function accepts is to be asked for.
static_assert(std::is_convertible_v<std::string, mmr3::bytes>);
static_assert(!std::is_convertible_v<int, mmr3::bytes>);
static_assert(!std::is_convertible_v<int, seed32>);
static_assert(!std::is_convertible_v<seed64, seed32>);
static_assert(std::is_convertible_v<seed32, seed64>);

std::string Text(size_t len) {
  std::string text;
  for (size_t i = 0; i < len; ++i) text += static_cast<char>(i * 37 + 128);
  return text;
}

// "hello" in everything that may hold it.
template <class Check>
void WithEveryHolder(Check check) {
  const std::string string = "hello";
  std::string own = string;
  const std::string longer = "hello world";
  const char* const text = "hello";
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text);
  char room[16] = "hello world";
  const char constant[16] = "hello";
  const char full[5] = {'h', 'e', 'l', 'l', 'o'};
  const unsigned char unsigned_array[5] = {'h', 'e', 'l', 'l', 'o'};
  unsigned char own_array[5] = {'h', 'e', 'l', 'l', 'o'};
  const std::byte byte_array[5] = {std::byte{'h'}, std::byte{'e'},
                                   std::byte{'l'}, std::byte{'l'},
                                   std::byte{'o'}};
  std::byte* const no_constant = const_cast<std::byte*>(byte_array);
  const std::vector<unsigned char> vector(bytes, bytes + 5);
  std::vector<char> own_vector(text, text + 5);
  const std::vector<std::byte> byte_vector(byte_array, byte_array + 5);
  const std::vector<int8_t> signed_vector(text, text + 5);
  const std::array<char, 5> array = {'h', 'e', 'l', 'l', 'o'};
  const std::array<uint8_t, 5> unsigned_std_array = {'h', 'e', 'l', 'l', 'o'};
  struct Convertible {
    operator std::string_view() const { return "hello"; }
  };
  check("hello");
  check(string);
  check(own);
  check(std::string(text));
  check(std::string_view(longer).substr(0, 5));
  check(text);
  check(own.data());
  check(constant);
  check(full);
  check(unsigned_array);
  check(own_array);
  check(byte_array);
  check(vector);
  check(own_vector);
  check(byte_vector);
  check(signed_vector);
  check(array);
  check(unsigned_std_array);
  check(std::initializer_list<char>{'h', 'e', 'l', 'l', 'o'});
  check(Convertible());
  // A pointer and a length.
  check(mmr3::bytes(longer.data(), 5));
  check(mmr3::bytes(room, 5));
  check(mmr3::bytes(bytes, 5));
  check(mmr3::bytes(own_array, 5));
  check(mmr3::bytes(no_constant, 5));
  check(mmr3::bytes(static_cast<const void*>(longer.data()), 5));
  check(mmr3::bytes(static_cast<void*>(room), 5));
  check(mmr3::bytes(signed_vector.data(), 5));
#if defined(__cpp_char8_t)
  const std::u8string u8string = u8"hello";
  check(u8"hello");
  check(u8string);
  check(std::u8string_view(u8string));
  check(u8string.c_str());
  check(mmr3::bytes(u8string.data(), 5));
#endif
#if defined(__cpp_lib_span)
  check(std::span<const uint8_t>(vector));
  check(std::span<const std::byte>(byte_vector));
  check(std::span<char>(own_vector));
  check(std::as_bytes(std::span(string)));
  check(std::as_writable_bytes(std::span(own)));
  check(std::span<const uint8_t, 5>(unsigned_array));
#endif
}

TEST(CppHeader, EveryHolder) {
  const std::string text = "hello";
  const mmr3_key key = {1, 2, 3, 5};
  uint64_t x64[2];
  mmr3_x64_128_cassandra("hello", 5, 7, x64);
  const auto x86_128 = mmr3::x86_128(text);
  const auto x64_128 = mmr3::x64_128(text);
  size_t holders = 0;
  WithEveryHolder([&](auto&& holder) {
    ++holders;
    // Published, as docs/compatibility.md has it.
    EXPECT_EQ(mmr3::x86_32(holder), 0x248bfa47u) << "holder " << holders;
    EXPECT_EQ(mmr3::wide32(holder), 0x248bfa47u) << "holder " << holders;
    EXPECT_EQ(mmr3::x86_32(holder, seed32(3)), mmr3_x86_32("hello", 5, 3));
    EXPECT_EQ(mmr3::wide32(holder, seed32(3)), mmr3_wide32("hello", 5, 3));
    EXPECT_EQ(mmr3::x86_32(holder, key), mmr3_x86_32_keyed("hello", 5, &key));
    EXPECT_EQ(mmr3::wide32(holder, key), mmr3_wide32_keyed("hello", 5, &key));
    EXPECT_EQ(mmr3::x86_128(holder), x86_128);
    EXPECT_EQ(mmr3::x64_128(holder), x64_128);
    EXPECT_EQ(mmr3::x64_128_cassandra(holder, seed64(7)),
              (mmr3::x64_128_digest{x64[0], x64[1]}));
    EXPECT_EQ(mmr3::x86_32_spark(holder), mmr3_x86_32_spark("hello", 5, 42));
    EXPECT_EQ(mmr3::hasher()(holder), mmr3::hasher()("hello"));
    char copy[6] = "-----";
    EXPECT_EQ(mmr3::wide32_copy(copy, holder, seed32(3)),
              mmr3_wide32("hello", 5, 3));
    EXPECT_STREQ(copy, "hello");
    mmr3::x64_128_stream stream;
    stream.update(holder);
    EXPECT_EQ(stream.digest(), x64_128);
    const mmr3::bytes keys[] = {"before", holder, "after"};
    EXPECT_EQ(mmr3::x64_128_batch(keys)[1], x64_128);
    EXPECT_EQ(mmr3::x86_32_seeds(holder, std::vector<uint32_t>{3})[0],
              mmr3_x86_32("hello", 5, 3));
  });
  EXPECT_GE(holders, 28u);
}

TEST(CppHeader, EmptyKeys) {
  EXPECT_EQ(mmr3::x86_32({nullptr, 0}), 0u);
  EXPECT_EQ(mmr3::x86_32(std::string()), 0u);
  EXPECT_EQ(mmr3::x86_32(std::string_view()), 0u);
  EXPECT_EQ(mmr3::x86_32(std::vector<unsigned char>()), 0u);
  EXPECT_EQ(mmr3::x86_32(std::array<char, 0>()), 0u);
}

TEST(CppHeader, ConstantAndLibraryAgree) {
  static constexpr char kText[] =
      "\x80 any text with bytes like \xff, of which prefixes are hashed";
  static constexpr auto kOfConstants = [] {
    std::array<uint32_t, sizeof kText> digests{};
    for (size_t len = 0; len < digests.size(); ++len)
      digests[len] = mmr3::x86_32({kText, len}, seed32(7));
    return digests;
  }();
  for (size_t len = 0; len < kOfConstants.size(); ++len)
    EXPECT_EQ(kOfConstants[len], mmr3_x86_32(kText, len, 7));
}

TEST(CppHeader, EveryLength) {
  for (size_t len : {0u, 1u, 15u, 16u, 100u, 1000u}) {
    const std::string text = Text(len);
    EXPECT_EQ(mmr3::x86_32(text, seed32(3)), mmr3_x86_32(text.data(), len, 3));
    EXPECT_EQ(mmr3::wide32(text, seed32(3)), mmr3_wide32(text.data(), len, 3));
    mmr3::x86_128_digest of_x86;
    mmr3_x86_128(text.data(), len, 3, of_x86.data());
    EXPECT_EQ(mmr3::x86_128(text, seed32(3)), of_x86);
    mmr3::x64_128_digest of_x64;
    mmr3_x64_128(text.data(), len, 0x100000003, of_x64.data());
    EXPECT_EQ(mmr3::x64_128(text, seed64(0x100000003)), of_x64);
    mmr3_x64_128_cassandra(text.data(), len, 0x100000003, of_x64.data());
    EXPECT_EQ(mmr3::x64_128_cassandra(text, seed64(0x100000003)), of_x64);
    EXPECT_EQ(mmr3::x86_32_spark(text, seed32(3)),
              mmr3_x86_32_spark(text.data(), len, 3));
  }
}

TEST(CppHeader, Seeds) {
  EXPECT_EQ(seed32(-1).value(), 0xffffffffu);
  EXPECT_EQ(seed32(short{5}).value(), 5u);
  EXPECT_EQ(seed64(0x100000003).value(), 0x100000003u);
  // Zeros before a seed of 32 bits, the sign before a number.
  EXPECT_EQ(seed64(seed32(-1)).value(), 0xffffffffu);
  EXPECT_EQ(seed64(-1).value(), ~uint64_t{0});
  EXPECT_EQ(mmr3::x64_128("hello", seed32(-1)),
            mmr3::x64_128("hello", seed64(0xffffffffu)));
  const std::vector<uint32_t> seeds = {0, 5, 0xffffffff};
  const std::vector<uint64_t> wide_seeds(seeds.begin(), seeds.end());
  std::array<mmr3::x86_128_digest, 3> x86_128;
  std::array<mmr3::x64_128_digest, 3> x64_128;
  std::array<mmr3::x86_32_digest, 3> x86_32;
  mmr3::x86_32_seeds("hello", seeds, x86_32);
  mmr3::x86_128_seeds("hello", seeds, x86_128);
  mmr3::x64_128_seeds("hello", wide_seeds, x64_128);
  for (size_t i = 0; i < seeds.size(); ++i) {
    const seed32 seed(seeds[i]);
    EXPECT_EQ(x86_32[i], mmr3::x86_32("hello", seed));
    EXPECT_EQ(x86_128[i], mmr3::x86_128("hello", seed));
    EXPECT_EQ(x64_128[i], mmr3::x64_128("hello", seed));
    EXPECT_EQ(mmr3::x86_32_seeds("hello", seeds)[i], x86_32[i]);
    EXPECT_EQ(mmr3::x86_128_seeds("hello", seeds)[i], x86_128[i]);
    EXPECT_EQ(mmr3::x64_128_seeds("hello", wide_seeds)[i], x64_128[i]);
  }
  EXPECT_TRUE(mmr3::x86_32_seeds("hello", std::vector<uint32_t>()).empty());
}

TEST(CppHeader, Copy) {
  const std::string text = Text(300);
  const mmr3_key key = {1, 2, 3, 5};
  std::vector<unsigned char> room(400, 'x');
  EXPECT_EQ(mmr3::wide32_copy(room, text, seed32(3)),
            mmr3::wide32(text, seed32(3)));
  EXPECT_TRUE(std::equal(text.begin(), text.end(), room.begin(),
                         [](char a, unsigned char b) {
                           return static_cast<unsigned char>(a) == b;
                         }));
  EXPECT_EQ(room[300], 'x');
  std::string exact(text.size(), ' ');
  EXPECT_EQ(mmr3::wide32_copy(exact, text, key), mmr3::wide32(text, key));
  EXPECT_EQ(exact, text);
  std::string small(text.size() - 1, ' ');
  EXPECT_THROW(mmr3::wide32_copy(small, text), std::length_error);
  EXPECT_THROW(mmr3::wide32_copy(small, text, key), std::length_error);
  EXPECT_EQ(small, std::string(text.size() - 1, ' '));
}

TEST(CppHeader, Hasher) {
  std::unordered_map<std::string, int, mmr3::hasher, std::equal_to<>> map(
      8, mmr3::hasher(seed64(99)));
  for (int i = 0; i < 1000; ++i) map[Text(static_cast<size_t>(i))] = i;
  ASSERT_EQ(map.size(), 1000u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(map.at(Text(static_cast<size_t>(i))), i);
  EXPECT_EQ(map.find("not there"), map.end());
  std::unordered_map<std::string, int, mmr3::hasher, std::equal_to<>> unseeded;
  unseeded["key"] = 1;
#if defined(__cpp_lib_generic_unordered_lookup)
  EXPECT_EQ(unseeded.find("key")->second, 1);
  EXPECT_EQ(unseeded.find(std::string_view("keys").substr(0, 3))->second, 1);
#endif
  EXPECT_EQ(mmr3::hasher(seed64(5))("key"),
            static_cast<size_t>(mmr3::x64_128("key", seed64(5))[0]));
  EXPECT_NE(mmr3::hasher(seed64(5))("key"), mmr3::hasher(seed64(6))("key"));
}

template <class Stream, class Hash>
void CheckStream(Hash hash) {
  const std::string text = Text(1000);
  Stream stream(seed32(3));
  for (size_t at = 0; at < text.size(); at += 77) {
    EXPECT_EQ(stream.digest(), hash(text.substr(0, at)));
    Stream copy = stream;
    copy.update("elsewhere");
    stream.update({text.data() + at, std::min<size_t>(77, text.size() - at)});
  }
  EXPECT_EQ(stream.digest(), hash(text));
}

TEST(CppHeader, Streams) {
  CheckStream<mmr3::x86_32_stream>(
      [](const std::string& text) { return mmr3::x86_32(text, seed32(3)); });
  CheckStream<mmr3::x86_128_stream>(
      [](const std::string& text) { return mmr3::x86_128(text, seed32(3)); });
  CheckStream<mmr3::x64_128_stream>(
      [](const std::string& text) { return mmr3::x64_128(text, seed32(3)); });
  CheckStream<mmr3::wide32_stream>(
      [](const std::string& text) { return mmr3::wide32(text, seed32(3)); });
}

// The three functions of many keys against those of one.
template <class Keys>
void CheckBatch(Keys&& keys) {
  size_t n = 0;
  for (auto at = keys.begin(); at != keys.end(); ++at) ++n;
  const auto x86_32 = mmr3::x86_32_batch(keys, seed32(5));
  const auto x86_128 = mmr3::x86_128_batch(keys, seed32(5));
  const auto x64_128 = mmr3::x64_128_batch(keys, seed64(0x100000005));
  ASSERT_EQ(x86_32.size(), n);
  ASSERT_EQ(x86_128.size(), n);
  ASSERT_EQ(x64_128.size(), n);
  std::vector<mmr3::x86_32_digest> x86_32_out(n);
  std::vector<mmr3::x86_128_digest> x86_128_out(n);
  std::vector<mmr3::x64_128_digest> x64_128_out(n);
  const size_t before = allocations;
  mmr3::x86_32_batch(keys, x86_32_out, seed32(5));
  mmr3::x86_128_batch(keys, x86_128_out, seed32(5));
  mmr3::x64_128_batch(keys, x64_128_out, seed64(0x100000005));
  EXPECT_EQ(allocations, before);
  EXPECT_EQ(x86_32_out, x86_32);
  EXPECT_EQ(x86_128_out, x86_128);
  EXPECT_EQ(x64_128_out, x64_128);
  size_t i = 0;
  for (auto&& key : keys) {
    ASSERT_EQ(x86_32[i], mmr3::x86_32(key, seed32(5))) << i << " of " << n;
    ASSERT_EQ(x86_128[i], mmr3::x86_128(key, seed32(5))) << i << " of " << n;
    ASSERT_EQ(x64_128[i], mmr3::x64_128(key, seed64(0x100000005)))
        << i << " of " << n;
    ++i;
  }
}

TEST(CppHeader, BatchesOfEveryCount) {
  // Around what goes to the library at a time.
  constexpr size_t kSome = mmr3::detail::batch_keys;
  for (size_t n : {size_t{0}, size_t{1}, size_t{7}, size_t{100}, kSome - 1,
                   kSome, kSome + 1, 2 * kSome, 2 * kSome + 3}) {
    std::vector<std::string> strings;
    for (size_t i = 0; i < n; ++i) strings.push_back(Text(i * 7 % 100));
    CheckBatch(strings);
    CheckBatch(std::deque<std::string_view>(strings.begin(), strings.end()));
    CheckBatch(std::list<std::string>(strings.begin(), strings.end()));
    CheckBatch(std::forward_list<std::string>(strings.begin(), strings.end()));
    CheckBatch(std::set<std::string>(strings.begin(), strings.end()));
    CheckBatch(std::vector<mmr3::bytes>(strings.begin(), strings.end()));
    std::list<std::vector<unsigned char>> vectors;
    for (const auto& string : strings)
      vectors.emplace_back(string.begin(), string.end());
    CheckBatch(vectors);
    std::vector<std::array<unsigned char, 16>> uuids(n);
    for (size_t i = 0; i < n; ++i)
      uuids[i] = {static_cast<unsigned char>(i), 0xff,
                  static_cast<unsigned char>(i / 256)};
    CheckBatch(uuids);
    CheckBatch(
        std::list<std::array<unsigned char, 16>>(uuids.begin(), uuids.end()));
  }
}

TEST(CppHeader, BatchesOfOtherRanges) {
  CheckBatch(std::list<const char*>{"a", "", "some more"});
  CheckBatch(std::initializer_list<std::string_view>{"a", "b"});
  CheckBatch(std::vector<std::array<char, 0>>(3));
  const char* const pointers[] = {"a", "some more"};
  EXPECT_EQ(mmr3::x86_32_batch(pointers)[1], mmr3::x86_32("some more"));
  const char names[2][8] = {"abc", "today"};
  EXPECT_EQ(mmr3::x86_32_batch(names)[1], 0xfea32af2u);
  const unsigned char rows[2][4] = {{'n', 'o', 'n', 'e'}, {'t', 'e', 's', 't'}};
  EXPECT_EQ(mmr3::x86_32_batch(rows)[1], 0xba6bd213u);
  EXPECT_TRUE(mmr3::x86_32_batch(std::vector<std::string>()).empty());
}

template <class Number>
void CheckNumbers(const std::vector<Number>& numbers) {
  const auto x86_32 = mmr3::x86_32_batch(numbers);
  const auto x86_128 = mmr3::x86_128_batch(numbers, seed32(5));
  std::vector<mmr3::x64_128_digest> x64_128(numbers.size());
  mmr3::x64_128_batch(numbers, x64_128, seed64(5));
  for (size_t i = 0; i < numbers.size(); ++i) {
    const mmr3::bytes key(static_cast<const void*>(&numbers[i]),
                          sizeof(Number));
    EXPECT_EQ(x86_32[i], mmr3::x86_32(key));
    EXPECT_EQ(x86_128[i], mmr3::x86_128(key, seed32(5)));
    EXPECT_EQ(x64_128[i], mmr3::x64_128(key, seed64(5)));
  }
}

TEST(CppHeader, BatchesOfNumbers) {
  enum class Id : uint32_t {};
  for (int n : {0, 1, 5, 1000}) {
    std::vector<uint64_t> wide;
    std::vector<int16_t> narrow;
    std::vector<Id> ids;
    for (int i = 0; i < n; ++i) {
      wide.push_back(static_cast<uint64_t>(i) * 0x9e3779b97f4a7c15);
      narrow.push_back(static_cast<int16_t>(-i));
      ids.push_back(static_cast<Id>(i * 77));
    }
    CheckNumbers(wide);
    CheckNumbers(narrow);
    CheckNumbers(ids);
  }
}

TEST(CppHeader, BatchesOfLayouts) {
  struct Row {
    uint64_t id;
    double value;
  };
  std::vector<Row> rows(600);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = {i * i * i, static_cast<double>(i)};
  const mmr3::fixed_keys forwards{&rows[0].id, sizeof rows[0].id,
                                  sizeof rows[0], rows.size()};
  const mmr3::fixed_keys backwards{&rows.back().id, sizeof rows[0].id,
                                   -ptrdiff_t{sizeof rows[0]}, rows.size()};
  const auto x64_128 = mmr3::x64_128_batch(forwards);
  const auto x86_32 = mmr3::x86_32_batch(backwards, seed32(5));
  std::vector<mmr3::x86_128_digest> x86_128(rows.size());
  mmr3::x86_128_batch(backwards, x86_128);
  for (size_t i = 0; i < rows.size(); ++i) {
    const mmr3::bytes key(static_cast<const void*>(&rows[i].id),
                          sizeof rows[i].id);
    EXPECT_EQ(x64_128[i], mmr3::x64_128(key));
    EXPECT_EQ(x86_32[rows.size() - 1 - i], mmr3::x86_32(key, seed32(5)));
    EXPECT_EQ(x86_128[rows.size() - 1 - i], mmr3::x86_128(key));
  }

  const std::string text = Text(100);
  const std::vector<int32_t> offsets = {3, 3, 10, 40, 100};
  const std::vector<int64_t> wide(offsets.begin(), offsets.end());
  std::array<mmr3::x64_128_digest, 4> digests;
  mmr3::x64_128_batch(mmr3::offset_keys{text.data(), wide.data(), 4}, digests);
  const auto of_narrow =
      mmr3::x86_32_batch(mmr3::offset_keys{text.data(), offsets.data(), 4});
  for (size_t i = 0; i < 4; ++i) {
    const auto from = static_cast<size_t>(offsets[i]);
    const auto len = static_cast<size_t>(offsets[i + 1]) - from;
    EXPECT_EQ(digests[i], mmr3::x64_128(text.substr(from, len)));
    EXPECT_EQ(of_narrow[i], mmr3::x86_32(text.substr(from, len)));
  }
}

// Too small and too large: an error, before anything is written.
TEST(CppHeader, PlacesOfAnotherSize) {
  const std::vector<std::string> strings(600, "hello");
  const std::vector<uint64_t> numbers(600);
  const std::vector<uint32_t> seeds(600);
  const mmr3::fixed_keys fixed{numbers.data(), 8, 8, 600};
  for (size_t n : {0u, 1u, 599u, 601u}) {
    const std::vector<mmr3::x86_32_digest> untouched(n, 0xa5a5a5a5);
    auto digests = untouched;
    EXPECT_THROW(mmr3::x86_32_batch(strings, digests), std::length_error);
    EXPECT_THROW(mmr3::x86_32_batch(numbers, digests), std::length_error);
    EXPECT_THROW(mmr3::x86_32_batch(fixed, digests), std::length_error);
    EXPECT_THROW(mmr3::x86_32_seeds("hello", seeds, digests),
                 std::length_error);
    EXPECT_EQ(digests, untouched);
    std::vector<mmr3::x64_128_digest> wide(n);
    EXPECT_THROW(mmr3::x64_128_batch(strings, wide), std::length_error);
    std::vector<mmr3::x86_128_digest> four(n);
    EXPECT_THROW(mmr3::x86_128_batch(std::list<std::string>(7), four),
                 std::length_error);
  }
}

#if defined(__cpp_lib_span)
TEST(CppHeader, Spans) {
  std::vector<std::string> strings;
  for (size_t i = 0; i < 600; ++i) strings.push_back(Text(i % 50));
  std::vector<std::span<const std::byte>> keys;
  for (const auto& string : strings)
    keys.push_back(std::as_bytes(std::span(string)));
  CheckBatch(keys);
  std::vector<mmr3::x86_32_digest> digests(1000);
  mmr3::x86_32_batch(std::span(strings).first(7), std::span(digests).first(7));
  EXPECT_EQ(digests[6], mmr3::x86_32(strings[6]));
  EXPECT_EQ(digests[7], 0u);
  EXPECT_THROW(mmr3::x86_32_batch(keys, std::span(digests)), std::length_error);
}
#endif

#if defined(MURMURATION_TESTS_VIEWS)
TEST(CppHeader, Views) {
  struct Person {
    std::string name;
    int age;
  };
  std::vector<Person> people;
  for (size_t i = 0; i < 600; ++i)
    people.push_back({Text(i % 50), static_cast<int>(i)});
  CheckBatch(people | std::views::transform(&Person::name));
  CheckBatch(people | std::views::transform([](const Person& person) {
               return std::string_view(person.name).substr(0, 20);
             }));
  const std::string line = "some words in a line";
  CheckBatch(std::views::split(line, ' '));
  // A range that is read through no const.
  auto adults = people | std::views::filter([](const Person& person) {
                  return person.age >= 18;
                });
  const auto digests =
      mmr3::x86_32_batch(adults | std::views::transform(&Person::name));
  ASSERT_EQ(digests.size(), 582u);
  EXPECT_EQ(digests[0], mmr3::x86_32(people[18].name));
}
#endif

}  // namespace
