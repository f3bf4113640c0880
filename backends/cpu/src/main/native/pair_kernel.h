// The products of which contractions of pairs of lines with baryons consist, for matrices so small that packing them costs as much as multiplying.
// Complex numbers are in three planes: real parts, imaginary parts and their sum; three real products make a complex one. Every sum is in an order that
// depends on the number of eigenvectors alone. Numbers have `bytes` bytes, 8 or 4, behind pointers to doubles.

#ifndef STARLING_PAIR_KERNEL_H
#define STARLING_PAIR_KERNEL_H

#include "vector_loops.h"

namespace starling {

const long ROTATED = 32;
const long DOT_LENGTH = 256;  // so that what rows and columns meet stays in the nearest caches

// Length of the rows of matrices to the right.
inline long padded(long bytes, long n) { return (bytes * n + LINE - 1) / LINE * LINE / bytes; }

// Rows of elementals at the other end, and what both lines are attached to: attached[plane][sum][value of the slice][number].
struct Closing {
  long others, rows;
  const void* attached;
  long stride_attached, numbers, sums, slice;
  const long* blocks;  // addresses [other][sum]
  long shift;          // numbers before the first row and the first value of the slice
  long row_step, column_step, imaginary;
};

}  // namespace starling

#define STARLING_BODY "pair_kernel_body.h"
#define STARLING_EACH_NUMBER
#include "each_target.h"

static inline void starling_rotate_line(long bytes, long n, long edge, long count, const long* spins, const double* weights, bool transposed, bool third,
    double* to) {
  using namespace starling;
  STARLING_DISPATCH_NUMBER(bytes, pairs, rotate_line(n, edge, count, spins, weights, transposed, third, to))
}

static inline long starling_padded(long bytes, long n) { return starling::padded(bytes, n); }

static inline void starling_scale(long bytes, const double* from, long strideFrom, long n, double re, double im, double* to) {
  using namespace starling;
  STARLING_DISPATCH_NUMBER(bytes, pairs, scale(from, strideFrom, n, re, im, to))
}

static inline void starling_attach_first(long bytes, long n, long count, const long* lines, long strideLine, const double* attached, long strideAttached,
    double* scratch, double* to, long stepTo, long strideTo) {
  using namespace starling;
  STARLING_DISPATCH_NUMBER(bytes, pairs, attach_first(n, count, lines, strideLine, attached, strideAttached, scratch, to, stepTo, strideTo))
}

static inline void starling_attach_second(long bytes, long n, long firstSum, long sums, const long* entries, const long* first, long shiftFirst,
    long strideFirst, const long* second, long strideSecond, bool half, double* scratch, double* to, long stepTo, long strideTo) {
  using namespace starling;
  STARLING_DISPATCH_NUMBER(bytes, pairs, attach_second(n, firstSum, sums, entries, first, shiftFirst, strideFirst, second, strideSecond, half, scratch, to, stepTo, strideTo))
}

static inline void starling_close_packed(long bytes, const double* packed, long stridePacked, long others, long rows, const double* attached, long strideAttached,
    long numbers, long sums, long slice, const long* blocks, long shift, long rowStep, long columnStep, long imaginary, double* scratch) {
  using namespace starling;
  const Closing closing = {others, rows, attached, strideAttached, numbers, sums, slice, blocks, shift, rowStep, columnStep, imaginary};
  STARLING_DISPATCH_NUMBER(bytes, pairs, close_packed(closing, packed, stridePacked, scratch))
}

static inline long starling_close_scratch(long rows, long columns) { return 3 * rows * (columns + starling::DOT_LENGTH); }

static inline void starling_close_rows(long bytes, long n, bool half, const double* elemental, long strideElemental, long rows, const double* attached,
    long strideAttached, long numbers, long sums, long slice, const long* blocks, long shift, long rowStep, long columnStep, long imaginary,
    double* scratch) {
  using namespace starling;
  const Closing closing = {1, rows, attached, strideAttached, numbers, sums, slice, blocks, shift, rowStep, columnStep, imaginary};
  STARLING_DISPATCH_NUMBER(bytes, pairs, close_rows(closing, n, half, elemental, strideElemental, scratch))
}

#endif
