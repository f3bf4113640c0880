// Included by each_target.h: no include guard.

namespace starling {
namespace STARLING_ISA {
namespace pairs {
namespace STARLING_NUMBERS {

typedef STARLING_NUMBER Number;
typedef Number Vector __attribute__((vector_size(8 * STARLING_LANES)));
typedef Number AnyVector __attribute__((vector_size(8 * STARLING_LANES), aligned(sizeof(Number)), may_alias));
const long LANES = 8 * STARLING_LANES / sizeof(Number);

inline Vector read(const Number* from) { return *reinterpret_cast<const AnyVector*>(from); }
inline void write(Number* to, Vector vector) { *reinterpret_cast<AnyVector*>(to) = vector; }
inline long padded(long n) { return starling::padded(sizeof(Number), n); }

// Accumulators and the vectors that meet them fit into the registers: 32 or 16 of them.
#if STARLING_LANES == 8
const long STRIP_ROWS = 6, STRIP_VECTORS = 4;
const long DOT_ROWS = 4, DOT_COLUMNS = 6;
#else
const long STRIP_ROWS = 4, STRIP_VECTORS = 3;
const long DOT_ROWS = 3, DOT_COLUMNS = 4;
#endif

// A weighted sum of matrices that are cut into tiles, laid out row by row and perhaps transposed, real and imaginary parts and perhaps their sum.
inline void rotate_line(long n, long edge, long count, const long* spins, const double* weights, bool transposed, bool third, void* numbers) {
  Number* to = static_cast<Number*>(numbers);
  const long square = n * n;
  for (long row = 0; row < n; row++) {
    const long above = row / edge * edge;
    const long height = n - above < edge ? n - above : edge;
    for (long left = 0; left < n; left += edge) {
      const long width = n - left < edge ? n - left : edge;
      const long start = above * n + left * height + (row - above) * width;
      // A few numbers at a time stay in registers and the nearest cache.
      for (long first = 0; first < width; first += ROTATED) {
        const long run = width - first < ROTATED ? width - first : ROTATED;
        double sums[2][ROTATED] = {};
        for (long s = 0; s < count; s++)
          for (long plane = 0; plane < 2; plane++) {
            const Number* from = reinterpret_cast<const Number*>(spins[s]) + plane * square + start + first;
            for (long k = 0; k < run; k++) sums[plane][k] += weights[s] * from[k];
          }
        const long step = transposed ? n : 1;
        Number* place = to + (transposed ? (left + first) * n + row : row * n + left + first);
        for (long k = 0; k < run; k++) {
          place[k * step] = sums[0][k];
          place[square + k * step] = sums[1][k];
          if (third) place[2 * square + k * step] = place[k * step] + place[square + k * step];
        }
      }
    }
  }
}

// A complex matrix times a factor in three planes, rows filled up with zeros.
inline void scale(const void* numbers, long stride_from, long n, double factor_re, double factor_im, void* scaled) {
  const Number* from = static_cast<const Number*>(numbers);
  Number* to = static_cast<Number*>(scaled);
  const Number re = factor_re, im = factor_im;
  const long row_length = padded(n);
  const long stride = n * row_length;
  for (long row = 0; row < n; row++, from += n, to += row_length) {
    for (long k = 0; k < n; k++) {
      const Number x = re * from[k] - im * from[stride_from + k];
      const Number y = re * from[stride_from + k] + im * from[k];
      to[k] = x;
      to[stride + k] = y;
      to[2 * stride + k] = x + y;
    }
    for (long k = n; k < row_length; k++) to[k] = to[stride + k] = to[2 * stride + k] = 0;
  }
}

// A sum of real products of n x n matrices: of the first `added` entries, less the others.
struct Products {
  long n, added, count;
  const long* left;    // addresses, row-major; `shift_left` numbers beyond
  long shift_left;
  const long* right;   // addresses, rows filled up; `shift_right` numbers beyond
  long shift_right;

