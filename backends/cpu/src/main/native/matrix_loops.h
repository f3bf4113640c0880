// Loops over row-major matrices of real numbers or of interleaved complex numbers for which BLAS has no call, or calls that are too small.
// `width` is the number of doubles of a number, 1 or 2; counts and distances are in numbers.

#ifndef STARLING_MATRIX_LOOPS_H
#define STARLING_MATRIX_LOOPS_H

#include <stdlib.h>

#include "vector_loops.h"

#define STARLING_BODY "matrix_loops_body.h"
#include "each_target.h"

static inline void starling_scale_rows(long width, long rows, long columns, const double* factors, long step, const double* x, long ldx,
                                       double* y, long ldy) {
  using namespace starling;
  STARLING_DISPATCH(scale_rows(width, rows, columns, factors, step, x, ldx, y, ldy))
}

static inline void starling_transpose(long width, bool conjugate, long rows, long columns, const double* x, long ldx, double* y, long ldy) {
  using namespace starling;
  STARLING_DISPATCH(transpose_matrix(width, conjugate, rows, columns, x, ldx, y, ldy))
}

// C = alpha a(A) B + beta C for `count` products; form: 0 plain, 1 transposed, 2 adjoint. k is at most 4.
static inline void starling_small_products(long width, int form, long m, long n, long k, double re, double im, const double* a, long lda,
                                           long stride_a, const double* b, long ldb, long stride_b, double beta_re, double beta_im,
                                           double* c, long ldc, long stride_c, long count) {
  using namespace starling;
  STARLING_DISPATCH(small_products(width, form, m, n, k, re, im, a, lda, stride_a, b, ldb, stride_b, beta_re, beta_im, c, ldc, stride_c,
                                   count))
}

// C = alpha a(A) b(B), added to C or not, where b transposes a B without gaps or not, for each place from `first` to `end`: three numbers that say where A, B and C begin. Complex; k is at
// most 512 unless m = n = 1, alpha is 1 and nothing is added.
static inline void starling_each_product(int form, bool turns, long m, long n, long k, double re, double im, const double* a, long lda,
                                         const double* b, long ldb, bool adds, double* c, long ldc, const long* places, long first, long end) {
  using namespace starling;
  STARLING_DISPATCH(each_product(form, turns, m, n, k, re, im, a, lda, b, ldb, adds, c, ldc, places, first, end))
}

#endif
