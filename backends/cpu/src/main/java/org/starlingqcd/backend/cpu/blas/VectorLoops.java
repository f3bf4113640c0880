package org.starlingqcd.backend.cpu.blas;

import org.bytedeco.javacpp.annotation.Cast;
import org.bytedeco.javacpp.annotation.Name;
import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.starlingqcd.backend.natives.NativeLibraries;

/**
 * Loops for which BLAS has no call ({@code vector_loops.h}), on raw addresses. Numbers have {@code
 * bytes} bytes, 8 or 4; counts and strides are in numbers.
 *
 * <p>The build compiles them, where there is a C++ compiler, for several sets of vector
 * instructions. At run time the best set that the processor supports is used. Where the library is
 * missing, BLAS calls take its place, with more passes over the memory. The same library has the
 * system calls that place memory on NUMA nodes ({@code memory_nodes.h}).
 */
@Properties(
    @Platform(
        include = {
          "vector_loops.h",
          "trace_kernel.h",
          "pair_kernel.h",
          "product_kernel.h",
          "memory_nodes.h",
          "matrix_loops.h",
          "determinant_kernel.h"
        }))
public final class VectorLoops {
  private static final boolean AVAILABLE = load();

  private VectorLoops() {}

  /** Whether the library is available. */
  public static boolean isAvailable() {
    return AVAILABLE;
  }

  /** Whether the vector instructions in use have registers of 256 bits or more. */
  public static boolean haveWideVectors() {
    return !instructions().equals("baseline");
  }

  private static boolean load() {
    try {
      NativeLibraries.load(VectorLoops.class);
      return true;
    } catch (UnsatisfiedLinkError notBuilt) {
      return false;
    }
  }

  /** Maps memory that prefers some NUMA nodes; its address, or a negative error number. */
  @Name("starling_node_map")
  public static native long mapOnNodes(long bytes, @Cast("const long*") long[] nodes, long count);

  /** Unmaps what {@link #mapOnNodes} mapped. */
  @Name("starling_node_unmap")
  public static native void unmapNodes(long address, long bytes);

  /** Name of the vector instructions in use. */
  @Name("starling_vector_instructions")
  public static native @Cast("const char*") String instructions();

  /**
   * Limits the vector instructions used from now on, for tests: 0 the baseline, 1 AVX2, 2 AVX-512.
   */
  @Name("starling_limit_instructions")
  public static native void limitInstructions(int level);

  /**
   * Combines the products of real parts, of imaginary parts, and of the sums of both, which lie
   * {@code stride} apart, into real part, imaginary part and their sum, in place.
   */
  @Name("starling_finish_three")
  public static native void finishThree(
      long bytes, @Cast("double*") long planes, long stride, long count);

  /** Doubles of scratch memory that {@link #traceSums} needs. */
  @Name("starling_trace_scratch")
  public static native long traceScratch(long edge, long lefts, long rights);

  /**
   * Real and imaginary part of {@code Σ left[i][j] · right[j][i]} for all pairs of some lefts and
   * rights and several spin components, of square matrices cut into tiles ({@link Tiling}), real
   * parts before imaginary parts.
   *
   * @param bytes of a real number: 8, or 4 for elements in single precision, which are widened
   * @param addresses for each component the addresses of the lefts, then of the rights
   * @param sums for each component and each left the sums with all rights
   */
  @Name("starling_trace_sums")
  public static native void traceSums(
      long bytes,
      long extent,
      long edge,
      long lefts,
      long rights,
      long components,
      @Cast("const long*") long[] addresses,
      @Cast("double*") long scratch,
      double[] sums);

  /**
   * Writes the differences {@code M[i][j] - M[j][i]}, i &lt; j, of {@code count} n × n matrices row
   * by row in two planes. Given three real products, it combines these as {@link #finishThree} and
   * writes three planes.
   */
  @Name("starling_keep_half")
  public static native void keepHalf(
      long bytes,
      @Cast("const double*") long from,
      long strideFrom,
      long count,
      long n,
      @Cast("bool") boolean three,
      @Cast("double*") long to,
      long strideTo);

  /**
   * Writes the entries above the diagonals of {@code count} n × n matrices in planes of real parts,
   * of imaginary parts and, on request, of their sums.
   */
  @Name("starling_upper_triangles")
  public static native void upperTriangles(
      long bytes,
      @Cast("const double*") long from,
      long strideFrom,
      long count,
      long n,
      @Cast("bool") boolean sums,
      @Cast("double*") long to,
      long stride);

  /** Writes sums of numbers. */
  @Name("starling_sum")
  public static native void sum(
      long bytes,
      @Cast("const double*") long x,
      @Cast("const double*") long y,
      long count,
      @Cast("double*") long to);

  /**
   * Writes a row of a matrix of pairs ({@code PairPacking}), times a weight, as an n × n matrix,
   * with {@code sign} times the numbers of the pairs in the other order.
   */
  @Name("starling_unpack_pairs")
  public static native void unpackPairs(
      long bytes,
      @Cast("const double*") long pairs,
      long n,
      @Cast("bool") boolean diagonal,
      double weight,
      double sign,
      @Cast("double*") long to);

