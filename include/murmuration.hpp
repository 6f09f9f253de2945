// murmuration.hpp: the interface of murmuration.h for C++17 and later, with
// keys and seeds that cannot be mistaken for each other.
//
//   mmr3::x86_32("hello")                      strings, literals
//   mmr3::x86_32(container)                    vectors, arrays, spans of bytes
//   mmr3::x86_32(mmr3::bytes(pointer, size))   or x86_32({pointer, size})
//   mmr3::x86_32("hello", mmr3::seed32(42))    a seed
//   mmr3::x86_32_batch(strings)                a std::vector of digests
//   mmr3::x86_32_batch(strings, digests)       the same into a span, array, ...
//
// Header only, over the C functions; link libmurmuration.a. What murmuration.h
// says of each function holds here. Nothing allocates but the functions that
// return a std::vector; nothing throws but these (std::bad_alloc), and those
// that write to a place of the caller's which has another size than it must
// (std::length_error; std::abort without exceptions), before they write. What a
// range of the caller's throws while it is read passes through; digests may
// then have been written.
#ifndef MURMURATION_HPP
#define MURMURATION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<version>)
#include <version>
#endif

#include "murmuration.h"
#include "murmuration_x86_32.h"

namespace mmr3 {

using x86_32_digest = std::uint32_t;
using x86_128_digest = std::array<std::uint32_t, 4>;  // h1 to h4
using x64_128_digest = std::array<std::uint64_t, 2>;  // h1, h2
using wide32_digest = std::uint32_t;

// ------------------------------------------------------------------- seeds
//
// Never made of a number without being named: a number beside a key could be
// the key's length.

// From any integer of up to 32 bits; of a negative one the same bits.
class seed32 {
 public:
  template <class Integer>
  explicit constexpr seed32(Integer value) noexcept
      : value_(static_cast<std::uint32_t>(value)) {
    static_assert(
        std::is_integral_v<Integer> && !std::is_same_v<Integer, bool> &&
            sizeof(Integer) <= 4,
        "a mmr3::seed32 is made of an integer of at most 32 bits: cast what is "
        "wider, or take x64_128 with a mmr3::seed64");
  }
  constexpr std::uint32_t value() const noexcept { return value_; }

 private:
  std::uint32_t value_;
};

// From any integer, a negative one extended with its sign, or from a seed32,
// extended with zeros, as the reference and most systems do.
class seed64 {
 public:
  template <class Integer>
  explicit constexpr seed64(Integer value) noexcept
      : value_(static_cast<std::uint64_t>(value)) {
    static_assert(std::is_integral_v<Integer> &&
                      !std::is_same_v<Integer, bool> && sizeof(Integer) <= 8,
                  "a mmr3::seed64 is made of an integer of at most 64 bits");
  }
  constexpr seed64(seed32 seed) noexcept : value_(seed.value()) {}
  constexpr std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_;
};

// -------------------------------------------------------------------- keys

namespace detail {

template <class T>
using bare = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T>
constexpr bool is_character =
#if defined(__cpp_char8_t)
    std::is_same_v<T, char8_t> ||
#endif
    std::is_same_v<T, char>;

template <class T>
constexpr bool is_byte =
    is_character<T> || std::is_same_v<T, unsigned char> ||
    std::is_same_v<T, signed char> || std::is_same_v<T, std::byte>;

// What std::data points to; void where there is no data or no size.
template <class T, class = void>
struct data_of {
  using element = void;
};
template <class T>
struct data_of<T, std::void_t<decltype(*std::data(std::declval<T&>())),
                              decltype(std::size(std::declval<T&>()))>> {
  using element =
      std::remove_pointer_t<decltype(std::data(std::declval<T&>()))>;
};
template <class T>
using data_element = typename data_of<std::remove_reference_t<T>>::element;

template <class T>
constexpr bool is_contiguous = !std::is_void_v<data_element<T>>;

template <class T>
constexpr bool is_text = std::is_convertible_v<T, std::string_view>;

// An mmr3_key, and no list of numbers in braces.
template <class T>
using if_key = std::enable_if_t<std::is_same_v<T, mmr3_key>, int>;

template <class T>
std::string_view view_bytes(const T* data, std::size_t size) noexcept {
  return {reinterpret_cast<const char*>(data), size};
}
constexpr std::string_view view_bytes(const char* data,
                                      std::size_t size) noexcept {
  return {data, size};
}

}  // namespace detail

// The bytes of one key: where they are, not a copy. What a function that takes
// bytes accepts:
//
//   - std::string, std::string_view, and what converts to that
//   - whatever has data() and size() of char, unsigned char, signed char,
//     std::byte or char8_t: std::vector, std::span, std::array, ...; and arrays
//     of these, all of them
//   - literals, other constant arrays of char, and pointers to char: up to
//     their zero, as std::string_view takes them
//   - bytes(pointer, length), for pointers to void and to any of the types
//     above; null when the length is 0
//
// Other pointers do not say how long they are, arrays of char that may change
// not where the key in them ends, and elements that are wider than a byte have
// another order on another machine: none of them compiles.
class bytes {
 public:
  template <class Pointer, std::enable_if_t<std::is_pointer_v<Pointer> ||
                                                std::is_null_pointer_v<Pointer>,
                                            int> = 0>
  constexpr bytes(Pointer data, std::size_t length) noexcept
      : view_(of_pointer(data, length)) {}

