// Included by each_target.h: no include guard.

namespace starling {
namespace STARLING_ISA {

// y[j] = f x[j], or y[j] += f x[j]
template <bool ADD>
inline __attribute__((always_inline)) void times(long n, double re, double im, const double* x, double* y) {
  for (long j = 0; j < n; j++) {
    const double u = x[2 * j], v = x[2 * j + 1];
    const double r = re * u - im * v, i = re * v + im * u;
    y[2 * j] = ADD ? y[2 * j] + r : r;
    y[2 * j + 1] = ADD ? y[2 * j + 1] + i : i;
  }
}

inline void scale_rows(long width, long rows, long columns, const double* factors, long step, const double* x, long ldx, double* y,
                       long ldy) {
  for (long i = 0; i < rows; i++) {
    const double* factor = factors + width * i * step;
    const double* from = x + width * i * ldx;
    double* to = y + width * i * ldy;
    if (width == 1) {
      for (long j = 0; j < columns; j++) to[j] = *factor * from[j];
    } else {
      times<false>(columns, factor[0], factor[1], from, to);
    }
  }
}

// Squares of 16 x 16 numbers, so that the lines that are read and those that are written stay in the cache.
inline void transpose_matrix(long width, bool conjugate, long rows, long columns, const double* x, long ldx, double* y, long ldy) {
  const long EDGE = 16;
  const double sign = conjugate ? -1 : 1;
  for (long i0 = 0; i0 < rows; i0 += EDGE) {
    const long i1 = i0 + EDGE < rows ? i0 + EDGE : rows;
    for (long j0 = 0; j0 < columns; j0 += EDGE) {
      const long j1 = j0 + EDGE < columns ? j0 + EDGE : columns;
      for (long j = j0; j < j1; j++) {
        for (long i = i0; i < i1; i++) {
          const double* from = x + width * (i * ldx + j);
          double* to = y + width * (j * ldy + i);
          to[0] = from[0];
          if (width == 2) to[1] = sign * from[1];
        }
      }
    }
  }
}

// Adds alpha a x, or sets it where the old number counts for nothing.
inline __attribute__((always_inline)) void row(long width, bool set, long n, double re, double im, const double* x, double* y) {
  if (width == 1) {
    for (long j = 0; j < n; j++) y[j] = set ? re * x[j] : y[j] + re * x[j];
  } else if (set) {
    times<false>(n, re, im, x, y);
  } else {
    times<true>(n, re, im, x, y);
  }
}

inline void small_products(long width, int form, long m, long n, long k, double re, double im, const double* a, long lda, long stride_a,
                           const double* b, long ldb, long stride_b, double beta_re, double beta_im, double* c, long ldc, long stride_c,
                           long count) {
  const bool overwrite = beta_re == 0 && beta_im == 0, keep = beta_re == 1 && beta_im == 0;
  for (long p = 0; p < count; p++) {
    const double* left = a + width * p * stride_a;
    const double* right = b + width * p * stride_b;
    for (long i = 0; i < m; i++) {
      double* to = c + width * (p * stride_c + i * ldc);
      if (!overwrite && !keep) {
        if (width == 1) {
          for (long j = 0; j < n; j++) to[j] *= beta_re;
        } else {
          times<false>(n, beta_re, beta_im, to, to);
        }
      }
      for (long l = 0; l < k; l++) {
        const double* number = left + width * (form == 0 ? i * lda + l : l * lda + i);
        const double u = number[0], v = width == 1 ? 0 : form == 2 ? -number[1] : number[1];
        row(width, overwrite && l == 0, n, re * u - im * v, re * v + im * u, right + width * l * ldb, to);
      }
    }
  }
}

}  // namespace STARLING_ISA
}  // namespace starling
