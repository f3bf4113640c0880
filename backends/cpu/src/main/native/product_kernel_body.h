// Included by each_target.h: no include guard.

namespace starling {
namespace STARLING_ISA {

namespace product {
namespace STARLING_NUMBERS {

typedef STARLING_NUMBER Number;
typedef Number Vector __attribute__((vector_size(8 * STARLING_LANES)));
typedef Number AnyVector __attribute__((vector_size(8 * STARLING_LANES), aligned(sizeof(Number)), may_alias));
const long LANES = 8 * STARLING_LANES / sizeof(Number);
const long GROUP = LINE / sizeof(Number);  // columns that lie together in packed panels: a cache line

inline Vector read(const Number* from) { return *reinterpret_cast<const AnyVector*>(from); }
inline void write(Number* to, Vector vector) { *reinterpret_cast<AnyVector*>(to) = vector; }

// The first `count` numbers of a vector, at least none and at most all; the others are zero, or stay as they are in memory.
#if STARLING_LANES == 8
inline __m512d read_some(const double* from, long count) { return _mm512_maskz_loadu_pd(__mmask8((1 << count) - 1), from); }
inline __m512 read_some(const float* from, long count) { return _mm512_maskz_loadu_ps(__mmask16((1 << count) - 1), from); }
inline void write_some(double* to, __m512d vector, long count) { _mm512_mask_storeu_pd(to, __mmask8((1 << count) - 1), vector); }
inline void write_some(float* to, __m512 vector, long count) { _mm512_mask_storeu_ps(to, __mmask16((1 << count) - 1), vector); }
#else
inline Vector read_some(const Number* from, long count) {
  Vector vector = {};
  for (long k = 0; k < count; k++) vector[k] = from[k];
  return vector;
}
inline void write_some(Number* to, Vector vector, long count) {
  for (long k = 0; k < count; k++) to[k] = vector[k];
}
#endif
// Numbers of a run of `count` that fall to the vector that begins with number `first`.
inline long lanes_of(long count, long first) { return count <= first ? 0 : count - first < LANES ? count - first : LANES; }

// Rows and groups of columns of a tile of the result: sums, the right's vectors and one number of the left fill 32 or 16 registers.
#if STARLING_LANES == 8
const long TILE_ROWS = 8, TILE_GROUPS = 3;
#elif STARLING_LANES == 4
const long TILE_ROWS = 6, TILE_GROUPS = 1;
#else
const long TILE_ROWS = 2, TILE_GROUPS = 1;
#endif
const long GROUP_VECTORS = GROUP / LANES;
const long PANEL_GROUPS = 3;  // groups of columns of the right that lie in the first-level cache together
const long PANEL_COLUMNS = PANEL_GROUPS * GROUP;
const long SUMMED = 144;             // most values of the summed index that are multiplied together
const long LENGTH = SUMMED + GROUP;  // from one row of the left to the next: not a power of two

#if STARLING_LANES == 8
inline __attribute__((always_inline)) __m512d all(const double* number) { return _mm512_set1_pd(*number); }
inline __attribute__((always_inline)) __m512 all(const float* number) { return _mm512_set1_ps(*number); }
#elif STARLING_LANES == 4
inline __attribute__((always_inline)) __m256d all(const double* number) { return _mm256_broadcast_sd(number); }
inline __attribute__((always_inline)) __m256 all(const float* number) { return _mm256_broadcast_ss(number); }
#else
inline __attribute__((always_inline)) Vector all(const Number* number) { return *number - Vector{}; }
#endif

// Cache lines to be asked for, `step` bytes apart.
struct Ahead {
  const char* line;
  long step;
};

// Adds the products of K numbers of each of R rows of the left with K rows of G groups of columns, and goes on behind them.
template <long R, long G, long K>
inline __attribute__((always_inline)) void multiply_add(const Number*& left, const Number*& right, long right_step, Vector (&sums)[R][G * GROUP_VECTORS]) {
  const long V = G * GROUP_VECTORS;
#pragma GCC unroll 8
  for (long k = 0; k < K; k++) {
    Vector b[V];
#pragma GCC unroll 8
    for (long v = 0; v < V; v++) b[v] = read(right + v * LANES);
    right += right_step;
#pragma GCC unroll 16
    for (long r = 0; r < R; r++) {
      const Vector a = all(left + r * LENGTH + k);
#pragma GCC unroll 8
      for (long v = 0; v < V; v++) sums[r][v] = plus(sums[r][v], a, b[v]);
    }
  }
  left += K;
}

// Multiplies R rows of the left, left[row][LENGTH], with G groups of columns of the right, right[number][...], `right_step` numbers apart: to[row][...] is
// overwritten, or the products are added or subtracted. Lines of what comes next are asked for with every eight numbers.
template <long R, long G>
__attribute__((noinline)) void tile(long count, const Number* left, const Number* right, long right_step, Giving giving, Number* to, long to_step,
                                    Ahead near, Ahead far, Ahead kept, Ahead target, Ahead other, long imaginary) {
  const long V = G * GROUP_VECTORS;
  Vector sums[R][V];
#pragma GCC unroll 8
  for (long r = 0; r < R; r++)
#pragma GCC unroll 8
    for (long v = 0; v < V; v++) sums[r][v] = Vector{};
  for (long blocks = count / 8; blocks > 0; blocks--) {
#pragma GCC unroll 2
    for (long g = 0; g < 2; g++) __builtin_prefetch(near.line + g * near.step, 0, 2);
    near.line += 2 * near.step;
    __builtin_prefetch(far.line, 0, 2);
    far.line += far.step;
#pragma GCC unroll 2
    for (long g = 0; g < 2; g++) __builtin_prefetch(kept.line + g * kept.step, 1, 3);
    kept.line += 2 * kept.step;
    __builtin_prefetch(target.line, 1, 3);
    __builtin_prefetch(target.line + imaginary, 1, 3);
    target.line += target.step;
    __builtin_prefetch(other.line, 1, 3);
    __builtin_prefetch(other.line + imaginary, 1, 3);
    other.line += other.step;
    multiply_add<R, G, 8>(left, right, right_step, sums);
  }
  if (count & 4) multiply_add<R, G, 4>(left, right, right_step, sums);  // what four spins of an odd number of values leave
#pragma GCC unroll 1
  for (long k = 0; k < count % 4; k++) multiply_add<R, G, 1>(left, right, right_step, sums);
  if (giving == SET) {
#pragma GCC unroll 8
    for (long r = 0; r < R; r++)
#pragma GCC unroll 8
      for (long v = 0; v < V; v++) write(to + r * to_step + v * LANES, sums[r][v]);
  } else if (giving == ADD) {
#pragma GCC unroll 8
    for (long r = 0; r < R; r++)
#pragma GCC unroll 8
      for (long v = 0; v < V; v++) write(to + r * to_step + v * LANES, read(to + r * to_step + v * LANES) + sums[r][v]);
  } else {
#pragma GCC unroll 8
    for (long r = 0; r < R; r++)
#pragma GCC unroll 8
      for (long v = 0; v < V; v++) write(to + r * to_step + v * LANES, read(to + r * to_step + v * LANES) - sums[r][v]);
  }
}

typedef void (*TileOf)(long, const Number*, const Number*, long, Giving, Number*, long, Ahead, Ahead, Ahead, Ahead, Ahead, long);

inline TileOf tile_of(long rows, long groups) {
#if STARLING_LANES == 8
  static const TileOf shapes[TILE_GROUPS][TILE_ROWS] = {
      {tile<1, 1>, tile<2, 1>, tile<3, 1>, tile<4, 1>, tile<5, 1>, tile<6, 1>, tile<7, 1>, tile<8, 1>},
      {tile<1, 2>, tile<2, 2>, tile<3, 2>, tile<4, 2>, tile<5, 2>, tile<6, 2>, tile<7, 2>, tile<8, 2>},
      {tile<1, 3>, tile<2, 3>, tile<3, 3>, tile<4, 3>, tile<5, 3>, tile<6, 3>, tile<7, 3>, tile<8, 3>}};
#elif STARLING_LANES == 4
  static const TileOf shapes[TILE_GROUPS][TILE_ROWS] = {{tile<1, 1>, tile<2, 1>, tile<3, 1>, tile<4, 1>, tile<5, 1>, tile<6, 1>}};
#else
  static const TileOf shapes[TILE_GROUPS][TILE_ROWS] = {{tile<1, 1>, tile<2, 1>}};
#endif
  return shapes[groups - 1][rows - 1];
}

// Lists of runs of cache lines, from which every tile takes some.
class Runs {
 public:
  void clear() { count = next = 0; }

