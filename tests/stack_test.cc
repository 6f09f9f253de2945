// How much stack the batches use, which their interface states: run on a
// painted stack of their own, they leave the rest of it as it was.
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "tests/kernel_test.h"
#include "tests/standard_functions.h"

namespace {

constexpr size_t kStatedBytes = 20 * 1024;
constexpr size_t kStackBytes = size_t{1} << 20;
constexpr unsigned char kPaint = 0xa5;

// The bytes of stack that a thread touches which runs work.
size_t TouchedBy(const std::function<void()>& work) {
  void* memory = nullptr;
  if (posix_memalign(&memory, 4096, kStackBytes) != 0) return kStackBytes;
  auto* stack = static_cast<unsigned char*>(memory);
  std::fill(stack, stack + kStackBytes, kPaint);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  size_t touched = kStackBytes;
  pthread_t thread;
  if (pthread_attr_setstack(&attributes, stack, kStackBytes) == 0 &&
      pthread_create(
          &thread, &attributes,
          [](void* argument) -> void* {
            (*static_cast<const std::function<void()>*>(argument))();
            return nullptr;
          },
          const_cast<std::function<void()>*>(&work)) == 0) {
    pthread_join(thread, nullptr);
    size_t left = 0;
    while (left != kStackBytes && stack[left] == kPaint) ++left;
    touched = kStackBytes - left;
  }
  pthread_attr_destroy(&attributes);
  free(memory);
  return touched;
}

struct Keys {
  std::vector<unsigned char> bytes;
  std::vector<const void*> pointers;
  std::vector<size_t> lens;
  std::vector<int32_t> offsets32 = {0};
  std::vector<int64_t> offsets64 = {0};
};

// Of every length bin, many of each.
Keys MixedKeys() {
  Keys keys;
  std::mt19937 random(1);
  constexpr size_t kKeys = 3000;
  for (size_t i = 0; i < kKeys; ++i) {
    keys.lens.push_back(random() % (i % 8 == 0 ? 9000 : 300));
    keys.offsets64.push_back(keys.offsets64.back() +
                             static_cast<int64_t>(keys.lens.back()));
    keys.offsets32.push_back(static_cast<int32_t>(keys.offsets64.back()));
  }
  keys.bytes.assign(static_cast<size_t>(keys.offsets64.back()), 'x');
  for (size_t i = 0; i < kKeys; ++i)
    keys.pointers.push_back(keys.bytes.data() + keys.offsets64[i]);
  return keys;
}

template <class Variant>
void TestVariant() {
  const Keys keys = MixedKeys();
  const size_t n = keys.lens.size();
  std::vector<typename Variant::Word> out(
      n * std::tuple_size<typename Variant::Digest>::value);
  const std::vector<typename Variant::Seed> seeds(n, 7);
  const void* bytes = keys.bytes.data();
  // What the thread itself takes is no use of the function's.
  const size_t own = TouchedBy([] {});
  ASSERT_LT(own, kStackBytes);
  const auto used = [own](const std::function<void()>& work) {
    const size_t touched = TouchedBy(work);
    return touched > own ? touched - own : 0;
  };
  EXPECT_LE(used([&] {
              Variant::kBatch(keys.pointers.data(), keys.lens.data(), n, 1,
                              out.data());
            }),
            kStatedBytes);
  EXPECT_LE(used([&] {
              Variant::kOffsets32(bytes, keys.offsets32.data(), n, 1,
                                  out.data());
            }),
            kStatedBytes);
  EXPECT_LE(used([&] {
              Variant::kOffsets64(bytes, keys.offsets64.data(), n, 1,
                                  out.data());
            }),
            kStatedBytes);
  for (size_t key_len : {8, 60, 300})
    EXPECT_LE(used([&] {
                Variant::kFixed(bytes, key_len, key_len + 8, n, 1, out.data());
              }),
              kStatedBytes);
  EXPECT_LE(
      used([&] { Variant::kSeeds(bytes, 100, seeds.data(), n, out.data()); }),
      kStatedBytes);
}

class BatchStack : public KernelTest {
 protected:
  void SetUp() override {
#if !defined(__OPTIMIZE__)
    GTEST_SKIP() << "built without optimization, which takes more stack";
#elif defined(MURMURATION_TESTS_INSTRUMENTED)
    GTEST_SKIP() << "built with instrumentation, which takes more stack";
#endif
    KernelTest::SetUp();
  }
};

TEST_P(BatchStack, X86_32) { TestVariant<X86_32Functions>(); }
TEST_P(BatchStack, X86_128) { TestVariant<X86_128Functions>(); }
TEST_P(BatchStack, X64_128) { TestVariant<X64_128Functions>(); }
MURMURATION_TEST_EVERY_KERNEL(BatchStack);

}  // namespace
