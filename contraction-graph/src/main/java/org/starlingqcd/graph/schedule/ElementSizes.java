package org.starlingqcd.graph.schedule;

import java.util.List;

/**
 * Sizes of elements in bytes and work in flops, for N eigenvectors; 16 bytes per complex number.
 */
public final class ElementSizes {
  private static final int COMPLEX_BYTES = 16;
  static final int SPINS = 16;
  private static final int PRODUCT_ENTRIES = 64;

  private ElementSizes() {}

  /** Bytes of a complex matrix [N][N]. */
  static long matrixBytes(int extent) {
    return (long) COMPLEX_BYTES * extent * extent;
  }

  /** Bytes of an element. */
  public static long bytes(ExecutionQueue.Element element, int extent) {
    if (element instanceof Input input) {
      return input.bytes(extent);
    }
    long matrix = matrixBytes(extent);
    if (element instanceof ExecutionQueue.PairBlocks set) {
      return set.components() * matrix;
    }
    if (element instanceof ExecutionQueue.PairMatrix pairs) {
      return (long) COMPLEX_BYTES * pairs.rows().pairs(extent) * pairs.columns().pairs(extent);
    }
    return SPINS * matrix;
  }

  /** Bytes of each element of a list. */
  static long[] bytes(List<ExecutionQueue.Element> elements, int extent) {
    long[] bytes = new long[elements.size()];
    for (int e = 0; e < bytes.length; e++) {
      bytes[e] = bytes(elements.get(e), extent);
    }
    return bytes;
  }

  /** Flops of the trace of a product of two elements, {@code 16 · 8N²}. */
  public static double traceFlops(int extent) {
    return SPINS * 8.0 * extent * extent;
  }

  /**
   * Flops of a step, 8 for a complex multiplication and addition: {@code 16 · 8N³} for a build and
   * an attached elemental, {@code 64 · 8N³} for a product, {@code 16 · 8N²} for a trace of two
   * elements, {@code 8N⁴} for each of the {@link ExecutionQueue.BoundPairs#products} of pair
   * blocks, {@code 16 · 8N⁴} for two lines as pairs and for a closed pair, {@code 8P²P'} for a
   * product of pairs; a spin sum multiplies no matrices and counts as nothing.
   */
  public static double flops(ExecutionQueue.Step step, int extent) {
    double square = 8.0 * extent * extent;
    if (step instanceof ExecutionQueue.Build || step instanceof ExecutionQueue.Attach) {
      return SPINS * square * extent;
    }
    if (step instanceof ExecutionQueue.Multiply) {
      return PRODUCT_ENTRIES * square * extent;
    }
    if (step instanceof ExecutionQueue.Traces traces) {
      return traceFlops(extent) * traces.lefts().size() * traces.rights().size();
    }
    if (step instanceof ExecutionQueue.BoundPairs pairs) {
      return pairs.products() * square * extent * extent;
    }
    if (step instanceof ExecutionQueue.FormPairs || step instanceof ExecutionQueue.ClosePair) {
      return SPINS * square * extent * extent;
    }
    if (step instanceof ExecutionQueue.PairProduct product) {
      double rows = product.rows().pairs(extent);
      return 8.0 * rows * rows * product.columns().pairs(extent);
    }
    return 0;
  }
}
