// The keys of a batch, and groups of keys of like length.
#ifndef MURMURATION_LIB_KERNELS_KEYS_H_
#define MURMURATION_LIB_KERNELS_KEYS_H_

#include <cstddef>
#include <cstdint>

namespace murmuration {

// Where n keys of any lengths are: in arrays of pointers and lengths, or end to
// end with n + 1 offsets of either width. The pointers of one of the three are
// set.
struct Keys {
  const void* const* pointers;
  const size_t* lens;
  const unsigned char* bytes;
  const int32_t* offsets32;
  const int64_t* offsets64;
};

struct PointerKeys {
  const void* const* pointers;
  const size_t* lens;
  const unsigned char* Data(size_t i) const {
    return static_cast<const unsigned char*>(pointers[i]);
  }
  size_t Length(size_t i) const { return lens[i]; }
};

template <class Offset>
struct OffsetKeys {
  const unsigned char* bytes;
  const Offset* offsets;
  const unsigned char* Data(size_t i) const { return bytes + offsets[i]; }
  size_t Length(size_t i) const {
    return static_cast<size_t>(offsets[i + 1] - offsets[i]);
  }
};

// Calls visit with the keys as the one of the three types that they are.
template <class Visit>
inline void WithTypedKeys(const Keys& keys, const Visit& visit) {
  if (keys.lens != nullptr)
    visit(PointerKeys{keys.pointers, keys.lens});
  else if (keys.offsets32 != nullptr)
    visit(OffsetKeys<int32_t>{keys.bytes, keys.offsets32});
  else
    visit(OffsetKeys<int64_t>{keys.bytes, keys.offsets64});
}

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
struct LengthBins {
  static constexpr size_t kTailBins = 4;
  static constexpr size_t kExactEnd = 1024;
  static constexpr unsigned kExactEndBits = 10;
  static constexpr size_t kFirstWide = kTailBins - 1 + kExactEnd / 16;
  static constexpr unsigned kOctaves = 10;
  static constexpr size_t kCount = kFirstWide + 16 * kOctaves + 1;

  static bool IsExact(size_t bin) { return bin < kFirstWide; }

  static size_t Of(size_t len) {
    if (len < kExactEnd) return len < 16 ? len / 4 : kTailBins - 1 + len / 16;
    const unsigned octave =
        63 - static_cast<unsigned>(__builtin_clzll(len)) - kExactEndBits;
    if (octave >= kOctaves) return kCount - 1;
    return kFirstWide + 16 * octave +
           (len >> (octave + kExactEndBits - 4)) % 16;
  }
};

// Passes keys to hash in groups of like length: full ones as long as there are
// keys enough in a bin, then what is left, bins next to each other together.
// Only the last group has fewer keys than it has places. Keys that are shorter
// than Hash::kMinLength, or fewer than Hash::kMinKeys, go to alone, and so
// do keys of up to 63 bytes in a batch of fewer than two groups.
template <class Group, class TypedKeys, class Hash, class HashAlone>
void ForEachGroup(const TypedKeys& keys, size_t n, const Hash& hash,
                  const HashAlone& alone) {
  constexpr size_t kSize = Group::kCapacity;
  constexpr size_t kBins = LengthBins::kCount;
  constexpr size_t kMaxChunk = size_t{1} << 30;
  if (n < Hash::kMinKeys) {
    for (size_t i = 0; i < n; ++i) alone(keys.Data(i), keys.Length(i), i);
    return;
  }
  const size_t min_length =
      n < 2 * kSize && Hash::kMinLength < 64 ? 64 : Hash::kMinLength;
  uint32_t waiting[kBins][kSize];
  Group group;

  const auto flush = [&](size_t first, const uint32_t* index, size_t count,
                         bool like) {
    for (size_t j = 0; j < kSize; ++j) {
      const size_t i = first + index[j < count ? j : 0];
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
    hash(group);
  };

  for (size_t first = 0; first < n; first += kMaxChunk) {
    const size_t chunk = n - first < kMaxChunk ? n - first : kMaxChunk;
    unsigned char count[kBins] = {};
    size_t first_bin = kBins, last_bin = 0;
    for (size_t i = 0; i < chunk; ++i) {
      const size_t len = keys.Length(first + i);
      if (len < min_length) {
        alone(keys.Data(first + i), len, first + i);
        continue;
      }
      const size_t bin = LengthBins::Of(len);
      if (bin < first_bin) first_bin = bin;
      if (bin > last_bin) last_bin = bin;
      waiting[bin][count[bin]] = static_cast<uint32_t>(i);
      if (++count[bin] == kSize) {
        count[bin] = 0;
        flush(first, waiting[bin], kSize, LengthBins::IsExact(bin));
      }
    }
    uint32_t rest[kSize];
    size_t rest_count = 0;
    for (size_t bin = first_bin; bin <= last_bin; ++bin)
      for (size_t j = 0; j < count[bin]; ++j) {
        rest[rest_count] = waiting[bin][j];
        if (++rest_count == kSize) {
          rest_count = 0;
          flush(first, rest, kSize, false);
        }
      }
    if (rest_count != 0) flush(first, rest, rest_count, false);
  }
}

}  // namespace murmuration

#endif  // MURMURATION_LIB_KERNELS_KEYS_H_