  // Adds or subtracts an entry's part of R rows and V vectors.
  template <long R, long V, bool ADDED>
  inline __attribute__((always_inline)) void add(long entry, long row, long column, Vector (&sums)[R][V]) const {
    const long row_length = padded(n);
    const Number* rows = reinterpret_cast<const Number*>(left[entry]) + shift_left + row * n;
    const Number* factor = reinterpret_cast<const Number*>(right[entry]) + shift_right + column;
    for (long k = 0; k < n; k++, factor += row_length) {
      Vector factors[V];
      for (long v = 0; v < V; v++) factors[v] = read(factor + v * LANES);
      for (long r = 0; r < R; r++) {
        const Vector number = rows[r * n + k] - Vector{};
        for (long v = 0; v < V; v++) sums[r][v] = ADDED ? plus(sums[r][v], number, factors[v]) : minus(sums[r][v], number, factors[v]);
      }
    }
  }

  template <long R, long V>
  inline __attribute__((always_inline)) void strip(long row, long first_column, Number* to) const {
    Vector sums[R][V];
    for (long r = 0; r < R; r++)
      for (long v = 0; v < V; v++) sums[r][v] = Vector{};
    for (long e = 0; e < added; e++) add<R, V, true>(e, row, first_column, sums);
    for (long e = added; e < count; e++) add<R, V, false>(e, row, first_column, sums);
    for (long r = 0; r < R; r++)
      for (long v = 0; v < V; v++) {
        const long column = first_column + v * LANES;
        Number* place = to + (row + r) * n + column;
        if (column + LANES <= n) {
          write(place, sums[r][v]);
        } else {
          for (long k = 0; column + k < n; k++) place[k] = sums[r][v][k];
        }
      }
  }

  template <long V>
  __attribute__((noinline)) void panel(long first_column, Number* to) const {
    // Strips of about the same height: few accumulators would wait for each other.
    const long strips = (n + STRIP_ROWS - 1) / STRIP_ROWS;
    for (long k = 0; k < strips; k++) {
      const long row = n * k / strips;
      switch (n * (k + 1) / strips - row) {
        case 1: strip<1, V>(row, first_column, to); break;
        case 2: strip<2, V>(row, first_column, to); break;
        case 3: strip<3, V>(row, first_column, to); break;
#if STARLING_LANES == 8
        case 4: strip<4, V>(row, first_column, to); break;
        case 5: strip<5, V>(row, first_column, to); break;
#endif
        default: strip<STRIP_ROWS, V>(row, first_column, to);
      }
    }
  }

