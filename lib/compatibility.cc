// Variants that other systems' values differ by: docs/compatibility.md.
#include "lib/one_string.h"

using murmuration::X64_128;

void mmr3_x64_128_cassandra(const void* data, size_t len, uint64_t seed,
                            uint64_t out[2]) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  X64_128::State state = X64_128::Start(seed);
  const size_t blocks = len / X64_128::kBlockBytes;
  murmuration::TakeRun(state, bytes, blocks);
  bytes += X64_128::kBlockBytes * blocks;
  // Each signed byte is extended to 64 bits, shifted to its place and xored in.
  uint64_t word[2] = {0, 0};
  for (size_t i = 0; i < len % X64_128::kBlockBytes; ++i) {
    const auto extended = static_cast<uint64_t>(
        static_cast<int64_t>(static_cast<signed char>(bytes[i])));
    word[i / 8] ^= extended << (8 * (i % 8));
  }
  X64_128::FinishWords(state, word, len, out);
}

uint32_t mmr3_x86_32_spark(const void* data, size_t len, uint32_t seed) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  constexpr mmr3_key kKey = murmuration::PublicKey(0);
  const size_t tail = len % 4;
  const unsigned char* const end = bytes + (len - tail);
  uint32_t state = mmr3_x86_32_blocks(seed, bytes, end, kKey);
  for (size_t i = 0; i < tail; ++i)
    state = mmr3_round32(
        state, static_cast<uint32_t>(int32_t{static_cast<signed char>(end[i])}),
        kKey);
  return mmr3_fmix32(state ^ static_cast<uint32_t>(len));
}
