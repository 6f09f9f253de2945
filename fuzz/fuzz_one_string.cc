// Every function of one string, on every kernel, against the naive definitions.
#include "fuzz_input.h"
#include "tests/naive_murmur3.h"
#include "tests/naive_murmur3_128.h"

namespace {

void CheckCopy(const std::vector<uint8_t>& bytes, uint8_t* copy) {
  Check(bytes.empty() || memcmp(copy, bytes.data(), bytes.size()) == 0,
        "copy differs");
}

// A process has one Lua secret, set before the first hash: the keyed functions
// have one for each input.
const std::vector<uint8_t>& LuaSecret() {
  static const std::vector<uint8_t> set = [] {
    const std::vector<uint8_t> secret = {0xd1, 0x31, 0x0b, 0xa6, 0x98, 0xdf,
                                         0xb5, 0xac, 0x2f, 0xfd, 0x72, 0xdb,
                                         0xd0, 0x1a, 0xdf, 0xb7};
    Check(mmr3_lua_set_secret(secret.data()) == 0, "secret refused");
    return secret;
  }();
  return set;
}

void CheckWide32(const std::vector<uint8_t>& bytes, const uint8_t* data,
                 const std::vector<uint8_t>& secret, uint32_t seed,
                 size_t copy_offset) {
  const size_t len = bytes.size();
  const mmr3_key key = mmr3_key_from_secret(secret.data(), seed);
  naive::Key public_key;
  public_key.seed = seed;
  const uint32_t expected = naive::Wide32(bytes, public_key);
  const uint32_t expected_keyed =
      naive::Wide32(bytes, naive::KeyFromSecret(secret, seed));
  const uint32_t expected_lua = naive::Wide32(
      bytes, naive::KeyFromSecret(LuaSecret(), static_cast<uint32_t>(len)));
  const auto* text = reinterpret_cast<const char*>(data);
  const std::vector<uint8_t> blank(len, 0xa5);
  for (const char* kernel : Kernels()) {
    Check(mmr3_use_kernel(kernel) == 0, "not accepted");
    Check(mmr3_wide32(data, len, seed) == expected, "wide32");
    Check(mmr3_wide32_resolve()(data, len, seed) == expected, "resolved");
    Check(mmr3_wide32_keyed(data, len, &key) == expected_keyed, "wide32_keyed");
    Check(mmr3_lua_hash(text, len) == expected_lua, "lua_hash");
    const ExactCopy copy(blank, copy_offset);
    Check(mmr3_wide32_copy(copy.data(), data, len, seed) == expected,
          "wide32_copy");
    CheckCopy(bytes, copy.data());
    const ExactCopy keyed(blank, copy_offset);
    Check(
        mmr3_wide32_copy_keyed(keyed.data(), data, len, &key) == expected_keyed,
        "wide32_copy_keyed");
    CheckCopy(bytes, keyed.data());
    const ExactCopy lua(blank, copy_offset);
    Check(mmr3_lua_hash_copy(reinterpret_cast<char*>(lua.data()), text, len) ==
              expected_lua,
          "lua_hash_copy");
    CheckCopy(bytes, lua.data());
  }
}

void CheckStandardVariants(const std::vector<uint8_t>& bytes,
                           const uint8_t* data,
                           const std::vector<uint8_t>& secret, uint64_t seed) {
  const size_t len = bytes.size();
  const auto seed32 = static_cast<uint32_t>(seed);
  naive::Key public_key;
  public_key.seed = seed32;
  const mmr3_key key = mmr3_key_from_secret(secret.data(), seed32);
  Check(mmr3_x86_32(data, len, seed32) == naive::X86_32(bytes, public_key),
        "x86_32");
  Check(mmr3_x86_32_keyed(data, len, &key) ==
            naive::X86_32(bytes, naive::KeyFromSecret(secret, seed32)),
        "x86_32_keyed");
  std::array<uint32_t, 4> x86_128;
  mmr3_x86_128(data, len, seed32, x86_128.data());
  Check(x86_128 == naive::X86_128(bytes, seed32), "x86_128");
  std::array<uint64_t, 2> x64_128;
  mmr3_x64_128(data, len, seed, x64_128.data());
  Check(x64_128 == naive::X64_128(bytes, seed), "x64_128");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  FuzzInput fuzz(input, size);
  const uint8_t plan = fuzz.Byte();
  const size_t offset = plan % 64;
  const size_t copy_offset = fuzz.Byte() % 64;
  const auto seed = fuzz.Take<uint64_t>();
  const std::vector<uint8_t> secret = fuzz.Bytes(16);
  const std::vector<uint8_t> rest = fuzz.Rest();
  // Up to four times what an input has: kernels take long strings in runs.
  std::vector<uint8_t> bytes;
  for (int copies = 0; copies <= plan / 64; ++copies)
    bytes.insert(bytes.end(), rest.begin(), rest.end());
  const ExactCopy copy(bytes, offset);
  CheckStandardVariants(bytes, copy.data(), secret, seed);
  CheckWide32(bytes, copy.data(), secret, static_cast<uint32_t>(seed),
              copy_offset);
  return 0;
}
