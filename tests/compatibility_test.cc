// The recipes of docs/compatibility.md, against numbers that other systems
// publish. The source of each is named beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "murmuration.h"
#include "vector_file.h"

namespace {

using Bytes = std::vector<uint8_t>;

template <class Number>
Bytes LittleEndian(Number number) {
  return FromHex(ToHexBytes(number));
}

Bytes BytesOf(const std::string& text) { return {text.begin(), text.end()}; }

int32_t X86_32(const Bytes& data, uint32_t seed = 0) {
  return static_cast<int32_t>(mmr3_x86_32(data.data(), data.size(), seed));
}

struct Digest {
  uint64_t h1, h2;
};
Digest X64_128(const Bytes& data, uint64_t seed = 0) {
  uint64_t out[2];
  mmr3_x64_128(data.data(), data.size(), seed, out);
  return {out[0], out[1]};
}

// apache/iceberg, format/spec.md, appendix B: integers, dates, times and
// timestamps as 8 little-endian bytes; decimals as the fewest big-endian bytes
// of the unscaled value; UUIDs as their 16 bytes, big-endian; strings in UTF-8.
TEST(Compatibility, IcebergBucket) {
  EXPECT_EQ(X86_32(LittleEndian(int64_t{34})), 2017239379);
  EXPECT_EQ(X86_32(FromHex("058c")), -500754589);               // 14.20
  EXPECT_EQ(X86_32(LittleEndian(int64_t{17486})), -653330422);  // 2017-11-16
  EXPECT_EQ(X86_32(LittleEndian(int64_t{81068000000})),         // 22:31:08
            -662762989);
  EXPECT_EQ(X86_32(LittleEndian(int64_t{1510871468000000})), -2047944441);
  EXPECT_EQ(X86_32(BytesOf("iceberg")), 1210000089);
  EXPECT_EQ(X86_32(FromHex("f79c3e09677c4bbda4793f349cb785e7")), 1488055340);
  EXPECT_EQ(X86_32(FromHex("00010203")), -188683207);
  // The bucket: the hash without its sign bit, modulo the number of buckets.
  EXPECT_EQ(
      (static_cast<uint32_t>(X86_32(BytesOf("iceberg"))) & 0x7fffffff) % 16,
      1210000089u % 16);
}

// datastax/csharp-driver, TokenTests.cs ("values from Cassandra"); the same in
// pouyapayandeh/elixir-cassandra, test/cassandra/murmur3_test.exs.
TEST(Compatibility, CassandraToken) {
  const struct {
    const char* key;
    int64_t token;
  } rows[] = {
      {"0102030405060708090a0b0c0d0e0f10", -5563837382979743776},
      {"313233", -7468325962851647638},
      {"fefefefefefefefe", -8927430733708461935},
      {"fefefefefefefefefefefefefefefefefe", -1672437813826982685},
      {"00010203ffffffffffffffffffffffff", 6463632673159404390},
      {"fefefefe", 4566408979886474012},
      {"00017f7f", 6573459401642635627},
      {"00ffffff", 123573637386978882},
      {"ff010203", -2839127690952877842},
      {"e2e7", -8582699461035929883},
      {"e2e7e2e7e2e701", 2222373981930033306},
  };
  for (const auto& row : rows) {
    const Bytes key = FromHex(row.key);
    uint64_t out[2];
    mmr3_x64_128_cassandra(key.data(), key.size(), 0, out);
    EXPECT_EQ(static_cast<int64_t>(out[0]), row.token) << row.key;
  }
}

TEST(Compatibility, CassandraEqualsStandardOnlyWithoutHighBytesInTheTail) {
  Bytes key;
  for (size_t len = 0; len < 100; ++len) {
    for (uint8_t last : {uint8_t{0x7f}, uint8_t{0x80}}) {
      if (len != 0) key.back() = last;
      uint64_t out[2];
      mmr3_x64_128_cassandra(key.data(), len, 5, out);
      const Digest standard = X64_128(key, 5);
      // The topmost byte of a word has nothing above it to extend into.
      const bool extends = len % 16 != 0 && len % 8 != 0 && last == 0x80;
      EXPECT_EQ(out[0] == standard.h1 && out[1] == standard.h2, !extends)
          << len;
    }
    key.push_back(0x11);
    std::fill(key.begin(), key.end(), uint8_t{0x11});
  }
}

// apache/spark, Murmur3_x86_32Suite (in tests/vectors/murmur3.tsv too): int and
// long, seed 0. Strings with seed 42: apache/datafusion-comet, made with Spark.
// {00, c8}: apache/incubator-gluten, cpp-ch SparkMurmurHash3_32 test. The
// chain: Spark's own documentation of hash(): hash('Spark', array(123), 2).
TEST(Compatibility, Spark) {
  const auto spark = [](const Bytes& data, uint32_t seed) {
    return mmr3_x86_32_spark(data.data(), data.size(), seed);
  };
  EXPECT_EQ(spark(LittleEndian(int32_t{-42}), 0), 0xf4b67ea0u);
  EXPECT_EQ(spark(LittleEndian(int64_t{42}), 0), 0x6f8f913eu);
  EXPECT_EQ(spark(BytesOf("hello"), 42), 3286402344u);
  EXPECT_EQ(spark(BytesOf("bar"), 42), 2486176763u);
  EXPECT_EQ(spark(BytesOf(""), 42), 142593372u);
  EXPECT_EQ(spark(BytesOf("\xf0\x9f\x98\x81"), 42), 885025535u);
  EXPECT_EQ(spark(BytesOf("\xe5\xa4\xa9\xe5\x9c\xb0"), 42), 2395000894u);
  EXPECT_EQ(spark(BytesOf("a"), 42), 1485273170u);
  EXPECT_EQ(spark(BytesOf("abc"), 42), 1322437556u);
  EXPECT_EQ(spark(BytesOf("abcde"), 42), 814637928u);
  EXPECT_EQ(static_cast<int32_t>(spark(FromHex("00c8"), 42)), -424716282);
  EXPECT_EQ(X86_32(FromHex("00c8"), 42), -1346355085);
  uint32_t hash = spark(BytesOf("Spark"), 42);
  hash = spark(LittleEndian(int32_t{123}), hash);
  hash = spark(LittleEndian(int32_t{2}), hash);
  EXPECT_EQ(static_cast<int32_t>(hash), -1321691492);
}

// elastic/elasticsearch, Murmur3HashFunctionTests: UTF-16, little-endian.
TEST(Compatibility, ElasticsearchRouting) {
  const auto utf16 = [](const std::u16string& text) {
    Bytes bytes;
    for (char16_t unit : text) {
      bytes.push_back(static_cast<uint8_t>(unit & 255));
      bytes.push_back(static_cast<uint8_t>(unit >> 8));
    }
    return bytes;
  };
  EXPECT_EQ(static_cast<uint32_t>(X86_32(utf16(u"hell"))), 0x5a0cb7c3u);
  EXPECT_EQ(static_cast<uint32_t>(X86_32(utf16(u"hello"))), 0xd7c31989u);
  EXPECT_EQ(static_cast<uint32_t>(X86_32(utf16(u"hello wor"))), 0xe7744d61u);
  EXPECT_EQ(static_cast<uint32_t>(
                X86_32(utf16(u"The quick brown fox jumps over the lazy dog"))),
            0xe07db09cu);
}

// ClickHouse/ClickHouse, tests/queries/0_stateless/00678_murmurhash:
// murmurHash3 of 'foo' and of '\x01'.
TEST(Compatibility, ClickHouse) {
  EXPECT_EQ(static_cast<uint32_t>(X86_32(BytesOf("foo"))), 4138058784u);
  EXPECT_EQ(static_cast<uint32_t>(X86_32({1})), 3831157163u);
  const Digest foo = X64_128(BytesOf("foo"));
  EXPECT_EQ(foo.h1 ^ foo.h2, 11303473983767132390u);
  const Digest one = X64_128({1});
  EXPECT_EQ(one.h1 ^ one.h2, 956517343494314387u);
}

// apache/datasketches-go#43: the seed hash of the default seed 9001 is 0x93cc,
// the low 16 bits of h1 of the seed's 8 bytes. apache/datasketches-java,
// MurmurHash3Test: h1 and h2.
TEST(Compatibility, DataSketches) {
  EXPECT_EQ(X64_128(LittleEndian(uint64_t{9001})).h1 & 0xffff, 0x93ccu);
  const Digest fox =
      X64_128(BytesOf("The quick brown fox jumps over the lazy dog"));
  EXPECT_EQ(fox.h1, 0xe34bbc7bbc071b6cu);
  EXPECT_EQ(fox.h2, 0x7a433ca9c49a9347u);
}

// bitcoin/bitcoin, src/test/bloom_tests.cpp: three keys in a filter of three
// bytes and five functions, without and with a tweak.
TEST(Compatibility, Bip37Filter) {
  const auto filter = [](uint32_t tweak) {
    std::vector<uint32_t> seeds(5), hashes(5);
    for (uint32_t i = 0; i < 5; ++i) seeds[i] = i * 0xfba4c795u + tweak;
    Bytes bits(3);
    for (const char* key : {"99108ad8ed9bb6274d3980bab5a85c048f0950c8",
                            "b5a2c786d9ef4658287ced5914b37a1b4aa32eee",
                            "b9300670b4c5366e95b2699e8b18bc75e5f729c5"}) {
      const Bytes data = FromHex(key);
      mmr3_x86_32_seeds(data.data(), data.size(), seeds.data(), seeds.size(),
                        hashes.data());
      for (uint32_t hash : hashes) {
        const uint32_t bit = hash % 24;
        bits[bit / 8] = static_cast<uint8_t>(bits[bit / 8] | 1u << bit % 8);
      }
    }
    return bits;
  };
  EXPECT_EQ(filter(0), FromHex("614e9b"));
  EXPECT_EQ(filter(2147483649u), FromHex("ce4299"));
}

// sourmash, tests/test__minhash.py, test_basic_dna: the k-mer ATGC, seed 42; a
// k-mer and its reverse complement count as the lesser of the two.
TEST(Compatibility, MashAndSourmash) {
  EXPECT_EQ(X64_128(BytesOf("ATGC"), 42).h1, 12415348535738636339u);
}

// google/tensorstore, murmurhash3_test.cc of neuroglancer_precomputed: 8
// little-endian bytes, the low 64 bits of the digest.
TEST(Compatibility, NeuroglancerShards) {
  const struct {
    uint64_t id;
    uint32_t seed;
    uint32_t h1, h2;
  } rows[] = {
      {0, 0, 0xe028ae41, 0x4772b084},  {0, 1, 0x5ad58a7e, 0x54337108},
      {1, 0, 0x16d4ce9a, 0xe8bd67d6},  {42, 0, 0x5119f47a, 0xc20b94f9},
      {42, 2, 0x2d83d9c7, 0x082115eb},
  };
  for (const auto& row : rows) {
    uint32_t out[4];
    mmr3_x86_128(LittleEndian(row.id).data(), 8, row.seed, out);
    EXPECT_EQ(out[0], row.h1);
    EXPECT_EQ(out[1], row.h2);
    // What a shard's index takes: x86_128_batch_fixed over an array of ids.
    mmr3_x86_128_batch_fixed(LittleEndian(row.id).data(), 8, 8, 1, row.seed,
                             out);
    EXPECT_EQ(uint64_t{out[1]} << 32 | out[0], uint64_t{row.h2} << 32 | row.h1);
  }
}

// google/guava, Murmur3Hash128Test and Murmur3Hash32Test. HashCode.asLong is
// h1; hashInt and hashLong hash little-endian bytes, hashUnencodedChars UTF-16.
TEST(Compatibility, Guava) {
  EXPECT_EQ(X64_128(BytesOf("hello"), 1).h1, 0xa78ddff5adae8d10u);
  EXPECT_EQ(X64_128(BytesOf("hello"), 1).h2, 0x128900ef20900135u);
  EXPECT_EQ(X64_128(BytesOf("hello wor"), 5).h1, 0xc2219d213ec1f1b5u);
  EXPECT_EQ(static_cast<uint32_t>(X86_32(LittleEndian(int32_t{-42}))),
            0xf4b67ea0u);
  EXPECT_EQ(static_cast<uint32_t>(X86_32({'k', 0})), 0x288418e4u);
}

}  // namespace
