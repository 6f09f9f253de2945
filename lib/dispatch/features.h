// The processor features that kernels ask for, as bits.
#ifndef MURMURATION_LIB_DISPATCH_FEATURES_H_
#define MURMURATION_LIB_DISPATCH_FEATURES_H_

#include <cstdint>

namespace murmuration {

// A set of features that both the processor has and the operating system has
// enabled.
using FeatureSet = uint32_t;

enum Feature : FeatureSet {
  kSse2 = 1u << 0,
  kSse3 = 1u << 1,
  kSsse3 = 1u << 2,
  kSse41 = 1u << 3,
  kSse42 = 1u << 4,
  kAvx = 1u << 5,
  kAvx2 = 1u << 6,
  kLzcnt = 1u << 7,
  kBmi1 = 1u << 8,
  kBmi2 = 1u << 9,
  kFma = 1u << 10,
  kF16c = 1u << 11,
  kAvx512F = 1u << 12,
  kAvx512Vl = 1u << 13,
  kAvx512Dq = 1u << 14,
  kAvx512Bw = 1u << 15,
  kAvx512Cd = 1u << 16,
  kAvx512Vbmi2 = 1u << 17,
  kNeon = 1u << 18,
};

}  // namespace murmuration

#endif  // MURMURATION_LIB_DISPATCH_FEATURES_H_
