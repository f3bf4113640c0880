// Traces of products of two square matrices, Σ left[i][j]·right[j][i], for all pairs of two lists of elements.
//
// A matrix is cut into tiles that lie one after the other, real parts before imaginary parts. A left tile is passed in strips of 8 rows, a strip in blocks
// of 8 columns, and the right's block that meets it is transposed. Every pair of elements sums in this order into 8 real and 8 imaginary sums, one for each
// column of a block, however many other elements there are: the bits of a trace depend on its two elements and the tiling alone. Elements in single
// precision are widened as they are read, so sums are in double precision.

#ifndef STARLING_TRACE_KERNEL_H
#define STARLING_TRACE_KERNEL_H

#include <stdint.h>
#include "vector_loops.h"

namespace starling {

const long PIECE_BLOCKS = 4;            // so that a group of lefts and of rights stay in the nearest cache
const long TURNED_BYTES = 2L << 20;     // of rights that are turned at a time, about

// A tile of the lefts and the one of the rights that meets it.
struct Tile {
  long entry, row, column_tile;
  long height, width;
  long left, right;  // numbers before the left's tile and before the right's

  long blocks() const { return (width + 7) / 8; }
  // First column of a block; the last one begins among the columns of the one before rather than to reach beyond the tile.
  long column(long block) const { return 8 * block + 8 <= width || width < 8 ? 8 * block : width - 8; }
};

struct TraceLists {
  long extent, edge, lefts, rights, entries;
  const long* addresses;  // [entry][lefts, then rights]

  long tiles() const { return (extent + edge - 1) / edge; }
  long size(long k) const { return extent - k * edge < edge ? extent - k * edge : edge; }
  template <class Number>
  const Number* const* elements(long entry) const {
    return reinterpret_cast<const Number* const*>(addresses + entry * (lefts + rights));
  }

  Tile tile(long entry, long row, long column) const {
    const long height = size(row);
    const long width = size(column);
    return {entry, row, column, height, width, row * edge * extent + column * edge * height, column * edge * extent + row * edge * width};
  }
  Tile first() const { return tile(0, 0, 0); }
  Tile next(const Tile& now) const {
    if (now.column_tile + 1 < tiles()) return tile(now.entry, now.row, now.column_tile + 1);
    if (now.row + 1 < tiles()) return tile(now.entry, now.row + 1, 0);
    return tile(now.entry + 1, 0, 0);
  }
};

// Some blocks of a strip; none begins after column `last`, counted from the first one's.
struct Piece {
  long blocks, rows, last;
};

// Rows of a tile of the lefts whose rights are turned together.
inline long rows_at_once(const Tile& tile, long rights) {
  const long rows = TURNED_BYTES / (128 * rights * tile.blocks());
  return rows < 8 ? 8 : rows / 8 * 8;
}

// Neighbouring cache lines, `each` for every row of a block.
struct Lines {
  const char* first;
  long each;
};

// Runs of neighbouring numbers of all elements of a list, to be asked for ahead while `blocks` blocks of 8 rows are multiplied: a run in whole blocks.
template <class Number>
class Runs {
 public:
  Runs(const Number* const* of, long count, long plane_numbers, long offset, long numbers, long blocks)
      : elements(of), runs(2 * count), plane(sizeof(Number) * plane_numbers), from(offset), length((sizeof(Number) * numbers + LINE - 1) / LINE) {
    while (8 * each < length && runs * ((length + 8 * each - 1) / (8 * each)) > blocks) each++;
  }

  // What is asked for with the next block.
  inline Lines next() {
    if (left <= 0) {
      if (run == runs) return {nullptr, 0};
      line = reinterpret_cast<const char*>(elements[run / 2] + from) + run % 2 * plane;
      left = length;
      run++;
    }
    const Lines found = {line, each};
    line += 8 * each * LINE;
    left -= 8 * each;
    return found;
  }

 private:
  const Number* const* elements;
  const long runs, plane, from, length;
  long each = 1;
  long run = 0;
  long left = 0;
  const char* line = nullptr;
};

// Rows of two planes, to be asked for ahead line by line.
template <class Number>
class Rows {
 public:
  Rows(const Number* from, long count, long numbers, long stride)
      : row(reinterpret_cast<const char*>(from)), line(row), rows(count), length((sizeof(Number) * numbers + LINE - 1) / LINE), left(length),
        step(sizeof(Number) * stride) {}

  void fetch(long count, long plane_numbers) {
    const long plane_bytes = sizeof(Number) * plane_numbers;
    while (rows > 0) {
      for (; left > 0 && count > 0; left--, count--, line += LINE) {
        __builtin_prefetch(line);
        __builtin_prefetch(line + plane_bytes);
      }
      if (left > 0) return;
      rows--;
      row += step;
      line = row;
      left = length;
    }
  }

 private:
  const char* row;
  const char* line;
  long rows;
  const long length;
  long left;
  const long step;
};

}  // namespace starling

#define STARLING_BODY "trace_kernel_body.h"
#define STARLING_EACH_NUMBER
#include "each_target.h"

// Doubles of scratch memory that starling_trace_sums needs.
static inline long starling_trace_scratch(long edge, long lefts, long rights) {
  const long wide = (edge + 7) / 8 * 8;
  const long tile = 2 * rights * wide * wide;
  const long some = starling::TURNED_BYTES / 8;
  const long strip = 2 * rights * wide * 8;
  return 16 * lefts * rights + 128 * lefts + (tile < some ? tile : some < strip ? strip : some);
}

static inline void starling_trace_sums(long bytes, long extent, long edge, long lefts, long rights, long entries, const long* addresses, double* scratch,
                                       double* sums) {
  using namespace starling;
  const TraceLists lists = {extent, edge, lefts, rights, entries, addresses};
  STARLING_DISPATCH_NUMBER(bytes, trace, trace_sums(lists, scratch, sums))
}

#endif
