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
 *
 * <p>It has more than 400 lines because one class declares all functions of one native library.
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
  public static native @Cast("long") long mapOnNodes(
      @Cast("long") long bytes, @Cast("const long*") long[] nodes, @Cast("long") long count);

  /** Unmaps what {@link #mapOnNodes} mapped. */
  @Name("starling_node_unmap")
  public static native void unmapNodes(@Cast("long") long address, @Cast("long") long bytes);

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
      @Cast("long") long bytes,
      @Cast("double*") long planes,
      @Cast("long") long stride,
      @Cast("long") long count);

  /** Doubles of scratch memory that {@link #traceSums} needs. */
  @Name("starling_trace_scratch")
  public static native @Cast("long") long traceScratch(
      @Cast("long") long edge, @Cast("long") long lefts, @Cast("long") long rights);

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
      @Cast("long") long bytes,
      @Cast("long") long extent,
      @Cast("long") long edge,
      @Cast("long") long lefts,
      @Cast("long") long rights,
      @Cast("long") long components,
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
      @Cast("long") long bytes,
      @Cast("const double*") long from,
      @Cast("long") long strideFrom,
      @Cast("long") long count,
      @Cast("long") long n,
      @Cast("bool") boolean three,
      @Cast("double*") long to,
      @Cast("long") long strideTo);

  /**
   * Writes the entries above the diagonals of {@code count} n × n matrices in planes of real parts,
   * of imaginary parts and, on request, of their sums.
   */
  @Name("starling_upper_triangles")
  public static native void upperTriangles(
      @Cast("long") long bytes,
      @Cast("const double*") long from,
      @Cast("long") long strideFrom,
      @Cast("long") long count,
      @Cast("long") long n,
      @Cast("bool") boolean sums,
      @Cast("double*") long to,
      @Cast("long") long stride);

  /** Writes sums of numbers. */
  @Name("starling_sum")
  public static native void sum(
      @Cast("long") long bytes,
      @Cast("const double*") long x,
      @Cast("const double*") long y,
      @Cast("long") long count,
      @Cast("double*") long to);

  /**
   * Writes a weighted sum of n × n matrices cut into tiles ({@link Tiling}), row by row and perhaps
   * transposed: real parts, imaginary parts, and perhaps their sum.
   */
  @Name("starling_rotate_line")
  public static native void rotateLine(
      @Cast("long") long bytes,
      @Cast("long") long n,
      @Cast("long") long edge,
      @Cast("long") long count,
      @Cast("const long*") long[] spins,
      double[] weights,
      @Cast("bool") boolean transposed,
      @Cast("bool") boolean third,
      @Cast("double*") long to);

  /** Numbers from one row to the next of right-hand matrices. */
  @Name("starling_padded")
  public static native @Cast("long") long padded(@Cast("long") long bytes, @Cast("long") long n);

  /**
   * Writes a complex n × n matrix times a factor, in planes of real parts, imaginary parts and
   * their sum, with rows of {@link #padded} numbers.
   */
  @Name("starling_scale")
  public static native void scale(
      @Cast("long") long bytes,
      @Cast("const double*") long from,
      @Cast("long") long strideFrom,
      @Cast("long") long n,
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
      @Cast("long") long bytes,
      @Cast("long") long n,
      @Cast("long") long count,
      @Cast("const long*") long[] lines,
      @Cast("long") long strideLine,
      @Cast("const double*") long attached,
      @Cast("long") long strideAttached,
      @Cast("double*") long scratch,
      @Cast("double*") long to,
      @Cast("long") long stepTo,
      @Cast("long") long strideTo);

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
      @Cast("long") long bytes,
      @Cast("long") long n,
      @Cast("long") long firstSum,
      @Cast("long") long sums,
      @Cast("const long*") long[] entries,
      @Cast("const long*") long[] first,
      @Cast("long") long shiftFirst,
      @Cast("long") long strideFirst,
      @Cast("const long*") long[] second,
      @Cast("long") long strideSecond,
      @Cast("bool") boolean half,
      @Cast("double*") long scratch,
      @Cast("double*") long to,
      @Cast("long") long stepTo,
      @Cast("long") long strideTo);

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
      @Cast("long") long bytes,
      @Cast("const double*") long packed,
      @Cast("long") long stridePacked,
      @Cast("long") long others,
      @Cast("long") long rows,
      @Cast("const double*") long attached,
      @Cast("long") long strideAttached,
      @Cast("long") long numbers,
      @Cast("long") long sums,
      @Cast("long") long slice,
      @Cast("const long*") long[] blocks,
      @Cast("long") long shift,
      @Cast("long") long rowStep,
      @Cast("long") long columnStep,
      @Cast("long") long imaginary,
      @Cast("double*") long scratch);

  /** Numbers of scratch memory that {@link #closeRows} needs. */
  @Name("starling_close_scratch")
  public static native @Cast("long") long closeScratch(
      @Cast("long") long rows, @Cast("long") long columns);

  /**
   * As {@link #closePacked} for some rows of one elemental that is not packed, real parts before
   * imaginary ones; of an antisymmetric elemental only the numbers above the diagonals are used.
   */
  @Name("starling_close_rows")
  public static native void closeRows(
      @Cast("long") long bytes,
      @Cast("long") long n,
      @Cast("bool") boolean half,
      @Cast("const double*") long elemental,
      @Cast("long") long strideElemental,
      @Cast("long") long rows,
      @Cast("const double*") long attached,
      @Cast("long") long strideAttached,
      @Cast("long") long numbers,
      @Cast("long") long sums,
      @Cast("long") long slice,
      @Cast("const long*") long[] blocks,
      @Cast("long") long shift,
      @Cast("long") long rowStep,
      @Cast("long") long columnStep,
      @Cast("long") long imaginary,
      @Cast("double*") long scratch);

  /**
   * Multiplies and adds in registers alone, which is the most that any kernel can reach, and
   * returns the flops.
   *
   * @param total one number, so that the sums are needed
   */
  @Name("starling_multiply_adds")
  public static native @Cast("long") long multiplyAdds(
      @Cast("long") long turns, double factor, double[] total);

  /** Doubles of scratch memory that {@link #product} needs. */
  @Name("starling_product_scratch")
  public static native @Cast("long") long productScratch(@Cast("const long*") long[] numbers);

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
      @Cast("long") long width,
      @Cast("long") long rows,
      @Cast("long") long columns,
      @Cast("const double*") long factors,
      @Cast("long") long step,
      @Cast("const double*") long x,
      @Cast("long") long ldx,
      @Cast("double*") long y,
      @Cast("long") long ldy);

  /** Writes the transpose of a matrix, or its adjoint. */
  @Name("starling_transpose")
  public static native void transpose(
      @Cast("long") long width,
      @Cast("bool") boolean conjugate,
      @Cast("long") long rows,
      @Cast("long") long columns,
      @Cast("const double*") long x,
      @Cast("long") long ldx,
      @Cast("double*") long y,
      @Cast("long") long ldy);

  /**
   * {@code C = alpha · a(A) · B + beta · C} for {@code count} products with short sums.
   *
   * @param form 0 plain, 1 transposed, 2 adjoint
   */
  @Name("starling_small_products")
  public static native void smallProducts(
      @Cast("long") long width,
      int form,
      @Cast("long") long m,
      @Cast("long") long n,
      @Cast("long") long k,
      double re,
      double im,
      @Cast("const double*") long a,
      @Cast("long") long lda,
      @Cast("long") long strideA,
      @Cast("const double*") long b,
      @Cast("long") long ldb,
      @Cast("long") long strideB,
      double betaRe,
      double betaIm,
      @Cast("double*") long c,
      @Cast("long") long ldc,
      @Cast("long") long strideC,
      @Cast("long") long count);

  /** Doubles of vectors in columns, as {@link #determinantFactors} writes them. */
  @Name("starling_determinant_columns")
  public static native @Cast("long") long determinantColumns(
      @Cast("long") long sites, @Cast("long") long n);

  /** Chunks of sites of {@link #determinantFactors}. */
  @Name("starling_determinant_chunks")
  public static native @Cast("long") long determinantChunks(@Cast("long") long sites);

  /** Doubles of scratch memory that {@link #determinants} needs. */
  @Name("starling_determinant_scratch")
  public static native @Cast("long") long determinantScratch(
      @Cast("long") long n, @Cast("long") long first, @Cast("long") long end);

  /** Writes vectors in columns, for some chunks of sites. */
  @Name("starling_determinant_factors")
  public static native void determinantFactors(
      @Cast("long") long sites,
      @Cast("long") long n,
      @Cast("const double*") long vectors,
      @Cast("long") long firstChunk,
      @Cast("long") long endChunk,
      @Cast("double*") long columns);

  /**
   * Writes sums of determinants ({@link
   * org.starlingqcd.backend.MatrixOperations.DeterminantSums#sum}) whose middle index is {@code
   * first} to {@code end} when the three are in ascending order, in all orders; and zeros where two
   * indices are one of these.
   */
  @Name("starling_determinants")
  public static native void determinants(
      @Cast("long") long sites,
      @Cast("long") long n,
      @Cast("const double*") long vectors,
      @Cast("const double*") long phases,
      @Cast("const double*") long columns,
      @Cast("long") long first,
      @Cast("long") long end,
      @Cast("double*") long scratch,
      @Cast("double*") long result);
}
