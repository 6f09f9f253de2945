// mmr3_key_random when the system's random source fails: this program has a
// getrandom of its own, which the linker prefers to that of the C library.
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstring>
#include <vector>

#include "murmuration.h"

namespace {

// What each call does: an errno value, or 0 for success; and the bytes it
// reports to have written then.
struct Answer {
  int error;
  ssize_t filled;
};
std::vector<Answer> answers;
size_t calls;

}  // namespace

extern "C" ssize_t getrandom(void* bytes, size_t len, unsigned flags) {
  EXPECT_EQ(len, 16u);
  EXPECT_EQ(flags, 0u);  // may wait until the source is ready, never weak
  const Answer answer = answers.at(calls++);
  if (answer.error != 0) {
    errno = answer.error;
    return -1;
  }
  for (ssize_t i = 0; i < answer.filled; ++i)
    static_cast<unsigned char*>(bytes)[i] = static_cast<unsigned char>(i + 1);
  return answer.filled;
}

namespace {

constexpr mmr3_key kUntouched = {1, 2, 3, 4};

struct Outcome {
  int error;
  mmr3_key key;
  bool Untouched() const { return memcmp(&key, &kUntouched, sizeof key) == 0; }
};

Outcome KeyAfter(const std::vector<Answer>& script) {
  answers = script;
  calls = 0;
  Outcome outcome = {0, kUntouched};
  outcome.error = mmr3_key_random(&outcome.key);
  EXPECT_EQ(calls, script.size());
  return outcome;
}

TEST(KeyRandom, ErrorsAreReturnedAndLeaveTheKey) {
  for (int error : {ENOSYS, EAGAIN, EFAULT, EPERM}) {
    const Outcome outcome = KeyAfter({{error, 0}});
    EXPECT_EQ(outcome.error, error);
    EXPECT_TRUE(outcome.Untouched());
  }
}

TEST(KeyRandom, TooFewBytesAreNoKey) {
  for (ssize_t filled : {0, 1, 8, 15}) {
    const Outcome outcome = KeyAfter({{0, filled}});
    EXPECT_EQ(outcome.error, EIO) << filled;
    EXPECT_TRUE(outcome.Untouched()) << filled;
  }
}

TEST(KeyRandom, InterruptionsAreRepeated) {
  const Outcome failed = KeyAfter({{EINTR, 0}, {EINTR, 0}, {ENOSYS, 0}});
  EXPECT_EQ(failed.error, ENOSYS);
  EXPECT_TRUE(failed.Untouched());
  const Outcome outcome = KeyAfter({{EINTR, 0}, {0, 16}});
  EXPECT_EQ(outcome.error, 0);
  EXPECT_FALSE(outcome.Untouched());
}

TEST(KeyRandom, AllBytesAreUsed) {
  unsigned char secret[16];
  for (unsigned char i = 0; i < 16; ++i) secret[i] = i + 1;
  const mmr3_key expected = mmr3_key_from_secret(secret, 0);
  const Outcome outcome = KeyAfter({{0, 16}});
  EXPECT_EQ(outcome.error, 0);
  EXPECT_EQ(memcmp(&outcome.key, &expected, sizeof expected), 0);
}

}  // namespace
