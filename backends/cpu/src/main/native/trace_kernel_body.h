// Included by each_target.h: no include guard.

namespace starling {
namespace STARLING_ISA {
namespace trace {
namespace STARLING_NUMBERS {

typedef STARLING_NUMBER Number;

#if STARLING_LANES == 8
const long MOST_LEFTS = 3;
const long MOST_RIGHTS = 4;
#else
const long MOST_LEFTS = 2;
const long MOST_RIGHTS = 2;
#endif

// The transpose of 8 rows of `rows` numbers: to[i][j] = from[j][i] for i < rows. `before` numbers lie before from[0][0] in its row.
inline void transpose_block(const Number* from, long from_row, long before, long rows, double* to, long to_row) {
  if (rows == 8) {
    transpose_square(from, from_row, to, to_row);
  } else if (before + rows >= 8) {
    double square[64];
    const long shift = 8 - rows;
    transpose_square(from - shift, from_row, square, 8);
    for (long i = 0; i < rows; i++)
      for (long j = 0; j < 8; j += STARLING_LANES) write(to + i * to_row + j, read(square + 8 * (i + shift) + j));
  } else {
    for (long i = 0; i < rows; i++)
      for (long j = 0; j < 8; j++) to[i * to_row + j] = from[j * from_row + i];
  }
}

// Block `block` of a strip, transposed: row i, `to_row` doubles after the one before, holds what meets row i of the lefts. `from` is the right tile's
// number that meets the strip's first. Columns of the lefts that the block before has already, and those beyond the tile, meet zeros.
inline void turn(const Number* from, const Tile& tile, long before, long rows, long block, double* to, long to_row) {
  if (tile.width < 8) {
    for (long i = 0; i < rows; i++)
      for (long j = 0; j < 8; j++) to[i * to_row + j] = j < tile.width ? from[j * tile.height + i] : 0;
    return;
  }
  const long column = tile.column(block);
  transpose_block(from + column * tile.height, tile.height, before, rows, to, to_row);
  for (long j = 0; j < 8 * block - column; j++)
    for (long i = 0; i < rows; i++) to[i * to_row + j] = 0;
}

// The sum of 8 numbers, always in the same order.
inline double total(const double* s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); }

// Adds a product of complex numbers, the products with the left's real part first.
inline __attribute__((always_inline)) void add(Vector& re, Vector& im, Vector left_re, Vector left_im, Vector right_re, Vector right_im) {
  re = plus(re, left_re, right_re);
  im = plus(im, left_re, right_im);
  re = minus(re, left_im, right_im);
  im = plus(im, left_im, right_re);
}

// Adds to the P x Q pairs of sums what some blocks give. A pair has 8 real and 8 imaginary sums: column k of a block goes into sum k, row by row, real
// products before imaginary ones, whatever P and Q are.
template <int P, int Q>
__attribute__((noinline)) void multiply(const Number* const* lefts, long left_row, long imaginary, const double* rights, const Piece& piece, double* sums,
                                        long sums_row, Runs<Number>& ahead) {
  for (long half = 0; half < 8; half += STARLING_LANES) {
    const Number* left[P];
    Vector re[P][Q], im[P][Q];
    for (int p = 0; p < P; p++) {
      left[p] = lefts[p] + half;
      for (int q = 0; q < Q; q++) {
        re[p][q] = read(sums + p * sums_row + 16 * q + half);
        im[p][q] = read(sums + p * sums_row + 16 * q + 8 + half);
      }
    }
    const double* right = rights + half;
    for (long block = 0; block < piece.blocks; block++) {
      long k = 8 * block < piece.last ? 8 * block : piece.last;
      Lines lines = half == 0 ? ahead.next() : Lines{nullptr, 0};
      for (long i = 0; i < piece.rows; i++) {
        for (long e = 0; e < lines.each; e++) {
          __builtin_prefetch(lines.first);
          lines.first += LINE;
        }
        Vector left_re[P], left_im[P];
        for (int p = 0; p < P; p++) {
          left_re[p] = read(left[p] + k);
          left_im[p] = read(left[p] + imaginary + k);
        }
        for (int q = 0; q < Q; q++) {
          const Vector right_re = read(right + 16 * q);
          const Vector right_im = read(right + 16 * q + 8);
          for (int p = 0; p < P; p++) add(re[p][q], im[p][q], left_re[p], left_im[p], right_re, right_im);
        }
        right += 16 * Q;
        k += left_row;
      }
    }
    for (int p = 0; p < P; p++)
      for (int q = 0; q < Q; q++) {
        write(sums + p * sums_row + 16 * q + half, re[p][q]);
        write(sums + p * sums_row + 16 * q + 8 + half, im[p][q]);
      }
  }
}

typedef void (*Multiply)(const Number* const*, long, long, const double*, const Piece&, double*, long, Runs<Number>&);

inline void multiply_pairs(long p, long q, const Number* const* lefts, long left_row, long imaginary, const double* rights, const Piece& piece, double* sums,
                           long sums_row, Runs<Number>& ahead) {
#if STARLING_LANES == 8
  static const Multiply shapes[3][4] = {{multiply<1, 1>, multiply<1, 2>, multiply<1, 3>, multiply<1, 4>},
                                        {multiply<2, 1>, multiply<2, 2>, multiply<2, 3>, multiply<2, 4>},
                                        {multiply<3, 1>, multiply<3, 2>, multiply<3, 3>, multiply<3, 4>}};
#else
  static const Multiply shapes[2][2] = {{multiply<1, 1>, multiply<1, 2>}, {multiply<2, 1>, multiply<2, 2>}};
#endif
  shapes[p - 1][q - 1](lefts, left_row, imaginary, rights, piece, sums, sums_row, ahead);
}

#if STARLING_LANES == 8
// All pairs of P lefts and Q rights, one or two of each: block by block in registers, with no scratch memory. The next tile of each element is asked for
// line by line, evenly between the loads: the processor drops what comes in bursts.
template <int P, int Q>
__attribute__((noinline)) void sum_few(const TraceLists& lists, double* results) {
  const long imaginary = lists.extent * lists.extent;
  const long imaginary_bytes = sizeof(Number) * imaginary;
  const long SQUARE = 64 * sizeof(Number);
  for (Tile tile = lists.first(); tile.entry < lists.entries;) {
    const long entry = tile.entry;
    const Number* const* elements = lists.elements<Number>(entry);
    Vector re[P][Q], im[P][Q];
    for (int p = 0; p < P; p++)
      for (int q = 0; q < Q; q++) re[p][q] = im[p][q] = Vector{0};
    while (tile.entry == entry) {
      const Tile next = lists.next(tile);
      const Number* const* following = lists.elements<Number>(next.entry < lists.entries ? next.entry : entry);
      const char* left_ahead[P];
      const char* right_ahead[Q];
      for (int p = 0; p < P; p++) left_ahead[p] = reinterpret_cast<const char*>(following[p] + next.left);
      for (int q = 0; q < Q; q++) right_ahead[q] = reinterpret_cast<const char*>(following[P + q] + next.right);
      for (long top = 0; top < tile.height; top += 8) {
        const long rows = tile.height - top < 8 ? tile.height - top : 8;
        for (long block = 0; block < tile.blocks(); block++) {
          const long column = tile.column(block);
          for (int q = 0; q < Q; q++) {
            const Number* right = elements[P + q] + tile.right + top;
            Vector turned[16];
            if (rows == 8 && column == 8 * block) {
              const Number* from = right + column * tile.height;
              transpose(from, tile.height, right_ahead[q], turned);
              transpose(from + imaginary, tile.height, right_ahead[q] + imaginary_bytes, turned + 8);
            } else {
              double square[128] = {0};
              turn(right, tile, top, rows, block, square, 8);
              turn(right + imaginary, tile, top, rows, block, square + 64, 8);
              for (int k = 0; k < 16; k++) turned[k] = read(square + 8 * k);
            }
            right_ahead[q] += SQUARE;
            for (int p = 0; p < P; p++) {
              const Number* left = elements[p] + tile.left + top * tile.width + column;
              // The constant number of turns of the first branch keeps the vectors in registers.
              if (rows == 8) {
                for (int i = 0; i < 8; i++, left += tile.width) {
                  if (q == 0) __builtin_prefetch(left_ahead[p] + LINE * i);
                  if (q == Q - 1) __builtin_prefetch(left_ahead[p] + imaginary_bytes + LINE * i);
                  add(re[p][q], im[p][q], read(left), read(left + imaginary), turned[i], turned[8 + i]);
                }
              } else {
                double square[128];
                for (int k = 0; k < 16; k++) write(square + 8 * k, turned[k]);
                for (long i = 0; i < rows; i++, left += tile.width)
                  add(re[p][q], im[p][q], read(left), read(left + imaginary), read(square + 8 * i), read(square + 64 + 8 * i));
              }
              if (q == Q - 1) left_ahead[p] += SQUARE;
            }
          }
        }
      }
      tile = next;
    }
    for (int p = 0; p < P; p++)
      for (int q = 0; q < Q; q++) {
        double s[16];
        write(s, re[p][q]);
        write(s + 8, im[p][q]);
        *results++ = total(s);
        *results++ = total(s + 8);
      }
  }
}
#endif

// Where lists have more elements: for each tile the rights are turned into scratch memory, in the order in which they are needed, then multiplied with
// strips of 8 rows of the lefts, some blocks at a time that stay in the nearest cache.
class ManySums {
 public:
  ManySums(const TraceLists& of, double* scratch)
      : lists(of), m(of.lefts), n(of.rights), imaginary(of.extent * of.extent), sums(scratch), packed(reinterpret_cast<Number*>(sums + 16 * m * n)), turned(sums + 16 * m * n + 128 * m) {}

