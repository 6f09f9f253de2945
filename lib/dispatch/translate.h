// From the words of cpu_features and of Linux to ours: pure functions, so that
// tests can feed them with processors that are made up.
#ifndef MURMURATION_LIB_DISPATCH_TRANSLATE_H_
#define MURMURATION_LIB_DISPATCH_TRANSLATE_H_

#include "lib/dispatch/features.h"

#if defined(MMR3_HAVE_CPU_FEATURES)
#include "cpuinfo_x86.h"
#endif

namespace murmuration {

#if defined(MMR3_HAVE_CPU_FEATURES)

// cpu_features leaves out sse, fma3, avx and avx512 where the operating system
// has not enabled their registers (XCR0), but neither bmi nor f16c: a kernel
// that needs those must ask for avx as well.
inline FeatureSet TranslateFeatures(const cpu_features::X86Features& has) {
  const struct {
    bool present;
    FeatureSet bit;
  } features[] = {
    {has.sse2 != 0, kSse2},
    {has.sse3 != 0, kSse3},
    {has.ssse3 != 0, kSsse3},
    {has.sse4_1 != 0, kSse41},
    {has.sse4_2 != 0, kSse42},
    {has.avx != 0, kAvx},
    {has.avx2 != 0, kAvx2},
#if defined(MMR3_CPU_FEATURES_KNOWS_LZCNT)
    {has.lzcnt != 0, kLzcnt},
#else
    // Every processor with AVX2 and BMI1 has it.
    {has.avx2 != 0 && has.bmi1 != 0, kLzcnt},
#endif
    {has.bmi1 != 0, kBmi1},
    {has.bmi2 != 0, kBmi2},
    {has.fma3 != 0, kFma},
    {has.f16c != 0, kF16c},
    {has.avx512f != 0, kAvx512F},
    {has.avx512vl != 0, kAvx512Vl},
    {has.avx512dq != 0, kAvx512Dq},
    {has.avx512bw != 0, kAvx512Bw},
    {has.avx512cd != 0, kAvx512Cd},
    {has.avx512vbmi2 != 0, kAvx512Vbmi2},
  };
  FeatureSet found = 0;
  for (const auto& feature : features)
    if (feature.present) found |= feature.bit;
  return found;
}

// Without XSAVE cpu_features takes the SSE features from /proc/cpuinfo, and
// that may be another processor's: under qemu-user it is the host's. Drops
// those that leaf 1 of CPUID does not confirm.
inline FeatureSet ConfirmSse(FeatureSet found, uint32_t leaf1_ecx,
                             uint32_t leaf1_edx) {
  const struct {
    uint32_t word;
    unsigned bit;
    FeatureSet feature;
  } confirmations[] = {
      {leaf1_edx, 26, kSse2},  {leaf1_ecx, 0, kSse3},   {leaf1_ecx, 9, kSsse3},
      {leaf1_ecx, 19, kSse41}, {leaf1_ecx, 20, kSse42},
  };
  for (const auto& confirmation : confirmations)
    if ((confirmation.word >> confirmation.bit & 1) == 0)
      found &= ~confirmation.feature;
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
