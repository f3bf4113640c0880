// Included by each_target.h: no include guard.
//
// Of i < j < k, the two of the smaller side of j are multiplied first: cross products u of v_j, times the phase, with its partners, the vectors
// below j or those above it. A Vector has the numbers u of a panel of partners, real and imaginary parts of neighbours; each of these real
// numbers is then in a row of a matrix product with the vectors of the other side. A row of real parts plus i times the row of imaginary parts
// is the result. Partners and the columns of the product are read from the same copy of the vectors, [vector of numbers][site][colour].

namespace starling {
namespace STARLING_ISA {

const long WIDE = STARLING_LANES / 2;  // complex numbers of a vector
const long WIDTH_OF_TILE = 3;          // vectors of a tile

// One value of j.
struct Middle {
  long j;
  bool below;              // partners are below j
  long partner, stop;      // partners
  long first, end;         // columns, in vectors

  Middle(long j, long n) : j(j), below(j < n - 1 - j) {
    partner = below ? 0 : j + 1;
    stop = below ? j : n;
    first = below ? (j + 1) / WIDE : 0;
    end = ((below ? n : j) + WIDE - 1) / WIDE;
  }

  long row() const { return (end - first) * STARLING_LANES; }
  long numbers() const { return (stop - partner) * row(); }
};

inline Vector read_part(const double* from, long count) {
  double part[STARLING_LANES] = {};
  for (long k = 0; k < count; k++) part[k] = from[k];
  return read(part);
}

// Vectors in columns, [chunk][vector][site][colour]: those of the chunk that begins at a site.
inline const double* chunk_columns(const double* columns, long n, long site) { return columns + COLOURS * site * determinant_columns(n); }

inline void determinant_factors(long sites, long n, const double* vectors, long first_chunk, long end_chunk, double* columns) {
  for (long chunk = first_chunk; chunk < end_chunk; chunk++) {
    const long start = chunk * DETERMINANT_SITES;
    const long length = COLOURS * (sites - start < DETERMINANT_SITES ? sites - start : DETERMINANT_SITES);
    double* const to = const_cast<double*>(chunk_columns(columns, n, start));
    for (long k = 0; k < length; k++) {
      const double* const from = vectors + 2 * n * (COLOURS * start + k);
      for (long v = 0; v * WIDE < n; v++) {
        const long rest = 2 * n - v * STARLING_LANES;
        const Vector x = rest < STARLING_LANES ? read_part(from + v * STARLING_LANES, rest) : read(from + v * STARLING_LANES);
        write(to + (v * length + k) * STARLING_LANES, x);
      }
    }
  }
}

// v_j of each site and colour times the phase and a sign.
inline void middle_numbers(long count, long n, const double* vector, const double* phases, double sign, double* to) {
  for (long site = 0; site < count; site++, phases += 2) {
    const double re = sign * phases[0], im = sign * phases[1];
    for (long c = 0; c < COLOURS; c++, vector += 2 * n, to += 2) {
      to[0] = re * vector[0] - im * vector[1];
      to[1] = re * vector[1] + im * vector[0];
    }
  }
}

// Cross products of the vectors of a panel with one other, for each site.
inline void cross_products(long count, const double* panel, const double* middle, double* to) {
  for (long site = 0; site < count; site++, panel += COLOURS * STARLING_LANES, middle += 2 * COLOURS, to += COLOURS * STARLING_LANES) {
    Vector x[COLOURS], ix[COLOURS], re[COLOURS], im[COLOURS];
    for (long c = 0; c < COLOURS; c++) {
      x[c] = read(panel + c * STARLING_LANES);
      ix[c] = turned(x[c]);
      re[c] = middle[2 * c] - Vector{};
      im[c] = middle[2 * c + 1] - Vector{};
    }
    for (long c = 0; c < COLOURS; c++) {
      const long a = (c + 1) % COLOURS, b = (c + 2) % COLOURS;
      const Vector positive = plus(re[b] * x[a], im[b], ix[a]);
      write(to + c * STARLING_LANES, minus(minus(positive, re[a], x[b]), im[a], ix[b]));
    }
  }
}

// Adds the products of a panel of cross products with some columns. `panel` is [length][2 WIDE]; columns lie `between` apart, rows of the
// sums `row`.
template <long PAIRS, long VECTORS>
inline __attribute__((always_inline)) void determinant_tile(long length, const double* panel, const double* columns, long between,
                                                            double* sums, long row) {
  Vector sum[2 * PAIRS][VECTORS] = {};
  for (long p = 0; p < PAIRS; p++)
    for (long v = 0; v < VECTORS; v++) __builtin_prefetch(sums + p * row + v * STARLING_LANES, 1);
  for (long k = 0; k < length; k++) {
    Vector column[VECTORS];
    for (long v = 0; v < VECTORS; v++) column[v] = read(columns + v * between + k * STARLING_LANES);
    for (long r = 0; r < 2 * PAIRS; r++) {
      const Vector factor = panel[k * STARLING_LANES + r] - Vector{};
      for (long v = 0; v < VECTORS; v++) sum[r][v] = plus(sum[r][v], factor, column[v]);
    }
  }
  for (long p = 0; p < PAIRS; p++) {
    for (long v = 0; v < VECTORS; v++) {
      double* const to = sums + p * row + v * STARLING_LANES;
      write(to, read(to) + (sum[2 * p][v] + turned(sum[2 * p + 1][v])));
    }
  }
}

template <long VECTORS>
inline void determinant_tiles(long pairs, long length, const double* panel, const double* columns, long between, double* sums, long row) {
  switch (pairs) {
    case 1: determinant_tile<1, VECTORS>(length, panel, columns, between, sums, row); break;
#if STARLING_LANES >= 4
    case 2: determinant_tile<2, VECTORS>(length, panel, columns, between, sums, row); break;
#endif
#if STARLING_LANES >= 8
    case 3: determinant_tile<3, VECTORS>(length, panel, columns, between, sums, row); break;
    case 4: determinant_tile<4, VECTORS>(length, panel, columns, between, sums, row); break;
#endif
  }
}

// Adds the determinants of a chunk of sites for one j.
inline void add_determinants(const Middle& m, long count, long n, const double* vectors, const double* phases, const double* columns,
                             double* crosses, double* sums) {
  const long length = COLOURS * count;
  const long between = length * STARLING_LANES;
  const long first = m.partner / WIDE, end = (m.stop + WIDE - 1) / WIDE;
  double middle[2 * COLOURS * DETERMINANT_SITES];
  middle_numbers(count, n, vectors + 2 * m.j, phases, m.below ? 1 : -1, middle);
  for (long p = first; p < end; p++) cross_products(count, columns + p * between, middle, crosses + (p - first) * between);
  for (long v = m.first; v < m.end; v += WIDTH_OF_TILE) {
    const double* const some = columns + v * between;
    for (long p = first; p < end; p++) {
      const long from = p * WIDE < m.partner ? m.partner : p * WIDE;
      const long pairs = (m.stop < (p + 1) * WIDE ? m.stop : (p + 1) * WIDE) - from;
      const double* const panel = crosses + (p - first) * between + 2 * (from - p * WIDE);
      double* const to = sums + (from - m.partner) * m.row() + (v - m.first) * STARLING_LANES;
      switch (m.end - v) {
        case 1: determinant_tiles<1>(pairs, length, panel, some, between, to, m.row()); break;
        case 2: determinant_tiles<2>(pairs, length, panel, some, between, to, m.row()); break;
        default: determinant_tiles<3>(pairs, length, panel, some, between, to, m.row()); break;
      }
    }
  }
}

inline void put_number(double* result, long n, long i, long j, long k, double re, double im) {
  double* const to = result + 2 * ((i * n + j) * n + k);
  to[0] = re;
  to[1] = im;
}

// Writes all six orders of the determinants of one j, and zeros where two indices are j.
inline void spread_determinants(const Middle& m, long n, const double* sums, double* result) {
  const long j = m.j;
  for (long i = 0; i < n; i++) {
    put_number(result, n, i, j, j, 0, 0);
    put_number(result, n, j, i, j, 0, 0);
    put_number(result, n, j, j, i, 0, 0);
  }
  for (long p = 0; p < m.stop - m.partner; p++) {
    for (long other = m.below ? j + 1 : 0; other < (m.below ? n : j); other++) {
      const double* const from = sums + p * m.row() + 2 * other - m.first * STARLING_LANES;
      const long i = m.below ? p : other, k = m.below ? other : m.partner + p;
      put_number(result, n, i, j, k, from[0], from[1]);
      put_number(result, n, j, k, i, from[0], from[1]);
      put_number(result, n, k, i, j, from[0], from[1]);
      put_number(result, n, j, i, k, -from[0], -from[1]);
      put_number(result, n, i, k, j, -from[0], -from[1]);
      put_number(result, n, k, j, i, -from[0], -from[1]);
    }
  }
}

inline void determinants(long sites, long n, const double* vectors, const double* phases, const double* columns, long first_j, long end_j,
                         double* scratch, double* result) {
  long numbers = 0;
  for (long j = first_j; j < end_j; j++) numbers += Middle(j, n).numbers();
  for (long k = 0; k < numbers; k++) scratch[k] = 0;
  double* const crosses = scratch + (numbers + MOST_LANES - 1) / MOST_LANES * MOST_LANES;
  for (long start = 0; start < sites; start += DETERMINANT_SITES) {
    const long count = sites - start < DETERMINANT_SITES ? sites - start : DETERMINANT_SITES;
    double* sums = scratch;
    for (long j = first_j; j < end_j; j++) {
      const Middle m(j, n);
      if (m.numbers() == 0) continue;
      add_determinants(m, count, n, vectors + 2 * COLOURS * n * start, phases + 2 * start, chunk_columns(columns, n, start), crosses, sums);
      sums += m.numbers();
    }
  }
  const double* sums = scratch;
  for (long j = first_j; j < end_j; j++) {
    const Middle m(j, n);
    spread_determinants(m, n, sums, result);
    sums += m.numbers();
  }
}

}  // namespace STARLING_ISA
}  // namespace starling
