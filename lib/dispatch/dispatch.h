// The active kernel of this process.
#ifndef MURMURATION_LIB_DISPATCH_DISPATCH_H_
#define MURMURATION_LIB_DISPATCH_DISPATCH_H_

#include <atomic>

#include "lib/kernels/kernel.h"

namespace murmuration {

// Points to a row of the table, or, until the first call, to a row whose
// functions choose one and pass the call on. Never null. Rows are constants, so
// relaxed loads are enough.
extern std::atomic<const Kernel*> active_kernel;

inline const Kernel& ActiveKernel() {
  return *active_kernel.load(std::memory_order_relaxed);
}

}  // namespace murmuration

#endif  // MURMURATION_LIB_DISPATCH_DISPATCH_H_
