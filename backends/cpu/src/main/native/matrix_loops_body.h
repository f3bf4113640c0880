// Included by each_target.h: no include guard.

namespace starling {
namespace STARLING_ISA {

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

// i times complex numbers whose real and imaginary parts are neighbours.
inline Vector turned(Vector x) {
#if STARLING_LANES == 8
  const Vector signs = {-1, 1, -1, 1, -1, 1, -1, 1};
  return signs * Vector(_mm512_permute_pd(x, 0x55));
#elif STARLING_LANES == 4
  const Vector signs = {-1, 1, -1, 1};
  return signs * Vector(_mm256_permute_pd(x, 0x5));
#else
  return Vector{-x[1], x[0]};
#endif
}

const long SHORT = 4;        // longest sum
const long SHORT_ROWS = 16;  // rows of a result whose factors lie together
const long AHEAD = 2;        // products between asking for matrices and their use

// What the numbers of a result are before the products are added.
struct Before {
  bool overwrite, keep;
  double re, im;
};

// One vector of each row of a result: its right-hand sides stay in registers for all rows.
template <long WIDTH, long K>
inline __attribute__((always_inline)) void short_sums(const Before& before, long rows, const double* factors, const Vector* x,
                                                      const Vector* ix, double* c, long ldc) {
  for (long i = 0; i < rows; i++) {
    double* to = c + WIDTH * i * ldc;
    Vector sum = {};
    if (before.keep) {
      sum = read(to);
    } else if (!before.overwrite) {
      const Vector old = read(to);
      sum = before.re * old;
      if (WIDTH == 2) sum = plus(sum, before.im - Vector{}, turned(old));
    }
    for (long l = 0; l < K; l++) {
      const double* factor = factors + 2 * (i * K + l);
      sum = plus(sum, factor[0] - Vector{}, x[l]);
      if (WIDTH == 2) sum = plus(sum, factor[1] - Vector{}, ix[l]);
    }
    write(to, sum);
  }
}

template <long WIDTH, long K>
inline void small_product(const Before& before, long rows, long n, const double* factors, const double* right, long ldb, double* c,
                          long ldc) {
  Vector x[K], ix[K];
  const long numbers = WIDTH * n;
  long j = 0;
  for (; j + STARLING_LANES <= numbers; j += STARLING_LANES) {
    for (long l = 0; l < K; l++) {
      x[l] = read(right + WIDTH * l * ldb + j);
      if (WIDTH == 2) ix[l] = turned(x[l]);
    }
    short_sums<WIDTH, K>(before, rows, factors, x, ix, c + j, ldc);
  }
  if (j == numbers) return;
  // The rest of the rows, by way of whole vectors.
  double part[SHORT_ROWS * STARLING_LANES] = {};
  for (long i = 0; i < rows; i++) {
    for (long k = j; k < numbers; k++) part[i * STARLING_LANES + k - j] = c[WIDTH * i * ldc + k];
  }
  for (long l = 0; l < K; l++) {
    x[l] = Vector{};
    for (long k = j; k < numbers; k++) x[l][k - j] = right[WIDTH * l * ldb + k];
    if (WIDTH == 2) ix[l] = turned(x[l]);
  }
  short_sums<WIDTH, K>(before, rows, factors, x, ix, part, STARLING_LANES / WIDTH);
  for (long i = 0; i < rows; i++) {
    for (long k = j; k < numbers; k++) c[WIDTH * i * ldc + k] = part[i * STARLING_LANES + k - j];
  }
}

// Asks for the rows of a matrix that is needed soon: the distances between small matrices are more than the processor guesses.
inline void ask_for(long rows, long numbers, const double* matrix, long leading) {
  for (long i = 0; i < rows; i++) {
    for (long j = 0; j < numbers; j += LINE / sizeof(double)) __builtin_prefetch(matrix + i * leading + j);
  }
}

inline void small_products(long width, int form, long m, long n, long k, double re, double im, const double* a, long lda, long stride_a,
                           const double* b, long ldb, long stride_b, double beta_re, double beta_im, double* c, long ldc, long stride_c,
                           long count) {
  const Before before = {beta_re == 0 && beta_im == 0, beta_re == 1 && beta_im == 0, beta_re, beta_im};
  double factors[2 * SHORT * SHORT_ROWS];
  for (long p = 0; p < count; p++) {
    const double* left = a + width * p * stride_a;
    const double* right = b + width * p * stride_b;
    if (stride_b != 0) ask_for(k, width * n, right + AHEAD * width * stride_b, width * ldb);
    if (stride_a != 0 && form != 0) ask_for(k, width * m, left + AHEAD * width * stride_a, width * lda);
    for (long i0 = 0; i0 < m; i0 += SHORT_ROWS) {
      const long rows = m - i0 < SHORT_ROWS ? m - i0 : SHORT_ROWS;
      for (long i = 0; i < rows; i++) {
        for (long l = 0; l < k; l++) {
          const double* number = left + width * (form == 0 ? (i0 + i) * lda + l : l * lda + i0 + i);
          const double u = number[0], v = width == 1 ? 0 : form == 2 ? -number[1] : number[1];
          factors[2 * (i * k + l)] = re * u - im * v;
          factors[2 * (i * k + l) + 1] = re * v + im * u;
        }
      }
      double* to = c + width * (p * stride_c + i0 * ldc);
      switch (width == 1 ? k : SHORT + k) {
        case 1: small_product<1, 1>(before, rows, n, factors, right, ldb, to, ldc); break;
        case 2: small_product<1, 2>(before, rows, n, factors, right, ldb, to, ldc); break;
        case 3: small_product<1, 3>(before, rows, n, factors, right, ldb, to, ldc); break;
        case 4: small_product<1, 4>(before, rows, n, factors, right, ldb, to, ldc); break;
        case SHORT + 1: small_product<2, 1>(before, rows, n, factors, right, ldb, to, ldc); break;
        case SHORT + 2: small_product<2, 2>(before, rows, n, factors, right, ldb, to, ldc); break;
        case SHORT + 3: small_product<2, 3>(before, rows, n, factors, right, ldb, to, ldc); break;
        default: small_product<2, 4>(before, rows, n, factors, right, ldb, to, ldc); break;
      }
    }
  }
}

// A row of the result is a product with one factor. It may be the row itself.
inline void scale_rows(long width, long rows, long columns, const double* factors, long step, const double* x, long ldx, double* y,
                       long ldy) {
  const Before nothing = {true, false, 0, 0};
  for (long i = 0; i < rows; i++) {
    const double* factor = factors + width * i * step;
    const double both[2] = {factor[0], width == 1 ? 0 : factor[1]};
    if (width == 1) {
      small_product<1, 1>(nothing, 1, columns, both, x + i * ldx, 0, y + i * ldy, 0);
    } else {
      small_product<2, 1>(nothing, 1, columns, both, x + 2 * i * ldx, 0, y + 2 * i * ldy, 0);
    }
  }
}

}  // namespace STARLING_ISA
}  // namespace starling
