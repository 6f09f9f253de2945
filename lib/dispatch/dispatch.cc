#include "lib/dispatch/dispatch.h"

#include <stddef.h>
#include <stdlib.h>

#include "lib/dispatch/cpu.h"
#include "lib/dispatch/select.h"

#if !defined(__GLIBC__)
#include <sys/auxv.h>
#endif

namespace murmuration {
namespace {

// The environment of a set-user-id program belongs to whoever started it.
const char* ForcedKernelName() {
#if defined(__GLIBC__)
  return secure_getenv("MURMURATION_KERNEL");
#else
  return getauxval(AT_SECURE) != 0 ? nullptr : getenv("MURMURATION_KERNEL");
#endif
}

const Kernel& Resolve();

// Stands in for a member of Kernel until a row is chosen.
template <auto kMember>
struct FirstCall;

template <class Result, class... Arguments,
          Result (*Kernel::*kMember)(Arguments...)>
struct FirstCall<kMember> {
  static Result Call(Arguments... arguments) {
    return (Resolve().*kMember)(arguments...);
  }
};

// The same for a member of Kernel's batch functions.
template <auto kVariant, auto kMember>
struct FirstBatch;

template <class Batch, Batch Kernel::*kVariant, class... Arguments,
          void (*Batch::*kMember)(Arguments...)>
struct FirstBatch<kVariant, kMember> {
  static void Call(Arguments... arguments) {
    (Resolve().*kVariant.*kMember)(arguments...);
  }
};

template <class Batch, Batch Kernel::*kVariant>
constexpr Batch FirstBatches() {
  return {0,  // any call resolves
          FirstBatch<kVariant, &Batch::pointers>::Call,
          FirstBatch<kVariant, &Batch::offsets32>::Call,
          FirstBatch<kVariant, &Batch::offsets64>::Call,
          FirstBatch<kVariant, &Batch::fixed>::Call,
          FirstBatch<kVariant, &Batch::seeds>::Call};
}

constexpr Kernel kResolver = {
    "",
    0,
    FirstCall<&Kernel::wide32>::Call,
    FirstCall<&Kernel::wide32_keyed>::Call,
    FirstCall<&Kernel::wide32_copy_keyed>::Call,
    FirstCall<&Kernel::wide32_rows>::Call,
    FirstCall<&Kernel::x86_128_blocks>::Call,
    FirstCall<&Kernel::x64_128_blocks>::Call,
    FirstBatches<decltype(Kernel::x86_32), &Kernel::x86_32>(),
    FirstBatches<decltype(Kernel::x86_128), &Kernel::x86_128>(),
    FirstBatches<decltype(Kernel::x64_128), &Kernel::x64_128>(),
};

// Any number of threads may get here at once: all choose the same row, and
// none overwrites what mmr3_use_kernel has set in the meantime.
const Kernel& Resolve() {
  const Kernel* active = active_kernel.load(std::memory_order_relaxed);
  if (active != &kResolver) return *active;
  const Kernel* chosen =
      &SelectKernel(kCompiledKernels, DetectFeatures(), ForcedKernelName());
  return active_kernel.compare_exchange_strong(active, chosen,
                                               std::memory_order_relaxed)
             ? *chosen
             : *active;
}

}  // namespace

std::atomic<const Kernel*> active_kernel{&kResolver};

namespace {

// What integrations/lua51/running-kernel.sh looks for in the memory of a
// process: a text that nothing else has, and where the active kernel is found.
// Data alone, which also a stripped program keeps.
struct Mark {
  char text[32];
  const std::atomic<const Kernel*>* active;
};
[[gnu::used]] const Mark mark = {"murmuration: active kernel", &active_kernel};
static_assert(offsetof(Mark, active) == 32 && offsetof(Kernel, name) == 0,
              "running-kernel.sh relies on it");

}  // namespace

}  // namespace murmuration

mmr3_hash_fn mmr3_wide32_resolve(void) { return murmuration::Resolve().wide32; }

const char* mmr3_kernel_name(void) { return murmuration::Resolve().name; }

size_t mmr3_kernels(const char** names, size_t capacity) {
  using namespace murmuration;
  const FeatureSet features = DetectFeatures();
  size_t supported = 0;
  for (size_t i = 0; i < kCompiledKernels.size; ++i) {
    const Kernel& kernel = kCompiledKernels.rows[i];
    if (!Supports(features, kernel)) continue;
    if (supported < capacity) names[supported] = kernel.name;
    ++supported;
  }
  return supported;
}

int mmr3_use_kernel(const char* name) {
  using namespace murmuration;
  const Kernel* kernel = FindKernel(kCompiledKernels, DetectFeatures(), name);
  if (kernel == nullptr) return -1;
  active_kernel.store(kernel, std::memory_order_relaxed);
  return 0;
}
