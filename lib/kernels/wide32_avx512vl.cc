// wide32 for the kernel avx512vl (lib/kernels/highway_targets.h).
#define MMR3_AVX512VL 1
#include "lib/kernels/wide32_highway.cc"