  void add(const Number* from, long step, long lines) {
    if (count < MOST && lines > 0) runs[count++] = {reinterpret_cast<const char*>(from), step, lines};
  }

  Ahead take(long lines, const Number* nothing) {
    if (next == count) return {reinterpret_cast<const char*>(nothing), 0};
    Run& run = runs[next];
    const Ahead ahead = {run.line, run.step};
    run.line += lines * run.step;
    run.lines -= lines;
    if (run.lines <= 0) next++;
    return ahead;
  }

  long left() const { return count - next; }

 private:
  static const long MOST = 2048;
  struct Run {
    const char* line;
    long step, lines;
  };
  Run runs[MOST];
  long count = 0, next = 0;
};

// Part `k` of `parts` parts of about the same length.
inline long part_start(long length, long parts, long k) { return length * k / parts; }

// What is written in three planes, real part, imaginary part and their sum: a term, two at once, or a term is added.
enum Terms { ONE, TWO, MORE };

// The factors of a term and of the one behind it.
struct Factors {
  Vector re, im, next_re, next_im;

  Factors(const Sum& sum, long t, Terms terms)
      : re(Number(sum.re(t)) - Vector{}), im(Number(sum.im(t)) - Vector{}), next_re(Number(terms == TWO ? sum.re(t + 1) : 0) - Vector{}),
        next_im(Number(terms == TWO ? sum.im(t + 1) : 0) - Vector{}) {}
};

// At most a vector of numbers times factors; `next` are those of the second term.
template <bool REAL_FACTORS, Terms TERMS, bool WHOLE>
inline __attribute__((always_inline)) void put(const Number* from, const Number* next, long imaginary, long count, const Factors& factors, Number* to,
                                               long plane) {
  const Vector x = WHOLE ? read(from) : read_some(from, count);
  const Vector y = WHOLE ? read(from + imaginary) : read_some(from + imaginary, count);
  Vector r = factors.re * x, i = factors.re * y;
  if (!REAL_FACTORS) {
    r = minus(r, factors.im, y);
    i = plus(i, factors.im, x);
  }
  if (TERMS == TWO) {
    const Vector u = WHOLE ? read(next) : read_some(next, count);
    const Vector v = WHOLE ? read(next + imaginary) : read_some(next + imaginary, count);
    r = plus(r, factors.next_re, u);
    i = plus(i, factors.next_re, v);
    if (!REAL_FACTORS) {
      r = minus(r, factors.next_im, v);
      i = plus(i, factors.next_im, u);
    }
  }
  if (TERMS == MORE) {
    r = r + (WHOLE ? read(to) : read_some(to, count));
    i = i + (WHOLE ? read(to + plane) : read_some(to + plane, count));
  }
  if (WHOLE) {
    write(to, r);
    write(to + plane, i);
    write(to + 2 * plane, r + i);
  } else {
    write_some(to, r, count);
    write_some(to + plane, i, count);
    write_some(to + 2 * plane, r + i, count);
  }
}

// A type for each kind of terms, so that loops are compiled for it.
template <bool REAL_FACTORS, Terms TERMS>
struct Kind {};

// Calls `put` for the terms of a sum, of which the first two are taken at once.
template <class Put>
inline __attribute__((always_inline)) void each_term(const Sum& sum, const Put& put) {
  if (sum.count == 1) {
    if (sum.im(0) == 0) put(0, Kind<true, ONE>());
    else put(0, Kind<false, ONE>());
  } else if (sum.count > 1) {
    if (sum.im(0) == 0 && sum.im(1) == 0) put(0, Kind<true, TWO>());
    else put(0, Kind<false, TWO>());
  }
  for (long t = 2; t < sum.count; t++) put(t, Kind<false, MORE>());
}

// Rows of neighbouring numbers of a term, `between` numbers apart, put `step` numbers apart.
template <bool REAL_FACTORS, Terms TERMS>
inline void put_rows(Kind<REAL_FACTORS, TERMS>, const Sum& sum, long t, long from, long imaginary, long columns, long rows, long between,
                     Number* rows_to, long step, long plane) {
  const Factors factors(sum, t, TERMS);
  const Number* first = sum.numbers<Number>(t) + from;
  const long to_next = TERMS == TWO ? sum.numbers<Number>(t + 1) + from - first : 0;
  for (long row = 0; row < rows; row++, first += between, rows_to += step) {
    const Number* x = first;
    Number* to = rows_to;
    long count = columns;
    for (; count >= LANES; count -= LANES, x += LANES, to += LANES) put<REAL_FACTORS, TERMS, true>(x, x + to_next, imaginary, LANES, factors, to, plane);
    if (count > 0) put<REAL_FACTORS, TERMS, false>(x, x + to_next, imaginary, count, factors, to, plane);
  }
}

inline void put_sum(const Sum& sum, long from, long imaginary, long columns, long rows, long between, Number* to, long step, long plane) {
  each_term(sum, [&](long t, auto kind) { put_rows(kind, sum, t, from, imaginary, columns, rows, between, to, step, plane); });
}

// Sums of a strip and a panel: rows of PANEL_COLUMNS numbers, for each of three or two kinds of products.
const long TILE_NUMBERS = TILE_ROWS * PANEL_COLUMNS;

template <bool THREE>
inline __attribute__((always_inline)) void result(const Number* sums, Vector& re, Vector& im) {
  re = read(sums);
  im = read(sums + TILE_NUMBERS);
  if (THREE) {
    const Vector product = im;
    im = read(sums + 2 * TILE_NUMBERS) - re - product;
    re = re - product;
  }
}

// Gives results in rows to a target: they overwrite it or are added to it, perhaps with the other sign.
template <bool THREE, bool KEEP>
inline void give(long rows, long count, const Number* sums, Number sign, Number* x, Number* y, long between) {
  const Vector factor = sign - Vector{};
  const long whole = count / LANES * LANES;
  for (long row = 0; row < rows; row++, sums += PANEL_COLUMNS, x += between, y += between) {
    for (long v = 0; v < whole; v += LANES) {
      Vector re, im;
      result<THREE>(sums + v, re, im);
      write(x + v, KEEP ? read(x + v) + factor * re : factor * re);
      write(y + v, KEEP ? read(y + v) + factor * im : factor * im);
    }
    if (whole == count) continue;
    const long some = count - whole;
    Vector re, im;
    result<THREE>(sums + whole, re, im);
    write_some(x + whole, KEEP ? read_some(x + whole, some) + factor * re : factor * re, some);
    write_some(y + whole, KEEP ? read_some(y + whole, some) + factor * im : factor * im, some);
  }
}

class Product {
 public:
  Product(const Job& of, Number* memory)
      : job(of), wide((of.end_column - of.first_column) / GROUP), rest((of.end_column - of.first_column) % GROUP), sizes(of), scratch(memory) {}