  /**
   * Writes {@code weight (M + sign Mᵀ)} of an n × n matrix as a row of pairs, and zeros behind them
   * up to {@code extent} numbers.
   */
  @Name("starling_pack_pairs")
  public static native void packPairs(
      long bytes,
      @Cast("const double*") long m,
      long n,
      @Cast("bool") boolean diagonal,
      double weight,
      double sign,
      @Cast("double*") long to,
      long extent);

  /**
   * Writes a weighted sum of n × n matrices cut into tiles ({@link Tiling}), row by row and perhaps
   * transposed: real parts, imaginary parts, and perhaps their sum.
   */
  @Name("starling_rotate_line")
  public static native void rotateLine(
      long bytes,
      long n,
      long edge,
      long count,
      @Cast("const long*") long[] spins,
      double[] weights,
      @Cast("bool") boolean transposed,
      @Cast("bool") boolean third,
      @Cast("double*") long to);

  /** Numbers from one row to the next of right-hand matrices. */
  @Name("starling_padded")
  public static native long padded(long bytes, long n);

  /**
   * Writes a complex n × n matrix times a factor, in planes of real parts, imaginary parts and
   * their sum, with rows of {@link #padded} numbers.
   */
  @Name("starling_scale")
  public static native void scale(
      long bytes,
      @Cast("const double*") long from,
      long strideFrom,
      long n,
      double re,
      double im,
      @Cast("double*") long to);

  /**
   * Writes the products of some n × n matrices with a single one, in planes of real parts,
   * imaginary parts and their sum.
   *
   * @param lines addresses of the matrices, in three planes
   * @param attached the single matrix, in two planes
   * @param scratch {@code 3 n (n + padded)} numbers
   */
  @Name("starling_attach_first")
  public static native void attachFirst(
      long bytes,
      long n,
      long count,
      @Cast("const long*") long[] lines,
      long strideLine,
      @Cast("const double*") long attached,
      long strideAttached,
      @Cast("double*") long scratch,
      @Cast("double*") long to,
      long stepTo,
      long strideTo);

  /**
   * Writes some sums {@code Σ ± first · second} of products of n × n matrices, in planes of real
   * parts, imaginary parts and their sum: all entries or only those of {@link #keepHalf}.
   *
   * @param entries for each sum the number of products that are added, and that of all products;
   *     the others are subtracted
   * @param first addresses of the matrices to the left for all products of all sums, in three
   *     planes, {@code shiftFirst} numbers further on each
   * @param second likewise to the right, with rows of {@link #padded} numbers
   * @param scratch {@code n²} numbers
   */
  @Name("starling_attach_second")
  public static native void attachSecond(
      long bytes,
      long n,
      long firstSum,
      long sums,
      @Cast("const long*") long[] entries,
      @Cast("const long*") long[] first,
      long shiftFirst,
      long strideFirst,
      @Cast("const long*") long[] second,
      long strideSecond,
      @Cast("bool") boolean half,
      @Cast("double*") long scratch,
      @Cast("double*") long to,
      long stepTo,
      long strideTo);

  /**
   * Closes attached sums, {@code [plane][sum][value of the slice][number]}, with packed elementals,
   * {@code [plane][other][row][number]}, and writes real and imaginary parts of the sums over the
   * numbers.
   *
   * @param blocks for each elemental and each sum an address; the first row and the first value of
   *     the slice are {@code shift} numbers further on
   * @param rowStep numbers from one row to the next
   * @param columnStep numbers from one value of the slice to the next
   * @param imaginary numbers from a real to an imaginary part
   * @param scratch {@code 3 · others · rows · sums · slice} numbers
   */
  @Name("starling_close_packed")
  public static native void closePacked(
      long bytes,
      @Cast("const double*") long packed,
      long stridePacked,
      long others,
      long rows,
      @Cast("const double*") long attached,
      long strideAttached,
      long numbers,
      long sums,
      long slice,
      @Cast("const long*") long[] blocks,
      long shift,
      long rowStep,
      long columnStep,
      long imaginary,
      @Cast("double*") long scratch);

  /** Numbers of scratch memory that {@link #closeRows} needs. */
  @Name("starling_close_scratch")
  public static native long closeScratch(long rows, long columns);

  /**
   * As {@link #closePacked} for some rows of one elemental that is not packed, real parts before
   * imaginary ones; of an antisymmetric elemental only the numbers above the diagonals are used.
   */
  @Name("starling_close_rows")
  public static native void closeRows(
      long bytes,
      long n,
      @Cast("bool") boolean half,
      @Cast("const double*") long elemental,
      long strideElemental,
      long rows,
      @Cast("const double*") long attached,
      long strideAttached,
      long numbers,
      long sums,
      long slice,
      @Cast("const long*") long[] blocks,
      long shift,
      long rowStep,
      long columnStep,
      long imaginary,
      @Cast("double*") long scratch);

  /**
   * Multiplies and adds in registers alone, which is the most that any kernel can reach, and
   * returns the flops.
   *
   * @param total one number, so that the sums are needed
   */
  @Name("starling_multiply_adds")
  public static native long multiplyAdds(long turns, double factor, double[] total);

