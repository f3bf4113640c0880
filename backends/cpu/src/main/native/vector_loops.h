// Loops over numbers that BLAS has no call for, or only several calls that pass over the memory several times. Compiled for each set of
// vector instructions; the best that the processor has is taken at run time.

#ifndef STARLING_VECTOR_LOOPS_H
#define STARLING_VECTOR_LOOPS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define STARLING_MANY_TARGETS 1
#endif

#define STARLING_ISA baseline
#include "vector_loops_body.h"
#undef STARLING_ISA

#ifdef STARLING_MANY_TARGETS
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define STARLING_ISA avx2
#include "vector_loops_body.h"
#undef STARLING_ISA
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw,fma,prefer-vector-width=512")
#define STARLING_ISA avx512
#include "vector_loops_body.h"
#undef STARLING_ISA
#pragma GCC pop_options
#endif

namespace starling {

enum Level { BASELINE, AVX2, AVX512 };

inline Level level() {
#ifdef STARLING_MANY_TARGETS
  static const Level found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
          && __builtin_cpu_supports("avx512bw") ? AVX512
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? AVX2 : BASELINE;
  return found;
#else
  return BASELINE;
#endif
}

#ifdef STARLING_MANY_TARGETS
#define STARLING_DISPATCH(call) \
  switch (level()) { \
    case AVX512: return avx512::call; \
    case AVX2: return avx2::call; \
    default: return baseline::call; \
  }
#else
#define STARLING_DISPATCH(call) return baseline::call;
#endif

}  // namespace starling

static inline const char* starling_vector_instructions() {
  static const char* const names[] = {"baseline", "AVX2", "AVX-512"};
  return names[starling::level()];
}

static inline void starling_finish_three(double* planes, long stride, long count) {
  using namespace starling;
  STARLING_DISPATCH(finish_three(planes, stride, count))
}

static inline void starling_keep_half(const double* from, long strideFrom, long count, long n, bool three, double* to, long strideTo) {
  using namespace starling;
  STARLING_DISPATCH(keep_half(from, strideFrom, count, n, three, to, strideTo))
}

static inline void starling_upper_triangles(const double* from, long strideFrom, long count, long n, bool third, double* to, long strideTo) {
  using namespace starling;
  STARLING_DISPATCH(upper_triangles(from, strideFrom, count, n, third, to, strideTo))
}

static inline void starling_sum(const double* x, const double* y, long count, double* to) {
  using namespace starling;
  STARLING_DISPATCH(sum_of(x, y, count, to))
}

#endif