  static long numbers(const Job& job) {
    const Sizes s(job);
    return s.left + s.right + s.kept + 2 * GROUP;
  }

  void run() {
    const long groups = job.spin_columns * wide + (job.spin_columns * rest + GROUP - 1) / GROUP;
    const long sweeps = (groups + sizes.groups - 1) / sizes.groups;
    const long strips = sizes.strips;
    const long parts = (strips + sizes.kept_rows - 1) / sizes.kept_rows;
    for (long p = 0; p < parts; p++)
      for (long k = 0; k < sweeps; k++)
        sweep({part_start(groups, sweeps, k), part_start(groups, sweeps, k + 1) - part_start(groups, sweeps, k)}, part_start(strips, parts, p),
              part_start(strips, parts, p + 1));
  }

 private:
  // How the work is cut, and the memory it needs.
  struct Sizes {
    long strips;  // rows of all components one after the other, as many as are multiplied together
    long most;    // strips whose numbers stay in the second-level cache
    long groups;  // of columns that are packed at a time
    long kept_rows;  // strips that are summed at a time
    bool two_chunks;  // of summed values: both are packed of the right, and a block of rows meets one after the other
    long left, right, kept;

    explicit Sizes(const Job& job) {
      strips = (job.spin_rows * (job.end_row - job.first_row) + TILE_ROWS - 1) / TILE_ROWS;
      const long bytes = sizeof(Number) * (TILE_ROWS * LENGTH * 3 + 3 * TILE_NUMBERS);
      most = job.cache / 2 / bytes;
      const long all = job.spin_inner * job.left.columns;
      two_chunks = all > SUMMED && all <= 2 * SUMMED;
      // The sums of a block of rows share the second-level cache with its rows.
      if (two_chunks) most = 2 * most / 3;
      if (most < 2) most = 2;
      if (most > MOST_STRIPS) most = MOST_STRIPS;
      if (most > strips) most = strips;
      kept_rows = two_chunks || strips < MOST_KEPT ? strips : MOST_KEPT;
      left = 3 * most * TILE_ROWS * LENGTH;
      groups = job.spin_columns * ((job.end_column - job.first_column) / GROUP + 1);
      if (groups > MOST_GROUPS) groups = MOST_GROUPS;
      right = (two_chunks ? 2 : 1) * 3 * groups * GROUP * SUMMED;
      kept = (all <= SUMMED ? most : (groups + 2) / PANEL_GROUPS * (two_chunks ? most : kept_rows) + 1) * KINDS * TILE_NUMBERS;
    }
  };

