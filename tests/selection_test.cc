// The pure choice of a kernel, for processors that are made up here.
#include <gtest/gtest.h>

#include <string>

#include "lib/dispatch/select.h"

using namespace murmuration;

namespace {

constexpr FeatureSet kNehalem = kSse2 | kSse3 | kSsse3 | kSse41 | kSse42;
constexpr FeatureSet kHaswell =
    kNehalem | kAvx | kAvx2 | kLzcnt | kBmi1 | kBmi2 | kFma | kF16c;
constexpr FeatureSet kSkylakeServer =
    kHaswell | kAvx512F | kAvx512Vl | kAvx512Dq | kAvx512Bw | kAvx512Cd;

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
  EXPECT_EQ(Selected(kSkylakeServer), "avx512");
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
  EXPECT_EQ(Selected(kNehalem, "neon"), "sse4");
}
#else
TEST(Selection, X86Generations) {
  GTEST_SKIP() << "kernels of x86-64 are not compiled for this architecture";
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

}  // namespace
