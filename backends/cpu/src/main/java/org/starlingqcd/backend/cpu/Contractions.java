package org.starlingqcd.backend.cpu;

import static org.starlingqcd.backend.TensorShape.COMPLEX_BYTES;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;

/**
 * Contractions of one vector pair that lie alike in memory, resolved to addresses when they are put
 * into a stream, so that the caller may reuse its batch.
 *
 * <p>They are cut into waves, which run one after the other, so that the sums of real and imaginary
 * parts of a wave's inputs fit into bounded memory; and a wave into groups, contractions that add
 * into the same destination one after the other, which a thread runs in order for its part of the
 * destination.
 */
final class Contractions {
  /** Bound on the memory for the sums of a wave, unless a single contraction needs more. */
  static final long SUM_BYTES = 256L << 20;

  private final int end;
  private final Blocking blocking;
  private final MappingPlan[] plans;
  private final long[][] left;
  private final long[][] right;
  private final long[][] destination;
  private final double[] coefficients;
  private final boolean[] accumulate;
  private final boolean[] threeProducts;
  private final long[] leftSums;
  private final long[] rightSums;
  private final List<Wave> waves = new ArrayList<>();

  /** Consecutive contractions, and the distinct inputs whose sums they need. */
  static final class Wave {
    private final int[] groupStart;
    private final Grid[] grids;
    private final int[] partStart;
    private final Summation summation;

    private Wave(int[] groupStart, Grid[] grids, Summation summation) {
      this.groupStart = groupStart;
      this.grids = grids;
      this.summation = summation;
      partStart = new int[grids.length + 1];
      for (int g = 0; g < grids.length; g++) {
        partStart[g + 1] = partStart[g] + grids[g].parts();
      }
    }

    /** Independent parts of all groups. */
    int parts() {
      return partStart[grids.length];
    }

    /** Group that a part belongs to. */
    int group(int part) {
      int at = Arrays.binarySearch(partStart, part);
      return at < 0 ? -at - 2 : at;
    }

    /** First part of a group. */
    int firstPart(int group) {
      return partStart[group];
    }

    /** How a group's destination is cut. */
    Grid grid(int group) {
      return grids[group];
    }

    /** First contraction of a group; that of the next group is one after its last. */
    int groupStart(int group) {
      return groupStart[group];
    }

    Summation summation() {
      return summation;
    }
  }

  private Contractions(
      ContractionBatch batch, int from, int end, Blocking blocking, CpuDevice device) {
    int size = end - from;
    this.end = end;
    this.blocking = blocking;
    plans = new MappingPlan[size];
    left = new long[size][];
    right = new long[size][];
    destination = new long[size][];
    coefficients = new double[2 * size];
    accumulate = new boolean[size];
    threeProducts = new boolean[size];
    leftSums = new long[size];
    rightSums = new long[size];
    for (int k = 0; k < size; k++) {
      resolve(batch, from, k, device);
    }
    cutIntoWaves(batch, from, size, device);
  }

  /**
   * Takes contractions of the batch from {@code from} on, as many as lie alike in memory, and notes
   * in which layout their destinations will be.
   */
  static Contractions of(ContractionBatch batch, int from, CpuDevice device) {
    Tiling left = device.own(batch.left(from)).tiling();
    Tiling right = device.own(batch.right(from)).tiling();
    int end = from + 1;
    while (end < batch.size()
        && device.own(batch.left(end)).tiling().equals(left)
        && device.own(batch.right(end)).tiling().equals(right)) {
      end++;
    }
    return new Contractions(
        batch,
        from,
        end,
        new Blocking(batch.rows(), batch.columns(), batch.inner(), left, right),
        device);
  }

  private void resolve(ContractionBatch batch, int from, int k, CpuDevice device) {
    MappingPlan plan = device.plan(batch.mapping(from + k));
    BatchSpinMapping mapping = plan.mapping();
    CpuMemory target = device.own(batch.destination(from + k));
    plans[k] = plan;
    left[k] =
        device
            .own(batch.left(from + k))
            .spinAddresses(mapping.leftSpins(), COMPLEX_BYTES * blocking.leftSize());
    right[k] =
        device
            .own(batch.right(from + k))
            .spinAddresses(mapping.rightSpins(), COMPLEX_BYTES * blocking.rightSize());
    destination[k] =
        target.spinAddresses(
            mapping.destinationSpins(), COMPLEX_BYTES * blocking.destinationSize());
    coefficients[2 * k] = batch.coefficientRe(from + k);
    coefficients[2 * k + 1] = batch.coefficientIm(from + k);
    accumulate[k] = batch.accumulate(from + k);
    threeProducts[k] = isReal(k) && device.takesThreeProducts(blocking.inner());
    if (accumulate[k] && !target.tiling().sameNumbers(blocking.destination())) {
      throw new IllegalArgumentException(
          "accumulates into an element of another layout: is="
              + target.tiling()
              + " adds="
              + blocking.destination());
    }
    target.tiling(blocking.destination());
  }

