package org.starlingqcd.simulator;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.TensorShape;

/**
 * One contraction of the synthetic benchmark: a node and an element that all contractions share,
 * multiplied over one edge. The product has the node's shape.
 *
 * @param node shape of the node
 * @param shared shape of the shared element
 * @param mapping which spin components meet
 */
public record SyntheticContraction(TensorShape node, TensorShape shared, BatchSpinMapping mapping) {
  /** Spin components of one leg. */
  private static final int LEG_SPINS = 4;

  /** Components of a baryon node with the spins of all three legs. */
  private static final int MOST_SPINS = LEG_SPINS * LEG_SPINS * LEG_SPINS;

  /** Two meson nodes: 64 products of N × N matrices. */
  public static SyntheticContraction mesons(int extent) {
    TensorShape node = TensorShape.mesonNode(extent);
    return new SyntheticContraction(node, node, BatchSpinMapping.mesonProduct());
  }

  /**
   * A leg of a baryon node, N × N × N for each spin component, and a quark line: four products of
   * (N² × N) and (N × N) for each spin component.
   *
   * @param spins components of the node, a multiple of 4 up to 64: four for every nonzero pair of
   *     spins of the other two legs
   */
  public static SyntheticContraction baryon(int extent, int spins) {
    if (spins < LEG_SPINS || spins > MOST_SPINS || spins % LEG_SPINS != 0) {
      throw new IllegalArgumentException(
          "spins must be a multiple of 4 between 4 and 64, not " + spins);
    }
    int entries = LEG_SPINS * spins;
    int[] left = new int[entries];
    int[] right = new int[entries];
    int[] destination = new int[entries];
    double[] factors = new double[2 * entries];
    for (int b = 0; b < entries; b++) {
      int inner = b % LEG_SPINS;
      destination[b] = b / LEG_SPINS;
      left[b] = destination[b] / LEG_SPINS * LEG_SPINS + inner;
      right[b] = LEG_SPINS * inner + destination[b] % LEG_SPINS;
      factors[2 * b] = 1;
    }
    TensorShape line = TensorShape.mesonNode(extent);
    return new SyntheticContraction(
        new TensorShape(spins, 3, extent),
        line,
        new BatchSpinMapping(spins, line.spins(), spins, left, right, destination, factors));
  }

  /** N. */
  public int extent() {
    return node.extent();
  }

  /** Rows of the matrices that a node consists of: all its indices but the last. */
  public int rows() {
    return Math.toIntExact(node.componentSize() / extent());
  }

  /** {@code 8 · rows · N²} for each product. */
  public double flops() {
    return 8.0 * node.componentSize() * extent() * mapping.size();
  }
}