  static const long KINDS = 3;  // of sums of a tile
  static const long MOST_STRIPS = 64;
  static const long MOST_GROUPS = 64;
  static const long MOST_KEPT = 1024 / TILE_ROWS;

  const Job& job;
  const long wide;  // groups of columns of one component
  const long rest;  // its columns beyond them; those of all components together are the last groups
  const Sizes sizes;
  Number* const scratch;
  Runs far;

  // Some rows of all components one after the other.
  struct Strip {
    long first, rows;
  };

  Strip strip(long k) const {
    const long all = job.spin_rows * height();
    return {k * TILE_ROWS, all - k * TILE_ROWS < TILE_ROWS ? all - k * TILE_ROWS : TILE_ROWS};
  }

  long height() const { return job.end_row - job.first_row; }

  // Neighbouring rows of a strip that belong to one component.
  struct Rows {
    long spin, first, count;
  };

  // Those from row `k` of a strip on.
  Rows rows_of(const Strip& strip, long k) const {
    const long spin = (strip.first + k) / height(), row = (strip.first + k) % height();
    return {spin, job.first_row + row, strip.rows - k < height() - row ? strip.rows - k : height() - row};
  }

  // Some values of the summed index, spin by spin.
  struct Chunk {
    Summed pieces[SUMMED + 1];
    long count, length;
    long right = 0;  // first of its numbers among those that are packed of the right

    void set(const Job& job, long from, long end) {
      const long inner = job.left.columns;
      count = 0;
      length = end - from;
      while (from < end) {
        const long spin = from / inner;
        const long stop = (spin + 1) * inner < end ? (spin + 1) * inner : end;
        pieces[count++] = {spin, from - spin * inner, stop - from};
        from = stop;
      }
    }
  };

  // A group of columns: of one component, or some of the columns beyond the others.
  struct Columns {
    bool whole;
    bool together;  // in memory, right and destination
    long spin, first;
  };

  Columns columns_of(long group) const {
    const long beyond = job.spin_columns * wide;
    if (group >= beyond) return {false, false, 0, (group - beyond) * GROUP};
    const long column = job.first_column + group % wide * GROUP;
    const bool together = job.right.run_end(column, column + GROUP) == column + GROUP && job.destination.run_end(column, column + GROUP) == column + GROUP;
    return {true, together, group / wide, column};
  }

  // Neighbouring columns of a group that belong to one component and one tile; the spin after the last one stands for none.
  struct Part {
    long spin, column, count;
    long place;  // in the panel
  };