  template <
      class Key,
      std::enable_if_t<!std::is_same_v<detail::bare<Key>, bytes> &&
                           (std::is_pointer_v<detail::bare<Key>> ||
                            std::is_null_pointer_v<detail::bare<Key>> ||
                            detail::is_contiguous<Key> || detail::is_text<Key>),
                       int> = 0>
  constexpr bytes(Key&& key) noexcept(detail::is_contiguous<Key> ||
                                      std::is_pointer_v<detail::bare<Key>>)
      : view_(of_key(key)) {}

  constexpr const char* data() const noexcept { return view_.data(); }
  constexpr std::size_t size() const noexcept { return view_.size(); }

 private:
  template <class Pointer>
  static constexpr std::string_view of_pointer(Pointer data,
                                               std::size_t length) noexcept {
    using Element = std::remove_cv_t<std::remove_pointer_t<Pointer>>;
    if constexpr (std::is_null_pointer_v<Pointer>) {
      return {nullptr, length};
    } else {
      static_assert(std::is_void_v<Element> || detail::is_byte<Element>,
                    "mmr3: a length counts bytes, and what this points to are "
                    "none: cast to const void*, and count bytes");
      return detail::view_bytes(data, length);
    }
  }

  template <class Key>
  static constexpr std::string_view of_key(Key& key) {
    using Bare = std::remove_cv_t<Key>;
    using Element = std::remove_cv_t<detail::data_element<Key>>;
    if constexpr (std::is_null_pointer_v<Bare>) {
      static_assert(!std::is_same_v<Key, Key>,
                    "mmr3: nullptr is no key; an empty one is \"\"");
    } else if constexpr (std::is_pointer_v<Bare>) {
      static_assert(
          detail::is_character<std::remove_cv_t<std::remove_pointer_t<Bare>>>,
          "mmr3: a pointer does not say how many bytes the key has: "
          "mmr3::bytes(pointer, length)");
      return detail::view_bytes(
          key, std::char_traits<
                   std::remove_cv_t<std::remove_pointer_t<Bare>>>::length(key));
    } else if constexpr (std::is_array_v<Bare> &&
                         detail::is_character<Element>) {
      static_assert(std::is_const_v<std::remove_extent_t<Key>>,
                    "mmr3: an array of char does not say where the key in it "
                    "ends: mmr3::bytes(array, length), or "
                    "std::string_view(array) for what is before its zero");
      const auto* const zero =
          std::char_traits<Element>::find(key, std::size(key), Element());
      return detail::view_bytes(std::data(key),
                                zero == nullptr
                                    ? std::size(key)
                                    : static_cast<std::size_t>(zero - key));
    } else if constexpr (detail::is_byte<Element>) {
      return detail::view_bytes(std::data(key), std::size(key));
    } else {
      static_assert(detail::is_text<Key&>,
                    "mmr3: the elements of a key are bytes: char, unsigned "
                    "char, signed char, std::byte or char8_t; of others take "
                    "mmr3::bytes(address, length), and mind the byte order");
      return key;
    }
  }

