// A test fixture that runs over every kernel of this architecture, by name.
#ifndef MURMURATION_TESTS_KERNEL_TEST_H_
#define MURMURATION_TESTS_KERNEL_TEST_H_

#include <gtest/gtest.h>

#include <string>

#include "murmuration.h"

// Kernels that the library has for this architecture.
inline auto KernelNames() {
#if defined(__x86_64__)
  return testing::Values("scalar", "sse4", "avx2", "avx512vl", "avx512");
#elif defined(__i386__)
  return testing::Values("scalar", "sse4");
#elif defined(__aarch64__) || defined(__arm__)
  return testing::Values("scalar", "neon");
#else
  return testing::Values("scalar");
#endif
}

// Forces the kernel that the parameter names; skips, by name, where the
// processor lacks it.
class KernelTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (mmr3_use_kernel(GetParam()) != 0)
      GTEST_SKIP() << "kernel " << GetParam()
                   << " is not supported by this processor";
    ASSERT_STREQ(mmr3_kernel_name(), GetParam());
  }
};

#define MURMURATION_TEST_EVERY_KERNEL(Fixture)              \
  INSTANTIATE_TEST_SUITE_P(                                 \
      Kernel, Fixture, KernelNames(),                       \
      [](const testing::TestParamInfo<const char*>& info) { \
        return std::string(info.param);                     \
      })

#endif  // MURMURATION_TESTS_KERNEL_TEST_H_
