/*
 * Kernels for traces and spin sums. One source for three compilers: nvcc (the PTX text that CUDA loads), hiprtc,
 * and, for tests, g++, which runs the threads of a block one after the other between barriers.
 *
 * Every trace is computed by the same operations in the same order, whatever else is launched with
 * it and wherever its elements are: a piece of the sum is fixed by the extent alone, the terms of a
 * piece go round the threads, and trees of fixed shape add up.
 *
 * Elements have complex numbers of doubles or, for the kernels whose names end in _single, of floats,
 * which are widened as they are read: sums are in double precision.
 *
 * All parameters and tables are 64-bit numbers. An address is one of device memory.
 *
 *   element   16 addresses of its components (row-major matrices), leading dimension
 *   mapping   number of entries (at most 16), 16 left spins, 16 right spins, 16 factors (doubles)
 *   tile      4 elements on the left, 4 on the right, how many of each, mapping, number of the
 *             first trace
 *   diagonal  element, mapping
 *   target    address of a result
 *   sum       16 addresses of components that are written, their leading dimension, the leading
 *             dimension of what is read, where the terms of each component begin and end
 *   term      address of a component, factor (complex)
 */
typedef unsigned long long starling_address;

/* Aligned, so that a number is one load or store. */
struct alignas(16) starling_complex {
  double x, y;
};
struct alignas(8) starling_complex_single {
  float x, y;
};
struct starling_element {
  starling_address component[16];
  long long leading;
};
struct starling_mapping {
  long long entries, left[16], right[16];
  double factor[16];
};
struct starling_tile {
  long long left[4], right[4], lefts, rights, mapping, first;
};
struct starling_diagonal {
  long long element, mapping;
};
struct starling_sum {
  starling_address component[16];
  long long leading, leadingOfTerms, first[17];
};
struct starling_term {
  starling_address component;
  double re, im;
};

#ifdef STARLING_ON_HOST
/* Who includes this defines the block, and how addresses are resolved and checked. */
#define STARLING_KERNEL(name) static void name
#define STARLING_BODY static void
#define STARLING_SHARED(declaration) declaration
#define STARLING_EACH(thread, count) for (int thread = 0; thread < (count); thread++)
#define STARLING_MINE(name, thread) name[thread]
#define STARLING_PER_THREAD(type, name, count) type name[count]
#define STARLING_BARRIER()
#define STARLING_UNROLL
#else
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
/* Two blocks in a multiprocessor: 128 registers, without spilling. Later GPUs take fewer; earlier ones would spill. */
#define STARLING_KERNEL(name) extern "C" __global__ void __launch_bounds__(256, 2) name
#else
#define STARLING_KERNEL(name) extern "C" __global__ void __launch_bounds__(256) name
#endif
#define STARLING_BODY __device__ __forceinline__ void
#define STARLING_SHARED(declaration) __shared__ declaration
#define STARLING_EACH(thread, count) \
  for (int thread = (int)threadIdx.x, once = 1; once && thread < (count); once = 0)
#define STARLING_MINE(name, thread) name
#define STARLING_PER_THREAD(type, name, count) type name
#define STARLING_BARRIER() __syncthreads()
#define STARLING_UNROLL _Pragma("unroll")
#define STARLING_BLOCK ((long long)blockIdx.x)

/* A pointer that the compiler knows to be one to device memory: it uses no generic loads and stores. */
template <class T>
__device__ __forceinline__ T *starling_global(starling_address address) {
#if defined(__HIPCC_RTC__) || defined(__HIP__)
  return (T *)(__attribute__((address_space(1))) T *)address;
#else
  return (T *)__cvta_global_to_generic((size_t)address);
#endif
}
#define STARLING_TABLE(type, address, index) (starling_global<const type>(address) + (index))
#define STARLING_ROWS(type, address, rows, width, leading) (starling_global<const type>(address))
#define STARLING_WRITTEN(type, address, rows, width, leading) (starling_global<type>(address))
#define STARLING_RESULT(address) (starling_global<starling_complex>(address))
#endif

/* Rows of a piece, columns of a step, threads of a block. */
#define STARLING_ROWS_OF_PIECE 16
#define STARLING_COLUMNS_OF_STEP 32
#define STARLING_THREADS 256
#define STARLING_ENTRIES_OF_PIECE 4
#define STARLING_ROWS_OF_SUM 8

/*
 * Where number [j][i] of right r is in shared memory. Threads that follow each other write along i and
 * read along j; the exclusive or spreads both over all banks.
 */
