#include "lib/one_string.h"

using murmuration::X86_128;

void mmr3_x86_128(const void* data, size_t len, uint32_t seed,
                  uint32_t out[4]) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  X86_128::State state = X86_128::Start(seed);
  const size_t blocks = len / X86_128::kBlockBytes;
  murmuration::TakeRun(state, bytes, blocks);
  X86_128::Finish(state, bytes + X86_128::kBlockBytes * blocks, len, out);
}
