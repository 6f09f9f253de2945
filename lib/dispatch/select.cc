#include "lib/dispatch/select.h"

#include <cstring>

namespace murmuration {

bool Supports(FeatureSet features, const Kernel& kernel) {
  return (kernel.required & ~features) == 0;
}

const Kernel* FindKernel(const KernelTable& table, FeatureSet features,
                         const char* name) {
  if (name == nullptr) return nullptr;
  for (size_t i = 0; i < table.size; ++i) {
    const Kernel& kernel = table.rows[i];
    if (strcmp(kernel.name, name) == 0)
      return Supports(features, kernel) ? &kernel : nullptr;
  }
  return nullptr;
}

const Kernel& SelectKernel(const KernelTable& table, FeatureSet features,
                           const char* forced_name) {
  const Kernel* forced = FindKernel(table, features, forced_name);
  if (forced != nullptr) return *forced;
  size_t best = 0;
  while (!Supports(features, table.rows[best])) ++best;
  return table.rows[best];
}

}  // namespace murmuration
