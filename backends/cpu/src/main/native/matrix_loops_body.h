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

// A tile of C = alpha a(A) B + C whose sums stay in registers: twice the real and the imaginary parts of A times numbers of B.
template <long ROWS, long VECTORS>
inline __attribute__((always_inline)) void sums_in_registers(const Before& before, double re, double im, double sign, long k, const double* a,
                                                             long row, long next, const double* b, long ldb, double* c, long ldc) {
  Vector by_real[ROWS][VECTORS] = {}, by_imaginary[ROWS][VECTORS] = {};
  for (long l = 0; l < k; l++) {
    Vector x[VECTORS];
    for (long v = 0; v < VECTORS; v++) x[v] = read(b + l * ldb + v * STARLING_LANES);
    for (long i = 0; i < ROWS; i++) {
      const double* number = a + i * row + l * next;
      for (long v = 0; v < VECTORS; v++) {
        by_real[i][v] = plus(by_real[i][v], number[0] - Vector{}, x[v]);
        by_imaginary[i][v] = plus(by_imaginary[i][v], number[1] - Vector{}, x[v]);
      }
    }
  }
  for (long i = 0; i < ROWS; i++) {
    for (long v = 0; v < VECTORS; v++) {
      double* to = c + i * ldc + v * STARLING_LANES;
      const Vector sum = plus(by_real[i][v], sign - Vector{}, turned(by_imaginary[i][v]));
      const Vector scaled = plus(re * sum, im - Vector{}, turned(sum));
      write(to, before.keep ? read(to) + scaled : scaled);
    }
  }
}

const long TILE_ROWS = STARLING_LANES == 8 ? 4 : 2;
const long LONGEST = 512;  // longest sum of each_product

template <long VECTORS>
inline void column_of_tiles(const Before& before, double re, double im, double sign, long m, long k, const double* a, long row, long next,
                            const double* b, long ldb, double* c, long ldc) {
  long i = 0;
  for (; i + TILE_ROWS <= m; i += TILE_ROWS) {
    sums_in_registers<TILE_ROWS, VECTORS>(before, re, im, sign, k, a + i * row, row, next, b, ldb, c + i * ldc, ldc);
  }
  for (; i < m; i++) sums_in_registers<1, VECTORS>(before, re, im, sign, k, a + i * row, row, next, b, ldb, c + i * ldc, ldc);
}

// The sums of products of the numbers of one matrix with those of some others.
template <long OTHERS>
inline void dots(long numbers, const double* x, const double* const* others, double* const* sums) {
  Vector straight[OTHERS] = {}, crossed[OTHERS] = {};
  long k = 0;
  for (; k + STARLING_LANES <= 2 * numbers; k += STARLING_LANES) {
    const Vector its = read(x + k), turned_its = turned(its);
    for (long o = 0; o < OTHERS; o++) {
      const Vector other = read(others[o] + k);
      straight[o] = plus(straight[o], its, other);
      crossed[o] = plus(crossed[o], turned_its, other);
    }
  }
  for (long o = 0; o < OTHERS; o++) {
    // Of x = u + iv and y = w + iz: straight has uw and vz, crossed -vw and uz.
    double uw = 0, vz = 0, vw = 0, uz = 0;
    for (long l = 0; l < STARLING_LANES; l += 2) {
      uw += straight[o][l];
      vz += straight[o][l + 1];
      vw -= crossed[o][l];
      uz += crossed[o][l + 1];
    }
    for (long r = k; r < 2 * numbers; r += 2) {
      uw += x[r] * others[o][r];
      vz += x[r + 1] * others[o][r + 1];
      vw += x[r + 1] * others[o][r];
      uz += x[r] * others[o][r + 1];
    }
    sums[o][0] = uw - vz;
    sums[o][1] = vw + uz;
  }
}

