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

// Rows and groups of columns of a tile of the result: sums, the right's vectors and one number of the left fill 32 or 16 registers.
#if STARLING_LANES == 8
const long TILE_ROWS = 8, TILE_GROUPS = 3;
#elif STARLING_LANES == 4
const long TILE_ROWS = 6, TILE_GROUPS = 1;
#else
const long TILE_ROWS = 2, TILE_GROUPS = 1;
#endif
const long GROUP_VECTORS = GROUP / LANES;

#if STARLING_LANES == 8
inline __attribute__((always_inline)) __m512d all(const double* number) { return _mm512_set1_pd(*number); }
inline __attribute__((always_inline)) __m512 all(const float* number) { return _mm512_set1_ps(*number); }
#elif STARLING_LANES == 4
inline __attribute__((always_inline)) __m256d all(const double* number) { return _mm256_broadcast_sd(number); }
inline __attribute__((always_inline)) __m256 all(const float* number) { return _mm256_broadcast_ss(number); }
#else
inline __attribute__((always_inline)) Vector all(const Number* number) { return *number - Vector{}; }
#endif

// Adds a product to R rows and G groups of columns of the result: left[block of GROUP][row][GROUP], right[number][group][GROUP], to[group][row][GROUP].
template <long R, long G>
__attribute__((noinline)) void tile(const Summed* pieces, long count, const Number* left, const Number* right, bool add, Number* to, long group_step,
                                    const Number* const* ahead, long each) {
  const long V = G * GROUP_VECTORS;
  Vector sums[R][V];
  for (long g = 0; g < G; g++)
    for (long r = 0; r < R; r++) __builtin_prefetch(to + g * group_step + r * GROUP, 1);
  for (long r = 0; r < R; r++)
    for (long v = 0; v < V; v++) sums[r][v] = Vector{};
  for (long p = 0; p < count; p++) {
    long blocks = pieces[p].count / GROUP;
    for (; blocks > 0; blocks--) {
      for (long e = 0; e < each; e++) __builtin_prefetch(*ahead++, 0, 2);
#pragma GCC unroll 8
      for (long k = 0; k < GROUP; k++) {
        Vector b[V];
        for (long v = 0; v < V; v++) b[v] = read(right + k * G * GROUP + v * LANES);
        for (long r = 0; r < R; r++) {
          const Vector a = all(left + r * GROUP + k);
          for (long v = 0; v < V; v++) sums[r][v] = plus(sums[r][v], a, b[v]);
        }
      }
      left += R * GROUP;
      right += GROUP * G * GROUP;
    }
    const long rest = pieces[p].count % GROUP;
    if (rest > 0) {
#pragma GCC unroll 1
      for (long k = 0; k < rest; k++) {
        Vector b[V];
        for (long v = 0; v < V; v++) b[v] = read(right + v * LANES);
        for (long r = 0; r < R; r++) {
          const Vector a = all(left + r * GROUP + k);
          for (long v = 0; v < V; v++) sums[r][v] = plus(sums[r][v], a, b[v]);
        }
        right += G * GROUP;
      }
      left += R * GROUP;
    }
  }
  for (long r = 0; r < R; r++)
    for (long v = 0; v < V; v++) {
      Number* place = to + v / GROUP_VECTORS * group_step + r * GROUP + v % GROUP_VECTORS * LANES;
      write(place, add ? read(place) + sums[r][v] : sums[r][v]);
    }
}

typedef void (*TileOf)(const Summed*, long, const Number*, const Number*, bool, Number*, long, const Number* const*, long);

inline void run_tile(long rows, long groups, const Summed* pieces, long count, const Number* left, const Number* right, bool add, Number* to, long group_step,
                     const Number* const* ahead, long each) {
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
  shapes[groups - 1][rows - 1](pieces, count, left, right, add, to, group_step, ahead, each);
}