  void run(double* results) {
    for (Tile tile = lists.first(); tile.entry < lists.entries;) {
      const long entry = tile.entry;
      for (long k = 0; k < 16 * m * n; k++) sums[k] = 0;
      for (; tile.entry == entry; tile = lists.next(tile)) {
        const long most = rows_at_once(tile, n);
        for (long top = 0; top < tile.height; top += most) {
          const long rows = tile.height - top < most ? tile.height - top : most;
          turn_rights(tile, top, rows);
          for (long strip = 0; 8 * strip < rows; strip++) multiply_strip(tile, top + 8 * strip, top + rows, turned + strip * 128 * n * tile.blocks());
        }
      }
      for (long k = 0; k < 2 * m * n; k++) *results++ = total(sums + 8 * k);
    }
  }

 private:
  const TraceLists& lists;
  const long m, n, imaginary;
  double* const sums;    // of each pair, 8 real and 8 imaginary ones
  Number* const packed;  // of each left, a block of a tile of less than 8 columns
  double* const turned;  // [strip][piece][group of rights][block][row][right][re, im][8]

  static long groups(long count, long most) { return (count + most - 1) / most; }
  static long pieces(const Tile& tile) { return groups(tile.blocks(), PIECE_BLOCKS); }

  void turn_rights(const Tile& tile, long top, long rows) {
    const Number* const* rights = lists.elements<Number>(tile.entry) + m;
    const long parts = groups(n, MOST_RIGHTS);
    for (long part = 0; part < parts; part++) {
      const long first = part * n / parts;
      const long count = (part + 1) * n / parts - first;
      for (long r = first; r < first + count; r++)
        for (long k = 0; k < pieces(tile); k++) {
          const long first_block = k * tile.blocks() / pieces(tile);
          const long end = (k + 1) * tile.blocks() / pieces(tile);
          for (long block = first_block; block < end; block++) {
            // Rows of the right tile that come next; they are read one after the other.
            const bool last = block + 1 == tile.blocks();
            const Number* after = last ? rights[r + 1 < n ? r + 1 : r] + tile.right + top : rights[r] + tile.right + top + 8 * (block + 1) * tile.height;
            Rows<Number> ahead(after, last || tile.width - 8 * (block + 1) > 8 ? 8 : tile.width - 8 * (block + 1), rows, tile.height);
            for (long row = 0; row < rows; row += 8) {
              const long some = rows - row < 8 ? rows - row : 8;
              double* to = turned + 16 * (row * tile.blocks() * n + some * (first_block * n + first * (end - first_block) + (block - first_block) * count) + r - first);
              ahead.fetch(8, imaginary);
              turn(rights[r] + tile.right + top + row, tile, top + row, some, block, to, 16 * count);
              turn(rights[r] + tile.right + top + row + imaginary, tile, top + row, some, block, to + 8, 16 * count);
            }
          }
        }
    }
  }

