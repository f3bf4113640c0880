// Products of spin components by micro-kernels that keep a tile of the result in registers.
//
// A job multiplies a matrix of components with another one: every row r of destinations and every column c get Σ_s left(r, s)·right(s, c). Left and right
// components are sums of terms, matrices times factors. A complex product is three real ones of planes (real parts, imaginary parts, sums of both) or four.
//
// The loops are those of Goto and van de Geijn (ACM TOMS 34 (2008) 12, doi:10.1145/1356052.1356053): a block of the left is packed for the second-level
// cache, a panel of the right for the first-level one. Packing forms the sums of terms and of planes, so that nothing is prepared before. Summed numbers of
// all spins follow each other in one order, and sums that leave the registers are stored without a change: a result depends neither on the sizes of caches
// nor on how a destination is cut into parts.

#ifndef STARLING_PRODUCT_KERNEL_H
#define STARLING_PRODUCT_KERNEL_H

#include "vector_loops.h"

namespace starling {


// Where the numbers of a matrix are: row by row (edge 0), or in tiles that lie one after the other, each row by row.
class Layout {
 public:
  long rows, columns, edge;

  static Layout of(const long* numbers) { return {numbers[0], numbers[1], numbers[2], numbers[2] == 0 ? 0 : (1L << SHIFT) / numbers[2] + 1}; }

  long size() const { return rows * columns; }

  // Place of a number; `step` numbers lie between it and the one below in the same tile.
  long place(long i, long j, long& step) const {
    if (edge == 0) {
      step = columns;
      return i * columns + j;
    }
    const long above = tile(i) * edge;
    const long before = tile(j) * edge;
    const long height = rows - above < edge ? rows - above : edge;
    step = columns - before < edge ? columns - before : edge;
    return above * columns + before * height + (i - above) * step + j - before;
  }
  long place(long i, long j) const {
    long step;
    return place(i, j, step);
  }
  // First row or column after `from` that lies in another tile, but at most `end`.
  long run_end(long from, long end) const {
    if (edge == 0) return end;
    const long next = (tile(from) + 1) * edge;
    return next < end ? next : end;
  }

  static const int SHIFT = 40;
  long inverse;  // 2^SHIFT / edge

 private:
  // i / edge, without a division; i * edge is far below 2^SHIFT.
  long tile(long i) const { return (i * inverse) >> SHIFT; }
};

// A sum of matrices, real parts before imaginary parts, times complex factors.
struct Sum {
  const long* addresses;
  const double* factors;
  long count;

  template <class Number>
  const Number* numbers(long term) const {
    return reinterpret_cast<const Number*>(addresses[term]);
  }
  double re(long term) const { return factors[2 * term]; }
  double im(long term) const { return factors[2 * term + 1]; }
};

// Sums of terms in a row: those of sum k begin at starts[k].
struct Sums {
  const long* starts;
  const long* addresses;
  const double* factors;

  Sum at(long k) const { return {addresses + starts[k], factors + 2 * starts[k], starts[k + 1] - starts[k]}; }
};

// What happens to a target: it is overwritten by the result or its negative, or one of these is added.
enum Giving { SET, SET_NEGATIVE, ADD, ADD_NEGATIVE };

// Values of the summed index of one spin.
struct Summed {
  long spin, first, count;
};

enum Plane { REAL, IMAGINARY, BOTH };

// A product of planes and what happens to a plane of the result.
struct Pass {
  Plane left, right;
  Giving giving;
  long to;
};

struct Job {
  Layout left, right, destination;
  long spin_rows, spin_inner, spin_columns;
  bool three;  // real products for a complex one, otherwise four
  long first_row, end_row, first_column, end_column;  // of every destination
  long cache;  // bytes of the second-level cache
  Sums lefts;   // [r][s]
  Sums rights;  // [s][c]
  const long* target_starts;  // [r][c]
  const long* targets;        // addresses
  const long* givings;

  Sum left_sum(long r, long s) const { return lefts.at(r * spin_inner + s); }
  Sum right_sum(long s, long c) const { return rights.at(s * spin_columns + c); }
};

// The numbers of a job that are not lists: layouts as rows, columns, edge; the numbers of spins; 3 or 4 products; the part of the destinations; the cache; bytes of a real number, 8 or 4.
inline Job job_of(const long* numbers) {
  const long* n = numbers;
  Job job = {};
  job.left = Layout::of(n);
  job.right = Layout::of(n + 3);
  job.destination = Layout::of(n + 6);
  job.spin_rows = n[9];
  job.spin_inner = n[10];
  job.spin_columns = n[11];
  job.three = n[12] == 3;
  job.first_row = n[13];
  job.end_row = n[14];
  job.first_column = n[15];
  job.end_column = n[16];
  job.cache = n[17];
  return job;
}

}  // namespace starling

#define STARLING_BODY "product_kernel_body.h"
#define STARLING_EACH_NUMBER
#include "each_target.h"

// Flops of a loop that multiplies and adds in registers.
static inline long starling_multiply_adds(long turns, double factor, double* total) {
  using namespace starling;
  STARLING_DISPATCH(product::doubles::multiply_adds(turns, factor, total))
}

// Doubles of scratch memory that starling_product needs.
static inline long starling_product_scratch(const long* numbers) {
  using namespace starling;
  const Job job = job_of(numbers);
  STARLING_DISPATCH_NUMBER(numbers[18], product, product_doubles(job))
}

static inline void starling_product(const long* numbers, const long* leftStarts, const long* lefts, const double* leftFactors, const long* rightStarts,
                                    const long* rights, const double* rightFactors, const long* targetStarts, const long* targets, const long* givings,
                                    double* scratch) {
  using namespace starling;
  Job job = job_of(numbers);
  job.lefts = {leftStarts, lefts, leftFactors};
  job.rights = {rightStarts, rights, rightFactors};
  job.target_starts = targetStarts;
  job.targets = targets;
  job.givings = givings;
  STARLING_DISPATCH_NUMBER(numbers[18], product, run_product(job, scratch))
}

#endif
