// murmuration.hpp: the interface of murmuration.h for C++17 and later, where a
// key is a std::string_view or, from C++20 on, a std::span of bytes too.
//
// Header only, over the C functions; link libmurmuration.a. What murmuration.h
// says of each function holds here. Functions that return a std::vector
// allocate it and may throw std::bad_alloc; no other function throws or
// allocates.
#ifndef MURMURATION_HPP
#define MURMURATION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif

#include "murmuration.h"

namespace mmr3 {

using x86_32_digest = std::uint32_t;
using x86_128_digest = std::array<std::uint32_t, 4>;  // h1 to h4
using x64_128_digest = std::array<std::uint64_t, 2>;  // h1, h2
using wide32_digest = std::uint32_t;

namespace detail {

constexpr std::uint32_t rotate_left(std::uint32_t value, int bits) {
  return value << bits | value >> (32 - bits);
}

constexpr std::uint32_t mix(std::uint32_t word) {
  return rotate_left(word * 0xcc9e2d51u, 15) * 0x1b873593u;
}

// x86_32 for constant expressions, which cannot call into the library.
constexpr std::uint32_t x86_32(std::string_view key, std::uint32_t seed) {
  std::uint32_t state = seed;
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto byte = static_cast<unsigned char>(key[i]);
    word |= static_cast<std::uint32_t>(byte) << (8 * (i % 4));
    if (i % 4 != 3) continue;
    state = rotate_left(state ^ mix(word), 13) * 5 + 0xe6546b64u;
    word = 0;
  }
  state ^= mix(word) ^ static_cast<std::uint32_t>(key.size());
  state = (state ^ state >> 16) * 0x85ebca6bu;
  state = (state ^ state >> 13) * 0xc2b2ae35u;
  return state ^ state >> 16;
}

}  // namespace detail

// --------------------------------------------------------------- one key

// In a constant expression too: static_assert(mmr3::x86_32("hello") == ...).
constexpr x86_32_digest x86_32(std::string_view key, std::uint32_t seed = 0) {
#if defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 9)
  if (!__builtin_is_constant_evaluated())
    return mmr3_x86_32(key.data(), key.size(), seed);
#endif
  return detail::x86_32(key, seed);
}

inline x86_32_digest x86_32(std::string_view key, const mmr3_key& secret) {
  return mmr3_x86_32_keyed(key.data(), key.size(), &secret);
}

inline x86_128_digest x86_128(std::string_view key, std::uint32_t seed = 0) {
  x86_128_digest digest;
  mmr3_x86_128(key.data(), key.size(), seed, digest.data());
  return digest;
}

inline x64_128_digest x64_128(std::string_view key, std::uint64_t seed = 0) {
  x64_128_digest digest;
  mmr3_x64_128(key.data(), key.size(), seed, digest.data());
  return digest;
}

inline wide32_digest wide32(std::string_view key, std::uint32_t seed = 0) {
  return mmr3_wide32(key.data(), key.size(), seed);
}

inline wide32_digest wide32(std::string_view key, const mmr3_key& secret) {
  return mmr3_wide32_keyed(key.data(), key.size(), &secret);
}

#if defined(__cpp_lib_span)
namespace detail {
inline std::string_view text(std::span<const std::byte> key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}
}  // namespace detail

inline x86_32_digest x86_32(std::span<const std::byte> key,
                            std::uint32_t seed = 0) {
  return x86_32(detail::text(key), seed);
}
inline x86_128_digest x86_128(std::span<const std::byte> key,
                              std::uint32_t seed = 0) {
  return x86_128(detail::text(key), seed);
}
inline x64_128_digest x64_128(std::span<const std::byte> key,
                              std::uint64_t seed = 0) {
  return x64_128(detail::text(key), seed);
}
inline wide32_digest wide32(std::span<const std::byte> key,
                            std::uint32_t seed = 0) {
  return wide32(detail::text(key), seed);
}
#endif

// ------------------------------------------------------------ containers

// The hasher of an unordered container whose keys are strings: h1 of x64_128,
// the same for std::string, std::string_view and character arrays, so that a
// container with std::equal_to<> can be asked without making a std::string.
// With a seed that is not known outside, the order of the elements is not
// either; that alone is no defence against prepared keys (docs/security.md).
class hasher {
 public:
  using is_transparent = void;
  explicit hasher(std::uint64_t seed = 0) noexcept : seed_(seed) {}
  std::size_t operator()(std::string_view key) const noexcept {
    return static_cast<std::size_t>(x64_128(key, seed_)[0]);
  }

 private:
  std::uint64_t seed_;
};

// --------------------------------------------------------------- streams

