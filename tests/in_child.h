// Runs part of a test in a process of its own, for what a process can do once.
#ifndef MURMURATION_TESTS_IN_CHILD_H_
#define MURMURATION_TESTS_IN_CHILD_H_

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

template <class Part>
void InChild(const Part& part) {
  fflush(nullptr);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    part();
    fflush(nullptr);
    _exit(testing::Test::HasFailure());
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the part in a process of its own failed";
}

#endif  // MURMURATION_TESTS_IN_CHILD_H_