#define STARLING_PLACE(r, i, j)                                                \
  (((r) * STARLING_COLUMNS_OF_STEP + (j)) * STARLING_ROWS_OF_PIECE +         \
   ((i) ^ ((j) % STARLING_ROWS_OF_PIECE)))

struct starling_sums {
  double x[4][4], y[4][4];
};

/*
 * Pieces of traces: sum over four entries b, 16 rows i and all columns j of
 * factor_b * left[left_b][i][j] * right[right_b][j][i]. Piece p of a trace has the entries
 * 4 * (p / strips) and following and the rows 16 * (p % strips) and following.
 */
template <class Number>
STARLING_BODY starling_pieces_of(starling_address tiles, starling_address elements,
                                 starling_address mappings, starling_address pieces,
                                 long long extent, long long piecesOfTrace) {
  /* First a part of the rights, then a tree of sums. 32 KiB: two blocks fit into 64 KiB. */
  STARLING_SHARED(starling_complex shared[4 * STARLING_COLUMNS_OF_STEP * STARLING_ROWS_OF_PIECE]);
  starling_complex *const tree = shared;
  STARLING_PER_THREAD(starling_sums, sums, STARLING_THREADS);
  const starling_tile *tile = STARLING_TABLE(starling_tile, tiles, STARLING_BLOCK / piecesOfTrace);
  const starling_mapping *mapping = STARLING_TABLE(starling_mapping, mappings, tile->mapping);
  const long long piece = STARLING_BLOCK % piecesOfTrace;
  const long long strips = (extent + STARLING_ROWS_OF_PIECE - 1) / STARLING_ROWS_OF_PIECE;
  const long long firstRow = piece % strips * STARLING_ROWS_OF_PIECE;
  const int columns = (int)extent, lefts = (int)tile->lefts, rights = (int)tile->rights;
  const int rows = (int)(extent - firstRow < STARLING_ROWS_OF_PIECE ? extent - firstRow
                                                                    : STARLING_ROWS_OF_PIECE);
  const long long firstEntry = piece / strips * STARLING_ENTRIES_OF_PIECE;
  const long long endOfEntries = firstEntry + STARLING_ENTRIES_OF_PIECE < mapping->entries
                                     ? firstEntry + STARLING_ENTRIES_OF_PIECE
                                     : mapping->entries;

  STARLING_EACH(t, STARLING_THREADS) {
STARLING_UNROLL
    for (int l = 0; l < 4; l++) {
STARLING_UNROLL
      for (int r = 0; r < 4; r++) {
        STARLING_MINE(sums, t).x[l][r] = 0;
        STARLING_MINE(sums, t).y[l][r] = 0;
      }
    }
  }
  for (long long b = firstEntry; b < endOfEntries; b++) {
    const double factor = mapping->factor[b];
    const Number *left[4], *right[4];
    int leadingLeft[4], leadingRight[4];
STARLING_UNROLL
    for (int k = 0; k < 4; k++) {
      /* What is beyond the tile repeats its first element and is not used. */
      const starling_element *l =
          STARLING_TABLE(starling_element, elements, tile->left[k < lefts ? k : 0]);
      const starling_element *r =
          STARLING_TABLE(starling_element, elements, tile->right[k < rights ? k : 0]);
      leadingLeft[k] = (int)l->leading;
      leadingRight[k] = (int)r->leading;
      left[k] = STARLING_ROWS(Number,
                              l->component[mapping->left[b]] +
                                  (long long)sizeof(Number) * firstRow * l->leading,
                              rows, extent, l->leading);
      right[k] = STARLING_ROWS(
          Number, r->component[mapping->right[b]] + (long long)sizeof(Number) * firstRow, extent,
          rows, r->leading);
    }
    for (int firstColumn = 0; firstColumn < columns; firstColumn += STARLING_COLUMNS_OF_STEP) {
      STARLING_BARRIER();
      STARLING_EACH(t, STARLING_THREADS) {
        const int i = t % STARLING_ROWS_OF_PIECE;
STARLING_UNROLL
        for (int half = 0; half < 2; half++) {
          const int j = t / STARLING_ROWS_OF_PIECE + half * 16;
          const bool inside = i < rows && firstColumn + j < columns;
STARLING_UNROLL
          for (int r = 0; r < 4; r++) {
            if (r < rights) {
              starling_complex number = {0, 0};
              if (inside) {
                const Number given = right[r][(long long)(firstColumn + j) * leadingRight[r] + i];
                number.x = given.x;
                number.y = given.y;
              }
              shared[STARLING_PLACE(r, i, j)] = number;
            }
          }
        }
      }
      STARLING_BARRIER();
      STARLING_EACH(t, STARLING_THREADS) {
        const int i = t / 16;
STARLING_UNROLL
        for (int half = 0; half < 2; half++) {
          const int j = t % 16 + half * 16;
          if (i < rows && firstColumn + j < columns) {
STARLING_UNROLL
            for (int l = 0; l < 4; l++) {
              if (l < lefts) {
                const Number number = left[l][(long long)i * leadingLeft[l] + firstColumn + j];
                const double x = factor * number.x, y = factor * number.y;
STARLING_UNROLL
                for (int r = 0; r < 4; r++) {
                  if (r < rights) {
                    const starling_complex o = shared[STARLING_PLACE(r, i, j)];
                    double *sumX = &STARLING_MINE(sums, t).x[l][r];
                    double *sumY = &STARLING_MINE(sums, t).y[l][r];
                    *sumX = fma(-y, o.y, fma(x, o.x, *sumX));
                    *sumY = fma(y, o.x, fma(x, o.y, *sumY));
                  }
                }
              }
            }
          }
        }
      }
    }
  }
STARLING_UNROLL
  for (int l = 0; l < 4; l++) {
STARLING_UNROLL
    for (int r = 0; r < 4; r++) {
      if (l < lefts && r < rights) {
        STARLING_BARRIER();
        STARLING_EACH(t, STARLING_THREADS) {
          tree[t].x = STARLING_MINE(sums, t).x[l][r];
          tree[t].y = STARLING_MINE(sums, t).y[l][r];
        }
        for (int half = STARLING_THREADS / 2; half > 0; half /= 2) {
          STARLING_BARRIER();
          STARLING_EACH(t, half) {
            tree[t].x += tree[t + half].x;
            tree[t].y += tree[t + half].y;
          }
        }
        STARLING_EACH(t, 1) {
          const long long trace = tile->first + l * rights + r;
          *STARLING_RESULT(pieces + 16 * (trace * piecesOfTrace + piece)) = tree[0];
        }
      }
    }
  }
}

