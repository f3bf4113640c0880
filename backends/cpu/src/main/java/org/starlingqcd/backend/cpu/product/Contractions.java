package org.starlingqcd.backend.cpu.product;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.ContractionBatch;
import org.starlingqcd.backend.cpu.blas.KernelChoice.Form;
import org.starlingqcd.backend.cpu.blas.Tiling;
import org.starlingqcd.backend.cpu.memory.CpuMemory;

/**
 * Contractions of one vector pair with the same layouts and the same kernel. They are resolved to
 * addresses when they are put into a stream, so that the caller may reuse its batch.
 *
 * <p>They are cut into waves, which run one after the other, so that the prepared inputs of a wave
 * fit into bounded memory. A wave consists of groups. The contractions of a group add into the same
 * destination one after the other, and a thread runs them in order for its part of the destination.
 */
public final class Contractions {
  /** Bound on the prepared inputs of a wave, unless a single contraction needs more. */
  static final long PREPARED_BYTES = 256L << 20;

  private final int end;
  private final int bytes;
  private final Form form;
  private final Blocking blocking;
  private final MappingPlan[] plans;
  private final CpuMemory[] leftMemory;
  private final CpuMemory[] rightMemory;
  private final long[][] left;
  private final long[][] right;
  private final long[][] destination;
  private final double[] coefficients;
  private final boolean[] accumulate;
  private final long[] leftPrepared;
  private final long[] rightPrepared;
  private final @Nullable Bundle[] bundles;
  private final List<Wave> waves = new ArrayList<>();

  /** Consecutive contractions with their prepared inputs. */
  static final class Wave {
    private final int[] groupStart;
    private final int[] groupEnd;
    private final Scheme.Cut[] cuts;
    private final int[] partStart;
    private final Preparation preparation;

    private Wave(int[] groupStart, int[] groupEnd, Scheme.Cut[] cuts, Preparation preparation) {
      this.groupStart = groupStart;
      this.groupEnd = groupEnd;
      this.cuts = cuts;
      this.preparation = preparation;
      partStart = new int[cuts.length + 1];
      for (int g = 0; g < cuts.length; g++) {
        partStart[g + 1] = partStart[g] + cuts[g].parts();
      }
    }

    /** Independent parts of all groups. */
    int parts() {
      return partStart[cuts.length];
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

    /** The parts of a group's destination. */
    Scheme.Cut cut(int group) {
      return cuts[group];
    }

    /** First contraction of a group. */
    int groupStart(int group) {
      return groupStart[group];
    }

    /** One after the last contraction of a group. */
    int groupEnd(int group) {
      return groupEnd[group];
    }

    Preparation preparation() {
      return preparation;
    }
  }

  private Contractions(
      ContractionBatch batch,
      int from,
      int end,
      Form form,
      Blocking blocking,
      ProductAccess device,
      long preparedBytes) {
    int size = end - from;
    this.end = end;
    bytes = device.precision().realBytes();
    this.form = form;
    this.blocking = blocking;
    plans = new MappingPlan[size];
    leftMemory = new CpuMemory[size];
    rightMemory = new CpuMemory[size];
    left = new long[size][];
    right = new long[size][];
    destination = new long[size][];
    coefficients = new double[2 * size];
    accumulate = new boolean[size];
    leftPrepared = new long[size];
    rightPrepared = new long[size];
    bundles = new Bundle[size];
    for (int k = 0; k < size; k++) {
      resolve(batch, from, k, device);
    }
    boolean threeProducts = device.choice(batch.inner()).threeProducts();
    Scheme scheme =
        switch (form) {
          case TILES -> new Tiles(this, threeProducts);
          case ZGEMM -> new SingleProducts(this);
          case PACKED, STRASSEN -> new PackedProducts(this, threeProducts, form == Form.STRASSEN);
        };
    cutIntoWaves(batch, from, size, scheme, device.threads(), preparedBytes);
  }

  /**
   * Takes the contractions of the batch from {@code from} on that share layouts and kernel, and
   * notes the layout of their destinations.
   */
  public static Contractions of(ContractionBatch batch, int from, ProductAccess device) {
    return of(batch, from, device, PREPARED_BYTES);
  }

  /**
   * The same with another bound.
   *
   * @param preparedBytes bound on the prepared inputs of a wave
   */
  public static Contractions of(
      ContractionBatch batch, int from, ProductAccess device, long preparedBytes) {
    Tiling left = device.own(batch.left(from)).tiling();
    Tiling right = device.own(batch.right(from)).tiling();
    Form form = form(batch, device);
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
        form,
        new Blocking(batch.rows(), batch.columns(), batch.inner(), left, right),
        device,
        preparedBytes);
  }

  /** The chosen form where it applies: zgemm needs square matrices. */
  private static Form form(ContractionBatch batch, ProductAccess device) {
    Form chosen = device.choice(batch.inner()).form();
    boolean square = batch.rows() == batch.inner() && batch.columns() == batch.inner();
    return chosen != Form.ZGEMM || square ? chosen : Form.TILES;
  }

