// The three variants of MurmurHash3 (Austin Appleby) in scalar code: start,
// block, finish. One string, streams and batches are all made of these.
//
// Each variant has the type of its seed, of its state and of the words of its
// digest, and
//   Start(seed)                       the state before any input
//   Mix(bytes)                        what a block of kBlockBytes becomes
//                                     before it meets a state
//   Take(state, mixed)                the block step
//   TakeBlock(state, bytes)           both
//   Finish(state, tail, len, digest)  takes in the len % kBlockBytes bytes at
//                                     tail, and len
//   FinishString(state, data, len, digest)
//                                     the same of a string that lies at data as
//                                     a whole
#ifndef MURMURATION_LIB_STANDARD_VARIANTS_H_
#define MURMURATION_LIB_STANDARD_VARIANTS_H_

#include <cstddef>
#include <cstdint>

#include "murmuration_x86_32.h"

namespace murmuration {

constexpr mmr3_key PublicKey(uint32_t seed) { return mmr3_public_key(seed); }

inline uint64_t LoadLittleEndian64(const unsigned char* bytes) {
  return mmr3_load_le32(bytes) |
         static_cast<uint64_t>(mmr3_load_le32(bytes + 4)) << 32;
}

// Up to 15 bytes as a number of 128 bits, low half first. Loads that overlap,
// not a loop: its branch would be mispredicted.
inline void LoadTail(const unsigned char* tail, size_t len, uint64_t word[2]) {
  word[0] = word[1] = 0;
  if (len >= 8) {
    word[0] = LoadLittleEndian64(tail);
    if (len > 8)
      word[1] = LoadLittleEndian64(tail + len - 8) >> (8 * (16 - len));
  } else if (len >= 4) {
    word[0] = mmr3_load_le32(tail) |
              static_cast<uint64_t>(mmr3_load_le32(tail + len - 4))
                  << (8 * (len - 4));
  } else if (len != 0) {
    word[0] = tail[0] | static_cast<uint64_t>(tail[len / 2]) << (len / 2 * 8) |
              static_cast<uint64_t>(tail[len - 1]) << (8 * (len - 1));
  }
}

// Keeps what was computed so far before, and apart from, the rest.
template <class Word>
inline Word& InOrder(Word& value) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
  if constexpr (sizeof(Word) <= sizeof(void*)) asm volatile("" : "+r"(value));
#endif
  return value;
}

// clang alone would mix all words of a block first and add the constants more
// than once, and take up to half as long again.
template <class Word>
inline Word& InOrderOnClang(Word& value) {
#if defined(__clang__)
  InOrder(value);
#endif
  return value;
}

// The len % 16 bytes at the end of a string that lies at data as a whole, as
// LoadTail gives them. From 16 bytes on they are shifted out of its last 8 or
// 16, with one branch, not four, that is mispredicted where lengths vary.
inline void LoadTailOfString(const unsigned char* data, size_t len,
                             uint64_t word[2]) {
  const size_t left = len % 16;
  if (len < 16) return LoadTail(data, len, word);
  word[0] = word[1] = 0;
  if (left == 0) return;
  const unsigned char* const end = data + len;
  const bool two_words = left > 8;
  word[0] = LoadLittleEndian64(end - (two_words ? left : 8)) >>
            (two_words ? 0 : 8 * (8 - left));
  word[1] = two_words ? LoadLittleEndian64(end - 8) >> (8 * (16 - left)) : 0;
}

struct X86_32 {
  using Seed = uint32_t;
  using Word = uint32_t;
  using State = uint32_t;
  using Mixed = uint32_t;
  static constexpr size_t kBlockBytes = 4;
  static constexpr size_t kDigestWords = 1;

  static State Start(Seed seed) { return seed; }
  static Mixed Mix(const unsigned char* bytes) {
    return mmr3_mix32(mmr3_load_le32(bytes), PublicKey(0));
  }
  static void Take(State& state, Mixed mixed) {
    state = mmr3_take32(state, mixed);
  }
  static void TakeBlock(State& state, const unsigned char* bytes) {
    Take(state, Mix(bytes));
  }
  static void Finish(State state, const unsigned char* tail, uint64_t len,
                     Word digest[1]) {
    digest[0] = mmr3_x86_32_finish(state, tail, static_cast<uint32_t>(len),
                                   PublicKey(0));
  }
  static void FinishString(State state, const unsigned char* data, size_t len,
                           Word digest[1]) {
    digest[0] = len < kBlockBytes
                    ? mmr3_x86_32_finish(state, data, len, PublicKey(0))
                    : mmr3_x86_32_finish_string(state, data, len, PublicKey(0));
  }
};

