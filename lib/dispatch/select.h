// Which kernel a processor gets: pure functions of features, table and name.
#ifndef MURMURATION_LIB_DISPATCH_SELECT_H_
#define MURMURATION_LIB_DISPATCH_SELECT_H_

#include "lib/dispatch/features.h"
#include "lib/kernels/kernel.h"

namespace murmuration {

bool Supports(FeatureSet features, const Kernel& kernel);

// The row of that name, or null: no name, unknown, or a feature is missing.
const Kernel* FindKernel(const KernelTable& table, FeatureSet features,
                         const char* name);

// The row forced by name where there is one, else the best supported row.
const Kernel& SelectKernel(const KernelTable& table, FeatureSet features,
                           const char* forced_name);

}  // namespace murmuration

#endif  // MURMURATION_LIB_DISPATCH_SELECT_H_