// A string that arrives in pieces. May be copied; digest() may be called at any
// time, and update() after it.
class x86_32_stream {
 public:
  explicit x86_32_stream(std::uint32_t seed = 0) noexcept {
    mmr3_x86_32_init(&state_, seed);
  }
  void update(std::string_view piece) noexcept {
    mmr3_x86_32_update(&state_, piece.data(), piece.size());
  }
  x86_32_digest digest() const noexcept { return mmr3_x86_32_digest(&state_); }

 private:
  mmr3_x86_32_state state_;
};

class x86_128_stream {
 public:
  explicit x86_128_stream(std::uint32_t seed = 0) noexcept {
    mmr3_x86_128_init(&state_, seed);
  }
  void update(std::string_view piece) noexcept {
    mmr3_x86_128_update(&state_, piece.data(), piece.size());
  }
  x86_128_digest digest() const noexcept {
    x86_128_digest digest;
    mmr3_x86_128_digest(&state_, digest.data());
    return digest;
  }

 private:
  mmr3_x86_128_state state_;
};

class x64_128_stream {
 public:
  explicit x64_128_stream(std::uint64_t seed = 0) noexcept {
    mmr3_x64_128_init(&state_, seed);
  }
  void update(std::string_view piece) noexcept {
    mmr3_x64_128_update(&state_, piece.data(), piece.size());
  }
  x64_128_digest digest() const noexcept {
    x64_128_digest digest;
    mmr3_x64_128_digest(&state_, digest.data());
    return digest;
  }

 private:
  mmr3_x64_128_state state_;
};

class wide32_stream {
 public:
  explicit wide32_stream(std::uint32_t seed = 0) noexcept {
    mmr3_wide32_init(&state_, seed);
  }
  void update(std::string_view piece) noexcept {
    mmr3_wide32_update(&state_, piece.data(), piece.size());
  }
  wide32_digest digest() const noexcept { return mmr3_wide32_digest(&state_); }

 private:
  mmr3_wide32_state state_;
};

// --------------------------------------------------------------- batches

namespace detail {

template <class Range>
using element = std::remove_cv_t<
    std::remove_reference_t<decltype(*std::begin(std::declval<Range&>()))>>;

// Numbers, and other types whose value is all of their bytes, are hashed as the
// bytes that they are in memory; strings as their characters.
template <class Key>
constexpr bool is_text = std::is_convertible_v<const Key&, std::string_view>;

template <class Digest, class Seed, class Word, class Range>
std::vector<Digest> batch(const Range& keys, Seed seed,
                          void (*of_strings)(const void* const*,
                                             const std::size_t*, std::size_t,
                                             Seed, Word*),
                          void (*of_values)(const void*, std::size_t,
                                            std::size_t, std::size_t, Seed,
                                            Word*)) {
  using Key = element<const Range>;
  const std::size_t n =
      static_cast<std::size_t>(std::distance(std::begin(keys), std::end(keys)));
  std::vector<Digest> digests(n);
  if (n == 0) return digests;
  Word* out = reinterpret_cast<Word*>(digests.data());
  if constexpr (is_text<Key>) {
    std::vector<const void*> pointers;
    std::vector<std::size_t> lens;
    pointers.reserve(n);
    lens.reserve(n);
    for (const auto& key : keys) {
      const std::string_view text = key;
      pointers.push_back(text.data());
      lens.push_back(text.size());
    }
    of_strings(pointers.data(), lens.data(), n, seed, out);
  } else {
    static_assert(std::has_unique_object_representations_v<Key>,
                  "a key is a string, or a type whose value is all of its "
                  "bytes: no padding, no floating point");
    of_values(std::data(keys), sizeof(Key), sizeof(Key), n, seed, out);
  }
  return digests;
}

}  // namespace detail

// The digests of a range of keys, each as the one-key function of the same
// name gives it. Keys are strings, in any range of something that converts to
// std::string_view, or values without padding, such as integers, in a
// contiguous range; a value is hashed as its bytes in memory, so that digests
// of integers are the same on machines of one byte order.
template <class Range>
std::vector<x86_32_digest> x86_32_batch(const Range& keys,
                                        std::uint32_t seed = 0) {
  return detail::batch<x86_32_digest>(keys, seed, mmr3_x86_32_batch,
                                      mmr3_x86_32_batch_fixed);
}

template <class Range>
std::vector<x86_128_digest> x86_128_batch(const Range& keys,
                                          std::uint32_t seed = 0) {
  return detail::batch<x86_128_digest>(keys, seed, mmr3_x86_128_batch,
                                       mmr3_x86_128_batch_fixed);
}

template <class Range>
std::vector<x64_128_digest> x64_128_batch(const Range& keys,
                                          std::uint64_t seed = 0) {
  return detail::batch<x64_128_digest>(keys, seed, mmr3_x64_128_batch,
                                       mmr3_x64_128_batch_fixed);
}

}  // namespace mmr3

#endif  // MURMURATION_HPP
