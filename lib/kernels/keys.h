// The keys of a batch, and groups of keys of like length.
#ifndef MURMURATION_LIB_KERNELS_KEYS_H_
#define MURMURATION_LIB_KERNELS_KEYS_H_

#include <cstddef>
#include <cstdint>

namespace murmuration {

// With how many keys the vectors of a kernel begin to pay, which has room for
// width of them: with fewer, too many of their lanes idle.
constexpr size_t MinKeys(size_t width) { return width < 12 ? width : 10; }

// Where the keys of a batch are. (Pass by reference: copies of what was stored
// a moment ago, in parts, stall.)

// At a fixed distance, of one length.
struct FixedKeys {
  const unsigned char* data;
  size_t key_len;
  ptrdiff_t stride;
  const unsigned char* Data(size_t i) const {
    return data + stride * static_cast<ptrdiff_t>(i);
  }
  size_t Length(size_t) const { return key_len; }
};

// AlikeFrom(first) of the others: the keys from there on, as long as they have
// one length.

struct PointerKeys {
  const void* const* pointers;
  const size_t* lens;
  const unsigned char* Data(size_t i) const {
    return static_cast<const unsigned char*>(pointers[i]);
  }
  size_t Length(size_t i) const { return lens[i]; }
  PointerKeys AlikeFrom(size_t first) const {
    return {pointers + first, lens + first};
  }
};

// End to end, n + 1 offsets.
template <class Offset>
struct OffsetKeys {
  const unsigned char* bytes;
  const Offset* offsets;
  const unsigned char* Data(size_t i) const { return bytes + offsets[i]; }
  size_t Length(size_t i) const {
    return static_cast<size_t>(offsets[i + 1] - offsets[i]);
  }
  FixedKeys AlikeFrom(size_t first) const {
    const size_t len = Length(first);
    return {Data(first), len, static_cast<ptrdiff_t>(len)};
  }
};

// Keys that are hashed side by side. Places beyond count repeat the first key.
template <size_t kSize>
struct KeyGroup {
  static constexpr size_t kCapacity = kSize;
  const unsigned char* data[kSize];
  size_t len[kSize];
  size_t index[kSize];  // in the batch
  size_t count;
  size_t common_tiles;  // whole 16 bytes that every key has
  bool even;            // no key has more
};

// Bins of length: up to 15 bytes by how a tail of theirs is loaded, below 1 KB
// exact in whole 16 bytes, then 16 bins an octave, the last one open.
constexpr size_t kTailBins = 4;
constexpr size_t kExactEnd = 1024;

// The exact ones by length / 4: a table, since a branch on short lengths would
// be mispredicted.
struct ExactBins {
  unsigned char of[kExactEnd / 4];
  constexpr ExactBins() : of() {
    for (size_t i = 0; i < kExactEnd / 4; ++i)
      of[i] = static_cast<unsigned char>(i < 4 ? i : kTailBins - 1 + i / 4);
  }
};
static constexpr ExactBins kExactBins;

struct LengthBins {
  static constexpr unsigned kExactEndBits = 10;
  static constexpr size_t kFirstWide = kTailBins - 1 + kExactEnd / 16;
  static constexpr unsigned kOctaves = 10;
  static constexpr size_t kCount = kFirstWide + 16 * kOctaves + 1;

  static bool IsExact(size_t bin) { return bin < kFirstWide; }

