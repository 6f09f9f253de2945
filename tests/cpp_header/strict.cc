// Everything in murmuration.hpp and murmuration_x86_32.h, instantiated once,
// for a compiler with all warnings on (check_header.py --warnings).
#include <array>
#include <list>
#include <string>
#include <vector>

#include "murmuration.hpp"
#if defined(__cpp_lib_span)
#include <span>
#endif

namespace {

static_assert(mmr3::x86_32("abc", mmr3::seed32(0)) == 0xb3dd93fa);

template <class Digest>
std::uint64_t First(const Digest& digest) {
  return digest[0];
}
std::uint64_t First(std::uint32_t digest) { return digest; }

std::uint64_t OneKey(const std::string& text, const unsigned char* data,
                     std::size_t len) {
  const mmr3_key key = mmr3_public_key(static_cast<std::uint32_t>(len));
  const mmr3::seed32 seed(-1);
  const std::array<std::byte, 4> bytes{};
  std::array<char, 64> room{};
  char buffer[64];
  return mmr3::x86_32(text) + mmr3::x86_32({data, len}, seed) +
         mmr3::x86_32(bytes, key) + mmr3::wide32("a literal", seed) +
         mmr3::wide32(text.c_str(), key) +
         First(mmr3::x86_128({static_cast<const void*>(data), len})) +
         First(mmr3::x64_128(text, mmr3::seed64(len))) +
         First(mmr3::x64_128_cassandra(text, seed)) + mmr3::x86_32_spark("") +
         mmr3::wide32_copy(room, text, seed) +
         mmr3::wide32_copy(buffer, text, key) + mmr3::hasher(seed)(text) +
         mmr3_x86_32_inline(data, len, key);
}

template <class Stream>
std::uint64_t Streamed(const std::string& text) {
  Stream stream;
  const Stream copy(stream);
  stream.update(text);
  stream = copy;
  return First(stream.digest());
}

#define MURMURATION_MANY_KEYS(NAME, Seed)                                    \
  template <class Keys>                                                      \
  std::uint64_t NAME(Keys&& keys, std::vector<mmr3::NAME##_digest>& out) {   \
    mmr3::NAME##_batch(keys, out, mmr3::seed32(1));                          \
    return First(out[0]) + First(mmr3::NAME##_batch(keys)[0]);               \
  }                                                                          \
  std::uint64_t NAME##_under(const std::vector<Seed>& seeds) {               \
    std::vector<mmr3::NAME##_digest> out(seeds.size());                      \
    mmr3::NAME##_seeds("key", seeds, out);                                   \
    return First(out[0]) + First(mmr3::NAME##_seeds("key", seeds)[0]);       \
  }                                                                          \
  std::uint64_t NAME##_all(const std::list<std::string>& strings) {          \
    const std::vector<std::array<unsigned char, 16>> arrays(strings.size()); \
    const std::vector<std::uint64_t> numbers(strings.size());                \
    const std::vector<std::int32_t> offsets(strings.size() + 1);             \
    const std::vector<std::int64_t> offsets64(strings.size() + 1);           \
    std::vector<mmr3::NAME##_digest> out(strings.size());                    \
    return NAME(strings, out) + NAME(arrays, out) + NAME(numbers, out) +     \
           NAME(mmr3::fixed_keys{arrays.data(), 16, -16, 0}, out) +          \
           NAME(mmr3::offset_keys{nullptr, offsets.data(), 0}, out) +        \
           NAME(mmr3::offset_keys{nullptr, offsets64.data(), 0}, out) +      \
           NAME##_under({1, 2, 3});                                          \
  }
MURMURATION_MANY_KEYS(x86_32, std::uint32_t)
MURMURATION_MANY_KEYS(x86_128, std::uint32_t)
MURMURATION_MANY_KEYS(x64_128, std::uint64_t)
#undef MURMURATION_MANY_KEYS

#if defined(__cpp_lib_span)
std::uint64_t Spans(std::span<const std::uint8_t> bytes) {
  std::vector<mmr3::x86_32_digest> digests(2);
  const std::vector<std::span<const std::byte>> keys(2);
  mmr3::x86_32_batch(keys, std::span(digests));
  return mmr3::x86_32(bytes) + mmr3::x86_32(std::as_bytes(bytes)) +
         mmr3::x86_32(u8"literal");
}
#endif

}  // namespace

std::uint64_t all(const std::string& text, const unsigned char* data,
                  std::size_t len);
std::uint64_t all(const std::string& text, const unsigned char* data,
                  std::size_t len) {
  const std::list<std::string> strings(len, text);
  return OneKey(text, data, len) + Streamed<mmr3::x86_32_stream>(text) +
         Streamed<mmr3::x86_128_stream>(text) +
         Streamed<mmr3::x64_128_stream>(text) +
         Streamed<mmr3::wide32_stream>(text) + x86_32_all(strings) +
         x86_128_all(strings) + x64_128_all(strings)
#if defined(__cpp_lib_span)
         + Spans({data, len})
#endif
      ;
}