  std::string_view view_;
};

// ----------------------------------------------------------------- one key

// In a constant expression too: static_assert(mmr3::x86_32("hello") == ...).
[[nodiscard]] constexpr x86_32_digest x86_32(bytes key,
                                             seed32 seed = seed32(0)) noexcept {
#if defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 9)
  if (!__builtin_is_constant_evaluated())
    return mmr3_x86_32(key.data(), key.size(), seed.value());
#endif
  const mmr3_key numbers = mmr3_public_key(0);
  std::uint32_t state = seed.value();
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const std::uint32_t byte = static_cast<unsigned char>(key.data()[i]);
    word |= byte << (8 * (i % 4));
    if (i % 4 != 3) continue;
    state = mmr3_round32(state, word, numbers);
    word = 0;
  }
  state ^= mmr3_mix32(word, numbers) ^ mmr3_low32(key.size());
  return mmr3_fmix32(state);
}

template <class Secret, detail::if_key<Secret> = 0>
[[nodiscard]] x86_32_digest x86_32(bytes key, const Secret& secret) noexcept {
  return mmr3_x86_32_keyed(key.data(), key.size(), &secret);
}

[[nodiscard]] inline x86_128_digest x86_128(bytes key,
                                            seed32 seed = seed32(0)) noexcept {
  x86_128_digest digest;
  mmr3_x86_128(key.data(), key.size(), seed.value(), digest.data());
  return digest;
}

[[nodiscard]] inline x64_128_digest x64_128(bytes key,
                                            seed64 seed = seed64(0)) noexcept {
  x64_128_digest digest;
  mmr3_x64_128(key.data(), key.size(), seed.value(), digest.data());
  return digest;
}

[[nodiscard]] inline wide32_digest wide32(bytes key,
                                          seed32 seed = seed32(0)) noexcept {
  return mmr3_wide32(key.data(), key.size(), seed.value());
}

template <class Secret, detail::if_key<Secret> = 0>
[[nodiscard]] wide32_digest wide32(bytes key, const Secret& secret) noexcept {
  return mmr3_wide32_keyed(key.data(), key.size(), &secret);
}

// Cassandra's and Scylla's variant of x64_128. A partitioner's token is the
// first word of the digest, as a signed number.
[[nodiscard]] inline x64_128_digest x64_128_cassandra(
    bytes key, seed64 seed = seed64(0)) noexcept {
  x64_128_digest digest;
  mmr3_x64_128_cassandra(key.data(), key.size(), seed.value(), digest.data());
  return digest;
}

// Spark's variant of x86_32, with the seed of Spark's hash().
[[nodiscard]] inline x86_32_digest x86_32_spark(
    bytes key, seed32 seed = seed32(42)) noexcept {
  return mmr3_x86_32_spark(key.data(), key.size(), seed.value());
}

namespace detail {

[[noreturn]] inline void refuse_length(const char* what) {
#if defined(__cpp_exceptions)
  throw std::length_error(what);
#else
  static_cast<void>(what);
  std::abort();
#endif
}

// Place, from Place&&, is still there after the call: not a temporary, unless
// that says only where things are, as a span does.
template <class Place>
constexpr bool outlasts_call =
    std::is_lvalue_reference_v<Place> ||
    !std::is_const_v<data_element<const std::remove_reference_t<Place>>>;

// Where wide32_copy writes to.
template <class Target>
void* room_for(Target&& target, std::size_t size) {
  static_assert(is_contiguous<Target>,
                "mmr3: a copy is written to what has a size: a vector, array, "
                "span, string; mmr3_wide32_copy takes a pointer");
  using Element = data_element<Target>;
  static_assert(is_byte<std::remove_cv_t<Element>> && !std::is_const_v<Element>,
                "mmr3: a copy is written to bytes that are not const");
  static_assert(outlasts_call<Target>,
                "mmr3: the copy would be lost with this temporary");
  if (std::size(target) < size)
    refuse_length("mmr3::wide32_copy: the target is smaller than the key");
  return std::data(target);
}

}  // namespace detail