// Products of a row and a column, those of one row together.
inline void each_dot(long k, const double* a, const double* b, double* c, const long* places, long first, long end) {
  const long TOGETHER = 4;
  long p = first;
  while (p < end) {
    const double* others[TOGETHER];
    double* sums[TOGETHER];
    long some = 0;
    for (; some < TOGETHER && p + some < end && places[3 * (p + some)] == places[3 * p]; some++) {
      others[some] = b + 2 * places[3 * (p + some) + 1];
      sums[some] = c + 2 * places[3 * (p + some) + 2];
    }
    const double* row = a + 2 * places[3 * p];
    switch (some) {
      case 1: dots<1>(k, row, others, sums); break;
      case 2: dots<2>(k, row, others, sums); break;
      case 3: dots<3>(k, row, others, sums); break;
      default: dots<4>(k, row, others, sums); break;
    }
    p += some;
  }
}

// The transpose of a matrix of complex numbers without gaps.
inline void turn_matrix(long rows, long columns, const double* x, double* y) {
  long whole_rows = 0;
#if STARLING_LANES == 8
  if (columns % 4 == 0) {
    whole_rows = rows / 4 * 4;
    for (long i = 0; i < whole_rows; i += 4) {
      for (long j = 0; j < columns; j += 4) {
        Vector a[4], b[4];
        for (long l = 0; l < 4; l++) a[l] = read(x + 2 * ((i + l) * columns + j));
        for (long l = 0; l < 4; l += 2) {
          b[l] = _mm512_shuffle_f64x2(a[l], a[l + 1], 0x44);
          b[l + 1] = _mm512_shuffle_f64x2(a[l], a[l + 1], 0xee);
        }
        for (long l = 0; l < 4; l++) {
          write(y + 2 * ((j + l) * rows + i), _mm512_shuffle_f64x2(b[l / 2], b[2 + l / 2], l % 2 == 0 ? 0x88 : 0xdd));
        }
      }
    }
  }
#endif
  transpose_matrix(2, false, rows - whole_rows, columns, x + 2 * whole_rows * columns, columns, y + 2 * whole_rows, rows);
}

inline void each_product(int form, bool turns, long m, long n, long k, double re, double im, const double* a, long lda, const double* b,
                         long ldb, bool adds, double* c, long ldc, const long* places, long first, long end) {
  if (m == 1 && n == 1 && form == 0 && ldb == 1 && re == 1 && im == 0 && !adds) {
    each_dot(k, a, b, c, places, first, end);
    return;
  }
  const Before before = {!adds, adds, 1, 0};
  const double sign = form == 2 ? -1 : 1;
  const long row = form == 0 ? 2 * lda : 2, next = form == 0 ? 2 : 2 * lda;
  double last[LONGEST * STARLING_LANES], part[STARLING_LANES];
  double* turned = turns ? static_cast<double*>(malloc(2 * sizeof(double) * n * k)) : nullptr;
  for (long p = first; p < end; p++) {
    const double* left = a + 2 * places[3 * p];
    const double* right = b + 2 * places[3 * p + 1];
    if (turns) {
      if (p == first || places[3 * p + 1] != places[3 * p - 2]) turn_matrix(n, k, right, turned);
      right = turned;
      ldb = n;
    }
    double* to = c + 2 * places[3 * p + 2];
    long j = 0;
    for (; j + 2 * STARLING_LANES <= 2 * n; j += 2 * STARLING_LANES) {
      column_of_tiles<2>(before, re, im, sign, m, k, left, row, next, right + j, 2 * ldb, to + j, 2 * ldc);
    }
    if (j + STARLING_LANES <= 2 * n) {
      column_of_tiles<1>(before, re, im, sign, m, k, left, row, next, right + j, 2 * ldb, to + j, 2 * ldc);
      j += STARLING_LANES;
    }
    const long rest = 2 * n - j;
    if (rest == 0) continue;
    // The last columns, by way of whole vectors.
    for (long l = 0; l < k; l++) {
      for (long x = 0; x < STARLING_LANES; x++) last[l * STARLING_LANES + x] = x < rest ? right[2 * l * ldb + j + x] : 0;
    }
    for (long i = 0; i < m; i++) {
      double* numbers = to + 2 * i * ldc + j;
      for (long x = 0; x < STARLING_LANES; x++) part[x] = adds && x < rest ? numbers[x] : 0;
      sums_in_registers<1, 1>(before, re, im, sign, k, left + i * row, row, next, last, STARLING_LANES, part, 0);
      for (long x = 0; x < rest; x++) numbers[x] = part[x];
    }
  }
  free(turned);
}

}  // namespace STARLING_ISA
}  // namespace starling
