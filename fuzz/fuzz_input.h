// What fuzz targets share: an input taken apart, buffers without slack, a
// check.
#ifndef MURMURATION_FUZZ_FUZZ_INPUT_H_
#define MURMURATION_FUZZ_FUZZ_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "murmuration.h"

// Takes numbers from the front of an input; past its end they are zero.
class FuzzInput {
 public:
  FuzzInput(const uint8_t* data, size_t size) : data_(data), left_(size) {}

  uint8_t Byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  template <class Number>
  Number Take() {
    Number number = 0;
    for (size_t i = 0; i < sizeof number; ++i)
      number |= static_cast<Number>(static_cast<Number>(Byte()) << (8 * i));
    return number;
  }
  std::vector<uint8_t> Bytes(size_t count) {
    const size_t taken = count < left_ ? count : left_;
    std::vector<uint8_t> bytes(data_, data_ + taken);
    data_ += taken;
    left_ -= taken;
    bytes.resize(count);
    return bytes;
  }
  std::vector<uint8_t> Rest() { return Bytes(left_); }
  size_t left() const { return left_; }

 private:
  const uint8_t* data_;
  size_t left_;
};

// A copy of bytes that begins `offset` after an address aligned as malloc does,
// and ends where its memory does: a sanitizer sees each access behind it.
class ExactCopy {
 public:
  ExactCopy(const std::vector<uint8_t>& bytes, size_t offset)
      : memory_(
            static_cast<uint8_t*>(malloc(kAlignment + offset + bytes.size()))),
        data_(memory_ + kAlignment + offset) {
    if (!bytes.empty()) memcpy(data_, bytes.data(), bytes.size());
  }
  ~ExactCopy() { free(memory_); }
  ExactCopy(const ExactCopy&) = delete;
  ExactCopy& operator=(const ExactCopy&) = delete;
  uint8_t* data() const { return data_; }

 private:
  static constexpr size_t kAlignment = 64;  // in front: never malloc(0)
  uint8_t* memory_;
  uint8_t* data_;
};

inline void Check(bool holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "kernel %s: %s\n", mmr3_kernel_name(), what);
  abort();
}

// Names of the kernels that this processor supports.
inline const std::vector<const char*>& Kernels() {
  static const std::vector<const char*> kernels = [] {
    std::vector<const char*> names(mmr3_kernels(nullptr, 0));
    mmr3_kernels(names.data(), names.size());
    return names;
  }();
  return kernels;
}

#endif  // MURMURATION_FUZZ_FUZZ_INPUT_H_
