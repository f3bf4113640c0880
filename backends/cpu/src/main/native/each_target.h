// Includes STARLING_BODY once for each set of vector instructions, which STARLING_ISA names; STARLING_LANES doubles are one vector. With
// STARLING_EACH_NUMBER it is included for double and single precision: STARLING_NUMBER is the type of a number and STARLING_NUMBERS the namespace. No
// include guard.

#define STARLING_ISA baseline
#define STARLING_LANES 2
#include "each_number.h"
#undef STARLING_ISA
#undef STARLING_LANES

#ifdef STARLING_MANY_TARGETS
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define STARLING_ISA avx2
#define STARLING_LANES 4
#include "each_number.h"
#undef STARLING_ISA
#undef STARLING_LANES
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512")
#define STARLING_ISA avx512
#define STARLING_LANES 8
#include "each_number.h"
#undef STARLING_ISA
#undef STARLING_LANES
#pragma GCC pop_options
#endif

#undef STARLING_BODY
#undef STARLING_EACH_NUMBER
