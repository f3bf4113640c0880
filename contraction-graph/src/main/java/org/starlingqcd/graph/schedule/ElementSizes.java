package org.starlingqcd.graph.schedule;

import java.util.List;
import org.starlingqcd.graph.PairColour;

/**
 * Sizes of elements in bytes and work in flops, for N eigenvectors; 16 bytes per complex number.
 */
public final class ElementSizes {
  private static final int COMPLEX_BYTES = 16;
  static final int SPINS = 16;
  private static final int PRODUCT_ENTRIES = 64;

  private ElementSizes() {}

  /** Bytes of complex numbers. */
  static long bytes(long numbers) {
    return COMPLEX_BYTES * numbers;
  }

  /** Bytes of a complex matrix [N][N]. */
  static long matrixBytes(int extent) {
    return bytes((long) extent * extent);
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
      return bytes((long) pairs.rows().pairs(extent) * pairs.columns().pairs(extent));
    }
    if (element instanceof ExecutionQueue.SiteMatrix sites) {
      return bytes((long) sites.components() * sites.rows() * sites.columns(extent));
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

  /**
   * Flops of a step, 8 for a complex multiplication and addition: {@code 16 · 8N³} for a build and
   * an attached elemental, {@code 64 · 8N³} for a product, 8 for each number of an element in a
   * trace of two, 16 N² of them where an elemental meets a node, {@code 8N⁴} for each of the {@link
   * ExecutionQueue.BoundPairs#products} of pair blocks, {@code 16 · 8N⁴} for two lines as pairs and
   * for a closed pair, {@code 8P²P'} for a product of pairs, {@code 256PN³} for one leg by leg, and
   * for sampled sites what their steps say; a spin sum multiplies no matrices and counts as
   * nothing.
   *
   * @param elements those of the queue
   */
  public static double flops(
      List<ExecutionQueue.Element> elements, ExecutionQueue.Step step, int extent) {
    double square = 8.0 * extent * extent;
    if (step instanceof ExecutionQueue.Build || step instanceof ExecutionQueue.Attach) {
      return SPINS * square * extent;
    }
    if (step instanceof ExecutionQueue.Multiply) {
      return PRODUCT_ENTRIES * square * extent;
    }
    if (step instanceof ExecutionQueue.Traces traces) {
      ExecutionQueue.Element left = elements.get(traces.lefts().get(0));
      double numbers =
          ExecutionQueue.isPairs(left)
              ? (double) bytes(left, extent) / COMPLEX_BYTES
              : SPINS * (double) extent * extent;
      return 8 * numbers * traces.lefts().size() * traces.rights().size();
    }
    if (step instanceof ExecutionQueue.BoundPairs pairs) {
      return pairs.products() * square * extent * extent;
    }
    if (step instanceof ExecutionQueue.SiteProduct product) {
      return product.flops(extent);
    }
    if (step instanceof ExecutionQueue.FormPairs form) {
      return form.sites() == 0 ? SPINS * square * extent * extent : form.siteFlops();
    }
    if (step instanceof ExecutionQueue.ClosePair close && close.sites() == 0) {
      return SPINS * square * extent * extent;
    }
    if (step instanceof ExecutionQueue.PairProduct product && product.sites() == 0) {
      return byPairs(product.rows(), product.columns(), extent);
    }
    return step instanceof ExecutionQueue.LegProduct product
        ? byLegs(product.lines().rows(), extent)
        : 0;
  }

  /** Flops of a tetraquark times the matrix of two lines. */
  static double byPairs(PairColour rows, PairColour columns, int extent) {
    double pairs = rows.pairs(extent);
    return 8 * pairs * pairs * columns.pairs(extent);
  }

  /** Flops of a tetraquark times two lines, one after the other. */
  static double byLegs(PairColour rows, int extent) {
    return 16.0 * SPINS * rows.pairs(extent) * Math.pow(extent, 3);
  }
}