// wide32 of a key, which is copied to the front of target in the same pass.
// target has data() and size() of bytes, at least as many as the key
// (std::length_error), and does not overlap it.
template <class Target>
wide32_digest wide32_copy(Target&& target, bytes key, seed32 seed = seed32(0)) {
  return mmr3_wide32_copy(
      detail::room_for(std::forward<Target>(target), key.size()), key.data(),
      key.size(), seed.value());
}

template <class Target, class Secret, detail::if_key<Secret> = 0>
wide32_digest wide32_copy(Target&& target, bytes key, const Secret& secret) {
  return mmr3_wide32_copy_keyed(
      detail::room_for(std::forward<Target>(target), key.size()), key.data(),
      key.size(), &secret);
}

// -------------------------------------------------------------- containers

// The hasher of an unordered container whose keys are strings or other bytes:
// h1 of x64_128, the same for std::string, std::string_view and literals, so
// that a container with std::equal_to<> can be asked without making a
// std::string. With a seed that is not known outside, the order of the elements
// is not either; that alone is no defence against prepared keys
// (docs/security.md).
class hasher {
 public:
  using is_transparent = void;
  hasher() noexcept : hasher(seed64(0)) {}
  explicit hasher(seed64 seed) noexcept : seed_(seed) {}
  std::size_t operator()(bytes key) const noexcept {
    return x64_128(key, seed_)[0] & SIZE_MAX;
  }

 private:
  seed64 seed_;
};

// ----------------------------------------------------------------- streams

// A string that arrives in pieces. May be copied; digest() may be called at any
// time, and update() after it.
class x86_32_stream {
 public:
  explicit x86_32_stream(seed32 seed = seed32(0)) noexcept : state_() {
    mmr3_x86_32_init(&state_, seed.value());
  }
  void update(bytes piece) noexcept {
    mmr3_x86_32_update(&state_, piece.data(), piece.size());
  }
  [[nodiscard]] x86_32_digest digest() const noexcept {
    return mmr3_x86_32_digest(&state_);
  }

 private:
  mmr3_x86_32_state state_;
};

class x86_128_stream {
 public:
  explicit x86_128_stream(seed32 seed = seed32(0)) noexcept : state_() {
    mmr3_x86_128_init(&state_, seed.value());
  }
  void update(bytes piece) noexcept {
    mmr3_x86_128_update(&state_, piece.data(), piece.size());
  }
  [[nodiscard]] x86_128_digest digest() const noexcept {
    x86_128_digest digest;
    mmr3_x86_128_digest(&state_, digest.data());
    return digest;
  }

 private:
  mmr3_x86_128_state state_;
};

class x64_128_stream {
 public:
  explicit x64_128_stream(seed64 seed = seed64(0)) noexcept : state_() {
    mmr3_x64_128_init(&state_, seed.value());
  }
  void update(bytes piece) noexcept {
    mmr3_x64_128_update(&state_, piece.data(), piece.size());
  }
  [[nodiscard]] x64_128_digest digest() const noexcept {
    x64_128_digest digest;
    mmr3_x64_128_digest(&state_, digest.data());
    return digest;
  }

 private:
  mmr3_x64_128_state state_;
};

class wide32_stream {
 public:
  explicit wide32_stream(seed32 seed = seed32(0)) noexcept : state_() {
    mmr3_wide32_init(&state_, seed.value());
  }
  void update(bytes piece) noexcept {
    mmr3_wide32_update(&state_, piece.data(), piece.size());
  }
  [[nodiscard]] wide32_digest digest() const noexcept {
    return mmr3_wide32_digest(&state_);
  }