// Cache lines to be asked for, evenly spread over a loop.
struct Ahead {
  static const long MOST = 256;
  const Number* lines[2 * MOST];
  long count;

  void add(const Number* line) {
    if (count < MOST) lines[count++] = line;
  }
  // Fills the list up for a loop of so many turns, and returns the number of lines for each.
  long each(long turns) {
    if (turns == 0 || turns > MOST || count == 0) return 0;
    const long lines_each = (count + turns - 1) / turns;
    for (; count < lines_each * turns; count++) lines[count] = lines[count - 1];
    return lines_each;
  }
};

// Part `k` of `parts` parts of about the same length.
inline long part_start(long length, long parts, long k) { return length * k / parts; }

// Eight numbers of a plane of a matrix times a factor.
template <Plane PLANE, bool REAL_FACTOR>
inline __attribute__((always_inline)) Vector of_term(const Number* x, const Number* y, Vector re, Vector im) {
  if (REAL_FACTOR) return PLANE == REAL ? re * read(x) : PLANE == IMAGINARY ? re * read(y) : re * (read(x) + read(y));
  if (PLANE == REAL) return minus(re * read(x), im, read(y));
  if (PLANE == IMAGINARY) return plus(re * read(y), im, read(x));
  return minus(re * read(x), im, read(y)) + plus(re * read(y), im, read(x));
}

// Writes or adds runs of GROUP numbers of a plane of a matrix times a factor, `between` numbers apart, `step` numbers apart.
template <Plane PLANE, bool REAL_FACTOR, bool ADD>
inline void put_runs(double factor_re, double factor_im, const Number* from, long imaginary, long between, long count, Number* to, long step, long ahead) {
  const Vector re = Number(factor_re) - Vector{}, im = Number(factor_im) - Vector{};
  for (long n = 0; n < count; n++, from += between, to += step) {
    if (PLANE != IMAGINARY) __builtin_prefetch(from + ahead);
    if (PLANE != REAL) __builtin_prefetch(from + imaginary + ahead);
    for (long v = 0; v < GROUP; v += LANES) {
      const Vector number = of_term<PLANE, REAL_FACTOR>(from + v, from + imaginary + v, re, im);
      write(to + v, ADD ? read(to + v) + number : number);
    }
  }
}

template <Plane PLANE>
inline void put_sum(const Sum& sum, double sign, long place, long imaginary, long between, long count, Number* to, long step, long ahead) {
  for (long t = 0; t < sum.count; t++) {
    const Number* from = sum.numbers<Number>(t) + place;
    const Number re = sign * sum.re(t), im = sign * sum.im(t);
    if (im == 0) {
      if (t == 0) put_runs<PLANE, true, false>(re, im, from, imaginary, between, count, to, step, ahead);
      else put_runs<PLANE, true, true>(re, im, from, imaginary, between, count, to, step, ahead);
    } else {
      if (t == 0) put_runs<PLANE, false, false>(re, im, from, imaginary, between, count, to, step, ahead);
      else put_runs<PLANE, false, true>(re, im, from, imaginary, between, count, to, step, ahead);
    }
  }
}

// Runs of GROUP numbers of a plane of a sum of terms; numbers `ahead` further on are asked for meanwhile.
inline void put(const Sum& sum, Plane plane, double sign, long place, long imaginary, long between, long count, Number* to, long step, long ahead) {
  switch (plane) {
    case REAL: return put_sum<REAL>(sum, sign, place, imaginary, between, count, to, step, ahead);
    case IMAGINARY: return put_sum<IMAGINARY>(sum, sign, place, imaginary, between, count, to, step, ahead);
    default: return put_sum<BOTH>(sum, sign, place, imaginary, between, count, to, step, ahead);
  }
}

