package org.starlingqcd.backend;

import java.util.Arrays;
import java.util.List;

/**
 * Two quark lines between one baryon and many others, for given sums over spin components. Baryons
 * are N × N × N with one spin component, lines are meson nodes (16 components), and blocks have an
 * N × N component for each sum.
 *
 * <p>Attached to a sink B, a sum over components p and q gives {@code X[i][m][n] = Σ factor ·
 * B[i][k][l] · first[p][k][m] · second[q][l][n]}, and the component for a source B* is {@code
 * block[j][i] = Σ_mn B*[j][m][n] X[i][m][n]}. Attached to a source, {@code X[j][k][l] = Σ factor ·
 * B*[j][m][n] · first[p][k][m] · second[q][l][n]} and {@code block[j][i] = Σ_kl B[i][k][l]
 * X[j][k][l]}. Components of the lines are in the rotated basis: {@code line[p] = Σ_s
 * rotation[p][s] · given[s]}.
 *
 * <p>It runs in {@link Stage}s, which keep intermediate results in the scratch memory in the
 * device's own layout. The first stages rotate the lines. The next ones work on one slice of the
 * attached baryon's open index at a time: they attach the first line, attach the second line for
 * some sums at a time, and close the result with one baryon after the other. A stage touches only
 * its own operands and the scratch memory, so that little has to be on the device at once. Slices
 * share only the rotated lines.
 *
 * @param sinkAttached whether the lines are attached to a sink
 * @param firstSpins components p of the first line that the sums use, ascending
 * @param rows most values of the open index in a slice
 * @param sums most sums attached at once
 * @param antisymmetric whether all baryons at the other end change their sign when their last two
 *     indices are exchanged; half of their numbers is then enough
 * @param rotation from the basis of the given lines to that of the sums
 * @param workspace scratch memory of at least {@link #workspaceBytes}
 * @param extent number of eigenvectors N
 * @param precision of all elements
 */