 private:
  mmr3_wide32_state state_;
};

// ----------------------------------------------------------------- batches

// Keys of one length at a fixed distance, which may be 0 or negative:
// fixed_keys{first, key_len, stride, n}, as mmr3_x86_32_batch_fixed takes them.
struct fixed_keys {
  const void* first;
  std::size_t key_len;    // bytes
  std::ptrdiff_t stride;  // bytes from the start of a key to that of the next
  std::size_t n;          // keys
};

// The n keys between n + 1 offsets of 32 or 64 bits, as Arrow lays strings out:
// offset_keys{bytes, offsets, n}.
template <class Offset>
struct offset_keys {
  static_assert(std::is_same_v<Offset, std::int32_t> ||
                    std::is_same_v<Offset, std::int64_t>,
                "mmr3: offsets are std::int32_t or std::int64_t");
  const void* bytes;
  const Offset* offsets;
  std::size_t n;
};
template <class Offset>
offset_keys(const void*, const Offset*, std::size_t) -> offset_keys<Offset>;

namespace detail {

// The C functions of the variants.
struct x86_32_functions {
  using digest = x86_32_digest;
  using seed = std::uint32_t;
  using word = std::uint32_t;
  static word* words(digest* digests) noexcept { return digests; }
  static constexpr auto of_pointers = mmr3_x86_32_batch;
  static constexpr auto of_fixed = mmr3_x86_32_batch_fixed;
  static constexpr auto of_offsets32 = mmr3_x86_32_batch_offsets32;
  static constexpr auto of_offsets64 = mmr3_x86_32_batch_offsets64;
  static constexpr auto under_seeds = mmr3_x86_32_seeds;
};

struct x86_128_functions {
  using digest = x86_128_digest;
  using seed = std::uint32_t;
  using word = std::uint32_t;
  static word* words(digest* digests) noexcept { return digests->data(); }
  static constexpr auto of_pointers = mmr3_x86_128_batch;
  static constexpr auto of_fixed = mmr3_x86_128_batch_fixed;
  static constexpr auto of_offsets32 = mmr3_x86_128_batch_offsets32;
  static constexpr auto of_offsets64 = mmr3_x86_128_batch_offsets64;
  static constexpr auto under_seeds = mmr3_x86_128_seeds;
};

struct x64_128_functions {
  using digest = x64_128_digest;
  using seed = std::uint64_t;
  using word = std::uint64_t;
  static word* words(digest* digests) noexcept { return digests->data(); }
  static constexpr auto of_pointers = mmr3_x64_128_batch;
  static constexpr auto of_fixed = mmr3_x64_128_batch_fixed;
  static constexpr auto of_offsets32 = mmr3_x64_128_batch_offsets32;
  static constexpr auto of_offsets64 = mmr3_x64_128_batch_offsets64;
  static constexpr auto under_seeds = mmr3_x64_128_seeds;
};

// Digests lie end to end.
static_assert(sizeof(x86_128_digest) == 16 && sizeof(x64_128_digest) == 16);

template <class T, class = void>
constexpr bool is_range = false;
template <class T>
constexpr bool
    is_range<T, std::void_t<decltype(*std::begin(std::declval<T&>())),
                            decltype(std::begin(std::declval<T&>()) !=
                                     std::end(std::declval<T&>()))>> = true;

template <class T, class = void>
constexpr bool has_size = false;
template <class T>
constexpr bool
    has_size<T, std::void_t<decltype(std::size(std::declval<T&>()))>> = true;

template <class Keys>
using iterator_of = decltype(std::begin(std::declval<Keys&>()));
template <class Keys>
using reference_of = decltype(*std::declval<iterator_of<Keys>&>());

template <class Iterator, class = void>
constexpr bool is_classic_forward = false;
template <class Iterator>
constexpr bool is_classic_forward<
    Iterator,
    std::void_t<typename std::iterator_traits<Iterator>::iterator_category>> =
    std::is_base_of_v<
        std::forward_iterator_tag,
        typename std::iterator_traits<Iterator>::iterator_category>;

// Its elements stay where they are while others are read.
template <class Iterator>
constexpr bool is_forward =
#if defined(__cpp_lib_ranges)
    std::forward_iterator<Iterator> ||
#endif
    is_classic_forward<Iterator>;

// Says where bytes are, and may be gone before they are read.
template <class T>
constexpr bool is_view =
#if defined(__cpp_lib_ranges)
    std::ranges::enable_borrowed_range<T> ||
#endif
    std::is_pointer_v<T> || std::is_same_v<T, bytes> ||
    std::is_same_v<T, std::string_view>;

// Keys that are the bytes of a number, in the order of the machine.
template <class T>
constexpr bool is_number = (std::is_integral_v<T> ||
                            std::is_enum_v<T>)&&sizeof(T) > 1 &&
                           !std::is_same_v<T, wchar_t> &&
                           !std::is_same_v<T, char16_t> &&
                           !std::is_same_v<T, char32_t>;

// Keys that are an array of bytes, all of one size.
template <class T>
constexpr bool is_byte_array = false;
template <class T, std::size_t kSize>
constexpr bool is_byte_array<T[kSize]> =
    is_byte<std::remove_cv_t<T>> && !is_character<std::remove_cv_t<T>>;
template <class T, std::size_t kSize>
constexpr bool is_byte_array<std::array<T, kSize>> = is_byte<T>&& kSize != 0;

template <class T>
struct is_offset_keys : std::false_type {};
template <class Offset>
struct is_offset_keys<offset_keys<Offset>> : std::true_type {};

// What is refused here would be hashed as something else than it looks like.
template <class Keys>
constexpr void check_range() {
  static_assert(is_range<Keys>, "mmr3: the keys of a batch are a range");
  using Element = bare<reference_of<Keys>>;
  static_assert(!is_byte<Element>,
                "mmr3: this range is one key, or numbers of a byte each; a "
                "batch takes a range of keys, and one key goes to the function "
                "without _batch");
  static_assert(
      is_number<Element> || is_text<reference_of<Keys>> ||
          is_byte<std::remove_cv_t<data_element<reference_of<Keys>>>>,
      "mmr3: a key in a batch is a string or other bytes that know their size, "
      "or an integer of more than a byte: no pointer, structure, floating "
      "point or bool (mmr3::fixed_keys takes the bytes of anything)");
  if constexpr (is_number<Element>) {
    static_assert(is_contiguous<Keys>,
                  "mmr3: numbers lie end to end: a vector, array or span");
  } else {
    static_assert(is_forward<iterator_of<Keys>>,
                  "mmr3: this range can be read once, and its keys may be gone "
                  "when the batch is hashed: make a std::vector of it");
    static_assert(std::is_reference_v<reference_of<Keys>> || is_view<Element>,
                  "mmr3: this range makes its keys as it is read, and they are "
                  "gone when the batch is hashed: make a std::vector of it");
  }
}

template <class Keys>
std::size_t count_keys(Keys& keys) {
  using Bare = std::remove_cv_t<Keys>;
  if constexpr (std::is_same_v<Bare, fixed_keys> ||
                is_offset_keys<Bare>::value) {
    return keys.n;
  } else {
    check_range<Keys>();
    if constexpr (has_size<Keys>) {
      return std::size(keys);
    } else {
      std::size_t n = 0;
      for (auto at = std::begin(keys); at != std::end(keys); ++at) ++n;
      return n;
    }
  }
}

// Keys go to the library so many at a time: enough for its groups, and few
// enough for the stack.
constexpr std::size_t batch_keys = 512;

template <class Functions, class Keys>
void hash_all(Keys& keys, std::size_t n, typename Functions::seed seed,
              typename Functions::digest* digests) {
  using Bare = std::remove_cv_t<Keys>;
  if (n == 0) return;
  if constexpr (std::is_same_v<Bare, fixed_keys>) {
    Functions::of_fixed(keys.first, keys.key_len, keys.stride, n, seed,
                        Functions::words(digests));
  } else if constexpr (std::is_same_v<Bare, offset_keys<std::int32_t>>) {
    Functions::of_offsets32(keys.bytes, keys.offsets, n, seed,
                            Functions::words(digests));
  } else if constexpr (std::is_same_v<Bare, offset_keys<std::int64_t>>) {
    Functions::of_offsets64(keys.bytes, keys.offsets, n, seed,
                            Functions::words(digests));
  } else {
    using Element = bare<reference_of<Keys>>;
    if constexpr (is_number<Element> ||
                  (is_byte_array<Element> && is_contiguous<Keys>)) {
      Functions::of_fixed(std::data(keys), sizeof(Element), sizeof(Element), n,
                          seed, Functions::words(digests));
    } else {
      const void* pointers[batch_keys];
      std::size_t lens[batch_keys];
      std::size_t held = 0;
      for (auto&& element : keys) {
        const bytes key(element);
        pointers[held] = key.data();
        lens[held] = key.size();
        if (++held != batch_keys) continue;
        Functions::of_pointers(pointers, lens, held, seed,
                               Functions::words(digests));
        digests += held;
        held = 0;
      }
      if (held != 0)
        Functions::of_pointers(pointers, lens, held, seed,
                               Functions::words(digests));
    }
  }
}

// Where n digests are written to.
template <class Functions, class Digests>
typename Functions::digest* room_for_digests(Digests&& digests, std::size_t n) {
  static_assert(
      std::is_same_v<data_element<Digests>, typename Functions::digest>,
      "mmr3: digests are written to elements of the type of the digest, such "
      "as mmr3::x86_32_digest, that are not const");
  static_assert(outlasts_call<Digests>,
                "mmr3: the digests would be lost with this temporary");
  if (std::size(digests) != n)
    refuse_length("mmr3: a place for digests has as many elements as keys");
  return std::data(digests);
}

template <class Functions, class Keys>
std::vector<typename Functions::digest> batch(Keys& keys,
                                              typename Functions::seed seed) {
  const std::size_t n = count_keys(keys);
  std::vector<typename Functions::digest> digests(n);
  hash_all<Functions>(keys, n, seed, digests.data());
  return digests;
}

template <class Functions, class Keys, class Digests>
void batch_to(Keys& keys, Digests&& digests, typename Functions::seed seed) {
  const std::size_t n = count_keys(keys);
  hash_all<Functions>(
      keys, n, seed,
      room_for_digests<Functions>(std::forward<Digests>(digests), n));
}

template <class Functions, class Seeds>
constexpr void check_seeds() {
  static_assert(
      std::is_same_v<std::remove_cv_t<data_element<Seeds>>,
                     typename Functions::seed>,
      "mmr3: seeds are a vector, array or span of std::uint32_t, for x64_128 "
      "of std::uint64_t");
}

template <class Functions, class Seeds>
std::vector<typename Functions::digest> seeds(bytes key, const Seeds& seeds) {
  check_seeds<Functions, const Seeds>();
  const std::size_t n = std::size(seeds);
  std::vector<typename Functions::digest> digests(n);
  if (n != 0)
    Functions::under_seeds(key.data(), key.size(), std::data(seeds), n,
                           Functions::words(digests.data()));
  return digests;
}

template <class Functions, class Seeds, class Digests>
void seeds_to(bytes key, const Seeds& seeds, Digests&& digests) {
  check_seeds<Functions, const Seeds>();
  const std::size_t n = std::size(seeds);
  auto* const room =
      room_for_digests<Functions>(std::forward<Digests>(digests), n);
  if (n != 0)
    Functions::under_seeds(key.data(), key.size(), std::data(seeds), n,
                           Functions::words(room));
}

template <class Digests>
using if_place = std::enable_if_t<is_contiguous<Digests>, int>;

}  // namespace detail

