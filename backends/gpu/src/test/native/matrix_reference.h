/*
 * The calls of BLAS on column-major matrices that fake libraries need, as plain loops. `width` is the
 * number of doubles of a number, 1 or 2. Operations are 0 plain, 1 transposed, 2 adjoint.
 */
#ifndef MATRIX_REFERENCE_H
#define MATRIX_REFERENCE_H

#include <complex>
#include <cstdint>
#include <vector>

namespace reference {

using Number = std::complex<double>;

struct Matrix {
  int width;
  double *numbers;
  int64_t leading;

  Number get(int64_t i, int64_t j) const {
    const double *at = numbers + width * (i + j * leading);
    return width == 1 ? Number(at[0]) : Number(at[0], at[1]);
  }
  void set(int64_t i, int64_t j, Number value) const {
    double *at = numbers + width * (i + j * leading);
    at[0] = value.real();
    if (width == 2) at[1] = value.imag();
  }
  Number get(int op, int64_t i, int64_t j) const {
    return op == 0 ? get(i, j) : op == 1 ? get(j, i) : std::conj(get(j, i));
  }
};

/* A factor of 0 hides what it multiplies, NaN too. */
inline Number times(Number factor, Number value) {
  return factor == 0.0 ? Number(0) : factor * value;
}

inline void gemm(int opA, int opB, int m, int n, int k, Number alpha, Matrix a, Matrix b,
                 Number beta, Matrix c) {
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++) {
      Number sum = 0;
      for (int64_t l = 0; l < k; l++) sum += a.get(opA, i, l) * b.get(opB, l, j);
      c.set(i, j, alpha * sum + (beta == 0.0 ? Number(0) : beta * c.get(i, j)));
    }
}

/* Vectors are matrices of one row. */
inline void axpy(int n, Number alpha, Matrix x, Matrix y) {
  for (int64_t i = 0; i < n; i++) y.set(0, i, y.get(0, i) + alpha * x.get(0, i));
}

inline void scal(int n, Number alpha, Matrix x) {
  for (int64_t i = 0; i < n; i++) x.set(0, i, alpha * x.get(0, i));
}

inline void copy(int n, Matrix x, Matrix y) {
  for (int64_t i = 0; i < n; i++) y.set(0, i, x.get(0, i));
}

/* Every number is computed before it is written, so B or A may be C where they are plain. */
inline void geam(int opA, int opB, int m, int n, Number alpha, Matrix a, Number beta, Matrix b,
                 Matrix c) {
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      c.set(i, j, alpha * a.get(opA, i, j) + beta * b.get(opB, i, j));
}

inline void dgmm(bool right, int m, int n, Matrix a, Matrix x, Matrix c) {
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++) c.set(i, j, x.get(0, right ? j : i) * a.get(i, j));
}

/* Only the half that is named is read. */
inline void trsm(bool left, bool lower, int op, bool unit, int m, int n, Number alpha, Matrix a,
                 Matrix b) {
  const int order = left ? m : n;
  const bool forward = lower == (op == 0); /* op(A) is lower triangular */
  for (int64_t s = 0; s < (left ? n : m); s++) {
    std::vector<Number> x(order);
    for (int step = 0; step < order; step++) {
      /* X op(A) = B reads op(A) by columns, so it runs the other way. */
      const int i = forward == left ? step : order - 1 - step;
      Number sum = alpha * (left ? b.get(i, s) : b.get(s, i));
      for (int done = 0; done < step; done++) {
        const int l = forward == left ? done : order - 1 - done;
        sum -= (left ? a.get(op, i, l) : a.get(op, l, i)) * x[l];
      }
      x[i] = unit ? sum : sum / a.get(op, i, i);
    }
    for (int i = 0; i < order; i++) {
      if (left) b.set(i, s, x[i]);
      else b.set(s, i, x[i]);
    }
  }
}

}  // namespace reference

#endif