// Four 32-bit states in a ring, each taking a word of a 16-byte block.
struct X86_128 {
  using Seed = uint32_t;
  using Word = uint32_t;
  struct State {
    uint32_t h[4];
  };
  struct Mixed {
    uint32_t word[4];
  };
  static constexpr size_t kBlockBytes = 16;
  static constexpr size_t kDigestWords = 4;

  // Word j is multiplied by kMul[j] and then by kMul[(j + 1) % 4].
  static constexpr uint32_t kMul[4] = {0x239b961bu, 0xab0e9789u, 0x38b34ae5u,
                                       0xa1e38b93u};
  static constexpr unsigned kWordRotation[4] = {15, 16, 17, 18};
  static constexpr unsigned kStateRotation[4] = {19, 17, 15, 13};
  static constexpr uint32_t kAdd[4] = {0x561ccd1bu, 0x0bcaa747u, 0x96cd1c35u,
                                       0x32ac3b17u};

  static State Start(Seed seed) { return {{seed, seed, seed, seed}}; }

  static uint32_t MixWord(uint32_t word, unsigned j) {
    return mmr3_rotate_left32(word * kMul[j], kWordRotation[j]) *
           kMul[(j + 1) % 4];
  }
  static Mixed Mix(const unsigned char* bytes) {
    return {{MixWord(mmr3_load_le32(bytes), 0),
             MixWord(mmr3_load_le32(bytes + 4), 1),
             MixWord(mmr3_load_le32(bytes + 8), 2),
             MixWord(mmr3_load_le32(bytes + 12), 3)}};
  }
  static void Take(State& state, const Mixed& mixed) {
#pragma GCC unroll 4
    for (unsigned j = 0; j < 4; ++j) {
      const uint32_t turned =
          mmr3_rotate_left32(state.h[j] ^ mixed.word[j], kStateRotation[j]);
      InOrderOnClang(state.h[j] =
                         (turned + state.h[(j + 1) % 4]) * 5 + kAdd[j]);
    }
  }
  static void TakeBlock(State& state, const unsigned char* bytes) {
    Take(state, Mix(bytes));
  }
  static void Finish(State state, const unsigned char* tail, uint64_t len,
                     Word digest[4]) {
    uint64_t word[2];
    LoadTail(tail, len % kBlockBytes, word);
    // A word of zero mixes to zero: absent words change nothing.
    for (unsigned j = 0; j < 4; ++j)
      state.h[j] ^=
          MixWord(static_cast<uint32_t>(word[j / 2] >> (32 * (j % 2))), j) ^
          static_cast<uint32_t>(len);
    AddAll(state.h);
    for (unsigned j = 0; j < 4; ++j) state.h[j] = mmr3_fmix32(state.h[j]);
    AddAll(state.h);
    for (unsigned j = 0; j < 4; ++j) digest[j] = state.h[j];
  }
  // LoadTailOfString gains nothing here.
  static void FinishString(State state, const unsigned char* data, size_t len,
                           Word digest[4]) {
    Finish(state, data + (len - len % kBlockBytes), len, digest);
  }

 private:
  static void AddAll(uint32_t h[4]) {
    h[0] += h[1] + h[2] + h[3];
    for (unsigned j = 1; j < 4; ++j) h[j] += h[0];
  }
};

// Two 64-bit states, each taking a word of a 16-byte block.
struct X64_128 {
  using Seed = uint64_t;
  using Word = uint64_t;
  struct State {
    uint64_t h1, h2;
  };
  struct Mixed {
    uint64_t word1, word2;
  };
  static constexpr size_t kBlockBytes = 16;
  static constexpr size_t kDigestWords = 2;

  static constexpr uint64_t kMul1 = 0x87c37b91114253d5u;
  static constexpr uint64_t kMul2 = 0x4cf5ad432745937fu;
  static constexpr uint64_t kAdd1 = 0x52dce729u;
  static constexpr uint64_t kAdd2 = 0x38495ab5u;
  static constexpr uint64_t kFmix1 = 0xff51afd7ed558ccdu;
  static constexpr uint64_t kFmix2 = 0xc4ceb9fe1a85ec53u;

  static State Start(Seed seed) { return {seed, seed}; }