// The number of one place.
inline Number number(const Sum& sum, Plane plane, double sign, long place, long imaginary) {
  Number total = 0;
  for (long t = 0; t < sum.count; t++) {
    const Number x = sum.numbers<Number>(t)[place], y = sum.numbers<Number>(t)[place + imaginary];
    const Number re = sign * sum.re(t), im = sign * sum.im(t);
    if (plane != IMAGINARY) total += re * x - im * y;
    if (plane != REAL) total += re * y + im * x;
  }
  return total;
}

class Product {
 public:
  Product(const Job& of, Number* memory)
      : job(of), wide((of.end_column - of.first_column) / GROUP), rest((of.end_column - of.first_column) % GROUP), sizes(of), scratch(memory) {}

  static long numbers(const Job& job) {
    const Sizes s(job);
    return s.left + s.right + s.result;
  }

  void run() {
    const long groups = job.spin_columns * wide + (job.spin_columns * rest + GROUP - 1) / GROUP;
    const long columns = (groups + sizes.groups - 1) / sizes.groups;
    for (long r = 0; r < job.spin_rows; r += sizes.spins) {
      const long spins = job.spin_rows - r < sizes.spins ? job.spin_rows - r : sizes.spins;
      const long all_rows = job.end_row - job.first_row;
      const long parts = (all_rows + sizes.rows - 1) / sizes.rows;
      for (long p = 0; p < parts; p++)
        for (long c = 0; c < columns; c++)
          block(r, spins, job.first_row + part_start(all_rows, parts, p), job.first_row + part_start(all_rows, parts, p + 1), part_start(groups, columns, c),
                part_start(groups, columns, c + 1));
    }
  }

 private:
  // Rows and columns of a block of the result, and the memory it needs.
  struct Sizes {
    long summed;  // values of the summed index that are multiplied together
    long spins;   // rows of components, each with all rows or with `rows` of them
    long rows, groups;
    long left, right, result;

    explicit Sizes(const Job& job) {
      summed = PANEL_BYTES / (LINE * TILE_GROUPS) / GROUP * GROUP;
      if (summed > MOST_SUMMED) summed = MOST_SUMMED;
      const long all = job.spin_inner * job.left.columns;
      // A block of the left takes a quarter of the second-level cache: what comes next and sums need it too.
      if (summed >= all) summed = all;
      else if (all > 0) summed = (all + (all + summed - 1) / summed - 1) / ((all + summed - 1) / summed);
      long most = summed == 0 ? 2 * TILE_ROWS : job.cache / 4 / ((long)sizeof(Number) * summed);
      if (most < 2 * TILE_ROWS) most = 2 * TILE_ROWS;
      if (most > MOST_ROWS) most = MOST_ROWS;
      const long height = job.end_row - job.first_row;
      spins = most / height < 1 ? 1 : most / height;
      if (spins > job.spin_rows) spins = job.spin_rows;
      rows = height;
      if (height > most) rows = (height + (height + most - 1) / most - 1) / ((height + most - 1) / most);
      const long all_groups = job.spin_columns * ((job.end_column - job.first_column + GROUP - 1) / GROUP);
      groups = MOST_GROUPS < all_groups ? MOST_GROUPS : all_groups;
      const long pieces = job.spin_inner + 2;
      left = spins * (rows + TILE_ROWS) * (summed + GROUP * pieces) + GROUP;
      right = TILE_GROUPS * GROUP * (summed + GROUP * pieces);
      result = (job.three ? 3 : 2) * groups * GROUP * spins * rows + GROUP;
    }
  };

  static const long MOST_GROUPS = 48;
  static const long MOST_ROWS = 512;  // of a block
  static const long MOST_LINES = 1024;

  const Job& job;
  const long wide;  // groups of GROUP columns of one component
  const long rest;  // its columns beyond them; those of all components together are the last groups
  const Sizes sizes;
  Number* const scratch;
  const Number* right_lines[MOST_LINES];

