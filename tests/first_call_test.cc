// 64 threads that make the process's very first call at once, whichever
// function that is. Each test forks a process that has not called the library
// yet.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "murmuration.h"

namespace {
bool force_scalar_while_choosing = false;
}

#if defined(__GLIBC__)
// What the library asks for the override while it chooses. The linker prefers
// this to the C library's, so that a test can come in between.
extern "C" char* secure_getenv(const char*) noexcept {
  if (force_scalar_while_choosing) mmr3_use_kernel("scalar");
  return nullptr;
}
#endif

namespace {

constexpr int kThreads = 64;
// wide32 of 4000 bytes 'm', seed 0 (tests/oracle).
constexpr uint32_t kExpected = 0x92315866u;

// Runs the call on all threads of a new process; true if every one was right.
bool AllRight(const std::function<bool()>& call) {
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> waiting{kThreads};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&] {
        --waiting;
        // More threads than cores, or an emulator's.
        while (waiting != 0) std::this_thread::yield();
        if (!call()) ++wrong;
      });
    for (std::thread& thread : threads) thread.join();
    _exit(wrong == 0 ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const std::string kData(4000, 'm');

TEST(FirstCall, Wide32) {
  EXPECT_TRUE(AllRight(
      [] { return mmr3_wide32(kData.data(), kData.size(), 0) == kExpected; }));
}

TEST(FirstCall, Wide32Copy) {
  EXPECT_TRUE(AllRight([] {
    std::string copy(kData.size(), ' ');
    return mmr3_wide32_copy(&copy[0], kData.data(), kData.size(), 0) ==
               kExpected &&
           copy == kData;
  }));
}

TEST(FirstCall, Keyed) {
  EXPECT_TRUE(AllRight([] {
    const unsigned char zero[16] = {};
    const mmr3_key key = mmr3_key_from_secret(zero, 0);
    return mmr3_wide32_keyed(kData.data(), kData.size(), &key) == kExpected;
  }));
}

TEST(FirstCall, Resolve) {
  EXPECT_TRUE(AllRight([] {
    return mmr3_wide32_resolve()(kData.data(), kData.size(), 0) == kExpected;
  }));
}

TEST(FirstCall, LuaHash) {
  EXPECT_TRUE(AllRight([] {
    return mmr3_lua_hash(kData.data(), kData.size()) ==
           mmr3_wide32(kData.data(), kData.size(), 4000);
  }));
}

TEST(FirstCall, KernelName) {
  EXPECT_TRUE(AllRight([] {
    const char* best;
    mmr3_kernels(&best, 1);
    return mmr3_kernel_name() == std::string(best);
  }));
}

// A kernel that one thread forces stays, whatever the others resolve.
TEST(FirstCall, ForcedKernelStays) {
  for (int round = 0; round < 20; ++round) {
    EXPECT_TRUE(AllRight([] {
      mmr3_wide32(kData.data(), kData.size(), 0);
      return mmr3_use_kernel("scalar") == 0 &&
             mmr3_wide32(kData.data(), kData.size(), 0) == kExpected &&
             mmr3_kernel_name() == std::string("scalar");
    }));
  }
}

#if defined(__GLIBC__)
// The same with the two in the order that races seldom have.
TEST(FirstCall, KernelForcedWhileChoosingStays) {
  force_scalar_while_choosing = true;
  EXPECT_TRUE(AllRight([] {
    return mmr3_wide32(kData.data(), kData.size(), 0) == kExpected &&
           mmr3_kernel_name() == std::string("scalar");
  }));
  force_scalar_while_choosing = false;
}
#endif

}  // namespace
