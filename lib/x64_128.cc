#include "lib/one_string.h"

using murmuration::X64_128;

void mmr3_x64_128(const void* data, size_t len, uint64_t seed,
                  uint64_t out[2]) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  X64_128::State state = X64_128::Start(seed);
  const size_t blocks = len / X64_128::kBlockBytes;
  murmuration::TakeRun(state, bytes, blocks);
  X64_128::Finish(state, bytes + X64_128::kBlockBytes * blocks, len, out);
}