  /** Doubles of scratch memory that {@link #product} needs. */
  @Name("starling_product_scratch")
  public static native long productScratch(@Cast("const long*") long[] numbers);

  /**
   * Computes a part of the products of a matrix of spin components with another one: {@code Σ_s
   * left(r, s) · right(s, c)} for every row r and column c. Every left and right is a sum of
   * components times complex factors, and every result goes to some targets.
   *
   * @param numbers rows, columns and edge of a tile (0 for none) of left, right and target
   *     components; rows, summed index and columns of spins; 3 or 4 real products for a complex
   *     one; first row, end row, first column and end column of the part; bytes of the second-level
   *     cache; bytes of a real number, 8 or 4
   * @param leftStarts number of the first term of each left, row by row, and of all terms
   * @param lefts addresses of the components of all terms
   * @param leftFactors interleaved complex
   * @param givings for every target 0 or 1 to overwrite it with the result or its negative, 2 or 3
   *     to add these
   */
  @Name("starling_product")
  public static native void product(
      @Cast("const long*") long[] numbers,
      @Cast("const long*") long[] leftStarts,
      @Cast("const long*") long[] lefts,
      double[] leftFactors,
      @Cast("const long*") long[] rightStarts,
      @Cast("const long*") long[] rights,
      double[] rightFactors,
      @Cast("const long*") long[] targetStarts,
      @Cast("const long*") long[] targets,
      @Cast("const long*") long[] givings,
      @Cast("double*") long scratch);

  /**
   * Multiplies row i of a matrix by factor i. Counts and distances are in numbers of {@code width}
   * doubles, 1 or 2.
   */
  @Name("starling_scale_rows")
  public static native void scaleRows(
      long width,
      long rows,
      long columns,
      @Cast("const double*") long factors,
      long step,
      @Cast("const double*") long x,
      long ldx,
      @Cast("double*") long y,
      long ldy);

  /** Writes the transpose of a matrix, or its adjoint. */
  @Name("starling_transpose")
  public static native void transpose(
      long width,
      @Cast("bool") boolean conjugate,
      long rows,
      long columns,
      @Cast("const double*") long x,
      long ldx,
      @Cast("double*") long y,
      long ldy);

  /**
   * {@code C = alpha · a(A) · B + beta · C} for {@code count} products with short sums.
   *
   * @param form 0 plain, 1 transposed, 2 adjoint
   */
  @Name("starling_small_products")
  public static native void smallProducts(
      long width,
      int form,
      long m,
      long n,
      long k,
      double re,
      double im,
      @Cast("const double*") long a,
      long lda,
      long strideA,
      @Cast("const double*") long b,
      long ldb,
      long strideB,
      double betaRe,
      double betaIm,
      @Cast("double*") long c,
      long ldc,
      long strideC,
      long count);

  /**
   * {@code C = alpha · a(A) · b(B)}, added to C or not, for products {@code first} to {@code end}.
   *
   * @param form of A: 0 plain, 1 transposed, 2 adjoint
   * @param turns whether b transposes B, which then has no gaps
   * @param k at most {@link MatrixBlas#LONGEST}, unless m = n = 1, alpha is 1 and nothing is added
   * @param places complex numbers before A, B and C of each; best where equal ones of A follow each
   *     other
   */
  @Name("starling_each_product")
  public static native void eachProduct(
      int form,
      @Cast("bool") boolean turns,
      long m,
      long n,
      long k,
      double re,
      double im,
      @Cast("const double*") long a,
      long lda,
      @Cast("const double*") long b,
      long ldb,
      @Cast("bool") boolean adds,
      @Cast("double*") long c,
      long ldc,
      @Cast("const long*") long[] places,
      long first,
      long end);

  /** Doubles of vectors in columns, as {@link #determinantFactors} writes them. */
  @Name("starling_determinant_columns")
  public static native long determinantColumns(long sites, long n);

  /** Chunks of sites of {@link #determinantFactors}. */
  @Name("starling_determinant_chunks")
  public static native long determinantChunks(long sites);

  /** Doubles of scratch memory that {@link #determinants} needs. */
  @Name("starling_determinant_scratch")
  public static native long determinantScratch(long n, long first, long end);

  /** Writes vectors in columns, for some chunks of sites. */
  @Name("starling_determinant_factors")
  public static native void determinantFactors(
      long sites,
      long n,
      @Cast("const double*") long vectors,
      long firstChunk,
      long endChunk,
      @Cast("double*") long columns);

  /**
   * Writes sums of determinants ({@link
   * org.starlingqcd.backend.MatrixOperations.DeterminantSums#sum}) whose middle index is {@code
   * first} to {@code end} when the three are in ascending order, in all orders; and zeros where two
   * indices are one of these.
   */
  @Name("starling_determinants")
  public static native void determinants(
      long sites,
      long n,
      @Cast("const double*") long vectors,
      @Cast("const double*") long phases,
      @Cast("const double*") long columns,
      long first,
      long end,
      @Cast("double*") long scratch,
      @Cast("double*") long result);
}
