// Included by each_target.h: no include guard.

namespace starling {
namespace STARLING_ISA {

typedef double Vector __attribute__((vector_size(8 * STARLING_LANES)));
typedef double AnyVector __attribute__((vector_size(8 * STARLING_LANES), aligned(8), may_alias));

inline Vector read(const double* from) { return *reinterpret_cast<const AnyVector*>(from); }

// Numbers in single precision, widened.
#if STARLING_LANES == 8
inline Vector read(const float* from) { return _mm512_cvtps_pd(_mm256_loadu_ps(from)); }
#elif STARLING_LANES == 4
inline Vector read(const float* from) { return _mm256_cvtps_pd(_mm_loadu_ps(from)); }
#else
inline Vector read(const float* from) { return Vector{from[0], from[1]}; }
#endif

inline void write(double* to, Vector vector) { *reinterpret_cast<AnyVector*>(to) = vector; }

// One rounding where there are instructions for it, always or never: a sum must not depend on what else the compiler sees.
#if STARLING_LANES == 8
inline Vector plus(Vector sum, Vector a, Vector b) { return _mm512_fmadd_pd(a, b, sum); }
inline Vector minus(Vector sum, Vector a, Vector b) { return _mm512_fnmadd_pd(a, b, sum); }
#elif STARLING_LANES == 4
inline Vector plus(Vector sum, Vector a, Vector b) { return _mm256_fmadd_pd(a, b, sum); }
inline Vector minus(Vector sum, Vector a, Vector b) { return _mm256_fnmadd_pd(a, b, sum); }
#else
inline Vector plus(Vector sum, Vector a, Vector b) { return sum + a * b; }
inline Vector minus(Vector sum, Vector a, Vector b) { return sum - a * b; }
#endif

// The same in single precision.
typedef float Floats __attribute__((vector_size(8 * STARLING_LANES)));
#if STARLING_LANES == 8
inline Floats plus(Floats sum, Floats a, Floats b) { return _mm512_fmadd_ps(a, b, sum); }
inline Floats minus(Floats sum, Floats a, Floats b) { return _mm512_fnmadd_ps(a, b, sum); }
#elif STARLING_LANES == 4
inline Floats plus(Floats sum, Floats a, Floats b) { return _mm256_fmadd_ps(a, b, sum); }
inline Floats minus(Floats sum, Floats a, Floats b) { return _mm256_fnmadd_ps(a, b, sum); }
#else
inline Floats plus(Floats sum, Floats a, Floats b) { return sum + a * b; }
inline Floats minus(Floats sum, Floats a, Floats b) { return sum - a * b; }
#endif

#if STARLING_LANES == 8
// Transposes an 8 x 8 square into registers and asks for 512 bytes from `ahead` on meanwhile.
template <class Number>
inline __attribute__((always_inline)) void transpose(const Number* from, long from_row, const char* ahead, Vector* to) {
  Vector a[8], b[8];
  for (int k = 0; k < 8; k++) {
    a[k] = read(from + k * from_row);
    __builtin_prefetch(ahead + LINE * k);
  }
  for (int k = 0; k < 8; k += 2) {
    b[k] = _mm512_unpacklo_pd(a[k], a[k + 1]);
    b[k + 1] = _mm512_unpackhi_pd(a[k], a[k + 1]);
  }
  for (int k = 0; k < 2; k++) {
    a[k] = _mm512_shuffle_f64x2(b[k], b[k + 2], 0x88);
    a[k + 2] = _mm512_shuffle_f64x2(b[k], b[k + 2], 0xdd);
    a[k + 4] = _mm512_shuffle_f64x2(b[k + 4], b[k + 6], 0x88);
    a[k + 6] = _mm512_shuffle_f64x2(b[k + 4], b[k + 6], 0xdd);
  }
  for (int k = 0; k < 4; k++) {
    to[k] = _mm512_shuffle_f64x2(a[k], a[k + 4], 0x88);
    to[k + 4] = _mm512_shuffle_f64x2(a[k], a[k + 4], 0xdd);
  }
}
#endif

// The transpose of an 8 x 8 square: to[i][j] = from[j][i].
template <class Number>
inline void transpose_square(const Number* from, long from_row, double* to, long to_row) {
#if STARLING_LANES == 8
  Vector turned[8];
  transpose(from, from_row, reinterpret_cast<const char*>(from), turned);
  for (int i = 0; i < 8; i++) write(to + i * to_row, turned[i]);
#elif STARLING_LANES == 4
  for (int i = 0; i < 8; i += 4)
    for (int j = 0; j < 8; j += 4) {
      Vector a[4], b[4];
      for (int k = 0; k < 4; k++) a[k] = read(from + (j + k) * from_row + i);
      for (int k = 0; k < 4; k += 2) {
        b[k] = _mm256_unpacklo_pd(a[k], a[k + 1]);
        b[k + 1] = _mm256_unpackhi_pd(a[k], a[k + 1]);
      }
      for (int k = 0; k < 2; k++) {
        write(to + (i + k) * to_row + j, _mm256_permute2f128_pd(b[k], b[k + 2], 0x20));
        write(to + (i + k + 2) * to_row + j, _mm256_permute2f128_pd(b[k], b[k + 2], 0x31));
      }
    }
#else
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) to[i * to_row + j] = from[j * from_row + i];
#endif
}

#if STARLING_LANES == 8
// The sums over the lanes of eight vectors.
inline void add_lanes(const Vector* s, double* to) {
  Vector b[4], c[2];
  for (long k = 0; k < 4; k++) b[k] = Vector(_mm512_unpacklo_pd(s[2 * k], s[2 * k + 1])) + Vector(_mm512_unpackhi_pd(s[2 * k], s[2 * k + 1]));
  for (long k = 0; k < 2; k++)
    c[k] = Vector(_mm512_shuffle_f64x2(b[2 * k], b[2 * k + 1], 0x88)) + Vector(_mm512_shuffle_f64x2(b[2 * k], b[2 * k + 1], 0xdd));
  write(to, Vector(_mm512_shuffle_f64x2(c[0], c[1], 0x88)) + Vector(_mm512_shuffle_f64x2(c[0], c[1], 0xdd)));
}

inline void add_lanes(const Floats* s, float* to) {
  for (long k = 0; k < 8; k++) to[k] = _mm512_reduce_add_ps(s[k]);
}
#endif

// Of three real products re·re', im·im', (re + im)·(re' + im') the real part, the imaginary part and their sum, `stride` numbers apart.
template <class Number>
inline __attribute__((always_inline)) void finish(Number a, Number b, Number c, Number* to, long stride) {
  to[0] = a - b;
  to[stride] = c - b - a;
  to[2 * stride] = c - b - b;
}

// Three real products are finished, fewer numbers are kept as they are.
template <long PLANES, class Number>
inline __attribute__((always_inline)) void keep(const Number* numbers, Number* to, long stride) {
  if (PLANES == 3) finish(numbers[0], numbers[1], numbers[PLANES - 1], to, stride);
  else for (long p = 0; p < PLANES; p++) to[p * stride] = numbers[p];
}

// Finishes three planes of real products in place.
template <class Number>
inline void finish_three(Number* planes, long stride, long count) {
  for (long i = 0; i < count; i++) finish(planes[i], planes[stride + i], planes[2 * stride + i], planes + i, stride);
}

// The entries of `count` matrices over the diagonal less those under it, row by row, in planes. Of three planes of real products these are finished on the
// way; one or two are kept as they are.
template <long PLANES, class Number>
inline void keep_half(const Number* from, long stride_from, long count, long n, Number* to, long stride_to) {
  for (long i = 0; i < count; i++, from += n * n, to += n * (n - 1) / 2) {
    for (long first = 0; first < n; first += 8) {
      const long end = first + 8 < n ? first + 8 : n;
      // Squares to the right of the one on the diagonal.
      const long squares = end - first < 8 ? 0 : (n - end) / 8;
      for (long column = end; column < end + 8 * squares; column += 8) {
        double under[PLANES][64];
        for (long p = 0; p < PLANES; p++) transpose_square(from + p * stride_from + column * n + first, n, under[p], 8);
        for (long c = 0; c < 8; c++) {
          const long row = first + c;
          const Number* over = from + row * n + column;
          Number* place = to + row * (2 * n - row - 1) / 2 + column - row - 1;
          for (long k = 0; k < 8; k++) {
            Number difference[PLANES];
            for (long p = 0; p < PLANES; p++) difference[p] = Number(over[p * stride_from + k] - under[p][8 * c + k]);
            keep<PLANES>(difference, place + k, stride_to);
          }
        }
      }
      for (long row = first; row < end; row++) {
        Number* place = to + row * (2 * n - row - 1) / 2 - row - 1;
        for (long column = row + 1; column < n; column++) {
          if (column == end) column += 8 * squares;
          if (column == n) break;
          Number difference[PLANES];
          for (long p = 0; p < PLANES; p++) difference[p] = from[p * stride_from + row * n + column] - from[p * stride_from + column * n + row];
          keep<PLANES>(difference, place + column, stride_to);
        }
      }
    }
  }
}

// The entries over the diagonals of `count` matrices, in planes of real parts, imaginary parts and their sum.
template <class Number>
inline void upper_triangles(const Number* from, long stride_from, long count, long n, bool third, Number* to, long stride_to) {
  for (long i = 0; i < count; i++) {
    for (long k = 0; k < n; k++) {
      const Number* re = from + (i * n + k) * n;
      const Number* im = re + stride_from;
      for (long l = k + 1; l < n; l++) {
        const long place = l - k - 1;
        to[place] = re[l];
        to[stride_to + place] = im[l];
        if (third) to[2 * stride_to + place] = re[l] + im[l];
      }
      to += n - k - 1;
    }
  }
}

// Adds two runs of numbers.
template <class Number>
inline void sum_of(const Number* x, const Number* y, long count, Number* to) {
  for (long i = 0; i < count; i++) to[i] = x[i] + y[i];
}

// A row of a matrix of pairs j > i, or j >= i, as an n x n matrix: weight times the numbers, and sign times these for i > j.
template <class Number>
inline void unpack_pairs(const Number* next, long n, bool diagonal, Number weight, Number sign, Number* to) {
  for (long first = 0; first < n; first += 8) {
    const long end = first + 8 < n ? first + 8 : n;
    for (long j = first; j < end; j++) {
      Number* line = to + j * n;
      for (long i = 0; i < j; i++) line[i] = weight * next[i];
      line[j] = diagonal ? weight * next[j] : 0;
      next += j + diagonal;
    }
    // Squares to the left of the one on the diagonal.
    const long squares = end - first < 8 ? 0 : first;
    for (long i = 0; i < squares; i += 8) {
      double turned[64];
      transpose_square(to + first * n + i, n, turned, 8);
      for (long k = 0; k < 8; k++)
        for (long l = 0; l < 8; l++) to[(i + k) * n + first + l] = sign * Number(turned[8 * k + l]);
    }
    for (long j = first; j < end; j++)
      for (long i = squares; i < j; i++) to[i * n + j] = sign * to[j * n + i];
  }
}

// weight (M + sign Mᵀ) for the pairs j > i, or j >= i, of an n x n matrix M, and zeros up to `extent` numbers.
template <class Number>
inline void pack_pairs(const Number* m, long n, bool diagonal, Number weight, Number sign, Number* to, long extent) {
  Number* next = to;
  for (long j = 0; j < n; j++) {
    for (long i = 0; i < j; i++) next[i] = weight * (m[j * n + i] + sign * m[i * n + j]);
    if (diagonal) next[j] = (Number(0.5) + Number(0.5) * sign) * weight * m[j * n + j];
    next += j + diagonal;
  }
  for (; next < to + extent; next++) *next = 0;
}

}  // namespace STARLING_ISA
}  // namespace starling