  void run(Number* to) const {
    for (long column = 0; column < n; column += STRIP_VECTORS * LANES) {
      const long vectors = (n - column + LANES - 1) / LANES;
      if (vectors >= STRIP_VECTORS) panel<STRIP_VECTORS>(column, to);
      else if (vectors == 1) panel<1>(column, to);
      else if (vectors == 2) panel<2>(column, to);
      else panel<3>(column, to);
    }
  }
};

// Finishes three planes of real products to another place.
inline void finish_to(const Number* from, long stride_from, long count, Number* to, long stride) {
  for (long i = 0; i < count; i++) finish(from[i], from[stride_from + i], from[2 * stride_from + i], to + i, stride);
}

inline void attach_first(long n, long count, const long* lines, long stride_line, const void* attached, long stride_attached, void* memory,
    void* numbers, long step_to, long stride_to) {
  Number* scratch = static_cast<Number*>(memory);
  Number* to = static_cast<Number*>(numbers);
  const long square = n * n;
  const long right = reinterpret_cast<long>(scratch);
  Number* products = scratch + 3 * n * padded(n);
  scale(attached, stride_attached, n, 1, 0, scratch);
  for (long k = 0; k < count; k++, to += step_to) {
    for (long plane = 0; plane < 3; plane++)
      Products{n, 1, 1, lines + k, plane * stride_line, &right, plane * n * padded(n)}.run(products + plane * square);
    finish_to(products, square, square, to, stride_to);
  }
}

inline void attach_second(long n, long first_sum, long sums, const long* entries, const long* first, long shift_first, long stride_first, const long* second,
    long stride_second, bool half, void* memory, void* numbers, long step_to, long stride_to) {
  Number* product = static_cast<Number*>(memory);
  Number* to = static_cast<Number*>(numbers);
  const long square = n * n;
  for (long sum = 0; sum < first_sum; sum++) {
    first += entries[2 * sum + 1];
    second += entries[2 * sum + 1];
  }
  const long kept = half ? n * (n - 1) / 2 : square;
  // Plane by plane, so that all that a plane is made of stays in the cache.
  for (long plane = 0; plane < 3; plane++) {
    const long* lefts = first;
    const long* rights = second;
    for (long sum = 0; sum < sums; sum++) {
      const long* of_sum = entries + 2 * (first_sum + sum);
      Number* place = to + sum * step_to + plane * stride_to;
      Products{n, of_sum[0], of_sum[1], lefts, shift_first + plane * stride_first, rights, plane * stride_second}.run(half ? product : place);
      if (half) keep_half<1>(product, 0, 1, n, place, 0);
      lefts += of_sum[1];
      rights += of_sum[1];
    }
  }
  for (long sum = 0; sum < sums; sum++) finish_three(to + sum * step_to, stride_to, kept);
}

// Scalar products of DOT_ROWS rows with C others.
template <long C>
__attribute__((noinline)) void dots(const Number* const* a, const Number* const* x, long count, Number* to) {
  Vector sums[DOT_ROWS][C];
  for (long r = 0; r < DOT_ROWS; r++)
    for (long c = 0; c < C; c++) sums[r][c] = Vector{};
  long at = 0;
  for (; at + LANES <= count; at += LANES) {
    Vector columns[C];
    for (long c = 0; c < C; c++) columns[c] = read(x[c] + at);
    for (long r = 0; r < DOT_ROWS; r++) {
      const Vector row = read(a[r] + at);
      for (long c = 0; c < C; c++) sums[r][c] = plus(sums[r][c], row, columns[c]);
    }
  }
#if STARLING_LANES == 8
  for (long first = 0; first < DOT_ROWS * C; first += 8) add_lanes(&sums[0][0] + first, to + first);
#else
  for (long r = 0; r < DOT_ROWS; r++)
    for (long c = 0; c < C; c++) {
      Number sum = 0;
      for (long k = 0; k < LANES; k++) sum += sums[r][c][k];
      to[r * C + c] = sum;
    }
#endif
  for (; at < count; at++)
    for (long r = 0; r < DOT_ROWS; r++)
      for (long c = 0; c < C; c++) to[r * C + c] += a[r][at] * x[c][at];
}

// Adds the scalar products of all of `rows` rows with `count` of the `columns` others, at most C.
template <long C>
inline void add_columns(const Number* a, long step_a, long rows, const Number* x, long step_x, long count, long columns, long length, Number* to) {
  const Number* xs[C];
  // Beyond the last ones these are computed again.
  for (long c = 0; c < C; c++) xs[c] = x + (c < count ? c : count - 1) * step_x;
  for (long row = 0; row < rows; row += DOT_ROWS) {
    const Number* as[DOT_ROWS];
    for (long r = 0; r < DOT_ROWS; r++) as[r] = a + (row + r < rows ? row + r : rows - 1) * step_a;
    Number sums[DOT_ROWS * C];
    dots<C>(as, xs, length, sums);
    for (long r = 0; r < DOT_ROWS && row + r < rows; r++)
      for (long c = 0; c < count; c++) to[(row + r) * columns + c] += sums[r * C + c];
  }
}

// Adds the scalar products of all of `rows` rows with all of `columns` others, each of `length` numbers: to[row][column].
inline void add_dots(const Number* a, long step_a, long rows, const Number* x, long step_x, long columns, long length, Number* to) {
  for (long column = 0; column < columns;) {
    // An even number of the columns that are left, in groups of about the same size.
    const long left = columns - column;
    const long pairs = 2 * ((left + DOT_COLUMNS - 1) / DOT_COLUMNS);
    const long some = 2 * ((left + pairs - 1) / pairs);
    const long count = left < some ? left : some;
    const Number* from = x + column * step_x;
    if (some == 2) add_columns<2>(a, step_a, rows, from, step_x, count, columns, length, to + column);
    else if (some == DOT_COLUMNS) add_columns<DOT_COLUMNS>(a, step_a, rows, from, step_x, count, columns, length, to + column);
    else add_columns<4>(a, step_a, rows, from, step_x, count, columns, length, to + column);
    column += count;
  }
}

// Writes real and imaginary parts of what three planes of real products, [row][column], give.
inline void write_blocks(const Closing& closing, const Number* results) {
  const long rows = closing.others * closing.rows;
  const long columns = closing.sums * closing.slice;
  const long size = rows * columns;
  for (long row = 0; row < rows; row++) {
    const long* blocks = closing.blocks + row / closing.rows * closing.sums;
    const long place = closing.shift + row % closing.rows * closing.row_step;
    long sum = 0;
    long value = 0;
    for (long c = 0; c < columns; c++) {
      const Number* from = results + row * columns + c;
      Number* to = reinterpret_cast<Number*>(blocks[sum]) + place + value * closing.column_step;
      to[0] = from[0] - from[size];
      to[closing.imaginary] = from[2 * size] - from[size] - from[0];
      if (++value == closing.slice) {
        value = 0;
        sum++;
      }
    }
  }
}

inline void close_packed(const Closing& closing, const void* numbers, long stride_packed, void* memory) {
  const Number* packed = static_cast<const Number*>(numbers);
  const Number* attached = static_cast<const Number*>(closing.attached);
  Number* scratch = static_cast<Number*>(memory);
  const long rows = closing.others * closing.rows;
  const long columns = closing.sums * closing.slice;
  const long size = rows * columns;
  for (long i = 0; i < 3 * size; i++) scratch[i] = 0;
  for (long plane = 0; plane < 3; plane++)
    for (long at = 0; at < closing.numbers; at += DOT_LENGTH) {
      const long length = closing.numbers - at < DOT_LENGTH ? closing.numbers - at : DOT_LENGTH;
      add_dots(packed + plane * stride_packed + at, closing.numbers, rows, attached + plane * closing.stride_attached + at, closing.numbers, columns,
          length, scratch + plane * size);
    }
  write_blocks(closing, scratch);
}

// The same with an elemental as it is, of which a few numbers of every row at a time are packed.
inline void close_rows(const Closing& closing, long n, bool half, const void* numbers, long stride_elemental, void* memory) {
  const Number* elemental = static_cast<const Number*>(numbers);
  const Number* attached = static_cast<const Number*>(closing.attached);
  Number* scratch = static_cast<Number*>(memory);
  const long columns = closing.sums * closing.slice;
  const long size = closing.rows * columns;
  Number* packed = scratch + 3 * size;
  const long stride_packed = closing.rows * DOT_LENGTH;
  for (long i = 0; i < 3 * size; i++) scratch[i] = 0;
  long k = 0;
  long l = half ? 1 : 0;
  for (long at = 0; at < closing.numbers; at += DOT_LENGTH) {
    const long length = closing.numbers - at < DOT_LENGTH ? closing.numbers - at : DOT_LENGTH;
    for (long done = 0; done < length;) {
      const long run = n - l < length - done ? n - l : length - done;
      for (long row = 0; row < closing.rows; row++) {
        const Number* re = elemental + (row * n + k) * n + l;
        const Number* im = re + stride_elemental;
        Number* to = packed + row * DOT_LENGTH + done;
        for (long i = 0; i < run; i++) {
          to[i] = re[i];
          to[stride_packed + i] = im[i];
          to[2 * stride_packed + i] = re[i] + im[i];
        }
      }
      done += run;
      l += run;
      if (l == n) {
        k++;
        l = half ? k + 1 : 0;
      }
    }
    for (long plane = 0; plane < 3; plane++)
      add_dots(packed + plane * stride_packed, DOT_LENGTH, closing.rows, attached + plane * closing.stride_attached + at, closing.numbers, columns,
          length, scratch + plane * size);
  }
  write_blocks(closing, scratch);
}

}  // namespace STARLING_NUMBERS
}  // namespace pairs
}  // namespace STARLING_ISA
}  // namespace starling
