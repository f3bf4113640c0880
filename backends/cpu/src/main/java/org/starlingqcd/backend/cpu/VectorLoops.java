package org.starlingqcd.backend.cpu;

import org.bytedeco.javacpp.annotation.Cast;
import org.bytedeco.javacpp.annotation.Name;
import org.bytedeco.javacpp.annotation.Platform;
import org.bytedeco.javacpp.annotation.Properties;
import org.starlingqcd.backend.NativeLibrary;

/**
 * Loops over numbers that BLAS has no call for ({@code vector_loops.h}), on raw addresses; counts
 * and strides are in doubles.
 *
 * <p>Compiled when the program is built, where there is a C++ compiler, for several sets of vector
 * instructions, of which the best that the processor has is taken at run time. Where the library is
 * absent, BLAS calls do the same, with more passes over the memory.
 */
@Properties(@Platform(include = {"vector_loops.h", "trace_kernel.h"}))
final class VectorLoops {
  private static final boolean AVAILABLE = load();

  private VectorLoops() {}

  /** Whether the library is there. */
  static boolean isAvailable() {
    return AVAILABLE;
  }

  private static boolean load() {
    try {
      NativeLibrary.load(VectorLoops.class);
      return true;
    } catch (UnsatisfiedLinkError notBuilt) {
      return false;
    }
  }

  /** Name of the vector instructions that are used. */
  @Name("starling_vector_instructions")
  static native @Cast("const char*") String instructions();

  /**
   * Makes real part, imaginary part and their sum of the products of real parts, of imaginary
   * parts, and of both sums, which lie {@code stride} apart, in place.
   */
  @Name("starling_finish_three")
  static native void finishThree(
      @Cast("double*") long planes, @Cast("long") long stride, @Cast("long") long count);

  /** Doubles of scratch memory that {@link #traceSums} needs. */
  @Name("starling_trace_scratch")
  static native @Cast("long") long traceScratch(
      @Cast("long") long edge, @Cast("long") long lefts, @Cast("long") long rights);

  /**
   * Real and imaginary part of {@code Σ left[i][j] · right[j][i]} for all pairs of some lefts and
   * rights and several spin components, of square matrices cut into tiles ({@link Tiling}), real
   * parts before imaginary parts.
   *
   * @param addresses for each component the addresses of the lefts, then of the rights
   * @param sums for each component and each left the sums with all rights
   */
  @Name("starling_trace_sums")
  static native void traceSums(
      @Cast("long") long extent,
      @Cast("long") long edge,
      @Cast("long") long lefts,
      @Cast("long") long rights,
      @Cast("long") long components,
      @Cast("const long*") long[] addresses,
      @Cast("double*") long scratch,
      double[] sums);

  /**
   * Writes the entries of {@code count} n × n matrices over the diagonal less those under it, row
   * by row, in two planes, or of three real products as {@link #finishThree} has them, which are
   * finished on the way, in three.
   */
  @Name("starling_keep_half")
  static native void keepHalf(
      @Cast("const double*") long from,
      @Cast("long") long strideFrom,
      @Cast("long") long count,
      @Cast("long") long n,
      @Cast("bool") boolean three,
      @Cast("double*") long to,
      @Cast("long") long strideTo);

  /**
   * Writes the entries over the diagonals of {@code count} n × n matrices, the planes of real and
   * of imaginary parts and perhaps that of their sums.
   */
  @Name("starling_upper_triangles")
  static native void upperTriangles(
      @Cast("const double*") long from,
      @Cast("long") long strideFrom,
      @Cast("long") long count,
      @Cast("long") long n,
      @Cast("bool") boolean sums,
      @Cast("double*") long to,
      @Cast("long") long stride);

  /** Writes sums of numbers. */
  @Name("starling_sum")
  static native void sum(
      @Cast("const double*") long x,
      @Cast("const double*") long y,
      @Cast("long") long count,
      @Cast("double*") long to);
}