public record PairContraction(
    boolean sinkAttached,
    List<Integer> firstSpins,
    int rows,
    int sums,
    boolean antisymmetric,
    Rotation rotation,
    DeviceMemory workspace,
    int extent,
    Precision precision) {

  /** Spin components of a quark line. */
  public static final int LINE_SPINS = 16;

  /** Real numbers kept for each complex number: real part, imaginary part, and their sum. */
  private static final int PLANES = 3;

  /** A real 16 × 16 matrix that changes the spin basis of a line. */
  public static final class Rotation {
    private final double[] numbers;

    /** Creates a matrix from its numbers, row-major; they are copied. */
    public Rotation(double[] numbers) {
      if (numbers.length != LINE_SPINS * LINE_SPINS) {
        throw new IllegalArgumentException("must be 256: numbers=" + numbers.length);
      }
      this.numbers = numbers.clone();
    }

    /** Weight of given component {@code s} in rotated component {@code p}. */
    public double at(int p, int s) {
      return numbers[LINE_SPINS * p + s];
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Rotation that && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(numbers);
    }
  }

  /** One call of {@link Device#contractPairs}. */
  public sealed interface Stage
      permits FirstLine, SecondLine, FirstAttached, BothAttached, Closed, Whole {}

  /** Rotates the line between the second legs. */
  public record FirstLine(DeviceMemory line) implements Stage {}

  /** Rotates the line between the third legs; it replaces the previous one. */
  public record SecondLine(DeviceMemory line) implements Stage {}

  /**
   * Values {@code start … start + rows - 1} of the open index of the attached baryon.
   *
   * @param rows at most those of the contraction
   */
  public record Slice(int start, int rows) {
    /** Checks the range. */
    public Slice {
      if (start < 0 || rows < 1) {
        throw new IllegalArgumentException("must be >= 0 and >= 1: start=" + start + " " + rows);
      }
    }
  }

  /**
   * Attaches the first line: {@code 8·N³} flops for each of {@code firstSpins} and each row.
   *
   * @param attached elemental that both lines are attached to, open leg first
   * @param held values of its open index that {@code attached} holds, at least those of the slice
   */
  public record FirstAttached(DeviceMemory attached, Slice held, Slice slice) implements Stage {
    /** Checks that the slice is within the held values. */
    public FirstAttached {
      if (slice.start() < held.start()
          || slice.start() + slice.rows() > held.start() + held.rows()) {
        throw new IllegalArgumentException("must be within " + held + ": " + slice);
      }
    }
  }

  /** Attaches the second line for some sums: {@code 8·N³} flops for each entry and each row. */
  public record BothAttached(List<LinePairSum> sums, Slice slice) implements Stage {
    /** Copies the list. */
    public BothAttached {
      sums = List.copyOf(sums);
    }
  }

  /**
   * Closes the sums attached last with baryons at the other end: {@code 8·N³} flops for each
   * baryon, each sum and each row, or half as many for antisymmetric baryons.
   *
   * @param others elementals at the other end, open leg first
   * @param blocks the block of each elemental, laid out as {@code [component][j][i]}, a tensor of
   *     rank 1 on the host ({@link #blockShape}); the stage writes the numbers of the slice in the
   *     components from {@code firstComponent} on and leaves the others unchanged
   * @param components number of components of the blocks
   * @param firstComponent component of the first sum
   * @param sums number of the sums attached last
   */
  public record Closed(
      List<DeviceMemory> others,
      List<DeviceMemory> blocks,
      int components,
      int firstComponent,
      int sums,
      Slice slice)
      implements Stage {
    /** Copies the lists and checks the numbers. */
    public Closed {
      others = List.copyOf(others);
      blocks = List.copyOf(blocks);
      if (others.size() != blocks.size()
          || firstComponent < 0
          || sums < 1
          || firstComponent + sums > components) {
        throw new IllegalArgumentException(
            "must be a block for each elemental, and components within it: others="
                + others.size()
                + " blocks="
                + blocks.size()
                + " firstComponent="
                + firstComponent
                + " sums="
                + sums
                + " components="
                + components);
      }
    }
  }

  /**
   * All stages at once, with all operands on the device: everything that is closed with both lines
   * attached to a baryon, for some second lines. The device need not keep intermediate results in
   * the scratch memory.
   *
   * @param first line between the second legs
   * @param attached elemental that both lines are attached to, open leg first
   * @param branches second lines
   */
  public record Whole(DeviceMemory first, DeviceMemory attached, List<Branch> branches)
      implements Stage {
    /** Copies the list. */
    public Whole {
      branches = List.copyOf(branches);
    }
  }

  /**
   * A second line, the sums it is attached for, and the elementals that close them.
   *
   * @param second line between the third legs
   * @param antisymmetric whether this line's elementals are antisymmetric, as for the contraction
   * @param others elementals at the other end, open leg first
   * @param blocks the block of each elemental, with a component for each sum
   */
  public record Branch(
      DeviceMemory second,
      List<LinePairSum> sums,
      boolean antisymmetric,
      List<DeviceMemory> others,
      List<DeviceMemory> blocks) {
    /** Copies the lists and checks the numbers. */
    public Branch {
      sums = List.copyOf(sums);
      others = List.copyOf(others);
      blocks = List.copyOf(blocks);
      if (sums.isEmpty() || others.size() != blocks.size()) {
        throw new IllegalArgumentException(
            "must be a sum at least, and a block for each elemental: sums=%s others=%s blocks=%s"
                .formatted(sums.size(), others.size(), blocks.size()));
      }
    }
  }

  /** Receives stages, each with the contraction that it belongs to. */
  @FunctionalInterface
  public interface StageVisitor {
    /** A stage. */
    void stage(PairContraction contraction, Stage stage);
  }

  /** Copies the list and checks the workspace. */
  public PairContraction {
    firstSpins = List.copyOf(firstSpins);
    long least = workspaceBytes(extent, firstSpins.size(), rows, sums, antisymmetric, precision);
    if (extent < 1 || workspace.bytes() < least) {
      throw new IllegalArgumentException(
          "workspace must be >= %s bytes: bytes=%s extent=%s"
              .formatted(least, workspace.bytes(), extent));
    }
  }

  /**
   * Bytes of scratch memory: 32 rotated spin components and, for each row, the attached components
   * of the first line in three real planes each and the sums in three planes. Antisymmetric
   * elementals need half the space for the sums.
   */
  public static long workspaceBytes(
      int extent, int firstSpins, int rows, int sums, boolean antisymmetric, Precision precision) {
    long square = (long) extent * extent;
    long plane = PLANES * square * precision.realBytes();
    // Half of three planes is 1½ real numbers; a device without planes needs 2 for all of it.
    long sum = antisymmetric ? precision.complexBytes() * square : plane;
    return 2 * LINE_SPINS * plane + rows * (firstSpins * plane + sums * sum);
  }

  /** The shape of scratch memory of at least this many bytes. */
  public static TensorShape workspaceShape(int extent, long bytes, Precision precision) {
    long matrix = TensorShape.elemental(extent).in(precision).bytes();
    return new TensorShape(
        Math.toIntExact((bytes + matrix - 1) / matrix),
        1,
        Math.multiplyExact(extent, extent),
        precision);
  }

  /** The shape of {@code rows} values of the open index of a baryon, a tensor of rank 1. */
  public static TensorShape sliceShape(int extent, int rows) {
    return new TensorShape(1, 1, Math.multiplyExact(rows, Math.multiplyExact(extent, extent)));
  }

  /**
   * The shape of blocks of this many components. Its rank is 1 although it holds N × N matrices,
   * since a device may change the order of the numbers of rank-2 tensors.
   */
  public static TensorShape blockShape(int extent, int components) {
    return new TensorShape(components, 1, Math.multiplyExact(extent, extent));
  }

  /** The same contraction for other sums and other baryons at the other end. */
  public PairContraction with(int otherSums, boolean otherAntisymmetric) {
    return new PairContraction(
        sinkAttached,
        firstSpins,
        rows,
        otherSums,
        otherAntisymmetric,
        rotation,
        workspace,
        extent,
        precision);
  }

  /**
   * Leads a visitor through the stages that make up a whole contraction, in slices of {@code rows}
   * rows and with all sums of a branch at once.
   *
   * @throws IllegalArgumentException when the scratch memory is too small for a branch
   */
  public void forEachStage(Whole whole, StageVisitor visitor) {
    visitor.stage(this, new FirstLine(whole.first()));
    for (int start = 0; start < extent; start += rows) {
      Slice slice = new Slice(start, Math.min(rows, extent - start));
      visitor.stage(this, new FirstAttached(whole.attached(), new Slice(0, extent), slice));
      for (Branch branch : whole.branches()) {
        int count = branch.sums().size();
        PairContraction of = with(count, branch.antisymmetric());
        visitor.stage(of, new SecondLine(branch.second()));
        visitor.stage(of, new BothAttached(branch.sums(), slice));
        visitor.stage(of, new Closed(branch.others(), branch.blocks(), count, 0, count, slice));
      }
    }
  }

  /** Checks that a slice lies within the open index and has at most {@code rows} rows. */
  public void check(Slice slice) {
    if (slice.start() + slice.rows() > extent || slice.rows() > rows) {
      throw new IllegalArgumentException(
          "must lie within " + extent + " and have <= " + rows + " rows: " + slice);
    }
  }

  /** Checks that there are at most {@code sums} sums and that they use only {@code firstSpins}. */
  public void check(List<LinePairSum> attached) {
    if (attached.isEmpty() || attached.size() > sums) {
      throw new IllegalArgumentException("must be from 1 to " + sums + " sums: " + attached.size());
    }
    for (LinePairSum sum : attached) {
      for (int e = 0; e < sum.size(); e++) {
        if (!firstSpins.contains(sum.first(e))) {
          throw new IllegalArgumentException(
              "component " + sum.first(e) + " must be among those attached: " + firstSpins);
        }
      }
    }
  }
}