  // The parts of some groups of columns from one on; neighbours in one tile of the destination are one part. Columns of no component are left out.
  long parts_of(long group, long groups, Part* parts) const {
    long count = 0;
    for (long g = 0; g < groups; g++) {
      const Columns columns = columns_of(group + g);
      for (long j = 0; j < GROUP;) {
        Part part = columns.together ? Part{columns.spin, columns.first, GROUP, 0} : part_of(columns, j);
        part.place = g * GROUP + j;
        j += part.count;
        if (part.spin == job.spin_columns) continue;
        Part& before = parts[count == 0 ? 0 : count - 1];
        if (count > 0 && before.spin == part.spin && before.column + before.count == part.column && before.place + before.count == part.place &&
            job.destination.run_end(before.column, part.column + 1) > part.column)
          before.count += part.count;
        else parts[count++] = part;
      }
    }
    return count;
  }

  Part part_of(const Columns& columns, long j) const {
    if (columns.whole) {
      const long column = columns.first + j, end = columns.first + GROUP;
      const long of_right = job.right.run_end(column, end), of_destination = job.destination.run_end(column, end);
      return {columns.spin, column, (of_right < of_destination ? of_right : of_destination) - column, 0};
    }
    const long spin = (columns.first + j) / rest;
    if (spin >= job.spin_columns) return {job.spin_columns, 0, GROUP - j, 0};
    const long number = (columns.first + j) % rest;
    const long column = job.first_column + wide * GROUP + number;
    long end = column + (rest - number < GROUP - j ? rest - number : GROUP - j);
    end = job.right.run_end(column, end);
    end = job.destination.run_end(column, end);
    return {spin, column, end - column, 0};
  }

  // Groups of columns, cut into panels of three; of the last four groups two are together.
  struct Panels {
    long first, groups;

    long count() const { return (groups + PANEL_GROUPS - 1) / PANEL_GROUPS; }
    long regular() const { return groups % PANEL_GROUPS == 1 && groups > PANEL_GROUPS ? groups - 4 : groups / PANEL_GROUPS * PANEL_GROUPS; }
    // First group of a panel.
    long start(long panel) const {
      const long group = panel * PANEL_GROUPS;
      return group <= regular() ? group : panel == count() ? groups : group - 1;
    }
    // Place of a group among numbers of so many values of the summed index, and what lies between two of these.
    long place(long group, long length, long& step) const {
      const long whole = regular();
      long panel = group / PANEL_GROUPS;
      if (group >= whole && groups % PANEL_GROUPS == 1 && groups > PANEL_GROUPS) panel = (whole + (group - whole) / 2 * 2) / PANEL_GROUPS + (group - whole >= 2);
      const long first = start(panel);
      step = (start(panel + 1) - first) * GROUP;
      return first * GROUP * length + (group - first) * GROUP;
    }
  };

  // First value of a part of the summed values: a multiple of eight, as the loops take them.
  static long chunk_start(long all, long chunks, long n) { return n == chunks ? all : (part_start(all, chunks, n) + 7) / 8 * 8; }

  // Some groups of columns of some strips of rows.
  void sweep(const Panels& panels, long first_strip, long end_strip) {
    if (sizes.two_chunks) sweep_two_chunks(panels, first_strip, end_strip);
    else sweep_any(panels, first_strip, end_strip);
  }

  // The sums of a block of rows stay in the second-level cache between the chunks; those of all rows would go to the third-level one and come back.
  void sweep_two_chunks(const Panels& panels, long first_strip, long end_strip) {
    const long strips = end_strip - first_strip;
    const long blocks = (strips + sizes.most - 1) / sizes.most;
    const long all = job.spin_inner * job.left.columns;
    const long middle = chunk_start(all, 2, 1);
    Chunk chunks[2];
    chunks[0].set(job, 0, middle);
    chunks[1].set(job, middle, all);
    chunks[1].right = 3 * panels.groups * GROUP * middle;
    for (const Chunk& chunk : chunks) pack_right(panels, chunk);
    for (long b = 0; b < blocks; b++) {
      const long start = first_strip + part_start(strips, blocks, b), end = first_strip + part_start(strips, blocks, b + 1);
      for (long n = 0; n < 2; n++) {
        far.clear();
        if (n == 0) fetch_left(chunks[1], start, end);
        else if (b + 1 < blocks) fetch_left(chunks[0], end, first_strip + part_start(strips, blocks, b + 2));
        block(panels, chunks[n], start, end, kept(), end - start, n > 0, n > 0);
      }
    }
  }

  void sweep_any(const Panels& panels, long first_strip, long end_strip) {
    const long strips = end_strip - first_strip;
    const long blocks = (strips + sizes.most - 1) / sizes.most;
    const long all = job.spin_inner * job.left.columns;
    const long chunks = all == 0 ? 1 : (all + SUMMED - 1) / SUMMED;
    Chunk chunk, next;
    next.set(job, 0, chunk_start(all, chunks, 1));
    for (long n = 0; n < chunks; n++) {
      chunk = next;
      if (n + 1 < chunks) next.set(job, chunk_start(all, chunks, n + 1), chunk_start(all, chunks, n + 2));
      pack_right(panels, chunk);
      for (long b = 0; b < blocks; b++) {
        const long start = part_start(strips, blocks, b), end = part_start(strips, blocks, b + 1);
        far.clear();
        if (b + 1 < blocks) fetch_left(chunk, first_strip + end, first_strip + part_start(strips, blocks, b + 2));
        else if (n + 1 < chunks) fetch_left(next, first_strip, first_strip + part_start(strips, blocks, 1));
        block(panels, chunk, first_strip + start, first_strip + end, kept() + (chunks == 1 ? 0 : start * KINDS * TILE_NUMBERS), chunks == 1 ? 0 : strips, n > 0,
              n + 1 == chunks);
      }
    }
  }