  // Some rows of some rows of components times some groups of columns.
  void block(long first_spin, long spins, long first_row, long end_row, long first_group, long end_group) {
    static const Pass THREE[] = {{REAL, REAL, false, 0}, {IMAGINARY, IMAGINARY, false, 1}, {BOTH, BOTH, false, 2}};
    static const Pass FOUR[] = {{REAL, REAL, false, 0}, {IMAGINARY, IMAGINARY, true, 0}, {REAL, IMAGINARY, false, 1}, {IMAGINARY, REAL, false, 1}};
    const long height = end_row - first_row;
    const long plane = (end_group - first_group) * GROUP * spins * height;
    Number* left = scratch;
    Number* right = left + sizes.left;
    Number* result = right + sizes.right;
    const long inner = job.left.columns;
    const long all = job.spin_inner * inner;
    const long times = all == 0 ? 0 : (all + sizes.summed - 1) / sizes.summed;
    const Pass* passes = job.three ? THREE : FOUR;
    const long kinds = job.three ? 3 : 4;
    Step now = {};
    Step next = {};
    const Block at = {first_spin, spins, first_row, end_row, first_group, end_group, result, plane};
    if (times == 0) {
      for (long k = 0; k < (job.three ? 3 : 2) * plane; k++) result[k] = 0;
      for (long s = 0; s < spins; s++)
        for (long g = 0; g < end_group - first_group; g++) finish(at, s, 0, height, g, columns_of(first_group + g));
    }
    for (long n = -1; n < times * kinds; n++) {
      now = next;
      if (n + 1 < times * kinds) {
        const long time = (n + 1) / kinds;
        next.pass = passes[(n + 1) % kinds];
        next.count = cut(part_start(all, times, time), part_start(all, times, time + 1), next.pieces);
        next.add = time > 0 || (!job.three && (n + 1) % 2 == 1);
      }
      if (n >= 0) multiply(at, now, n + 1 < times * kinds ? &next : nullptr, left, right);
    }
  }

  static const long MOST_SUMMED = 256;  // values of the summed index
  static const long MOST_PIECES = MOST_SUMMED + 1;

  // Some rows of some rows of components and some groups of columns, with their planes of the result.
  struct Block {
    long first_spin, spins, first_row, end_row, first_group, end_group;
    Number* result;
    long plane;

    long height() const { return end_row - first_row; }
  };

  // One kind of real products for some values of the summed index.
  struct Step {
    Pass pass;
    Summed pieces[MOST_PIECES];
    long count;
    bool add;

    long summed() const {
      long sum = 0;
      for (long p = 0; p < count; p++) sum += pieces[p].count;
      return sum;
    }
    long packed_length() const {
      long length = 0;
      for (long p = 0; p < count; p++) length += (pieces[p].count + GROUP - 1) / GROUP * GROUP;
      return length;
    }
  };

  // The values from `from` to `end` of the summed index of all spins, spin by spin.
  long cut(long from, long end, Summed* pieces) const {
    const long inner = job.left.columns;
    long count = 0;
    while (from < end) {
      const long spin = from / inner;
      const long stop = (spin + 1) * inner < end ? (spin + 1) * inner : end;
      pieces[count++] = {spin, from - spin * inner, stop - from};
      from = stop;
    }
    return count;
  }

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

  // A column of a group; the spin after the last one stands for none.
  struct Column {
    long spin, number;
  };

  Column column_of(const Columns& columns, long j) const {
    if (columns.whole) return {columns.spin, columns.first + j};
    const long spin = (columns.first + j) / rest;
    return {spin < job.spin_columns ? spin : job.spin_columns, job.first_column + wide * GROUP + (columns.first + j) % rest};
  }

