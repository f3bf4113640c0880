package org.starlingqcd.backend.cpu;

import static org.starlingqcd.backend.TensorShape.COMPLEX_BYTES;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.DeviceMemory;

/**
 * Contractions of one vector pair that lie alike in memory, resolved to addresses when they are put
 * into a stream, so that the caller may reuse its batch.
 *
 * <p>They are cut into waves, which run one after the other, so that the sums of real and imaginary
 * parts of a wave's right inputs fit into bounded memory; and a wave into groups, contractions that
 * add into the same destination one after the other, which a thread runs in order for its part of
 * the destination.
 */
final class Contractions {
  /** Bound on the memory for the sums of a wave, unless a single right input needs more. */
  private static final long SUM_BYTES = 128L << 20;

  private final int end;
  private final Blocking blocking;
  private final MappingPlan[] plans;
  private final long[][] left;
  private final long[][] right;
  private final long[][] destination;
  private final double[] coefficients;
  private final boolean[] accumulate;
  private final boolean[] threeProducts;
  private final int[] sumSlot;
  private final List<Wave> waves = new ArrayList<>();

  /** Consecutive contractions, and the distinct right inputs whose sums they need. */
  static final class Wave {
    private final int[] groupStart;
    private final int[] partStart;
    private final long[][] summed;

    private Wave(int[] groupStart, int[] partStart, long[][] summed) {
      this.groupStart = groupStart;
      this.partStart = partStart;
      this.summed = summed;
    }

    /** Independent parts: a row of destinations and a row of blocks of one group. */
    int parts() {
      return partStart[partStart.length - 1];
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

    /** First contraction of a group; that of the next group is one after its last. */
    int groupStart(int group) {
      return groupStart[group];
    }

    /** Right inputs whose sums are needed, as addresses of their components. */
    long[][] summed() {
      return summed;
    }

    /** Most components of an input that is summed. */
    int summedSpins() {
      int spins = 0;
      for (long[] input : summed) {
        spins = Math.max(spins, input.length);
      }
      return spins;
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
    sumSlot = new int[size];
    for (int k = 0; k < size; k++) {
      resolve(batch, from, k, device);
    }
    cutIntoWaves(batch, from, size);
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
    threeProducts[k] = !device.isExact() && plan.isReal() && coefficients[2 * k + 1] == 0;
    if (accumulate[k] && !target.tiling().sameNumbers(blocking.destination())) {
      throw new IllegalArgumentException(
          "accumulates into an element of another layout: is="
              + target.tiling()
              + " adds="
              + blocking.destination());
    }
    target.tiling(blocking.destination());
  }

  private void cutIntoWaves(ContractionBatch batch, int from, int size) {
    long left = SUM_BYTES;
    Map<DeviceMemory, Integer> slots = new IdentityHashMap<>();
    List<long[]> summed = new ArrayList<>();
    List<Integer> groups = new ArrayList<>();
    for (int k = 0; k < size; k++) {
      DeviceMemory input = batch.right(from + k);
      if (threeProducts[k] && !slots.containsKey(input)) {
        long bytes = Double.BYTES * blocking.rightSize() * right[k].length;
        if (bytes > left && !slots.isEmpty()) {
          waves.add(wave(groups, k, summed));
          left = SUM_BYTES;
          slots.clear();
          summed.clear();
          groups.clear();
        }
        left -= bytes;
        slots.put(input, summed.size());
        summed.add(right[k]);
      }
      sumSlot[k] = slots.getOrDefault(input, -1);
      if (groups.isEmpty() || batch.destination(from + k) != batch.destination(from + k - 1)) {
        groups.add(k);
      }
    }
    waves.add(wave(groups, size, summed));
  }

  private Wave wave(List<Integer> groups, int end, List<long[]> summed) {
    int[] starts = new int[groups.size() + 1];
    int[] parts = new int[groups.size() + 1];
    starts[groups.size()] = end;
    for (int g = 0; g < groups.size(); g++) {
      starts[g] = groups.get(g);
    }
    for (int g = 0; g < groups.size(); g++) {
      parts[g + 1] = parts[g] + rows(starts[g], starts[g + 1]) * blocking.rowBlocks();
    }
    return new Wave(starts, parts, summed.toArray(long[][]::new));
  }

  /** Rows of destinations in a group; one by one where its mappings differ. */
  private int rows(int start, int end) {
    for (int k = start + 1; k < end; k++) {
      if (plans[k] != plans[start]) {
        return plans[start].mapping().destinationSpins();
      }
    }
    return plans[start].rows();
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

  /** Number of its right input among those whose sums its wave needs. */
  int sumSlot(int k) {
    return sumSlot[k];
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
