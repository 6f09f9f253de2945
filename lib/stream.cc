// Streams: the state of a string that arrives in pieces. Whole blocks go
// through the code that one string goes through; what is left of a piece waits
// in the state for the next.
#include <cstring>

#include "lib/dispatch/dispatch.h"
#include "lib/kernels/wide32.h"
#include "lib/one_string.h"

namespace murmuration {
namespace {

// Feeds data to take(bytes, blocks) in whole blocks, through waiting[], which
// holds the len % kBlockBytes bytes that came before.
template <size_t kBlockBytes, class Take>
void Update(uint64_t& len, unsigned char* waiting, const void* data,
            size_t data_len, const Take& take) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  const size_t held = len % kBlockBytes;
  len += data_len;
  if (held != 0) {
    const size_t missing = kBlockBytes - held;
    if (data_len < missing) {
      if (data_len != 0) memcpy(waiting + held, bytes, data_len);
      return;
    }
    memcpy(waiting + held, bytes, missing);
    take(waiting, 1);
    bytes += missing;
    data_len -= missing;
  }
  const size_t blocks = data_len / kBlockBytes;
  if (blocks != 0) take(bytes, blocks);
  const size_t left = data_len % kBlockBytes;
  if (left != 0) memcpy(waiting, bytes + blocks * kBlockBytes, left);
}

}  // namespace
}  // namespace murmuration

using namespace murmuration;

void mmr3_x86_32_init(mmr3_x86_32_state* s, uint32_t seed) {
  *s = {0, seed, {}};
}

void mmr3_x86_32_update(mmr3_x86_32_state* s, const void* data, size_t len) {
  Update<X86_32::kBlockBytes>(s->len, s->waiting, data, len,
                              [s](const unsigned char* bytes, size_t blocks) {
                                TakeBlocks<X86_32>(s->h, bytes, blocks);
                              });
}

uint32_t mmr3_x86_32_digest(const mmr3_x86_32_state* s) {
  uint32_t digest;
  X86_32::Finish(s->h, s->waiting, s->len, &digest);
  return digest;
}

void mmr3_x86_128_init(mmr3_x86_128_state* s, uint32_t seed) {
  *s = {0, {seed, seed, seed, seed}, {}};
}

void mmr3_x86_128_update(mmr3_x86_128_state* s, const void* data, size_t len) {
  Update<X86_128::kBlockBytes>(
      s->len, s->waiting, data, len,
      [s](const unsigned char* bytes, size_t blocks) {
        X86_128::State state = {{s->h[0], s->h[1], s->h[2], s->h[3]}};
        TakeRun(state, bytes, blocks);
        memcpy(s->h, state.h, sizeof s->h);
      });
}

void mmr3_x86_128_digest(const mmr3_x86_128_state* s, uint32_t out[4]) {
  X86_128::Finish({{s->h[0], s->h[1], s->h[2], s->h[3]}}, s->waiting, s->len,
                  out);
}

void mmr3_x64_128_init(mmr3_x64_128_state* s, uint64_t seed) {
  *s = {0, {seed, seed}, {}};
}

void mmr3_x64_128_update(mmr3_x64_128_state* s, const void* data, size_t len) {
  Update<X64_128::kBlockBytes>(s->len, s->waiting, data, len,
                               [s](const unsigned char* bytes, size_t blocks) {
                                 X64_128::State state = {s->h[0], s->h[1]};
                                 TakeRun(state, bytes, blocks);
                                 s->h[0] = state.h1;
                                 s->h[1] = state.h2;
                               });
}

void mmr3_x64_128_digest(const mmr3_x64_128_state* s, uint64_t out[2]) {
  X64_128::Finish({s->h[0], s->h[1]}, s->waiting, s->len, out);
}

void mmr3_wide32_init(mmr3_wide32_state* s, uint32_t seed) {
  s->len = 0;
  s->seed = seed;
  for (size_t j = 0; j < kLanes; ++j) s->lane[j] = kLaneStart.word[j] ^ seed;
  memset(s->waiting, 0, sizeof s->waiting);
}

void mmr3_wide32_update(mmr3_wide32_state* s, const void* data, size_t len) {
  size_t row = s->len / kRowBytes % kStripeRows;
  Update<kRowBytes>(s->len, s->waiting, data, len,
                    [&](const unsigned char* bytes, size_t rows) {
                      ActiveKernel().wide32_rows(s->lane, row, bytes, rows);
                      row = (row + rows) % kStripeRows;
                    });
}

uint32_t mmr3_wide32_digest(const mmr3_wide32_state* s) {
  const size_t held = s->len % kRowBytes;
  // The first row has reached the lanes as soon as it was whole.
  if (s->len < kWide32MinBytes)
    return mmr3_x86_32_inline(s->waiting, held, PublicKey(s->seed));
  uint32_t lane[kLanes];
  memcpy(lane, s->lane, sizeof lane);
  uint64_t rows = s->len / kRowBytes;
  if (held != 0) {
    unsigned char padded[kRowBytes] = {};
    memcpy(padded + kRowBytes - held, s->waiting, held);
    ActiveKernel().wide32_rows(lane, rows % kStripeRows, padded, 1);
    ++rows;
  }
  const size_t summed = rows < kStripeRows ? rows : kStripeRows;
  PairSum sum;
  sum.Add(lane, lane + kRowLanes * summed);
  return FinishSum(sum.Total(), s->len);
}
