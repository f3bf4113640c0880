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
@Properties(@Platform(include = "vector_loops.h"))
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
}
