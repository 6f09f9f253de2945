// How well wide32 spreads inputs that are alike, beside MurmurHash3 x86_32.
//
//   quality            every set of keys on every hash, a table: three minutes
//   quality --help
//
// Each set of keys is hashed and compared with what random numbers would do:
// how many digests are equal, how their low and high 16 bits fill buckets, how
// often an output bit changes with an input bit. A number in the table is the
// largest distance from that, in standard deviations; above kLimit a hash fails
// the set. Everything is deterministic.
//
// The table has x86_32 as the yardstick, wide32 with the public key and three
// secret ones, and, to show that the sets can tell, wide32 with defects
// planted. Exit status 0: wide32 passes all, with every key; x86_32 and each
// defect fail at least one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "murmuration.h"

namespace {

constexpr double kLimit = 6;

// ------------------------------------------------------------------- hashes

enum class Defect {
  kNone,
  kLaneDropped,     // lane 17 takes no input in
  kRowDropped,      // the lanes of the second row are not summed
  kPartialIgnored,  // a last row that is not full is left out
  kNoProduct,       // pairs of lanes are summed without their product
  kLengthIgnored,   // the length is not summed
  kSeedIgnored,     // lanes start the same under every seed
  kNoFinalizer,     // the low word of the sum is the digest
};

// wide32 with its lanes at every length, as the definition goes
// (docs/wide32.md); shares no code with the library.
template <Defect kDefect>
uint32_t Lanes(const unsigned char* data, size_t len, uint32_t seed) {
  const auto rotate = [](uint32_t value, int bits) {
    return value << bits | value >> (32 - bits);
  };
  const auto round = [&](uint32_t state, uint32_t word) {
    word = rotate(word * 0xcc9e2d51, 15) * 0x1b873593;
    return rotate(state ^ word, 13) * 5 + 0xe6546b64;
  };
  const auto finalize = [](uint32_t state) {
    state = (state ^ state >> 16) * 0x85ebca6b;
    state = (state ^ state >> 13) * 0xc2b2ae35;
    return state ^ state >> 16;
  };
  constexpr size_t kLanes = 128, kRow = 64, kRowLanes = 16;
  std::array<uint32_t, kLanes> lane;
  for (uint32_t j = 0; j < kLanes; ++j)
    lane[j] = finalize(j + 1) ^ (kDefect == Defect::kSeedIgnored ? 0 : seed);
  size_t words = 0;
  const auto absorb = [&](const unsigned char* row) {
    for (size_t j = 0; j < kRowLanes; ++j, ++words) {
      if (kDefect == Defect::kLaneDropped && words % kLanes == 17) continue;
      uint32_t word = 0;
      for (size_t i = 4; i-- > 0;) word = word << 8 | row[4 * j + i];
      lane[words % kLanes] = round(lane[words % kLanes], word);
    }
  };
  size_t at = 0;
  for (; at + kRow <= len; at += kRow) absorb(data + at);
  if (at != len && kDefect != Defect::kPartialIgnored) {
    unsigned char padded[kRow] = {};
    memcpy(padded + kRow - (len - at), data + at, len - at);
    absorb(padded);
  }
  uint64_t sum = kDefect == Defect::kLengthIgnored
                     ? 0
                     : uint64_t{len} * 0x9e3779b97f4a7c15;
  for (size_t j = 0; j < std::min(words, kLanes); j += 2) {
    if (kDefect == Defect::kRowDropped && j / kRowLanes == 1) continue;
    const uint64_t low = lane[j], high = lane[j + 1];
    sum += high << 32 | low;
    if (kDefect != Defect::kNoProduct) sum += low * high;
  }
  if (kDefect == Defect::kNoFinalizer) return static_cast<uint32_t>(sum);
  sum = (sum ^ sum >> 33) * 0xff51afd7ed558ccd;
  sum = (sum ^ sum >> 33) * 0xc4ceb9fe1a85ec53;
  return static_cast<uint32_t>(sum ^ sum >> 33);
}

using HashFunction =
    std::function<uint32_t(const unsigned char*, size_t, uint32_t)>;

struct Hash {
  const char* name;
  HashFunction large;  // at 64 bytes and more
  // At every length. For wide32 this is its lanes, which the library uses from
  // 64 bytes on; below that it is x86_32.
  HashFunction any;
  enum { kYardstick, kUnderTest, kDefective } role;
  size_t failures = 0;
};

HashFunction Keyed(uint32_t number) {
  std::mt19937 random(number);
  unsigned char secret[16];
  for (unsigned char& byte : secret)
    byte = static_cast<unsigned char>(random() >> 24);
  const mmr3_key key = mmr3_key_from_secret(secret, 0);
  return [key](const unsigned char* data, size_t len, uint32_t seed) {
    mmr3_key seeded = key;
    seeded.seed ^= seed;
    return mmr3_wide32_keyed(data, len, &seeded);
  };
}

std::vector<Hash> Hashes() {
  return {
      {"x86_32", mmr3_x86_32, mmr3_x86_32, Hash::kYardstick},
      {"wide32", mmr3_wide32, Lanes<Defect::kNone>, Hash::kUnderTest},
      {"key 1", Keyed(1), nullptr, Hash::kUnderTest},
      {"key 2", Keyed(2), nullptr, Hash::kUnderTest},
      {"key 3", Keyed(3), nullptr, Hash::kUnderTest},
      {"-lane", Lanes<Defect::kLaneDropped>, nullptr, Hash::kDefective},
      {"-row", Lanes<Defect::kRowDropped>, nullptr, Hash::kDefective},
      {"-partial", Lanes<Defect::kPartialIgnored>, nullptr, Hash::kDefective},
      {"-product", Lanes<Defect::kNoProduct>, nullptr, Hash::kDefective},
      {"-length", Lanes<Defect::kLengthIgnored>, nullptr, Hash::kDefective},
      {"-seed", Lanes<Defect::kSeedIgnored>, nullptr, Hash::kDefective},
      {"-final", Lanes<Defect::kNoFinalizer>, nullptr, Hash::kDefective},
  };
}

// -------------------------------------------------------------- statistics

// The distance of a count from its mean, for counts that are nearly Poisson's.
double Deviations(double count, double mean) {
  return (count - mean) / std::sqrt(std::max(mean, 1.0));
}

// Digests of keys that all differ: equal pairs, and how 16 bits at either end
// fill 65536 buckets. Too few equal ones are no fault. Two keys are equal by so
// many chances in 2^32 as `chances` says.
double OfDigests(std::vector<uint32_t> digests, int chances = 1) {
  const auto n = static_cast<double>(digests.size());
  double worst = 0;
  for (int shift : {0, 16}) {
    std::vector<uint32_t> buckets(65536);
    for (uint32_t digest : digests) ++buckets[digest >> shift & 0xffff];
    const double mean = n / 65536;
    if (mean < 4) continue;
    double chi_square = 0;
    for (uint32_t count : buckets)
      chi_square += (count - mean) * (count - mean) / mean;
    worst = std::max(worst, (chi_square - 65535) / std::sqrt(2 * 65535.0));
  }
  std::sort(digests.begin(), digests.end());
  double equal = 0;
  for (size_t i = 1; i < digests.size(); ++i)
    equal += digests[i] == digests[i - 1];
  const double values = 4294967296.0 / chances;
  const double expected = n - values * -std::expm1(-n / values);
  return std::max(worst, Deviations(equal, expected));
}

// Counts, over many differences of two digests, how often each bit is set and
// how often each pair of bits is equal.
class Differences {
 public:
  explicit Differences(bool pairs) : pairs_(pairs) {}
  void Add(uint32_t difference) {
    ++count_;
    for (size_t i = 0; i < 32; ++i) set_[i] += difference >> i & 1;
    if (!pairs_) return;
    for (size_t i = 0; i < 32; ++i) {
      const uint32_t equal = difference >> i & 1 ? difference : ~difference;
      for (size_t j = i + 1; j < 32; ++j) equal_[32 * i + j] += equal >> j & 1;
    }
  }
  double Worst() const {
    const double deviation = std::sqrt(count_) / 2;
    double worst = 0;
    for (size_t i = 0; i < 32; ++i) {
      worst = std::max(worst, std::abs(set_[i] - count_ / 2) / deviation);
      for (size_t j = i + 1; pairs_ && j < 32; ++j)
        worst = std::max(worst,
                         std::abs(equal_[32 * i + j] - count_ / 2) / deviation);
    }
    return worst;
  }