  // Adds the products of a step to a block, and asks for what the next step reads.
  void multiply(const Block& at, const Step& step, const Step* next, Number* left, Number* right) {
    const long height = at.height();
    const long length = step.packed_length();
    const long tiles = (height + TILE_ROWS - 1) / TILE_ROWS;
    long starts[MOST_ROWS + 1];
    for (long t = 0; t <= tiles; t++) starts[t] = part_start(height, tiles, t);
    for (long s = 0; s < at.spins; s++)
      for (long t = 0; t < tiles; t++)
        pack_left(step.pass, step.pieces, step.count, at.first_spin + s, at.first_row + starts[t], at.first_row + starts[t + 1], left + (s * height + starts[t]) * length);
    const long groups = at.end_group - at.first_group;
    const long panels = (groups + TILE_GROUPS - 1) / TILE_GROUPS;
    const long group_step = at.spins * height * GROUP;
    const long turns = at.spins * tiles;
    long blocks = 0;
    for (long p = 0; p < step.count; p++) blocks += step.pieces[p].count / GROUP;
    Number* result = at.result + step.pass.to * at.plane;
    // Rows of the left that the next step reads are asked for one by one.
    // Sums of parts need nothing that the two steps before have not read.
    const long rows_each = next == nullptr || next->pass.left == BOTH ? 0 : (at.spins * height + panels * turns - 1) / (panels * turns);
    long next_row = 0;
    Ahead ahead;
    for (long q = 0; q < panels; q++) {
      const long group = part_start(groups, panels, q);
      const long some = part_start(groups, panels, q + 1) - group;
      Columns columns[TILE_GROUPS];
      for (long g = 0; g < some; g++) {
        columns[g] = columns_of(at.first_group + group + g);
        pack_right(step.pass, step.pieces, step.count, columns[g], right + g * GROUP, some * GROUP);
      }
      long lines = 0;
      long line = 0;
      if (q + 1 < panels) lines = fetch_right(step, at.first_group + group + some, at.first_group + part_start(groups, panels, q + 2));
      else if (next != nullptr) lines = fetch_right(*next, at.first_group, at.first_group + part_start(groups, panels, 1));
      const long lines_each = (lines + turns - 1) / turns;
      for (long spin = 0; spin < at.spins; spin++)
        for (long t = 0; t < tiles; t++) {
          ahead.count = 0;
          for (long k = 0; k < lines_each && line < lines; k++) ahead.add(right_lines[line++]);
          for (long k = 0; k < rows_each && next_row < at.spins * height; k++, next_row++) fetch_left(at, *next, next_row, ahead);
          if (next == nullptr) fetch_targets(at, spin, starts[t], starts[t + 1], columns, some, ahead);
          const long each = ahead.each(blocks);
          run_tile(starts[t + 1] - starts[t], some, step.pieces, step.count, left + (spin * height + starts[t]) * length, right, step.add,
                   result + group * group_step + (spin * height + starts[t]) * GROUP, group_step, ahead.lines, each);
          if (next == nullptr)
            for (long g = 0; g < some; g++) finish(at, spin, starts[t], starts[t + 1], group + g, columns[g]);
        }
    }
  }

  // Lists what packing some groups of columns reads.
  long fetch_right(const Step& step, long group, long end_group) {
    long count = 0;
    for (; group < end_group; group++) {
      const Columns columns = columns_of(group);
      if (!columns.together) continue;
      for (long p = 0; p < step.count; p++) {
        const Sum sum = job.right_sum(step.pieces[p].spin, columns.spin);
        const long last = step.pieces[p].first + step.pieces[p].count;
        for (long k = step.pieces[p].first; k < last;) {
          const long stop = job.right.run_end(k, last);
          long between;
          const long place = job.right.place(k, columns.first, between);
          for (long t = 0; t < sum.count; t++)
            for (long plane = 0; plane < 2; plane++) {
              if (step.pass.right == (plane == 0 ? IMAGINARY : REAL)) continue;
              const Number* from = sum.numbers<Number>(t) + place + plane * job.right.size();
              for (long n = 0; n < stop - k && count < MOST_LINES; n++) right_lines[count++] = from + n * between;
            }
          k = stop;
        }
      }
    }
    return count;
  }