// The digests of many keys, each as the one-key function of the same name gives
// it. Keys are
//
//   - any range of what `bytes` accepts: std::vector<std::string>,
//     std::list<std::string_view>, arrays of literals, ...; the range may be
//     read more than once, and its elements last (std::views::transform that
//     makes a std::string does not compile: make a std::vector of it)
//   - integers and enumerations of more than a byte in a contiguous range, each
//     hashed as its bytes in memory, so that digests are the same on machines
//     of one byte order
//   - fixed_keys and offset_keys
//
// Nothing is known of nulls: which of the keys of a column are null is for the
// caller to know (docs/batches.md).
//
// With `digests`, which has data() and size() of as many digests as there are
// keys (std::length_error), nothing is allocated; the stack used is 8 KB beyond
// that of the C function.
template <class Keys>
[[nodiscard]] std::vector<x86_32_digest> x86_32_batch(Keys&& keys,
                                                      seed32 seed = seed32(0)) {
  return detail::batch<detail::x86_32_functions>(keys, seed.value());
}
template <class Keys, class Digests, detail::if_place<Digests> = 0>
void x86_32_batch(Keys&& keys, Digests&& digests, seed32 seed = seed32(0)) {
  detail::batch_to<detail::x86_32_functions>(
      keys, std::forward<Digests>(digests), seed.value());
}

