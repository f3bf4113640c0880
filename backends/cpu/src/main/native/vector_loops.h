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

// The functions below take numbers of `bytes` bytes, 8 or 4, behind pointers to doubles.

namespace starling {

template <class Number>
inline void finish_three(void* planes, long stride, long count) {
  STARLING_DISPATCH(finish_three(static_cast<Number*>(planes), stride, count))
}

template <long PLANES, class Number>
inline void keep_half(const void* from, long stride_from, long count, long n, void* to, long stride_to) {
  STARLING_DISPATCH(keep_half<PLANES>(static_cast<const Number*>(from), stride_from, count, n, static_cast<Number*>(to), stride_to))
}

template <class Number>
inline void upper_triangles(const void* from, long stride_from, long count, long n, bool third, void* to, long stride_to) {
  STARLING_DISPATCH(upper_triangles(static_cast<const Number*>(from), stride_from, count, n, third, static_cast<Number*>(to), stride_to))
}

template <class Number>
inline void sum_of(const void* x, const void* y, long count, void* to) {
  STARLING_DISPATCH(sum_of(static_cast<const Number*>(x), static_cast<const Number*>(y), count, static_cast<Number*>(to)))
}

template <class Number>
inline void unpack_pairs(const void* pairs, long n, bool diagonal, Number weight, Number sign, void* to) {
  STARLING_DISPATCH(unpack_pairs(static_cast<const Number*>(pairs), n, diagonal, weight, sign, static_cast<Number*>(to)))
}

template <class Number>
inline void pack_pairs(const void* m, long n, bool diagonal, Number weight, Number sign, void* to, long extent) {
  STARLING_DISPATCH(pack_pairs(static_cast<const Number*>(m), n, diagonal, weight, sign, static_cast<Number*>(to), extent))
}

}  // namespace starling

static inline void starling_finish_three(long bytes, double* planes, long stride, long count) {
  if (bytes == sizeof(float)) starling::finish_three<float>(planes, stride, count);
  else starling::finish_three<double>(planes, stride, count);
}

static inline void starling_keep_half(long bytes, const double* from, long strideFrom, long count, long n, bool three, double* to, long strideTo) {
  using namespace starling;
  if (bytes == sizeof(float)) {
    if (three) keep_half<3, float>(from, strideFrom, count, n, to, strideTo);
    else keep_half<2, float>(from, strideFrom, count, n, to, strideTo);
  } else {
    if (three) keep_half<3, double>(from, strideFrom, count, n, to, strideTo);
    else keep_half<2, double>(from, strideFrom, count, n, to, strideTo);
  }
}

static inline void starling_upper_triangles(long bytes, const double* from, long strideFrom, long count, long n, bool third, double* to, long strideTo) {
  if (bytes == sizeof(float)) starling::upper_triangles<float>(from, strideFrom, count, n, third, to, strideTo);
  else starling::upper_triangles<double>(from, strideFrom, count, n, third, to, strideTo);
}

static inline void starling_sum(long bytes, const double* x, const double* y, long count, double* to) {
  if (bytes == sizeof(float)) starling::sum_of<float>(x, y, count, to);
  else starling::sum_of<double>(x, y, count, to);
}

static inline void starling_unpack_pairs(long bytes, const double* pairs, long n, bool diagonal, double weight, double sign, double* to) {
  if (bytes == sizeof(float)) starling::unpack_pairs<float>(pairs, n, diagonal, weight, sign, to);
  else starling::unpack_pairs<double>(pairs, n, diagonal, weight, sign, to);
}

static inline void starling_pack_pairs(long bytes, const double* m, long n, bool diagonal, double weight, double sign, double* to, long extent) {
  if (bytes == sizeof(float)) starling::pack_pairs<float>(m, n, diagonal, weight, sign, to, extent);
  else starling::pack_pairs<double>(m, n, diagonal, weight, sign, to, extent);
}

#endif
