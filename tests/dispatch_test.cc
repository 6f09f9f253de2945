// The active kernel: its names, its override, its change at run time. Each test
// that needs a process which has not hashed yet forks one.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "murmuration.h"

namespace {

std::vector<std::string> Supported() {
  std::vector<const char*> names(mmr3_kernels(nullptr, 0));
  EXPECT_EQ(mmr3_kernels(names.data(), names.size()), names.size());
  return {names.begin(), names.end()};
}

// The kernel that a new process gets under this MURMURATION_KERNEL. This
// process must not have resolved: tests that use it run before those that hash,
// or alone.
std::string KernelUnder(const char* value) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (value != nullptr)
      setenv("MURMURATION_KERNEL", value, 1);
    else
      unsetenv("MURMURATION_KERNEL");
    const std::string name = mmr3_kernel_name();
    const bool written =
        write(ends[1], name.data(), name.size()) == ssize_t(name.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  char name[64];
  const ssize_t got = read(ends[0], name, sizeof name);
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  return std::string(name, got > 0 ? static_cast<size_t>(got) : 0);
}

TEST(Override, BestKernelWithoutIt) {
  EXPECT_EQ(KernelUnder(nullptr), Supported().front());
}

TEST(Override, ForcesEachSupportedKernel) {
  for (const std::string& name : Supported())
    EXPECT_EQ(KernelUnder(name.c_str()), name);
}

TEST(Override, IgnoresWhatIsUnknownOrUnsupported) {
  const std::string best = Supported().front();
  const std::string very_long(100000, 'x');
  for (const char* name :
       {"", "unknown", "AVX2", "scalar ", "\n", "\x01\x02", very_long.c_str()})
    EXPECT_EQ(KernelUnder(name), best) << name;
  for (const char* name : {"sse4", "avx2", "avx512vl", "avx512", "neon"}) {
    const auto supported = Supported();
    const bool here =
        std::find(supported.begin(), supported.end(), name) != supported.end();
    EXPECT_EQ(KernelUnder(name), here ? name : best);
  }
}

TEST(UseKernel, ScalarIsAlwaysLast) { EXPECT_EQ(Supported().back(), "scalar"); }

TEST(UseKernel, CapacityLimitsWhatIsWritten) {
  const size_t count = mmr3_kernels(nullptr, 0);
  std::vector<const char*> names(count + 2, "untouched");
  EXPECT_EQ(mmr3_kernels(names.data(), 1), count);
  EXPECT_STRNE(names[0], "untouched");
  EXPECT_STREQ(names[1], "untouched");
  EXPECT_EQ(mmr3_kernels(names.data(), names.size()), count);
  EXPECT_STREQ(names[count - 1], "scalar");
  EXPECT_STREQ(names[count], "untouched");
}

TEST(UseKernel, SwitchesAndRefuses) {
  for (const std::string& name : Supported()) {
    EXPECT_EQ(mmr3_use_kernel(name.c_str()), 0);
    EXPECT_EQ(mmr3_kernel_name(), name);
    for (const char* wrong : {"unknown", "", "SCALAR"}) {
      EXPECT_EQ(mmr3_use_kernel(wrong), -1);
      EXPECT_EQ(mmr3_kernel_name(), name);
    }
    EXPECT_EQ(mmr3_use_kernel(nullptr), -1);
    EXPECT_EQ(mmr3_kernel_name(), name);
  }
}

TEST(UseKernel, RefusesKernelsOfOtherProcessors) {
  const auto supported = Supported();
  const std::string before = mmr3_kernel_name();
  for (const char* name : {"sse4", "avx2", "avx512vl", "avx512", "neon"}) {
    if (std::find(supported.begin(), supported.end(), name) != supported.end())
      continue;
    EXPECT_EQ(mmr3_use_kernel(name), -1) << name;
    EXPECT_EQ(mmr3_kernel_name(), before);
  }
}

TEST(UseKernel, ResolvedPointerIsTheActiveKernels) {
  for (const std::string& name : Supported()) {
    ASSERT_EQ(mmr3_use_kernel(name.c_str()), 0);
    const std::string data(1000, 'm');
    const mmr3_hash_fn hash = mmr3_wide32_resolve();
    ASSERT_NE(hash, nullptr);
    EXPECT_EQ(hash, mmr3_wide32_resolve());
    EXPECT_EQ(hash(data.data(), data.size(), 5),
              mmr3_wide32(data.data(), data.size(), 5));
  }
}

TEST(UseKernel, PointersAreNeverNull) {
  EXPECT_NE(mmr3_lua_hash, nullptr);
  EXPECT_NE(mmr3_lua_hash_copy, nullptr);
  EXPECT_NE(mmr3_lua_key, nullptr);
}

TEST(Version, MatchesHeader) {
  EXPECT_EQ(std::string(mmr3_version()),
            std::to_string(MMR3_VERSION_MAJOR) + "." +
                std::to_string(MMR3_VERSION_MINOR) + "." +
                std::to_string(MMR3_VERSION_PATCH));
}

}  // namespace