  Number* left() const { return reinterpret_cast<Number*>((reinterpret_cast<long>(scratch) + LINE - 1) / LINE * LINE); }
  Number* right() const { return left() + sizes.left; }
  Number* kept() const { return right() + sizes.right; }

  // Some strips of rows. The sums of a strip in a panel lie `between` strips after those of the panel before; `more` of them are there already.
  void block(const Panels& panels, const Chunk& chunk, long first_strip, long end_strip, Number* kept, long between, bool more, bool last) {
    static const Pass THREE[] = {{REAL, REAL, SET, 0}, {IMAGINARY, IMAGINARY, SET, 1}, {BOTH, BOTH, SET, 2}};
    static const Pass FOUR[] = {{REAL, REAL, SET, 0}, {IMAGINARY, IMAGINARY, ADD_NEGATIVE, 0}, {REAL, IMAGINARY, SET, 1}, {IMAGINARY, REAL, ADD, 1}};
    Strip strips[MOST_STRIPS];
    Rows rows[MOST_STRIPS][TILE_ROWS];
    Ahead targets[MOST_STRIPS][MOST_TARGETS];
    const long height = end_strip - first_strip;
    const long kinds = job.three ? 3 : 4;
    const Pass* passes = job.three ? THREE : FOUR;
    const long left_plane = height * TILE_ROWS * LENGTH;
    const long right_plane = panels.groups * GROUP * chunk.length;
    for (long t = 0; t < height; t++) {
      strips[t] = strip(first_strip + t);
      for (long k = 0, part = 0; k < strips[t].rows; k += rows[t][part++].count) {
        rows[t][part] = rows_of(strips[t], k);
        pack_left(chunk, rows[t][part], left() + (t * TILE_ROWS + k) * LENGTH, left_plane);
      }
    }
    const Ahead none = {reinterpret_cast<const char*>(left()), 0};
    const long target_imaginary = sizeof(Number) * job.destination.size();
    for (long q = 0; q < panels.count(); q++) {
      const long first = panels.start(q);
      const long some = panels.start(q + 1) - first;
      Part parts[PANEL_COLUMNS + 1];
      const long end = last ? parts_of(panels.first + first, some, parts) : 0;
      if (last)
        for (long t = 0; t < height; t++) target_lines(strips[t], rows[t], parts, end, none, targets[t]);
      // What comes next of the right: the next kind of products of this panel, or the next panel.
      for (long k = 0; k < kinds; k++) {
        const Pass& pass = passes[k];
        const Number* from = right() + chunk.right + pass.right * right_plane + first * GROUP * chunk.length;
        const Number* following = right() + chunk.right + passes[(k + 1) % kinds].right * right_plane + (k + 1 < kinds ? first : panels.start(q + 1)) * GROUP * chunk.length;
        const bool any = k + 1 < kinds || q + 1 < panels.count();
        const long lines = (some * chunk.length + height - 1) / height;
        for (long t = 0; t < height; t++) {
          Number* sums = kept + (q * between + t) * KINDS * TILE_NUMBERS;
          Number* to = sums + pass.to * TILE_NUMBERS;
          const Giving giving = more && pass.giving == SET ? ADD : pass.giving;
          const bool asks = last && k < MOST_TARGETS / 2;
          const Ahead target = asks ? targets[t][2 * k] : none, other = asks ? targets[t][2 * k + 1] : none;
          const Ahead sum_lines = {reinterpret_cast<const char*>(to), LINE};
          const Ahead near = any ? Ahead{reinterpret_cast<const char*>(following) + lines * t * LINE, LINE} : none;
          for (long g = 0; g < some; g += TILE_GROUPS) {
            const long width = some - g < TILE_GROUPS ? some - g : TILE_GROUPS;
            tile_of(strips[t].rows, width)(chunk.length, left() + pass.left * left_plane + t * TILE_ROWS * LENGTH, from + g * GROUP, some * GROUP, giving,
                                           to + g * GROUP, PANEL_COLUMNS, g == 0 ? near : none, far.take(chunk.length / 8, from), sum_lines, g == 0 ? target : none,
                                           g == 0 ? other : none, target_imaginary);
          }
          if (!last || k < kinds - 1) continue;
          for (long r = 0, part = 0; r < strips[t].rows; r += rows[t][part++].count)
            for (long p = 0; p < end; p++) finish(rows[t][part], parts[p], sums + r * PANEL_COLUMNS + parts[p].place);
        }
      }
    }
  }