  private void cutIntoWaves(ContractionBatch batch, int from, int size, CpuDevice device) {
    Summation summation = new Summation();
    List<Integer> groups = new ArrayList<>();
    for (int k = 0; k < size; k++) {
      if (threeProducts[k]) {
        CpuMemory leftInput = device.own(batch.left(from + k));
        CpuMemory rightInput = device.own(batch.right(from + k));
        long more =
            summation.needed(leftInput, blocking.leftSize(), left[k])
                + summation.needed(rightInput, blocking.rightSize(), right[k]);
        if (Double.BYTES * (summation.doubles() + more) > SUM_BYTES && !groups.isEmpty()) {
          waves.add(wave(groups, k, summation, device));
          groups.clear();
          summation = new Summation();
        }
        leftSums[k] = summation.add(leftInput, blocking.leftSize(), left[k]);
        rightSums[k] = summation.add(rightInput, blocking.rightSize(), right[k]);
      }
      if (groups.isEmpty() || batch.destination(from + k) != batch.destination(from + k - 1)) {
        groups.add(k);
      }
    }
    waves.add(wave(groups, size, summation, device));
  }

  private Wave wave(List<Integer> groups, int end, Summation summation, CpuDevice device) {
    int count = groups.size();
    int[] starts = new int[count + 1];
    starts[count] = end;
    for (int g = 0; g < count; g++) {
      starts[g] = groups.get(g);
    }
    // Four parts for each thread even out what they take.
    int parts = (4 * device.threads() + count - 1) / count;
    Grid[] grids = new Grid[count];
    for (int g = 0; g < count; g++) {
      MappingPlan plan = sharedPlan(starts[g], starts[g + 1]);
      int destinations = plans[starts[g]].mapping().destinationSpins();
      grids[g] = new Grid(plan, destinations, blocking, parts);
    }
    return new Wave(starts, grids, summation);
  }

  /** The plan of a group; null where its contractions have different ones. */
  private @Nullable MappingPlan sharedPlan(int start, int end) {
    for (int k = start + 1; k < end; k++) {
      if (plans[k] != plans[start]) {
        return null;
      }
    }
    return plans[start];
  }

  /** Number in the batch of the first contraction that is not among these. */
  int end() {
    return end;
  }

  List<Wave> waves() {
    return waves;
  }

  Blocking blocking() {
    return blocking;
  }

  MappingPlan plan(int k) {
    return plans[k];
  }

  /** Address of a component of the left input. */
  long left(int k, int spin) {
    return left[k][spin];
  }

  /** Address of a component of the right input. */
  long right(int k, int spin) {
    return right[k][spin];
  }

  /** Address of a component of the destination. */
  long destination(int k, int spin) {
    return destination[k][spin];
  }

  boolean accumulates(int k) {
    return accumulate[k];
  }

  /** Whether contraction {@code k} runs with three real products for each complex one. */
  boolean isThreeProducts(int k) {
    return threeProducts[k];
  }

  /** Doubles before the sums of a component of the left input. */
  long leftSum(int k, int spin) {
    return leftSums[k] + blocking.leftSize() * spin;
  }

  /** Doubles before the sums of a component of the right input. */
  long rightSum(int k, int spin) {
    return rightSums[k] + blocking.rightSize() * spin;
  }

  /** Whether the coefficient and all factors are real. */
  boolean isReal(int k) {
    return plans[k].isReal() && coefficients[2 * k + 1] == 0;
  }

  /** Real part of coefficient times factor of entry {@code b}. */
  double factorRe(int k, int b) {
    BatchSpinMapping mapping = plans[k].mapping();
    return coefficients[2 * k] * mapping.factorRe(b)
        - coefficients[2 * k + 1] * mapping.factorIm(b);
  }

  /** Imaginary part of coefficient times factor of entry {@code b}. */
  double factorIm(int k, int b) {
    BatchSpinMapping mapping = plans[k].mapping();
    return coefficients[2 * k] * mapping.factorIm(b)
        + coefficients[2 * k + 1] * mapping.factorRe(b);
  }
}