 private:
  bool pairs_;
  double count_ = 0;
  std::array<uint32_t, 32> set_{};
  std::array<uint32_t, 1024> equal_{};
};

// -------------------------------------------------------------- sets of keys

using Bytes = std::vector<unsigned char>;

Bytes RandomBytes(std::mt19937_64& random, size_t len) {
  Bytes bytes(len);
  for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
  return bytes;
}

void Put(Bytes& bytes, size_t at, uint32_t word) {
  for (size_t i = 0; i < 4; ++i)
    bytes[at + i] = static_cast<unsigned char>(word >> (8 * i));
}

// All words with at most `bits` bits set, each once: bits go in from the
// lowest.
std::vector<uint32_t> SparseWords(int bits) {
  std::vector<uint32_t> words = {0};
  size_t first = 0;
  for (int round = 0; round < bits; ++round) {
    const size_t last = words.size();
    for (; first < last; ++first)
      for (uint32_t bit = 1; bit != 0; bit <<= 1)
        if (bit > words[first]) words.push_back(words[first] | bit);
  }
  return words;
}

double Avalanche(const HashFunction& hash, size_t len, size_t samples,
                 size_t step, bool pairs) {
  std::mt19937_64 random(len);
  std::vector<Differences> of_bit(8 * len / step + 1, Differences(pairs));
  for (size_t sample = 0; sample < samples; ++sample) {
    Bytes key = RandomBytes(random, len);
    const uint32_t before = hash(key.data(), len, 0);
    for (size_t bit = 0; bit < 8 * len; bit += step) {
      key[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
      of_bit[bit / step].Add(before ^ hash(key.data(), len, 0));
      key[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
    }
  }
  double worst = 0;
  for (size_t bit = 0; bit < 8 * len; bit += step)
    worst = std::max(worst, of_bit[bit / step].Worst());
  return worst;
}

double SeedAvalanche(const HashFunction& hash, size_t len) {
  std::mt19937_64 random(len);
  std::vector<Differences> of_bit(32, Differences(true));
  for (size_t sample = 0; sample < 20000; ++sample) {
    const Bytes key = RandomBytes(random, len);
    const auto seed = static_cast<uint32_t>(random());
    const uint32_t before = hash(key.data(), len, seed);
    for (size_t bit = 0; bit < 32; ++bit)
      of_bit[bit].Add(before ^ hash(key.data(), len, seed ^ 1u << bit));
  }
  double worst = 0;
  for (const Differences& differences : of_bit)
    worst = std::max(worst, differences.Worst());
  return worst;
}

// Zeros but for two words, of few bits each.
double Sparse(const HashFunction& hash, size_t len, size_t first, size_t second,
              int chances = 1) {
  Bytes key(len);
  std::vector<uint32_t> digests;
  for (uint32_t a : SparseWords(3)) {
    Put(key, first, a);
    for (uint32_t b : SparseWords(2)) {
      Put(key, second, b);
      digests.push_back(hash(key.data(), len, 0));
    }
  }
  return OfDigests(std::move(digests), chances);
}

// Seeds of few bits, and zeros but for one word of few bits.
double SparseSeed(const HashFunction& hash, size_t len, size_t at) {
  Bytes key(len);
  std::vector<uint32_t> digests;
  for (uint32_t word : SparseWords(2)) {
    Put(key, at, word);
    for (uint32_t seed : SparseWords(3))
      digests.push_back(hash(key.data(), len, seed));
  }
  return OfDigests(std::move(digests));
}

// A word of zero or `letter` at each of 20 places.
double Combinations(const HashFunction& hash, uint32_t letter) {
  Bytes key(160);
  std::vector<uint32_t> digests;
  for (uint32_t choice = 0; choice < 1u << 20; ++choice) {
    for (size_t i = 0; i < 20; ++i)
      Put(key, 8 * i, choice >> i & 1 ? letter : 0);
    digests.push_back(hash(key.data(), key.size(), 0));
  }
  return OfDigests(std::move(digests));
}

// The same few bytes again and again.
double Cyclic(const HashFunction& hash, size_t cycle) {
  std::mt19937_64 random(cycle);
  Bytes key(256);
  std::vector<uint32_t> digests;
  for (uint32_t i = 0; i < 1u << 20; ++i) {
    Bytes part = RandomBytes(random, cycle);
    Put(part, 0, i * 0x9e3779b1u);  // no part twice
    for (size_t at = 0; at < key.size(); ++at) key[at] = part[at % cycle];
    digests.push_back(hash(key.data(), key.size(), 0));
  }
  return OfDigests(std::move(digests));
}

// Zeros but for two bytes of any value, at most eight apart.
double TwoBytes(const HashFunction& hash) {
  Bytes key(130);
  std::vector<uint32_t> digests;
  for (size_t first = 0; first < key.size(); ++first)
    for (size_t second = first + 1; second < std::min(first + 9, key.size());
         ++second) {
      for (unsigned a = 1; a < 256; a += 4)
        for (unsigned b = 1; b < 256; b += 4) {
          key[first] = static_cast<unsigned char>(a);
          key[second] = static_cast<unsigned char>(b);
          digests.push_back(hash(key.data(), key.size(), 0));
        }
      key[first] = key[second] = 0;
    }
  return OfDigests(std::move(digests));
}

// Zeros but for one byte of any value anywhere, in the last row too, which is
// partial.
double OneByteAnywhere(const HashFunction& hash) {
  Bytes key(1100);
  std::vector<uint32_t> digests;
  for (size_t at = 0; at < key.size(); ++at) {
    for (unsigned value = 1; value < 256; ++value) {
      key[at] = static_cast<unsigned char>(value);
      digests.push_back(hash(key.data(), key.size(), 0));
    }
    key[at] = 0;
  }
  return OfDigests(std::move(digests));
}

// Random keys, and each with two of its words swapped.
double LaneSwaps(const HashFunction& hash) {
  std::mt19937_64 random(9);
  Differences differences(true);
  std::vector<uint32_t> digests;
  for (int base = 0; base < 1000; ++base) {
    Bytes key = RandomBytes(random, 128);
    const uint32_t before = hash(key.data(), key.size(), 0);
    digests.push_back(before);
    for (size_t i = 0; i < 32; ++i)
      for (size_t j = i + 1; j < 32; ++j) {
        const auto swap = [&] {
          std::swap_ranges(key.begin() + static_cast<ptrdiff_t>(4 * i),
                           key.begin() + static_cast<ptrdiff_t>(4 * i + 4),
                           key.begin() + static_cast<ptrdiff_t>(4 * j));
        };
        swap();
        digests.push_back(hash(key.data(), key.size(), 0));
        differences.Add(before ^ digests.back());
        swap();
      }
  }
  return std::max(differences.Worst(), OfDigests(std::move(digests)));
}

// Random keys followed by 0 to 512 zero bytes.
double ZeroExtended(const HashFunction& hash, uint32_t seed) {
  std::mt19937_64 random(10);
  Differences differences(true);
  std::vector<uint32_t> digests;
  for (int base = 0; base < 1500; ++base) {
    Bytes key = RandomBytes(random, 128);
    if (base == 0) key.assign(128, 0);
    for (int zeros = 0; zeros <= 512; ++zeros, key.push_back(0)) {
      digests.push_back(hash(key.data(), key.size(), seed));
      if (zeros > 0)
        differences.Add(digests.back() ^ digests[digests.size() - 2]);
    }
  }
  return std::max(differences.Worst(), OfDigests(std::move(digests)));
}

struct Set {
  const char* name;
  bool any_length;  // on short keys: wide32's lanes as if they had no minimum
  std::function<double(const HashFunction&)> worst;
};

std::vector<Set> Sets() {
  using H = const HashFunction&;
  return {
      {"avalanche, 64 bytes", false,
       [](H h) { return Avalanche(h, 64, 2048, 1, false); }},
      {"avalanche, 128 bytes", false,
       [](H h) { return Avalanche(h, 128, 2048, 1, false); }},
      {"avalanche, 203 bytes", false,
       [](H h) { return Avalanche(h, 203, 1024, 1, false); }},
      {"avalanche, 1000 bytes", false,
       [](H h) { return Avalanche(h, 1000, 256, 1, false); }},
      {"bit independence, 64 bytes", false,
       [](H h) { return Avalanche(h, 64, 1024, 5, true); }},
      {"bit independence, 128 bytes", false,
       [](H h) { return Avalanche(h, 128, 1024, 5, true); }},
      {"bit independence, 300 bytes", false,
       [](H h) { return Avalanche(h, 300, 1024, 13, true); }},
      {"sparse words 0, 1", false, [](H h) { return Sparse(h, 128, 0, 4); }},
      {"sparse words 0, 16", false, [](H h) { return Sparse(h, 128, 0, 64); }},
      {"sparse words 0, 31", false, [](H h) { return Sparse(h, 128, 0, 124); }},
      // Keys that differ in one lane alone are equal by two chances: its 32
      // bits, and the digest's.
      {"sparse words of one lane", false,
       [](H h) { return Sparse(h, 1024, 20, 532, 2); }},
      {"cycles of 4 bytes", false, [](H h) { return Cyclic(h, 4); }},
      {"cycles of 5 bytes", false, [](H h) { return Cyclic(h, 5); }},
      {"cycles of 8 bytes", false, [](H h) { return Cyclic(h, 8); }},
      {"cycles of 16 bytes", false, [](H h) { return Cyclic(h, 16); }},
      {"two bytes", false, TwoBytes},
      {"one byte at every position", false, OneByteAnywhere},
      {"words 0, 80000000", false,
       [](H h) { return Combinations(h, 0x80000000); }},
      {"words 0, 00000001", false, [](H h) { return Combinations(h, 1); }},
      {"seed avalanche, 128 bytes", false,
       [](H h) { return SeedAvalanche(h, 128); }},
      {"sparse seed, word 0", false, [](H h) { return SparseSeed(h, 128, 0); }},
      {"sparse seed, word 17", false,
       [](H h) { return SparseSeed(h, 128, 68); }},
      {"sparse seed, last word", false,
       [](H h) { return SparseSeed(h, 128, 124); }},
      {"lane swaps", false, LaneSwaps},
      {"zero-extended", false, [](H h) { return ZeroExtended(h, 0); }},
      {"short: sparse words 0, 1", true,
       [](H h) { return Sparse(h, 8, 0, 4); }},
      {"short: sparse seed, 4 bytes", true,
       [](H h) { return SparseSeed(h, 4, 0); }},
      {"short: sparse seed, 8 bytes", true,
       [](H h) { return SparseSeed(h, 8, 0); }},
      {"short: sparse seed, 16 bytes", true,
       [](H h) { return SparseSeed(h, 16, 4); }},
      {"short: seed avalanche, 4 bytes", true,
       [](H h) { return SeedAvalanche(h, 4); }},
  };
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) {
    printf(
        "usage: quality\n"
        "Prints how far hashes are from random numbers, in standard "
        "deviations.\nExit status 0: as it should be.\n");
    return 0;
  }
  std::vector<Hash> hashes = Hashes();
  printf("%-30s", "set of keys");
  for (const Hash& hash : hashes) printf(" %9s", hash.name);
  printf("\n");
  for (const Set& set : Sets()) {
    printf("%-30s", set.name);
    for (Hash& hash : hashes) {
      const HashFunction& function = set.any_length ? hash.any : hash.large;
      if (!function) {
        printf(" %9s", "");
        continue;
      }
      const double worst = set.worst(function);
      hash.failures += worst > kLimit;
      printf(worst < 100 ? " %8.1f%s" : " %8.0f%s", worst,
             worst > kLimit ? "*" : " ");
      fflush(stdout);
    }
    printf("\n");
  }
  printf("%-30s", "failed");
  bool as_expected = true;
  for (const Hash& hash : hashes) {
    printf(" %8zu ", hash.failures);
    as_expected &= (hash.failures == 0) == (hash.role == Hash::kUnderTest);
  }
  printf("\n");
  return as_expected ? 0 : 1;
}