  static size_t Of(size_t len) {
    if (len < kExactEnd) return kExactBins.of[len / 4];
    const unsigned octave =
        63 - static_cast<unsigned>(__builtin_clzll(len)) - kExactEndBits;
    if (octave >= kOctaves) return kCount - 1;
    return kFirstWide + 16 * octave +
           (len >> (octave + kExactEndBits - 4)) % 16;
  }
};

// A batch goes to Hash in runs of keys that have one length, where there are
// any, and else in groups of like length. Hash has
//   kMinAlike       shorter keys gain nothing in runs
//   MinLength(n)    keys that are all shorter gain nothing in groups, n keys in
//                   all
//   MinAmongLonger(n)
//                   shorter keys gain nothing in groups where there are longer
//                   ones for them; not 0 costs a branch that is mispredicted
//   MinLongKeys(n)  fewer keys of that length gain nothing in groups
//   Alone(keys, first, n, min_len, seed, out)
//                   hashes keys up to one of that length; returns which that is
//   Alike(keys, n, seed, out)
//                   hashes keys of one length
//   InGroup(group, seed, out)

// Hashes keys that need no groups, from first on: runs of one length, and keys
// shorter than min_len. Returns the first that is neither, or n.
template <class Hash, class TypedKeys>
__attribute__((always_inline)) inline size_t HashRuns(
    const TypedKeys& keys, size_t first, size_t n, size_t min_len,
    typename Hash::Seed seed, typename Hash::Word* out) {
  // Keys that are looked at together.
  constexpr size_t kRun = 64;
  while (first != n) {
    const size_t end = n - first < kRun ? n : first + kRun;
    const size_t len = keys.Length(first);
    if (len >= Hash::kMinAlike) {
      size_t like = first + 1;
      while (like != end && keys.Length(like) == len) ++like;
      if (like == end) {
        Hash::Alike(keys.AlikeFrom(first), end - first, seed,
                    out + Hash::kDigestWords * first);
        first = end;
        continue;
      }
    }
    first = Hash::Alone(keys, first, end, min_len, seed, out);
    if (first != end) break;
  }
  return first;
}

// Sorts keys from `from` on into groups: full ones as long as there are keys
// enough in a bin, then what is left, bins next to each other together. Only
// the last group has fewer keys than it has places.
template <class Hash, class TypedKeys>
void HashGroups(const TypedKeys& keys, size_t from, size_t n, size_t min_len,
                size_t min_grouped, typename Hash::Seed seed,
                typename Hash::Word* out) {
  using Group = typename Hash::Group;
  constexpr size_t kSize = Group::kCapacity;
  constexpr size_t kBins = LengthBins::kCount;
  constexpr size_t kMaxChunk = size_t{1} << 30;
  constexpr size_t kMixed = 64;
  uint32_t waiting[kBins][kSize];
  Group group;

  const auto flush = [&](size_t origin, const uint32_t* index, size_t count,
                         bool like) {
    for (size_t j = 0; j < kSize; ++j) {
      const size_t i = origin + index[j < count ? j : 0];
      group.index[j] = i;
      group.data[j] = keys.Data(i);
      group.len[j] = keys.Length(i);
    }
    group.count = count;
    size_t shortest = group.len[0], longest = shortest;
    if (!like)
      for (size_t j = 1; j < kSize; ++j) {
        if (group.len[j] < shortest) shortest = group.len[j];
        if (group.len[j] > longest) longest = group.len[j];
      }
    group.common_tiles = shortest / 16;
    group.even = longest / 16 == shortest / 16;
    Hash::InGroup(group, seed, out);
  };

  for (size_t origin = from; origin < n; origin += kMaxChunk) {
    const size_t end = n - origin < kMaxChunk ? n : origin + kMaxChunk;
    unsigned char count[kBins] = {};
    size_t first_bin = kBins, last_bin = 0;
    for (size_t i = origin; i != end;
         i = HashRuns<Hash>(keys, i, end, min_len, seed, out)) {
      const size_t mixed_end = end - i < kMixed ? end : i + kMixed;
      for (; i != mixed_end; ++i) {
        if (keys.Length(i) < min_grouped) {
          i = Hash::Alone(keys, i, mixed_end, min_grouped, seed, out);
          if (i == mixed_end) break;
        }
        const size_t bin = LengthBins::Of(keys.Length(i));
        if (bin < first_bin) first_bin = bin;
        if (bin > last_bin) last_bin = bin;
        waiting[bin][count[bin]] = static_cast<uint32_t>(i - origin);
        if (++count[bin] == kSize) {
          count[bin] = 0;
          flush(origin, waiting[bin], kSize, LengthBins::IsExact(bin));
        }
      }
    }
    uint32_t rest[kSize];
    size_t rest_count = 0;
    for (size_t bin = first_bin; bin <= last_bin; ++bin)
      for (size_t j = 0; j < count[bin]; ++j) {
        // Set: every place below count[bin] was, since count[bin] was 0.
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign)
        rest[rest_count] = waiting[bin][j];
        if (++rest_count == kSize) {
          rest_count = 0;
          flush(origin, rest, kSize, false);
        }
      }
    if (rest_count != 0) flush(origin, rest, rest_count, false);
  }
}

template <class Hash, class TypedKeys>
inline void HashAll(const TypedKeys& keys, size_t n, typename Hash::Seed seed,
                    typename Hash::Word* out) {
  const size_t min_len = Hash::MinLength(n);
  const size_t first = HashRuns<Hash>(keys, 0, n, min_len, seed, out);
  if (first == n) return;
  size_t missing = Hash::MinLongKeys(n);
  for (size_t i = first; i != n && missing != 0; ++i)
    missing -= keys.Length(i) >= min_len;
  if (missing != 0)
    Hash::Alone(keys, first, n, SIZE_MAX, seed, out);
  else
    HashGroups<Hash>(keys, first, n, min_len, Hash::MinAmongLonger(n), seed,
                     out);
}

}  // namespace murmuration

#endif  // MURMURATION_LIB_KERNELS_KEYS_H_