template <class Keys>
[[nodiscard]] std::vector<x86_128_digest> x86_128_batch(
    Keys&& keys, seed32 seed = seed32(0)) {
  return detail::batch<detail::x86_128_functions>(keys, seed.value());
}
template <class Keys, class Digests, detail::if_place<Digests> = 0>
void x86_128_batch(Keys&& keys, Digests&& digests, seed32 seed = seed32(0)) {
  detail::batch_to<detail::x86_128_functions>(
      keys, std::forward<Digests>(digests), seed.value());
}

template <class Keys>
[[nodiscard]] std::vector<x64_128_digest> x64_128_batch(
    Keys&& keys, seed64 seed = seed64(0)) {
  return detail::batch<detail::x64_128_functions>(keys, seed.value());
}
template <class Keys, class Digests, detail::if_place<Digests> = 0>
void x64_128_batch(Keys&& keys, Digests&& digests, seed64 seed = seed64(0)) {
  detail::batch_to<detail::x64_128_functions>(
      keys, std::forward<Digests>(digests), seed.value());
}

// The digests of one key under many seeds, a contiguous range of std::uint32_t
// (x64_128: std::uint64_t).
template <class Seeds>
[[nodiscard]] std::vector<x86_32_digest> x86_32_seeds(bytes key,
                                                      const Seeds& seeds) {
  return detail::seeds<detail::x86_32_functions>(key, seeds);
}
template <class Seeds, class Digests>
void x86_32_seeds(bytes key, const Seeds& seeds, Digests&& digests) {
  detail::seeds_to<detail::x86_32_functions>(key, seeds,
                                             std::forward<Digests>(digests));
}

template <class Seeds>
[[nodiscard]] std::vector<x86_128_digest> x86_128_seeds(bytes key,
                                                        const Seeds& seeds) {
  return detail::seeds<detail::x86_128_functions>(key, seeds);
}
template <class Seeds, class Digests>
void x86_128_seeds(bytes key, const Seeds& seeds, Digests&& digests) {
  detail::seeds_to<detail::x86_128_functions>(key, seeds,
                                              std::forward<Digests>(digests));
}

template <class Seeds>
[[nodiscard]] std::vector<x64_128_digest> x64_128_seeds(bytes key,
                                                        const Seeds& seeds) {
  return detail::seeds<detail::x64_128_functions>(key, seeds);
}
template <class Seeds, class Digests>
void x64_128_seeds(bytes key, const Seeds& seeds, Digests&& digests) {
  detail::seeds_to<detail::x64_128_functions>(key, seeds,
                                              std::forward<Digests>(digests));
}

}  // namespace mmr3

#endif  // MURMURATION_HPP
