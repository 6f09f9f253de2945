#ifndef MURMURATION_LIB_DISPATCH_CPU_H_
#define MURMURATION_LIB_DISPATCH_CPU_H_

#include "lib/dispatch/features.h"

namespace murmuration {

// The features of the processor this runs on, without those that the operating
// system has not enabled.
FeatureSet DetectFeatures();

}  // namespace murmuration

#endif  // MURMURATION_LIB_DISPATCH_CPU_H_
