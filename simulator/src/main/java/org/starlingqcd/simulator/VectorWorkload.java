package org.starlingqcd.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.access.StepKind;

/**
 * The workload behind the paper's Tables 1 to 3 and Figure 11: vectors of contractions whose inputs
 * repeat. Each contraction multiplies its input node by one that all share and makes its output.
 * The first vector has {@code vectorSize} new inputs; each later one has {@code (1 - r) ·
 * vectorSize} new ones, which come first, and {@code r · vectorSize} (rounded down) distinct inputs
 * drawn from the previous vector.
 *
 * <p>Elements are numbered: 0 is the shared input, then the inputs, then one output for each
 * contraction.
 */
public final class VectorWorkload {
  /** How repeated inputs are drawn from the previous vector. */
  public enum Distribution {
    /** Every position is equally likely. */
    UNIFORM,
    /** Normally distributed around the middle, with a quarter of the vector as deviation. */
    GAUSSIAN;

    /** As users write it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The shared input. */
  public static final int SHARED = 0;

  private final int[][] inputs;
  private final int inputCount;

  /**
   * Draws a workload.
   *
   * @param vectors number of vectors
   * @param vectorSize contractions of each, v
   * @param repeatedRate share r of inputs that repeat, 0 to 1
   * @param seed seed of the draws
   */
  public VectorWorkload(
      int vectors, int vectorSize, double repeatedRate, Distribution distribution, long seed) {
    checkShape(vectors, vectorSize, repeatedRate);
    Random random = new Random(seed);
    // The tolerance keeps 0.1 · 30 at 3.
    int repeated = (int) Math.floor(repeatedRate * vectorSize + 1e-9);
    inputs = new int[vectors][vectorSize];
    int next = 1;
    for (int vector = 0; vector < vectors; vector++) {
      int fresh = vector == 0 ? vectorSize : vectorSize - repeated;
      for (int k = 0; k < fresh; k++) {
        inputs[vector][k] = next++;
      }
      if (vector > 0) {
        List<Integer> drawn = draw(vectorSize, repeated, distribution, random);
        for (int k = 0; k < repeated; k++) {
          inputs[vector][fresh + k] = inputs[vector - 1][drawn.get(k)];
        }
      }
    }
    inputCount = next - 1;
  }

  /** Checks the parameters of a workload. */
  static void checkShape(int vectors, int vectorSize, double repeatedRate) {
    if (vectors < 1 || vectorSize < 1) {
      throw new IllegalArgumentException(
          "vectors and vector size must be at least 1, not %d and %d"
              .formatted(vectors, vectorSize));
    }
    if (!(repeatedRate >= 0 && repeatedRate <= 1)) {
      throw new IllegalArgumentException(
          "the repeated rate must be between 0 and 1, not " + repeatedRate);
    }
  }

  private static List<Integer> draw(int size, int count, Distribution distribution, Random random) {
    List<Integer> positions = new ArrayList<>();
    if (distribution == Distribution.UNIFORM) {
      for (int k = 0; k < size; k++) {
        positions.add(k);
      }
      Collections.shuffle(positions, random);
      return positions.subList(0, count);
    }
    // Sorting by such keys draws without replacement with these weights
    // (Efraimidis & Spirakis 2006).
    double[] key = new double[size];
    for (int k = 0; k < size; k++) {
      double distance = (k - (size - 1) / 2.0) / Math.max(1, size / 4.0);
      key[k] = Math.log(1 - random.nextDouble()) / Math.exp(-distance * distance / 2);
      positions.add(k);
    }
    positions.sort((a, b) -> Double.compare(key[b], key[a]));
    List<Integer> drawn = new ArrayList<>(positions.subList(0, count));
    Collections.shuffle(drawn, random);
    return drawn;
  }

  /** Number of vectors. */
  public int vectors() {
    return inputs.length;
  }

  /** Contractions of each vector. */
  public int vectorSize() {
    return inputs[0].length;
  }

  /** Number of distinct inputs without the shared one; they are elements 1 to this number. */
  public int inputCount() {
    return inputCount;
  }

  /** Number of elements. */
  public int elements() {
    return 1 + inputCount + vectors() * vectorSize();
  }

  /** The input of contraction {@code k} of a vector. */
  public int input(int vector, int k) {
    return inputs[vector][k];
  }

  /** The output of contraction {@code k} of a vector. */
  public int output(int vector, int k) {
    return 1 + inputCount + vector * vectorSize() + k;
  }

  /** The order of all accesses; each step has an input, the shared input and an output. */
  public AccessQueue queue() {
    return queue(0);
  }

  private AccessQueue queue(int extent) {
    long flops = Math.round(SyntheticContraction.mesons(Math.max(1, extent)).flops());
    AccessQueue.Builder builder = AccessQueue.builder();
    for (int vector = 0; vector < vectors(); vector++) {
      for (int k = 0; k < vectorSize(); k++) {
        builder
            .step(new int[] {input(vector, k), SHARED}, new int[] {output(vector, k)})
            .work(StepKind.PRODUCT, extent == 0 ? 0 : flops);
      }
      builder.endVector();
    }
    return builder.build();
  }

  /** The workload as a trace, with meson nodes of N = {@code extent}. */
  public AccessTrace trace(int extent) {
    boolean[] input = new boolean[elements()];
    Arrays.fill(input, 0, inputCount + 1, true);
    TensorShape node = TensorShape.mesonNode(extent);
    return new AccessTrace(List.of(node), new int[elements()], input, List.of(queue(extent)));
  }
}
