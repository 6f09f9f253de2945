// The only file that asks the processor, and on ARM the system.
#include "lib/dispatch/cpu.h"

#include "lib/dispatch/translate.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__) || defined(__arm__)
#include <sys/auxv.h>
#endif

namespace murmuration {

FeatureSet DetectFeatures() {
#if defined(__x86_64__) || defined(__i386__)
  CpuidWords words = {};
  uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  // False, and the words are 0, where the processor has no such leaf.
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
    words.leaf1_ecx = ecx;
    words.leaf1_edx = edx;
  }
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    words.leaf7_ebx = ebx;
    words.leaf7_ecx = ecx;
  }
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx))
    words.leaf80000001_ecx = ecx;
  constexpr uint32_t kOsxsave = 1u << 27;
  if ((words.leaf1_ecx & kOsxsave) != 0)
    __asm__ volatile("xgetbv" : "=a"(words.xcr0), "=d"(edx) : "c"(0));
  return TranslateFeatures(words);
#elif defined(__aarch64__) || defined(__arm__)
  return TranslateFeatures(getauxval(AT_HWCAP));
#else
  return 0;
#endif
}

}  // namespace murmuration