  private void resolve(ContractionBatch batch, int from, int k, ProductAccess device) {
    MappingPlan plan = device.plan(batch.mapping(from + k));
    BatchSpinMapping mapping = plan.mapping();
    CpuMemory target = device.own(batch.destination(from + k));
    plans[k] = plan;
    leftMemory[k] = device.own(batch.left(from + k));
    rightMemory[k] = device.own(batch.right(from + k));
    left[k] = leftMemory[k].spinAddresses(mapping.leftSpins(), 2L * bytes * blocking.leftSize());
    right[k] =
        rightMemory[k].spinAddresses(mapping.rightSpins(), 2L * bytes * blocking.rightSize());
    destination[k] =
        target.spinAddresses(mapping.destinationSpins(), 2L * bytes * blocking.destinationSize());
    coefficients[2 * k] = batch.coefficientRe(from + k);
    coefficients[2 * k + 1] = batch.coefficientIm(from + k);
    accumulate[k] = batch.accumulate(from + k);
    if (accumulate[k] && !target.tiling().sameNumbers(blocking.destination())) {
      throw new IllegalArgumentException(
          "accumulates into an element of another layout: is="
              + target.tiling()
              + " adds="
              + blocking.destination());
    }
    target.tiling(blocking.destination());
  }

  private void cutIntoWaves(
      ContractionBatch batch, int from, int size, Scheme scheme, int threads, long preparedBytes) {
    Preparation preparation = new Preparation();
    List<Integer> groups = new ArrayList<>();
    for (int k = 0; k < size; k++) {
      Preparation.Ingredient ofLeft = scheme.left(k);
      Preparation.Ingredient ofRight = scheme.right(k);
      long more =
          (ofLeft == null ? 0 : preparation.needed(ofLeft))
              + (ofRight == null ? 0 : preparation.needed(ofRight));
      if (more > 0 && bytes * (preparation.numbers() + more) > preparedBytes && !groups.isEmpty()) {
        waves.add(wave(groups, k, preparation, scheme, threads));
        groups.clear();
        preparation = new Preparation();
      }
      leftPrepared[k] = ofLeft == null ? 0 : preparation.add(ofLeft);
      rightPrepared[k] = ofRight == null ? 0 : preparation.add(ofRight);
      if (groups.isEmpty() || batch.destination(from + k) != batch.destination(from + k - 1)) {
        groups.add(k);
      }
    }
    waves.add(wave(groups, size, preparation, scheme, threads));
  }

  private Wave wave(
      List<Integer> groups, int end, Preparation preparation, Scheme scheme, int threads) {
    int[] starts = groups.stream().mapToInt(Integer::intValue).toArray();
    int[] ends = Arrays.copyOf(starts, starts.length);
    for (int g = 0; g < starts.length; g++) {
      ends[g] = g + 1 < starts.length ? starts[g + 1] : end;
    }
    // Two bundles for each thread, so that threads share the work evenly.
    int most = threads == 1 ? starts.length : starts.length / (2 * threads);
    Bundle.fill(this, scheme, starts, ends, most, bundles);
    int count = 0;
    int[] sizes = new int[starts.length];
    for (int g = 0; g < starts.length; g++) {
      Bundle bundle = bundle(starts[g]);
      if (bundle.first() == starts[g]) {
        sizes[count] = Math.max(ends[g] - starts[g], bundle.contractions().size());
        starts[count] = starts[g];
        ends[count++] = ends[g];
      }
    }
    int[] parts = GroupParts.of(Arrays.copyOf(sizes, count), threads);
    Scheme.Cut[] cuts = new Scheme.Cut[count];
    for (int g = 0; g < count; g++) {
      cuts[g] = scheme.cut(starts[g], ends[g], parts[g]);
    }
    return new Wave(starts, ends, cuts, preparation);
  }

  /** The plan of a group; null where its contractions have different ones. */
  @Nullable MappingPlan sharedPlan(int start, int end) {
    for (int k = start + 1; k < end; k++) {
      if (plans[k] != plans[start]) {
        return null;
      }
    }
    return plans[start];
  }

  /** The contractions that are computed together with this one, at least itself. */
  Bundle bundle(int k) {
    Bundle bundle = bundles[k];
    return bundle == null ? Bundle.of(k) : bundle;
  }

  /** Number in the batch of the first contraction after these. */
  public int end() {
    return end;
  }

  /** Bytes of a real number. */
  int bytes() {
    return bytes;
  }

  /** The kind of products that computes them. */
  Form form() {
    return form;
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

  /** The plan of a contraction that is a product of matrices of spins. */
  FusedPlan fused(int k) {
    return Objects.requireNonNull(plans[k].fused());
  }

  CpuMemory leftMemory(int k) {
    return leftMemory[k];
  }

  CpuMemory rightMemory(int k) {
    return rightMemory[k];
  }

  /** Addresses of the components of the left input. */
  long[] left(int k) {
    return left[k];
  }

  /** Addresses of the components of the right input. */
  long[] right(int k) {
    return right[k];
  }

  /** Address of a component of the destination. */
  long destination(int k, int spin) {
    return destination[k][spin];
  }

  boolean accumulates(int k) {
    return accumulate[k];
  }

  /** Numbers before the prepared left input. */
  long leftPrepared(int k) {
    return leftPrepared[k];
  }

  /** Numbers before the prepared right input. */
  long rightPrepared(int k) {
    return rightPrepared[k];
  }

  double coefficientRe(int k) {
    return coefficients[2 * k];
  }

  double coefficientIm(int k) {
    return coefficients[2 * k + 1];
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