STARLING_KERNEL(starling_trace_pieces)
(starling_address tiles, starling_address elements, starling_address mappings,
 starling_address pieces, long long extent, long long piecesOfTrace) {
  starling_pieces_of<starling_complex>(tiles, elements, mappings, pieces, extent, piecesOfTrace);
}

STARLING_KERNEL(starling_trace_pieces_single)
(starling_address tiles, starling_address elements, starling_address mappings,
 starling_address pieces, long long extent, long long piecesOfTrace) {
  starling_pieces_of<starling_complex_single>(tiles, elements, mappings, pieces, extent,
                                              piecesOfTrace);
}

/* Adds up the pieces of one trace a block; 64 threads. */
STARLING_KERNEL(starling_trace_sums)
(starling_address pieces, starling_address targets, long long piecesOfTrace) {
  STARLING_SHARED(starling_complex tree[64]);
  const starling_complex *mine =
      STARLING_ROWS(starling_complex, pieces + 16 * STARLING_BLOCK * piecesOfTrace, 1, piecesOfTrace, piecesOfTrace);
  STARLING_EACH(t, 64) {
    starling_complex sum = {0, 0};
    for (long long p = t; p < piecesOfTrace; p += 64) {
      sum.x += mine[p].x;
      sum.y += mine[p].y;
    }
    tree[t] = sum;
  }
  for (int half = 32; half > 0; half /= 2) {
    STARLING_BARRIER();
    STARLING_EACH(t, half) {
      tree[t].x += tree[t + half].x;
      tree[t].y += tree[t + half].y;
    }
  }
  STARLING_EACH(t, 1) {
    *STARLING_RESULT(*STARLING_TABLE(starling_address, targets, STARLING_BLOCK)) = tree[0];
  }
}

