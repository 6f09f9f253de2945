// Hashing where a program least expects it: in a signal handler, in a child
// after fork, while another thread changes the kernel.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "murmuration.h"

namespace {

const std::string kData(4000, 'm');
constexpr uint32_t kExpected = 0x92315866u;  // tests/oracle

bool HashIsRight() {
  return mmr3_wide32(kData.data(), kData.size(), 0) == kExpected;
}

// -------------------------------------------------------- signal handlers

constexpr int kSignals = 300;
volatile sig_atomic_t signals;
volatile sig_atomic_t wrong_in_handler;
unsigned char copied_in_handler[4000];

// qemu before 8.1 calls handlers on x86 with a stack that is not aligned as the
// ABI says, which code with SSE relies on.
#if defined(__i386__) || defined(__x86_64__)
__attribute__((force_align_arg_pointer))
#endif
void HashInHandler(int) {
  ++signals;
  if (!HashIsRight() ||
      mmr3_wide32_copy(copied_in_handler, kData.data(), kData.size(), 0) !=
          kExpected ||
      memcmp(copied_in_handler, kData.data(), kData.size()) != 0)
    ++wrong_in_handler;
}

TEST(Interruption, SignalHandlerHashesWhileTheProgramDoes) {
  std::vector<const char*> kernels(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  struct sigaction action = {};
  action.sa_handler = HashInHandler;
  action.sa_flags = SA_RESTART;
  struct sigaction before;
  ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
  const itimerval often = {{0, 200}, {0, 200}};
  const itimerval never = {};
  for (const char* kernel : kernels) {
    ASSERT_EQ(mmr3_use_kernel(kernel), 0);
    ASSERT_TRUE(HashIsRight());
    signals = 0;
    wrong_in_handler = 0;
    ASSERT_EQ(setitimer(ITIMER_REAL, &often, nullptr), 0);
    size_t wrong = 0;
    std::vector<unsigned char> copy(kData.size());
    while (signals < kSignals) {
      wrong += !HashIsRight();
      wrong += mmr3_wide32_copy(copy.data(), kData.data(), kData.size(), 0) !=
               kExpected;
      wrong += memcmp(copy.data(), kData.data(), kData.size()) != 0;
    }
    ASSERT_EQ(setitimer(ITIMER_REAL, &never, nullptr), 0);
    EXPECT_EQ(wrong, 0u) << kernel;
    EXPECT_EQ(wrong_in_handler, 0) << kernel;
  }
  ASSERT_EQ(sigaction(SIGALRM, &before, nullptr), 0);
}

// ------------------------------------------------------------------- fork

template <class Check>
bool HoldsInChild(Check check) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Interruption, ForkAfterFirstUseKeepsTheKernel) {
  ASSERT_TRUE(HashIsRight());
  const std::string name = mmr3_kernel_name();
  EXPECT_TRUE(HoldsInChild(
      [&] { return HashIsRight() && mmr3_kernel_name() == name; }));
}

TEST(Interruption, ForcedKernelIsInheritedAndTheChildsOwnIsNot) {
  ASSERT_EQ(mmr3_use_kernel("scalar"), 0);
  const char* best;
  ASSERT_GE(mmr3_kernels(&best, 1), 1u);
  EXPECT_TRUE(HoldsInChild([&] {
    return mmr3_kernel_name() == std::string("scalar") && HashIsRight() &&
           mmr3_use_kernel(best) == 0 && HashIsRight() &&
           mmr3_kernel_name() == std::string(best);
  }));
  EXPECT_STREQ(mmr3_kernel_name(), "scalar");
}

// While other threads are in the middle of a hash.
TEST(Interruption, ForkWhileOthersHash) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      while (!stop) EXPECT_TRUE(HashIsRight());
    });
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(HoldsInChild(HashIsRight));
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

// ---------------------------------------------------------------- threads

TEST(Interruption, KernelChangesWhileOthersHash) {
  std::vector<const char*> kernels(mmr3_kernels(nullptr, 0));
  mmr3_kernels(kernels.data(), kernels.size());
  std::atomic<int> running{64};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 64; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round)
        if (!HashIsRight() ||
            mmr3_wide32_resolve()(kData.data(), kData.size(), 0) != kExpected)
          ++wrong;
      --running;
    });
  for (size_t turn = 0; running != 0; ++turn)
    ASSERT_EQ(mmr3_use_kernel(kernels[turn % kernels.size()]), 0);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
