// Streams cut into random pieces, each piece on a random kernel and updated
// after a digest, against the naive definitions of the whole.
#include "fuzz_input.h"
#include "tests/naive_murmur3.h"
#include "tests/naive_murmur3_128.h"

namespace {

constexpr size_t kMaxBytes = 4000;  // then pieces stay short

struct Streams {
  mmr3_x86_32_state x86_32;
  mmr3_x86_128_state x86_128;
  mmr3_x64_128_state x64_128;
  mmr3_wide32_state wide32;
  uint64_t seed;

  explicit Streams(uint64_t seed64) : seed(seed64) {
    const auto seed32 = static_cast<uint32_t>(seed);
    mmr3_x86_32_init(&x86_32, seed32);
    mmr3_x86_128_init(&x86_128, seed32);
    mmr3_x64_128_init(&x64_128, seed);
    mmr3_wide32_init(&wide32, seed32);
  }

  void Update(const uint8_t* data, size_t len) {
    mmr3_x86_32_update(&x86_32, data, len);
    mmr3_x86_128_update(&x86_128, data, len);
    mmr3_x64_128_update(&x64_128, data, len);
    mmr3_wide32_update(&wide32, data, len);
  }

  // Twice: the first digest must not change what the second one is.
  void CheckDigests(const std::vector<uint8_t>& so_far) const {
    naive::Key key;
    key.seed = static_cast<uint32_t>(seed);
    const uint32_t expected_x86_32 = naive::X86_32(so_far, key);
    const auto expected_x86_128 = naive::X86_128(so_far, key.seed);
    const auto expected_x64_128 = naive::X64_128(so_far, seed);
    const uint32_t expected_wide32 = naive::Wide32(so_far, key);
    for (int again = 0; again < 2; ++again) {
      Check(mmr3_x86_32_digest(&x86_32) == expected_x86_32, "x86_32 stream");
      std::array<uint32_t, 4> digest32;
      mmr3_x86_128_digest(&x86_128, digest32.data());
      Check(digest32 == expected_x86_128, "x86_128 stream");
      std::array<uint64_t, 2> digest64;
      mmr3_x64_128_digest(&x64_128, digest64.data());
      Check(digest64 == expected_x64_128, "x64_128 stream");
      Check(mmr3_wide32_digest(&wide32) == expected_wide32, "wide32 stream");
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* input, size_t size) {
  FuzzInput fuzz(input, size);
  Streams streams(fuzz.Take<uint64_t>());
  std::vector<uint8_t> so_far;
  while (fuzz.left() != 0) {
    const uint8_t plan = fuzz.Byte();
    Check(mmr3_use_kernel(Kernels()[plan % Kernels().size()]) == 0,
          "not accepted");
    if (plan & 0x40) streams.CheckDigests(so_far);
    // Short pieces, or long ones, of which some are longer than an input.
    size_t len = fuzz.Byte();
    if (plan & 0x80) len *= 5;
    if (len > fuzz.left()) len = fuzz.left();
    const std::vector<uint8_t> part = fuzz.Bytes(len);
    std::vector<uint8_t> piece = part;
    if ((plan & 0xc2) == 0xc2 && so_far.size() < kMaxBytes)
      for (int i = 0; i < 7; ++i)
        piece.insert(piece.end(), part.begin(), part.end());
    const ExactCopy copy(piece, plan >> 2 & 15);
    streams.Update(piece.empty() ? nullptr : copy.data(), piece.size());
    so_far.insert(so_far.end(), piece.begin(), piece.end());
  }
  streams.CheckDigests(so_far);
  return 0;
}
