// The pure choice of a kernel, for processors that are made up here.
#include <gtest/gtest.h>

#include <string>

#include "lib/dispatch/cpu.h"
#include "lib/dispatch/select.h"
#include "lib/dispatch/translate.h"

using namespace murmuration;

namespace {

constexpr FeatureSet kNehalem = kSse2 | kSse3 | kSsse3 | kSse41 | kSse42;
constexpr FeatureSet kHaswell =
    kNehalem | kAvx | kAvx2 | kLzcnt | kBmi1 | kBmi2 | kFma | kF16c;
[[maybe_unused]] constexpr FeatureSet kSkylakeServer =
    kHaswell | kAvx512F | kAvx512Vl | kAvx512Dq | kAvx512Bw | kAvx512Cd;
[[maybe_unused]] constexpr FeatureSet kIceLake = kSkylakeServer | kAvx512Vbmi2;

std::string Selected(FeatureSet features, const char* forced = nullptr) {
  return SelectKernel(kCompiledKernels, features, forced).name;
}

TEST(Selection, LastRowRequiresNothing) {
  ASSERT_GE(kCompiledKernels.size, 1u);
  const Kernel& last = kCompiledKernels.rows[kCompiledKernels.size - 1];
  EXPECT_STREQ(last.name, "scalar");
  EXPECT_EQ(last.required, 0u);
}

TEST(Selection, EveryRowIsComplete) {
  for (size_t i = 0; i < kCompiledKernels.size; ++i) {
    const Kernel& kernel = kCompiledKernels.rows[i];
    EXPECT_NE(kernel.wide32, nullptr) << kernel.name;
    EXPECT_NE(kernel.wide32_keyed, nullptr) << kernel.name;
    EXPECT_NE(kernel.wide32_copy_keyed, nullptr) << kernel.name;
    EXPECT_NE(kernel.wide32_rows, nullptr) << kernel.name;
    EXPECT_NE(kernel.x86_128_blocks, nullptr) << kernel.name;
    EXPECT_NE(kernel.x64_128_blocks, nullptr) << kernel.name;
    const auto expect_complete = [&](const auto& batch) {
      EXPECT_NE(batch.min_keys, 0u) << kernel.name;
      EXPECT_NE(batch.pointers, nullptr) << kernel.name;
      EXPECT_NE(batch.offsets32, nullptr) << kernel.name;
      EXPECT_NE(batch.offsets64, nullptr) << kernel.name;
      EXPECT_NE(batch.fixed, nullptr) << kernel.name;
      EXPECT_NE(batch.seeds, nullptr) << kernel.name;
    };
    expect_complete(kernel.x86_32);
    expect_complete(kernel.x86_128);
    expect_complete(kernel.x64_128);
  }
}

TEST(Selection, NoFeaturesGetScalar) { EXPECT_EQ(Selected(0), "scalar"); }

TEST(Selection, ExactFeaturesGetTheirRow) {
  for (size_t i = 0; i < kCompiledKernels.size; ++i) {
    const Kernel& kernel = kCompiledKernels.rows[i];
    EXPECT_EQ(Selected(kernel.required), kernel.name);
  }
}

TEST(Selection, EachMissingFeatureLosesTheRow) {
  for (size_t i = 0; i < kCompiledKernels.size; ++i) {
    const Kernel& kernel = kCompiledKernels.rows[i];
    for (FeatureSet bit = 1; bit != 0; bit <<= 1)
      if (kernel.required & bit) {
        EXPECT_NE(Selected(kernel.required & ~bit), kernel.name) << bit;
      }
  }
}

#if defined(__x86_64__)
TEST(Selection, X86Generations) {
  EXPECT_EQ(Selected(kSse2 | kSse3 | kSsse3), "scalar");
  EXPECT_EQ(Selected(kSse2 | kSse3 | kSsse3 | kSse41), "scalar");
  EXPECT_EQ(Selected(kNehalem), "sse4");
  EXPECT_EQ(Selected(kNehalem | kAvx), "sse4");
  EXPECT_EQ(Selected(kHaswell), "avx2");
  EXPECT_EQ(Selected(kHaswell & ~kBmi2), "sse4");
  // AVX-512 on vectors of 256 bits before Ice Lake and Zen 4.
  EXPECT_EQ(Selected(kSkylakeServer), "avx512vl");
  EXPECT_EQ(Selected(kIceLake), "avx512");
  // Knights Landing: AVX-512 without VL, BW and DQ.
  EXPECT_EQ(Selected(kHaswell | kAvx512F | kAvx512Cd), "avx2");
  // Bits that no operating system's word about AVX gates.
  EXPECT_EQ(Selected(kNehalem | kBmi1 | kBmi2 | kLzcnt | kF16c), "sse4");
  EXPECT_EQ(Selected(kSkylakeServer & ~(kAvx | kAvx2)), "sse4");
}

TEST(Selection, ForcedNames) {
  EXPECT_EQ(Selected(kSkylakeServer, "scalar"), "scalar");
  EXPECT_EQ(Selected(kSkylakeServer, "sse4"), "sse4");
  EXPECT_EQ(Selected(kSkylakeServer, "avx2"), "avx2");
  EXPECT_EQ(Selected(kHaswell, "avx512"), "avx2");
  EXPECT_EQ(Selected(kSkylakeServer, "avx512"), "avx512vl");
  EXPECT_EQ(Selected(kIceLake, "avx512vl"), "avx512vl");
  EXPECT_EQ(Selected(kNehalem, "neon"), "sse4");
}
#endif

TEST(Selection, UnknownNamesFallBack) {
  const FeatureSet all = ~FeatureSet{0};
  const std::string best = Selected(all);
  const std::string very_long(100000, 'a');
  for (const char* name :
       {"", " ", "AVX2", "avx2 ", "avx", "scalar\n", "\x01\x7f",
        "../../etc/passwd", "%s%n", very_long.c_str()})
    EXPECT_EQ(Selected(all, name), best) << name;
  EXPECT_EQ(Selected(all, nullptr), best);
}

TEST(Selection, FindKernelKnowsWhatIsSupported) {
  EXPECT_EQ(FindKernel(kCompiledKernels, 0, nullptr), nullptr);
  EXPECT_EQ(FindKernel(kCompiledKernels, 0, "unknown"), nullptr);
  for (size_t i = 0; i < kCompiledKernels.size; ++i) {
    const Kernel& kernel = kCompiledKernels.rows[i];
    EXPECT_EQ(FindKernel(kCompiledKernels, kernel.required, kernel.name),
              &kernel);
    if (kernel.required != 0) {
      EXPECT_EQ(FindKernel(kCompiledKernels, 0, kernel.name), nullptr);
    }
  }
}

#if defined(__x86_64__) || defined(__i386__)

// Where CPUID tells of each feature (Intel's and AMD's manuals), and what the
// operating system must save for it.
constexpr uint32_t kSse = 0x2, kYmm = 0x4, kMaskAndZmm = 0xe0;
struct Place {
  FeatureSet feature;
  uint32_t CpuidWords::*word;
  unsigned bit;
  uint32_t registers;
};
constexpr Place kPlaces[] = {
    {kSse2, &CpuidWords::leaf1_edx, 26, 0},
    {kSse3, &CpuidWords::leaf1_ecx, 0, 0},
    {kSsse3, &CpuidWords::leaf1_ecx, 9, 0},
    {kFma, &CpuidWords::leaf1_ecx, 12, kSse | kYmm},
    {kSse41, &CpuidWords::leaf1_ecx, 19, 0},
    {kSse42, &CpuidWords::leaf1_ecx, 20, 0},
    {kAvx, &CpuidWords::leaf1_ecx, 28, kSse | kYmm},
    {kF16c, &CpuidWords::leaf1_ecx, 29, kSse | kYmm},
    {kBmi1, &CpuidWords::leaf7_ebx, 3, kSse | kYmm},
    {kAvx2, &CpuidWords::leaf7_ebx, 5, kSse | kYmm},
    {kBmi2, &CpuidWords::leaf7_ebx, 8, kSse | kYmm},
    {kAvx512F, &CpuidWords::leaf7_ebx, 16, kSse | kYmm | kMaskAndZmm},
    {kAvx512Dq, &CpuidWords::leaf7_ebx, 17, kSse | kYmm | kMaskAndZmm},
    {kAvx512Cd, &CpuidWords::leaf7_ebx, 28, kSse | kYmm | kMaskAndZmm},
    {kAvx512Bw, &CpuidWords::leaf7_ebx, 30, kSse | kYmm | kMaskAndZmm},
    {kAvx512Vl, &CpuidWords::leaf7_ebx, 31, kSse | kYmm | kMaskAndZmm},
    {kAvx512Vbmi2, &CpuidWords::leaf7_ecx, 6, kSse | kYmm | kMaskAndZmm},
    {kLzcnt, &CpuidWords::leaf80000001_ecx, 5, 0},
};

// A processor with these features, on a system that saves everything.
CpuidWords Processor(FeatureSet features) {
  CpuidWords words = {0, 0, 0, 0, 0, ~0u};
  for (const Place& place : kPlaces)
    if (features & place.feature) words.*place.word |= 1u << place.bit;
  return words;
}

// The same, on a system that saves some registers only.
FeatureSet On(FeatureSet processor, uint32_t xcr0) {
  CpuidWords words = Processor(processor);
  words.xcr0 = xcr0;
  return TranslateFeatures(words);
}

TEST(Translation, EachFeatureIsOneBit) {
  for (const Place& place : kPlaces)
    EXPECT_EQ(TranslateFeatures(Processor(place.feature)), place.feature);
  // All bits but those: none of the features.
  CpuidWords others = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
  for (const Place& place : kPlaces) others.*place.word &= ~(1u << place.bit);
  EXPECT_EQ(TranslateFeatures(others), 0u);
  EXPECT_EQ(TranslateFeatures({}), 0u);
}

TEST(Translation, EveryFeature) {
  for (FeatureSet features : {kNehalem, kHaswell, kSkylakeServer, kIceLake})
    EXPECT_EQ(TranslateFeatures(Processor(features)), features);
}

TEST(Translation, FeaturesNeedTheirRegisters) {
  for (const Place& place : kPlaces) {
    for (uint32_t saved = 0; saved < 0x100; ++saved) {
      const bool enough = (saved & place.registers) == place.registers;
      EXPECT_EQ(On(place.feature, saved), enough ? place.feature : 0u)
          << std::hex << place.feature << " with XCR0 " << saved;
    }
  }
}

#if defined(__x86_64__)
TEST(Translation, SystemsWithoutRegistersGetLess) {
  EXPECT_EQ(Selected(On(kIceLake, 0)), "sse4");
  EXPECT_EQ(Selected(On(kIceLake, kSse)), "sse4");
  EXPECT_EQ(Selected(On(kIceLake, kSse | kYmm)), "avx2");
  EXPECT_EQ(Selected(On(kIceLake, kSse | kYmm | kMaskAndZmm)), "avx512");
}
#endif

// The compiler's own library asks CPUID too.
TEST(Translation, DetectionAgreesWithTheCompilers) {
  __builtin_cpu_init();
  const FeatureSet found = DetectFeatures();
#define MMR3_EXPECT_SAME(FEATURE, NAME) \
  EXPECT_EQ((found & (FEATURE)) != 0, __builtin_cpu_supports(NAME) != 0) << NAME
  MMR3_EXPECT_SAME(kSse2, "sse2");
  MMR3_EXPECT_SAME(kSse3, "sse3");
  MMR3_EXPECT_SAME(kSsse3, "ssse3");
  MMR3_EXPECT_SAME(kSse41, "sse4.1");
  MMR3_EXPECT_SAME(kSse42, "sse4.2");
  MMR3_EXPECT_SAME(kAvx, "avx");
  MMR3_EXPECT_SAME(kAvx2, "avx2");
  MMR3_EXPECT_SAME(kFma, "fma");
  MMR3_EXPECT_SAME(kAvx512F, "avx512f");
  MMR3_EXPECT_SAME(kAvx512Vl, "avx512vl");
  MMR3_EXPECT_SAME(kAvx512Dq, "avx512dq");
  MMR3_EXPECT_SAME(kAvx512Bw, "avx512bw");
  MMR3_EXPECT_SAME(kAvx512Cd, "avx512cd");
  MMR3_EXPECT_SAME(kAvx512Vbmi2, "avx512vbmi2");
#undef MMR3_EXPECT_SAME
}

#elif defined(__aarch64__)
TEST(Translation, Features) {
  EXPECT_EQ(Selected(TranslateFeatures(0)), "scalar");
  // HWCAP_FP, HWCAP_AES, HWCAP_SVE.
  EXPECT_EQ(Selected(TranslateFeatures(1u << 0 | 1u << 3 | 1u << 22)),
            "scalar");
  // HWCAP_ASIMD.
  EXPECT_EQ(Selected(TranslateFeatures(1u << 1)), "neon");
}
#elif defined(__arm__)
TEST(Translation, Features) {
  EXPECT_EQ(Selected(TranslateFeatures(0)), "scalar");
  // HWCAP_EDSP, HWCAP_VFPv3, HWCAP_VFPv4.
  EXPECT_EQ(Selected(TranslateFeatures(1u << 7 | 1u << 13 | 1u << 16)),
            "scalar");
  // HWCAP_NEON.
  EXPECT_EQ(Selected(TranslateFeatures(1u << 12)), "neon");
}
#endif

TEST(Translation, DetectionIsStable) {
  EXPECT_EQ(DetectFeatures(), DetectFeatures());
}

}  // namespace