  void fetch_left(const Block& at, const Step& step, long row, Ahead& ahead) const {
    const long height = at.height();
    const long spin = row / height;
    for (long p = 0; p < step.count; p++) {
      const Sum sum = job.left_sum(at.first_spin + spin, step.pieces[p].spin);
      const long last = step.pieces[p].first + step.pieces[p].count;
      for (long k = step.pieces[p].first; k < last;) {
        const long stop = job.left.run_end(k, last);
        const long place = job.left.place(at.first_row + row - spin * height, k);
        for (long t = 0; t < sum.count; t++)
          for (long plane = 0; plane < 2; plane++) {
            if (step.pass.left == (plane == 0 ? IMAGINARY : REAL)) continue;
            const Number* from = sum.numbers<Number>(t) + place + plane * job.left.size();
            for (long n = 0; n < stop - k; n += GROUP) ahead.add(from + n);
          }
        k = stop;
      }
    }
  }

  void fetch_targets(const Block& at, long spin, long first, long end, const Columns* columns, long count, Ahead& ahead) const {
    for (long g = 0; g < count; g++) {
      if (!columns[g].together) continue;
      const long* start = job.target_starts + (at.first_spin + spin) * job.spin_columns + columns[g].spin;
      long between;
      const long place = job.destination.place(at.first_row + first, columns[g].first, between);
      for (long t = start[0]; t < start[1]; t++) {
        const Number* x = reinterpret_cast<const Number*>(job.targets[t]) + place;
        for (long row = 0; row < end - first; row++) {
          ahead.add(x + row * between);
          ahead.add(x + row * between + job.destination.size());
        }
      }
    }
  }

  // Some rows of a row of components: [block of GROUP numbers][row][GROUP].
  void pack_left(const Pass& pass, const Summed* pieces, long count, long spin, long first, long end, Number* to) const {
    const Layout& layout = job.left;
    const long rows = end - first;
    for (long p = 0; p < count; p++) {
      const Sum sum = job.left_sum(spin, pieces[p].spin);
      const long last = pieces[p].first + pieces[p].count;
      for (long k = pieces[p].first; k < last;) {
        const long stop = layout.run_end(k, last);
        const long blocks = (stop - k) / GROUP;
        Number* place = to + (k - pieces[p].first) * rows;
        for (long row = first; row < end;) {
          const long row_stop = layout.run_end(row, end);
          long between;
          long from = layout.place(row, k, between);
          for (; row < row_stop; row++, from += between, place += GROUP) {
            put(sum, pass.left, 1, from, layout.size(), GROUP, blocks, place, rows * GROUP, 2 * between);
            // The last block may reach over the end of a tile.
            if (GROUP * blocks < stop - k)
              for (long j = GROUP * blocks; j < GROUP * blocks + GROUP && k + j < last; j++)
                place[blocks * rows * GROUP + j - GROUP * blocks] = number(sum, pass.left, 1, k + j < stop ? from + j : layout.place(row, k + j), layout.size());
          }
        }
        k = (stop - pieces[p].first) % GROUP == 0 ? stop : (k + GROUP * blocks + GROUP < last ? k + GROUP * blocks + GROUP : last);
      }
      to += (pieces[p].count + GROUP - 1) / GROUP * GROUP * rows;
    }
  }