  // Rows of the lefts from `row` on, at most 8, of which those from `end` on are not turned yet.
  void multiply_strip(const Tile& tile, long row, long end, const double* strip) {
    const Number* const* lefts = lists.elements<Number>(tile.entry);
    const long rows = end - row < 8 ? end - row : 8;
    const long offset = tile.left + row * tile.width;
    const bool narrow = tile.width < 8;
    if (narrow) pack(lefts, offset, tile.width, rows);
    const long left_groups = groups(m, MOST_LEFTS);
    const long right_groups = groups(n, MOST_RIGHTS);
    Runs<Number> ahead(lefts, row + rows < end ? m : 0, imaginary, offset + rows * tile.width, rows * tile.width, tile.blocks() * left_groups * right_groups);
    for (long k = 0; k < pieces(tile); k++) {
      const long block = k * tile.blocks() / pieces(tile);
      const long blocks = (k + 1) * tile.blocks() / pieces(tile) - block;
      const Piece piece = {blocks, rows, narrow ? 0 : tile.width - 8 - 8 * block};
      for (long g = 0; g < left_groups; g++) {
        const long l = g * m / left_groups;
        const long p = (g + 1) * m / left_groups - l;
        const Number* group[MOST_LEFTS];
        for (long e = 0; e < p; e++) group[e] = narrow ? packed + 128 * (l + e) : lefts[l + e] + offset + 8 * block;
        for (long h = 0; h < right_groups; h++) {
          const long r = h * n / right_groups;
          const long q = (h + 1) * n / right_groups - r;
          const double* from = strip + 16 * rows * (block * n + r * blocks);
          multiply_pairs(p, q, group, narrow ? 8 : tile.width, narrow ? 64 : imaginary, from, piece, sums + 16 * (l * n + r), 16 * n, ahead);
        }
      }
    }
  }

  void pack(const Number* const* lefts, long offset, long width, long rows) {
    for (long k = 0; k < 128 * m; k++) packed[k] = 0;
    for (long l = 0; l < m; l++)
      for (long i = 0; i < rows; i++)
        for (long j = 0; j < width; j++) {
          packed[128 * l + 8 * i + j] = lefts[l][offset + i * width + j];
          packed[128 * l + 64 + 8 * i + j] = lefts[l][imaginary + offset + i * width + j];
        }
  }
};

inline void trace_sums(const TraceLists& lists, double* scratch, double* results) {
#if STARLING_LANES == 8
  if (lists.lefts <= 2 && lists.rights <= 2 && lists.size(lists.tiles() - 1) >= 8) {
    switch (2 * lists.lefts + lists.rights) {
      case 3: return sum_few<1, 1>(lists, results);
      case 4: return sum_few<1, 2>(lists, results);
      case 5: return sum_few<2, 1>(lists, results);
      default: return sum_few<2, 2>(lists, results);
    }
  }
#endif
  ManySums(lists, scratch).run(results);
}

}  // namespace STARLING_NUMBERS
}  // namespace trace
}  // namespace STARLING_ISA
}  // namespace starling
