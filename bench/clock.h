// The processor's clock, measured: no counter of the system or the processor
// tells at what frequency this core runs now.
#ifndef MURMURATION_BENCH_CLOCK_H_
#define MURMURATION_BENCH_CLOCK_H_

#include <chrono>
#include <cstdint>

// Cycles a second, by a chain of additions that each wait for the last, one
// cycle each on any processor. The best of five runs of 30 microseconds.
inline double MeasureClock() {
  using Clock = std::chrono::steady_clock;
  constexpr int kLoops = 2000;
  constexpr int kUnrolled = 64;
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    uint64_t sum = 0, step = 1;
    // A number in a register that the compiler cannot know: some processors add
    // a constant in no time.
    asm volatile("" : "+r"(step));
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < kLoops; ++i) {
#pragma GCC unroll 64
      for (int j = 0; j < kUnrolled; ++j) {
        sum += step;
        asm volatile("" : "+r"(sum));
      }
    }
    const double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
    const double rate = kLoops * kUnrolled / seconds;
    if (rate > best) best = rate;
  }
  return best;
}

#endif  // MURMURATION_BENCH_CLOCK_H_