  // Lists the lines of some rows and columns of the left: row by row where most of a row is read, otherwise column by column.
  void fetch(const Number* matrix, long row, long rows, long column, long columns) {
    long between;
    const Number* from = matrix + job.left.place(row, column, between);
    const long lines = (sizeof(Number) * columns + LINE - 1) / LINE;
    if (2 * columns >= between) far.add(from, LINE, (sizeof(Number) * ((rows - 1) * between + columns) + LINE - 1) / LINE);
    else
      for (long line = 0; line < lines; line++) far.add(from + line * GROUP, sizeof(Number) * between, rows);
  }

  // Lists what packing the left reads.
  void fetch_left(const Chunk& chunk, long first_strip, long end_strip) {
    for (long s = first_strip; s < end_strip; s++) {
      const Strip of = strip(s);
      for (long i = 0; i < of.rows;) {
        const Rows rows = rows_of(of, i);
        i += rows.count;
        for (long p = 0; p < chunk.count; p++) {
          const Sum sum = job.left_sum(rows.spin, chunk.pieces[p].spin);
          const long last = chunk.pieces[p].first + chunk.pieces[p].count;
          for (long k = chunk.pieces[p].first; k < last;) {
            const long stop = job.left.run_end(k, last);
            for (long row = rows.first; row < rows.first + rows.count;) {
              const long row_stop = job.left.run_end(row, rows.first + rows.count);
              for (long t = 0; t < sum.count; t++)
                for (long plane = 0; plane < 2; plane++) fetch(sum.numbers<Number>(t) + plane * job.left.size(), row, row_stop - row, k, stop - k);
              row = row_stop;
            }
            k = stop;
          }
        }
      }
    }
  }

  static const long MOST_TARGETS = 6;

  // Lines of the first targets of a strip and a panel, as many as are asked for: each of some rows below each other.
  void target_lines(const Strip& strip, const Rows* rows, const Part* parts, long end, const Ahead& none, Ahead* lines) const {
    long count = 0;
    for (long r = 0; r < strip.rows; r += rows++->count)
      for (const Part* part = parts; part < parts + end; part++) {
        const long* start = job.target_starts + rows->spin * job.spin_columns + part->spin;
        long between;
        const long place = job.destination.place(rows->first, part->column, between);
        // Rows that do not begin with a line end in one more.
        const bool more = (place | between) % GROUP != 0 && part->count > 1;
        for (long target = start[0]; target < start[1]; target++) {
          const Number* const to = reinterpret_cast<const Number*>(job.targets[target]) + place;
          for (long at = 0; at < part->count + (more ? GROUP : 0) && count < MOST_TARGETS; at += GROUP)
            lines[count++] = {reinterpret_cast<const char*>(to + (at < part->count ? at : part->count - 1)), long(sizeof(Number)) * between};
        }
      }
    while (count < MOST_TARGETS) lines[count++] = none;
  }

  // Real parts, imaginary parts and sums of rows of the left: [plane][row][LENGTH].
  void pack_left(const Chunk& chunk, const Rows& rows, Number* to, long plane) const {
    const Layout& layout = job.left;
    const long end = rows.first + rows.count;
    for (long p = 0; p < chunk.count; p++) {
      const Summed& piece = chunk.pieces[p];
      const Sum sum = job.left_sum(rows.spin, piece.spin);
      const long last = piece.first + piece.count;
      for (long k = piece.first; k < last;) {
        const long stop = layout.run_end(k, last);
        Number* place = to + k - piece.first;
        for (long row = rows.first; row < end;) {
          const long row_stop = layout.run_end(row, end);
          long between;
          const long from = layout.place(row, k, between);
          put_sum(sum, from, layout.size(), stop - k, row_stop - row, between, place, LENGTH, plane);
          place += (row_stop - row) * LENGTH;
          row = row_stop;
        }
        k = stop;
      }
      to += piece.count;
    }
  }

  // Some groups of columns of the right: [plane][panel][number][columns of the panel].
  void pack_right(const Panels& panels, const Chunk& chunk) const {
    const long plane = panels.groups * GROUP * chunk.length;
    for (long g = 0; g < panels.groups;) {
      const Columns columns = columns_of(panels.first + g);
      long step;
      Number* to = right() + chunk.right + panels.place(g, chunk.length, step);
      if (!columns.together) {
        for (long j = 0; j < GROUP;) {
          const Part part = part_of(columns, j);
          pack_part(chunk, part.spin, part.column, part.count, to + j, step, plane);
          j += part.count;
        }
        g++;
        continue;
      }
      // Neighbouring groups are read row by row.
      Number* places[MOST_TOGETHER];
      long steps[MOST_TOGETHER];
      long some = 0;
      const long end = job.right.run_end(columns.first, job.first_column + wide * GROUP);
      for (; some < MOST_TOGETHER && g + some < panels.groups && columns.first + (some + 1) * GROUP <= end; some++)
        places[some] = right() + chunk.right + panels.place(g + some, chunk.length, steps[some]);
      pack_groups(chunk, columns, some, places, steps, plane);
      g += some;
    }
  }

  static const long MOST_TOGETHER = 16;