  // A group of columns: rows of GROUP numbers, `step` numbers apart.
  void pack_right(const Pass& pass, const Summed* pieces, long count, const Columns& columns, Number* to, long step) const {
    const Layout& layout = job.right;
    const Number sign = pass.negative ? -1 : 1;
    if (columns.together) {
      for (long p = 0; p < count; p++) {
        const Sum sum = job.right_sum(pieces[p].spin, columns.spin);
        const long last = pieces[p].first + pieces[p].count;
        for (long k = pieces[p].first; k < last;) {
          const long stop = layout.run_end(k, last);
          long between;
          const long from = layout.place(k, columns.first, between);
          put(sum, pass.right, sign, from, layout.size(), between, stop - k, to, step, 16 * between);
          to += (stop - k) * step;
          k = stop;
        }
      }
      return;
    }
    // Columns of several components or tiles: number by number.
    for (long j = 0; j < GROUP; j++) {
      const Column column = column_of(columns, j);
      Number* place = to + j;
      for (long p = 0; p < count; p++) {
        const long last = pieces[p].first + pieces[p].count;
        for (long k = pieces[p].first; k < last;) {
          const long stop = layout.run_end(k, last);
          if (column.spin == job.spin_columns) {
            for (; k < stop; k++, place += step) *place = 0;
            continue;
          }
          const Sum sum = job.right_sum(pieces[p].spin, column.spin);
          long between;
          long from = layout.place(k, column.number, between);
          if (sum.count == 1 && sum.re(0) == 1 && sum.im(0) == 0) {
            const Number* x = sum.numbers<Number>(0) + from + (pass.right == IMAGINARY ? layout.size() : 0);
            const Number* y = sum.numbers<Number>(0) + from + layout.size();
            for (; k < stop; k++, x += between, y += between, place += step) *place = sign * (pass.right == BOTH ? *x + *y : *x);
          } else {
            for (; k < stop; k++, from += between, place += step) *place = number(sum, pass.right, sign, from, layout.size());
          }
        }
      }
    }
  }

  // Real and imaginary parts of some rows and a group, from the first of the block on, into their destinations.
  void finish(const Block& at, long spin, long first_row, long end_row, long group, const Columns& columns) const {
    const Layout& layout = job.destination;
    const long r = at.first_spin + spin;
    const Number* from = at.result + ((group * at.spins + spin) * at.height() + first_row) * GROUP;
    const long end = at.first_row + end_row;
    if (columns.together) {
      for (long row = at.first_row + first_row; row < end;) {
        const long stop = layout.run_end(row, end);
        long between;
        long place = layout.place(row, columns.first, between);
        for (; row < stop; row++, from += GROUP, place += between) give<GROUP>(r, columns.spin, from, at.plane, place);
      }
      return;
    }
    for (long j = 0; j < GROUP; j++) {
      const Column column = column_of(columns, j);
      if (column.spin == job.spin_columns) continue;
      const Number* number = from + j;
      for (long row = at.first_row + first_row; row < end;) {
        const long stop = layout.run_end(row, end);
        long between;
        long place = layout.place(row, column.number, between);
        for (; row < stop; row++, number += GROUP, place += between) give<1>(r, column.spin, number, at.plane, place);
      }
    }
  }

  // Gives COUNT neighbouring numbers to their destinations.
  template <long COUNT>
  inline __attribute__((always_inline)) void give(long r, long c, const Number* from, long plane, long place) const {
    Number re[COUNT], im[COUNT];
    for (long k = 0; k < COUNT; k++) {
      if (job.three) {
        re[k] = from[k] - from[plane + k];
        im[k] = from[2 * plane + k] - from[k] - from[plane + k];
      } else {
        re[k] = from[k];
        im[k] = from[plane + k];
      }
    }
    const long* start = job.target_starts + r * job.spin_columns + c;
    for (long t = start[0]; t < start[1]; t++) {
      Number* x = reinterpret_cast<Number*>(job.targets[t]) + place;
      Number* y = x + job.destination.size();
      switch (job.givings[t]) {
        case SET:
          for (long k = 0; k < COUNT; k++) x[k] = re[k], y[k] = im[k];
          break;
        case SET_NEGATIVE:
          for (long k = 0; k < COUNT; k++) x[k] = -re[k], y[k] = -im[k];
          break;
        case ADD:
          for (long k = 0; k < COUNT; k++) x[k] += re[k], y[k] += im[k];
          break;
        default:
          for (long k = 0; k < COUNT; k++) x[k] -= re[k], y[k] -= im[k];
      }
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
