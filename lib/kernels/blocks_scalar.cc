// The blocks of one string of a 128-bit variant without vectors.
#include "lib/kernels/kernel.h"
#include "lib/standard_variants.h"

namespace murmuration {
namespace scalar {

template <class Variant>
void Blocks(typename Variant::State& state, const unsigned char* data,
            size_t blocks) {
  TakeBlocks<Variant>(state, data, blocks);
}

#if defined(__GNUC__) && defined(__x86_64__)
namespace {

uint64_t FiveTimes(uint64_t& value) {
  MMR3_KEEP_AS_LEA_BASE(value);
  uint64_t product = 5 * value;
  return InOrder(product);
}

}  // namespace
#endif

// For long runs: what does not wait for the state before is off the chain,
// 5 * (a + b) + c = 5 * a + (5 * b + c), and the second word, which meets its
// state in the middle of the block, comes first. It takes two operations more
// than the plain order, which short runs, overlapping with the next key's,
// feel. Zen 4, cycles a block: 6.1 with g++ and clang, plain 7.8 and 8.5; the
// chain alone is 5 long.
template <>
void Blocks<X64_128>(X64_128::State& state, const unsigned char* data,
                     size_t blocks) {
#if defined(__GNUC__) && defined(__x86_64__)
  uint64_t h1 = state.h1, h2 = state.h2;
  const unsigned char* const end = data + X64_128::kBlockBytes * blocks;
  while (data != end) {
    uint64_t word2 = LoadLittleEndian64(data + 8);
    uint64_t ready1 = FiveTimes(h2);
    InOrder(word2 *= X64_128::kMul2);
    InOrder(word2 = X64_128::RotateLeft(word2, 33));
    InOrder(word2 *= X64_128::kMul1);
    InOrder(word2 ^= h2);
    InOrder(word2 = X64_128::RotateLeft(word2, 31));
    InOrder(ready1 += X64_128::kAdd1);
    word2 = FiveTimes(word2);
    InOrder(word2 += X64_128::kAdd2);
    uint64_t word1 = LoadLittleEndian64(data);
    InOrder(word1 *= X64_128::kMul1);
    InOrder(word1 = X64_128::RotateLeft(word1, 31));
    InOrder(word1 *= X64_128::kMul2);
    InOrder(word1 ^= h1);
    InOrder(word1 = X64_128::RotateLeft(word1, 27));
    word1 = FiveTimes(word1);
    InOrder(h1 = word1 + ready1);
    uint64_t ready2 = FiveTimes(h1);
    InOrder(h2 = word2 + ready2);
    data += X64_128::kBlockBytes;
    // Not an index: clang takes 7.6 cycles with one.
    InOrder(data);
  }
  state = {h1, h2};
#else
  TakeBlocks<X64_128>(state, data, blocks);
#endif
}

template void Blocks<X86_128>(X86_128::State&, const unsigned char*, size_t);

}  // namespace scalar
}  // namespace murmuration