/* Traces of single elements, one a block: sum over entries b of factor_b * left[left_b][i][i]. */
template <class Number>
STARLING_BODY starling_diagonals_of(starling_address diagonals, starling_address elements,
                                    starling_address mappings, starling_address targets,
                                    long long extent) {
  STARLING_SHARED(starling_complex tree[STARLING_THREADS]);
  const starling_diagonal *d = STARLING_TABLE(starling_diagonal, diagonals, STARLING_BLOCK);
  const starling_element *element = STARLING_TABLE(starling_element, elements, d->element);
  const starling_mapping *mapping = STARLING_TABLE(starling_mapping, mappings, d->mapping);
  const long long step = element->leading + 1;
  STARLING_PER_THREAD(starling_complex, sum, STARLING_THREADS);
  STARLING_EACH(t, STARLING_THREADS) {
    STARLING_MINE(sum, t).x = 0;
    STARLING_MINE(sum, t).y = 0;
  }
  for (long long b = 0; b < mapping->entries; b++) {
    const double factor = mapping->factor[b];
    const Number *numbers =
        STARLING_ROWS(Number, element->component[mapping->left[b]], extent, 1, step);
    STARLING_EACH(t, STARLING_THREADS) {
      for (long long i = t; i < extent; i += STARLING_THREADS) {
        const double x = numbers[i * step].x, y = numbers[i * step].y;
        STARLING_MINE(sum, t).x = fma(factor, x, STARLING_MINE(sum, t).x);
        STARLING_MINE(sum, t).y = fma(factor, y, STARLING_MINE(sum, t).y);
      }
    }
  }
  STARLING_EACH(t, STARLING_THREADS) { tree[t] = STARLING_MINE(sum, t); }
  for (int half = STARLING_THREADS / 2; half > 0; half /= 2) {
    STARLING_BARRIER();
    STARLING_EACH(t, half) {
      tree[t].x += tree[t + half].x;
      tree[t].y += tree[t + half].y;
    }
  }
  STARLING_EACH(t, 1) {
    *STARLING_RESULT(*STARLING_TABLE(starling_address, targets, STARLING_BLOCK)) = tree[0];
  }
}

STARLING_KERNEL(starling_diagonals)
(starling_address diagonals, starling_address elements, starling_address mappings,
 starling_address targets, long long extent) {
  starling_diagonals_of<starling_complex>(diagonals, elements, mappings, targets, extent);
}

STARLING_KERNEL(starling_diagonals_single)
(starling_address diagonals, starling_address elements, starling_address mappings,
 starling_address targets, long long extent) {
  starling_diagonals_of<starling_complex_single>(diagonals, elements, mappings, targets, extent);
}

/*
 * Components of a node as sums of components of a block, or of another node: block
 * strips * c + s writes rows 8 s and following of component c. The terms of a component are added in
 * the order of the table.
 */
template <class Number>
STARLING_BODY starling_spin_sums_of(starling_address sums, starling_address terms,
                                    long long extent) {
  STARLING_PER_THREAD(starling_complex, number, STARLING_THREADS);
  const starling_sum *sum = STARLING_TABLE(starling_sum, sums, 0);
  const long long strips = (extent + STARLING_ROWS_OF_SUM - 1) / STARLING_ROWS_OF_SUM;
  const long long component = STARLING_BLOCK / strips;
  const long long firstRow = STARLING_BLOCK % strips * STARLING_ROWS_OF_SUM;
  const int rows = (int)(extent - firstRow < STARLING_ROWS_OF_SUM ? extent - firstRow
                                                                  : STARLING_ROWS_OF_SUM);
  const int width = (int)extent, numbers = rows * width;
  Number *to = STARLING_WRITTEN(
      Number, sum->component[component] + (long long)sizeof(Number) * firstRow * sum->leading, rows,
      extent, sum->leading);
  for (int begin = 0; begin < numbers; begin += STARLING_THREADS) {
    STARLING_EACH(t, STARLING_THREADS) {
      STARLING_MINE(number, t).x = 0;
      STARLING_MINE(number, t).y = 0;
    }
    for (long long k = sum->first[component]; k < sum->first[component + 1]; k++) {
      const starling_term *term = STARLING_TABLE(starling_term, terms, k);
      const Number *from = STARLING_ROWS(
          Number, term->component + (long long)sizeof(Number) * firstRow * sum->leadingOfTerms,
          rows, extent, sum->leadingOfTerms);
      STARLING_EACH(t, STARLING_THREADS) {
        const int place = begin + t;
        if (place < numbers) {
          const Number given = from[place / width * sum->leadingOfTerms + place % width];
          const double x = given.x, y = given.y;
          starling_complex *mine = &STARLING_MINE(number, t);
          mine->x = fma(-term->im, y, fma(term->re, x, mine->x));
          mine->y = fma(term->im, x, fma(term->re, y, mine->y));
        }
      }
    }
    STARLING_EACH(t, STARLING_THREADS) {
      const int place = begin + t;
      if (place < numbers) {
        Number made;
        made.x = STARLING_MINE(number, t).x;
        made.y = STARLING_MINE(number, t).y;
        to[place / width * sum->leading + place % width] = made;
      }
    }
  }
}

STARLING_KERNEL(starling_spin_sums)
(starling_address sums, starling_address terms, long long extent) {
  starling_spin_sums_of<starling_complex>(sums, terms, extent);
}

STARLING_KERNEL(starling_spin_sums_single)
(starling_address sums, starling_address terms, long long extent) {
  starling_spin_sums_of<starling_complex_single>(sums, terms, extent);
}
