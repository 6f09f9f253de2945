// The only file that asks cpu_features, and on ARM the system: there
// cpu_features 0.7.0, as Debian builds it, prints a line on the many processors
// whose AT_HWCAP2 is 0.
#include "lib/dispatch/cpu.h"

#include "lib/dispatch/translate.h"

#if defined(MMR3_HAVE_CPU_FEATURES)
#include <cpuid.h>
#elif defined(__aarch64__) || defined(__arm__)
#include <sys/auxv.h>
#endif

namespace murmuration {

FeatureSet DetectFeatures() {
#if defined(MMR3_HAVE_CPU_FEATURES)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  __get_cpuid(1, &eax, &ebx, &ecx, &edx);  // leaves zeros without leaf 1
  return ConfirmSse(TranslateFeatures(cpu_features::GetX86Info().features), ecx,
                    edx);
#elif defined(__aarch64__) || defined(__arm__)
  return TranslateFeatures(getauxval(AT_HWCAP));
#else
  return 0;
#endif
}

}  // namespace murmuration
