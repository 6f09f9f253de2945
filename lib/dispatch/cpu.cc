// The only file that knows cpu_features.
#include "lib/dispatch/cpu.h"

#if !defined(MMR3_HAVE_CPU_FEATURES)
// No package of cpu_features for this target (lib/CMakeLists.txt said so).
#elif defined(__x86_64__) || defined(__i386__)
#include "cpuinfo_x86.h"
#elif defined(__aarch64__)
#include "cpuinfo_aarch64.h"
#elif defined(__arm__)
#include "cpuinfo_arm.h"
#endif

namespace murmuration {

#if !defined(MMR3_HAVE_CPU_FEATURES)

FeatureSet DetectFeatures() { return 0; }

#elif defined(__x86_64__) || defined(__i386__)

FeatureSet DetectFeatures() {
  const cpu_features::X86Features has = cpu_features::GetX86Info().features;
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
  };
  FeatureSet found = 0;
  for (const auto& feature : features)
    if (feature.present) found |= feature.bit;
  return found;
}

#elif defined(__aarch64__)

FeatureSet DetectFeatures() {
  return cpu_features::GetAarch64Info().features.asimd != 0 ? kNeon : 0u;
}

#elif defined(__arm__)

FeatureSet DetectFeatures() {
  return cpu_features::GetArmInfo().features.neon != 0 ? kNeon : 0u;
}

#else

FeatureSet DetectFeatures() { return 0; }

#endif

}  // namespace murmuration
