// Loops over numbers that BLAS has no call for, or only several calls that pass over the memory several times. Compiled for each set of
// vector instructions; the best that the processor has is taken at run time.

#ifndef STARLING_VECTOR_LOOPS_H
#define STARLING_VECTOR_LOOPS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define STARLING_MANY_TARGETS 1
#endif

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace starling {

const long LINE = 64;  // bytes

}  // namespace starling

#define STARLING_BODY "vector_loops_body.h"
#include "each_target.h"

namespace starling {

enum Level { BASELINE, AVX2, AVX512 };

inline Level best() {
#ifdef STARLING_MANY_TARGETS
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
          && __builtin_cpu_supports("avx512bw") ? AVX512
      : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? AVX2 : BASELINE;
#else
  return BASELINE;
#endif
}

// What is used: the best there is, or less where a test asks for it.
inline Level& level() {
  static Level used = best();
  return used;
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
#define STARLING_DISPATCH_NUMBER(bytes, loops, call) \
  if ((bytes) == sizeof(float)) { STARLING_DISPATCH(loops::floats::call) } \
  STARLING_DISPATCH(loops::doubles::call)

}  // namespace starling

static inline const char* starling_vector_instructions() {
  static const char* const names[] = {"baseline", "AVX2", "AVX-512"};
  return names[starling::level()];
}

static inline void starling_limit_instructions(int level) {
  using namespace starling;
  starling::level() = level < best() ? static_cast<Level>(level) : best();
}

static inline void starling_finish_three(double* planes, long stride, long count) {
  using namespace starling;
  STARLING_DISPATCH(finish_three(planes, stride, count))
}

static inline void starling_keep_half(const double* from, long strideFrom, long count, long n, bool three, double* to, long strideTo) {
  using namespace starling;
  if (three) STARLING_DISPATCH(keep_half<3>(from, strideFrom, count, n, to, strideTo))
  STARLING_DISPATCH(keep_half<2>(from, strideFrom, count, n, to, strideTo))
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
