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

// What cpu_features reports, made up: {} is what it says of a processor of an
// unknown vendor, and of a system whose feature files are missing.
#if defined(MMR3_HAVE_CPU_FEATURES)

cpu_features::X86Features NehalemFeatures() {
  cpu_features::X86Features has = {};
  has.sse2 = has.sse3 = has.ssse3 = has.sse4_1 = has.sse4_2 = -1;
  return has;
}

// bmi and f16c, which cpu_features reports whatever the system has enabled.
void AddUngated(cpu_features::X86Features& has) {
  has.bmi1 = has.bmi2 = has.f16c = -1;
}

cpu_features::X86Features HaswellFeatures() {
  cpu_features::X86Features has = NehalemFeatures();
  AddUngated(has);
  has.avx = has.avx2 = has.fma3 = -1;
#if defined(MMR3_CPU_FEATURES_KNOWS_LZCNT)
  has.lzcnt = -1;
#endif
  return has;
}

cpu_features::X86Features SkylakeServerFeatures() {
  cpu_features::X86Features has = HaswellFeatures();
  has.avx512f = has.avx512cd = has.avx512bw = has.avx512dq = has.avx512vl = -1;
  return has;
}

cpu_features::X86Features IceLakeFeatures() {
  cpu_features::X86Features has = SkylakeServerFeatures();
  has.avx512vbmi2 = -1;
  return has;
}

// Each of cpu_features' words alone is one of ours, and no other.
TEST(Translation, EachFeatureAlone) {
#define MMR3_EXPECT_ALONE(FIELD, FEATURE)                 \
  {                                                       \
    cpu_features::X86Features has = {};                   \
    has.FIELD = -1;                                       \
    EXPECT_EQ(TranslateFeatures(has), FEATURE) << #FIELD; \
  }
  MMR3_EXPECT_ALONE(sse2, kSse2);
  MMR3_EXPECT_ALONE(sse3, kSse3);
  MMR3_EXPECT_ALONE(ssse3, kSsse3);
  MMR3_EXPECT_ALONE(sse4_1, kSse41);
  MMR3_EXPECT_ALONE(sse4_2, kSse42);
  MMR3_EXPECT_ALONE(avx, kAvx);
  MMR3_EXPECT_ALONE(avx2, kAvx2);
  MMR3_EXPECT_ALONE(bmi1, kBmi1);
  MMR3_EXPECT_ALONE(bmi2, kBmi2);
  MMR3_EXPECT_ALONE(fma3, kFma);
  MMR3_EXPECT_ALONE(f16c, kF16c);
  MMR3_EXPECT_ALONE(avx512f, kAvx512F);
  MMR3_EXPECT_ALONE(avx512vl, kAvx512Vl);
  MMR3_EXPECT_ALONE(avx512dq, kAvx512Dq);
  MMR3_EXPECT_ALONE(avx512bw, kAvx512Bw);
  MMR3_EXPECT_ALONE(avx512cd, kAvx512Cd);
  MMR3_EXPECT_ALONE(avx512vbmi2, kAvx512Vbmi2);
#undef MMR3_EXPECT_ALONE
}

TEST(Translation, EveryFeature) {
  EXPECT_EQ(TranslateFeatures({}), 0u);
  EXPECT_EQ(TranslateFeatures(NehalemFeatures()), kNehalem);
  EXPECT_EQ(TranslateFeatures(HaswellFeatures()), kHaswell);
  EXPECT_EQ(TranslateFeatures(SkylakeServerFeatures()), kSkylakeServer);
  EXPECT_EQ(TranslateFeatures(IceLakeFeatures()), kIceLake);
}

TEST(Translation, SseFeaturesNeedCpuid) {
  constexpr uint32_t kEcx = 1u << 0 | 1u << 9 | 1u << 19 | 1u << 20;
  constexpr uint32_t kEdx = 1u << 26;
  EXPECT_EQ(ConfirmSse(kSkylakeServer, kEcx, kEdx), kSkylakeServer);
  EXPECT_EQ(ConfirmSse(kNehalem, ~0u, ~0u), kNehalem);
  EXPECT_EQ(ConfirmSse(kNehalem, 0, 0), 0u);
  EXPECT_EQ(ConfirmSse(0, ~0u, ~0u), 0u);
  EXPECT_EQ(ConfirmSse(kNehalem, kEcx, 0), kNehalem & ~kSse2);
  EXPECT_EQ(ConfirmSse(kNehalem, kEcx & ~1u, kEdx), kNehalem & ~kSse3);
  EXPECT_EQ(ConfirmSse(kNehalem, kEcx & ~(1u << 9), kEdx), kNehalem & ~kSsse3);
  EXPECT_EQ(ConfirmSse(kNehalem, kEcx & ~(1u << 19), kEdx), kNehalem & ~kSse41);
  EXPECT_EQ(ConfirmSse(kNehalem, kEcx & ~(1u << 20), kEdx), kNehalem & ~kSse42);
}

#if defined(__x86_64__)
std::string Selected(const cpu_features::X86Features& has) {
  return Selected(TranslateFeatures(has));
}

TEST(Translation, UnknownVendorGetsScalar) {
  EXPECT_EQ(Selected({}), "scalar");
}

// No OSXSAVE, or XCR0 without the AVX registers.
TEST(Translation, SystemWithoutAvxRegistersGetsSse4) {
  cpu_features::X86Features has = NehalemFeatures();
  AddUngated(has);
  EXPECT_EQ(Selected(has), "sse4");
}

// XCR0 without the SSE registers: not even those.
TEST(Translation, SystemWithoutRegistersGetsScalar) {
  cpu_features::X86Features has = {};
  AddUngated(has);
  EXPECT_EQ(Selected(has), "scalar");
}

// XCR0 with the AVX registers and without those of AVX-512.
TEST(Translation, SystemWithoutAvx512RegistersGetsAvx2) {
  EXPECT_EQ(Selected(HaswellFeatures()), "avx2");
}

TEST(Translation, PartsOfAvx512GetAvx2) {
  EXPECT_EQ(Selected(SkylakeServerFeatures()), "avx512vl");
  EXPECT_EQ(Selected(IceLakeFeatures()), "avx512");
  cpu_features::X86Features without_vl = SkylakeServerFeatures();
  without_vl.avx512vl = 0;
  EXPECT_EQ(Selected(without_vl), "avx2");
  cpu_features::X86Features without_bw = SkylakeServerFeatures();
  without_bw.avx512bw = 0;
  EXPECT_EQ(Selected(without_bw), "avx2");
  cpu_features::X86Features without_dq = SkylakeServerFeatures();
  without_dq.avx512dq = 0;
  EXPECT_EQ(Selected(without_dq), "avx2");
  cpu_features::X86Features without_cd = SkylakeServerFeatures();
  without_cd.avx512cd = 0;
  EXPECT_EQ(Selected(without_cd), "avx2");
}
#endif

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

// Twice the same, and no more than the kernels' own words.
TEST(Translation, DetectionIsStable) {
  EXPECT_EQ(DetectFeatures(), DetectFeatures());
}

}  // namespace