  void pack_groups(const Chunk& chunk, const Columns& columns, long groups, Number** places, const long* steps, long plane) const {
    const Layout& layout = job.right;
    for (long p = 0; p < chunk.count; p++) {
      const Sum sum = job.right_sum(chunk.pieces[p].spin, columns.spin);
      const long last = chunk.pieces[p].first + chunk.pieces[p].count;
      for (long k = chunk.pieces[p].first; k < last;) {
        const long stop = layout.run_end(k, last);
        long between;
        const long from = layout.place(k, columns.first, between);
        each_term(sum, [&](long t, auto kind) { put_groups(kind, sum, t, from, between, stop - k, groups, places, steps, plane); });
        for (long g = 0; g < groups; g++) places[g] += (stop - k) * steps[g];
        k = stop;
      }
    }
  }

  template <bool REAL_FACTORS, Terms TERMS>
  void put_groups(Kind<REAL_FACTORS, TERMS>, const Sum& sum, long t, long from, long between, long rows, long groups, Number* const* places, const long* steps,
                  long plane) const {
    const Factors factors(sum, t, TERMS);
    const Number* x = sum.numbers<Number>(t) + from;
    const long to_next = TERMS == TWO ? sum.numbers<Number>(t + 1) + from - x : 0;
    const long imaginary = job.right.size();
    for (long row = 0; row < rows; row++, x += between)
      for (long g = 0; g < groups; g++) {
        const Number* ahead = x + 4 * between + g * GROUP;
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + imaginary);
        if (TERMS == TWO) {
          __builtin_prefetch(ahead + to_next);
          __builtin_prefetch(ahead + to_next + imaginary);
        }
        for (long v = 0; v < GROUP; v += LANES)
          put<REAL_FACTORS, TERMS, true>(x + g * GROUP + v, x + to_next + g * GROUP + v, imaginary, LANES, factors, places[g] + row * steps[g] + v, plane);
      }
  }

  // Neighbouring columns of one component, `step` numbers from one row to the next.
  void pack_part(const Chunk& chunk, long spin, long column, long count, Number* to, long step, long plane) const {
    const Layout& layout = job.right;
    for (long p = 0; p < chunk.count; p++) {
      const long last = chunk.pieces[p].first + chunk.pieces[p].count;
      if (spin == job.spin_columns) {
        for (long k = chunk.pieces[p].first; k < last; k++, to += step)
          for (long c = 0; c < count; c++) to[c] = to[plane + c] = to[2 * plane + c] = 0;
        continue;
      }
      const Sum sum = job.right_sum(chunk.pieces[p].spin, spin);
      for (long k = chunk.pieces[p].first; k < last;) {
        const long stop = layout.run_end(k, last);
        long between;
        const long from = layout.place(k, column, between);
        put_sum(sum, from, layout.size(), count, stop - k, between, to, step, plane);
        to += (stop - k) * step;
        k = stop;
      }
    }
  }

  // Gives results of some rows to their targets.
  void finish(const Rows& rows, const Part& part, const Number* sums) const {
    const Layout& layout = job.destination;
    const long* start = job.target_starts + rows.spin * job.spin_columns + part.spin;
    const long end = rows.first + rows.count;
    for (long row = rows.first; row < end;) {
      const long stop = layout.run_end(row, end);
      long between;
      const long place = layout.place(row, part.column, between);
      for (long t = start[0]; t < start[1]; t++) {
        Number* x = reinterpret_cast<Number*>(job.targets[t]) + place;
        const long giving = job.givings[t];
        const Number sign = giving == SET_NEGATIVE || giving == ADD_NEGATIVE ? -1 : 1;
        const bool keep = giving == ADD || giving == ADD_NEGATIVE;
        if (job.three) {
          if (keep) give<true, true>(stop - row, part.count, sums, sign, x, x + layout.size(), between);
          else give<true, false>(stop - row, part.count, sums, sign, x, x + layout.size(), between);
        } else {
          if (keep) give<false, true>(stop - row, part.count, sums, sign, x, x + layout.size(), between);
          else give<false, false>(stop - row, part.count, sums, sign, x, x + layout.size(), between);
        }
      }
      sums += (stop - row) * PANEL_COLUMNS;
      row = stop;
    }
  }
};

// Multiply-adds in registers alone, the most that any kernel can reach; returns their flops.
inline long multiply_adds(long turns, double number, double* total) {
  Vector sums[12];
  for (long k = 0; k < 12; k++) sums[k] = Number(k) - Vector{};
  const Vector a = Number(number) - Vector{};
  for (long turn = 0; turn < turns; turn++)
    for (long k = 0; k < 12; k++) sums[k] = plus(a, sums[k], a);
  Vector sum = Vector{};
  for (long k = 0; k < 12; k++) sum = sum + sums[k];
  *total = sum[0];
  return turns * 12 * 2 * LANES;
}

// Doubles that hold the numbers of scratch memory.
inline long product_doubles(const Job& job) { return (Product::numbers(job) * sizeof(Number) + 7) / 8; }

inline void run_product(const Job& job, double* scratch) { Product(job, reinterpret_cast<Number*>(scratch)).run(); }

}  // namespace STARLING_NUMBERS
}  // namespace product
}  // namespace STARLING_ISA
}  // namespace starling
