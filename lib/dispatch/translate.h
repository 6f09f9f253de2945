// From the words of processors and of Linux to ours: pure functions, so that
// tests can feed them with processors that are made up.
#ifndef MURMURATION_LIB_DISPATCH_TRANSLATE_H_
#define MURMURATION_LIB_DISPATCH_TRANSLATE_H_

#include "lib/dispatch/features.h"

namespace murmuration {

#if defined(__x86_64__) || defined(__i386__)

// What CPUID answers where it tells of features that kernels need; 0 where the
// processor has no such leaf.
struct CpuidWords {
  uint32_t leaf1_ecx, leaf1_edx;
  uint32_t leaf7_ebx, leaf7_ecx;  // subleaf 0
  uint32_t leaf80000001_ecx;
  // The register XCR0: whose registers the operating system saves; 0 unless it
  // has enabled XSAVE.
  uint32_t xcr0;
};

// Bits of XCR0: the registers that VEX- and EVEX-encoded instructions use.
constexpr uint32_t kXmmAndYmm = 0x06;
constexpr uint32_t kXmmToZmm = 0xe6;

inline FeatureSet TranslateFeatures(const CpuidWords& words) {
  const struct {
    uint32_t word;
    unsigned bit;
    uint32_t registers;  // of XCR0
    FeatureSet feature;
  } features[] = {
      {words.leaf1_edx, 26, 0, kSse2},
      {words.leaf1_ecx, 0, 0, kSse3},
      {words.leaf1_ecx, 9, 0, kSsse3},
      {words.leaf1_ecx, 19, 0, kSse41},
      {words.leaf1_ecx, 20, 0, kSse42},
      {words.leaf80000001_ecx, 5, 0, kLzcnt},
      {words.leaf1_ecx, 28, kXmmAndYmm, kAvx},
      {words.leaf1_ecx, 12, kXmmAndYmm, kFma},
      {words.leaf1_ecx, 29, kXmmAndYmm, kF16c},
      {words.leaf7_ebx, 3, kXmmAndYmm, kBmi1},
      {words.leaf7_ebx, 5, kXmmAndYmm, kAvx2},
      {words.leaf7_ebx, 8, kXmmAndYmm, kBmi2},
      {words.leaf7_ebx, 16, kXmmToZmm, kAvx512F},
      {words.leaf7_ebx, 17, kXmmToZmm, kAvx512Dq},
      {words.leaf7_ebx, 28, kXmmToZmm, kAvx512Cd},
      {words.leaf7_ebx, 30, kXmmToZmm, kAvx512Bw},
      {words.leaf7_ebx, 31, kXmmToZmm, kAvx512Vl},
      {words.leaf7_ecx, 6, kXmmToZmm, kAvx512Vbmi2},
  };
  FeatureSet found = 0;
  for (const auto& feature : features)
    if ((feature.word >> feature.bit & 1) != 0 &&
        (words.xcr0 & feature.registers) == feature.registers)
      found |= feature.feature;
  return found;
}

#elif defined(__aarch64__) || defined(__arm__)

// The bit of Linux's AT_HWCAP for Advanced SIMD (asm/hwcap.h).
#if defined(__aarch64__)
constexpr unsigned long kHwcapNeon = 1ul << 1;
#else
constexpr unsigned long kHwcapNeon = 1ul << 12;
#endif

inline FeatureSet TranslateFeatures(unsigned long hwcap) {
  return (hwcap & kHwcapNeon) != 0 ? kNeon : 0u;
}

#endif

}  // namespace murmuration

#endif  // MURMURATION_LIB_DISPATCH_TRANSLATE_H_
