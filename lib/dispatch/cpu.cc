// The only file that asks cpu_features.
#include "lib/dispatch/cpu.h"

#include "lib/dispatch/translate.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace murmuration {

FeatureSet DetectFeatures() {
#if !defined(MMR3_HAVE_CPU_FEATURES)
  return 0;
#elif defined(__x86_64__) || defined(__i386__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __get_cpuid(1, &eax, &ebx, &ecx, &edx);  // leaves zeros without leaf 1
  return ConfirmSse(TranslateFeatures(cpu_features::GetX86Info().features), ecx,
                    edx);
#elif defined(__aarch64__)
  return TranslateFeatures(cpu_features::GetAarch64Info().features);
#elif defined(__arm__)
  return TranslateFeatures(cpu_features::GetArmInfo().features);
#else
  return 0;
#endif
}

}  // namespace murmuration