  static uint64_t RotateLeft(uint64_t value, unsigned bits) {
#if defined(__clang__)
    // As in mmr3_rotate_left32.
    return __builtin_rotateleft64(value, bits);
#else
    return value << bits | value >> (64 - bits);
#endif
  }
  static uint64_t Mix1(uint64_t word) {
    return RotateLeft(word * kMul1, 31) * kMul2;
  }
  static uint64_t Mix2(uint64_t word) {
    return RotateLeft(word * kMul2, 33) * kMul1;
  }
  static Mixed Mix(const unsigned char* bytes) {
    return {Mix1(LoadLittleEndian64(bytes)),
            Mix2(LoadLittleEndian64(bytes + 8))};
  }
  static void Take(State& state, Mixed mixed) {
    state.h1 = (RotateLeft(state.h1 ^ mixed.word1, 27) + state.h2) * 5 + kAdd1;
    state.h2 = (RotateLeft(state.h2 ^ mixed.word2, 31) + state.h1) * 5 + kAdd2;
  }
  static void TakeBlock(State& state, const unsigned char* bytes) {
    TakeWord(state.h1, state.h2, LoadLittleEndian64(bytes), kMul1, 31, kMul2,
             27, kAdd1);
    TakeWord(state.h2, state.h1, LoadLittleEndian64(bytes + 8), kMul2, 33,
             kMul1, 31, kAdd2);
  }
  static void FinishWords(State state, const uint64_t word[2], uint64_t len,
                          Word digest[2]) {
    // A word of zero mixes to zero: absent words change nothing.
    uint64_t h1 = state.h1 ^ Mix1(word[0]) ^ len;
    uint64_t h2 = state.h2 ^ Mix2(word[1]) ^ len;
    h1 += h2;
    h2 += h1;
    h1 = Fmix64(h1);
    h2 = Fmix64(h2);
    h1 += h2;
    digest[0] = h1;
    digest[1] = h2 + h1;
  }
  static void Finish(State state, const unsigned char* tail, uint64_t len,
                     Word digest[2]) {
    uint64_t word[2];
    LoadTail(tail, len % kBlockBytes, word);
    FinishWords(state, word, len, digest);
  }
  static void FinishString(State state, const unsigned char* data, size_t len,
                           Word digest[2]) {
    uint64_t word[2];
    LoadTailOfString(data, len, word);
    FinishWords(state, word, len, digest);
  }

  static constexpr uint64_t Fmix64(uint64_t state) {
    state = (state ^ state >> 33) * kFmix1;
    state = (state ^ state >> 33) * kFmix2;
    return state ^ state >> 33;
  }

 private:
  // A word is mixed, by what Mix1 or Mix2 says, and taken by state h, whose
  // neighbour is next.
  static void TakeWord(uint64_t& h, uint64_t next, uint64_t word, uint64_t mul1,
                       unsigned word_rotation, uint64_t mul2,
                       unsigned state_rotation, uint64_t add) {
    InOrderOnClang(word *= mul1);
    InOrderOnClang(word = RotateLeft(word, word_rotation));
    InOrderOnClang(word *= mul2);
    InOrderOnClang(word ^= h);
    InOrderOnClang(word = RotateLeft(word, state_rotation));
    InOrderOnClang(word += next);
    InOrderOnClang(h = TimesFivePlus(word, add));
  }
  // As in mmr3_take32.
  static uint64_t TimesFivePlus(uint64_t value, uint64_t add) {
#if defined(__x86_64__)
    MMR3_KEEP_AS_LEA_BASE(value);
    value *= 5;
    MMR3_KEEP_APART(value);
    return value + add;
#else
    return value * 5 + add;
#endif
  }
};

// The blocks of one string, one after the other.
template <class Variant>
inline void TakeBlocks(typename Variant::State& state,
                       const unsigned char* data, size_t blocks) {
  // A copy, since data could point to the state itself.
  typename Variant::State local = state;
  const unsigned char* const end = data + Variant::kBlockBytes * blocks;
  for (; data != end; data += Variant::kBlockBytes)
    Variant::TakeBlock(local, data);
  state = local;
}

template <>
inline void TakeBlocks<X86_32>(uint32_t& state, const unsigned char* data,
                               size_t blocks) {
  state = mmr3_x86_32_blocks(state, data, data + 4 * blocks, PublicKey(0));
}

}  // namespace murmuration

#endif  // MURMURATION_LIB_STANDARD_VARIANTS_H_
