// Sums over sites of the determinants of three vectors with three colours each, times a phase: D[i][j][k] = sum_x phase(x) det(v_i(x), v_j(x), v_k(x)).
// Numbers are interleaved complex; v is [site][colour][n], D is [n][n][n].

#ifndef STARLING_DETERMINANT_KERNEL_H
#define STARLING_DETERMINANT_KERNEL_H

#include "matrix_loops.h"

namespace starling {

const long DETERMINANT_SITES = 48;  // sites whose vectors and cross products are in the cache together
const long COLOURS = 3;
const long MOST_LANES = 8;

// Doubles of one chunk of vectors in columns, for all sets of instructions: rows are filled up to whole vectors.
inline long determinant_columns(long n) { return 2 * n + MOST_LANES; }

}  // namespace starling

#define STARLING_BODY "determinant_kernel_body.h"
#include "each_target.h"

// Doubles that vectors in columns take.
static inline long starling_determinant_columns(long sites, long n) { return starling::COLOURS * sites * starling::determinant_columns(n); }

// Chunks of sites.
static inline long starling_determinant_chunks(long sites) { return (sites + starling::DETERMINANT_SITES - 1) / starling::DETERMINANT_SITES; }

// Doubles of scratch memory for the values first_j to end_j of the middle index.
static inline long starling_determinant_scratch(long n, long first_j, long end_j) {
  using namespace starling;
  long sums = 0;
  for (long j = first_j; j < end_j; j++) {
    const long partners = j < n - 1 - j ? j : n - 1 - j;
    sums += partners * determinant_columns(n);
  }
  return sums + (n / 2 + 2 * MOST_LANES) * 2 * COLOURS * DETERMINANT_SITES + MOST_LANES;
}

// Writes vectors in columns, for some chunks of sites.
static inline void starling_determinant_factors(long sites, long n, const double* vectors, long first_chunk, long end_chunk,
                                                double* columns) {
  using namespace starling;
  STARLING_DISPATCH(determinant_factors(sites, n, vectors, first_chunk, end_chunk, columns))
}

// Writes D for all orders of i < j < k with first_j <= j < end_j, and zeros where two of the indices are one of these j.
static inline void starling_determinants(long sites, long n, const double* vectors, const double* phases, const double* columns,
                                         long first_j, long end_j, double* scratch, double* result) {
  using namespace starling;
  STARLING_DISPATCH(determinants(sites, n, vectors, phases, columns, first_j, end_j, scratch, result))
}

#endif
