package org.starlingqcd.backend;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Two quark lines between one baryon and many others, for given sums over spin components. Baryons
 * are N × N × N with one spin component, lines are meson nodes (16 components), the destination has
 * {@link #components} of N × N.
 *
 * <p>Attached to a sink B, a sum over components p and q gives {@code X[i][m][n] = Σ factor ·
 * B[i][k][l] · first[p][k][m] · second[q][l][n]}, and the component for a source B* is {@code
 * destination[j][i] = Σ_mn B*[j][m][n] X[i][m][n]}. Attached to a source, {@code X[j][k][l] = Σ
 * factor · B*[j][m][n] · first[p][k][m] · second[q][l][n]} and {@code destination[j][i] = Σ_kl
 * B[i][k][l] X[j][k][l]}. Components of the lines are meant in the rotated basis: {@code line[p] =
 * Σ_s rotation[p][s] · given[s]}.
 *
 * <p>Branches follow one another in the destination, and in a branch the others, with a component
 * for each sum. Flops: {@code 8·N⁴} for every component p of the first line that occurs and for
 * every entry of every sum, and for every component of the destination as many, or half as many
 * where the others are antisymmetric.
 *
 * @param sinkAttached whether the lines are attached to a sink
 * @param attached elemental that both lines are attached to, open leg first
 * @param first line between the second legs
 * @param branches second lines, and what they end at
 * @param rotation between the basis of the sums and that of the lines given
 * @param destination the blocks
 * @param workspace scratch memory of at least {@link #workspaceBytes}(extent, 1); with less than
 *     that for {@code extent} rows the open index is cut into slices, at no cost
 * @param extent number of eigenvectors N
 */
public record PairContraction(
    boolean sinkAttached,
    DeviceMemory attached,
    DeviceMemory first,
    List<Branch> branches,
    Rotation rotation,
    DeviceMemory destination,
    DeviceMemory workspace,
    int extent) {

  /** Sums that are attached before they are closed. */
  public static final int GROUP = 16;

  private static final int LINE_SPINS = DiquarkContraction.LINE_SPINS;

  /** Doubles kept for each complex number: real part, imaginary part, and their sum. */
  private static final int PLANES = 3;

  /**
   * A second line with the sums over spins wanted, and the elementals at the other end.
   *
   * @param second line between the third legs
   * @param sums sums over spin components
   * @param others elementals at the other end, open leg first
   * @param antisymmetric whether exchanging the last two indices of the others changes their sign
   */
  public record Branch(
      DeviceMemory second,
      List<LinePairSum> sums,
      List<DeviceMemory> others,
      boolean antisymmetric) {
    /** Copies the lists. */
    public Branch {
      sums = List.copyOf(sums);
      others = List.copyOf(others);
    }
  }

  /** A real 16 × 16 matrix between bases of the spins of a line. */
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

  /** Copies the list and checks the workspace. */
  public PairContraction {
    branches = List.copyOf(branches);
    DiquarkContraction.checkWorkspace(workspace, workspaceBytes(extent, 1), extent);
  }

  /** Components of the destination. */
  public int components() {
    return branches.stream().mapToInt(b -> b.sums().size() * b.others().size()).sum();
  }

  /** Bytes of scratch memory that hold slices of {@code rows} values of the open index. */
  public static long workspaceBytes(int extent, int rows) {
    return (long) PLANES
        * Double.BYTES
        * extent
        * extent
        * (2 * LINE_SPINS + (long) rows * (LINE_SPINS + GROUP));
  }

  /** The rows of the open index that a workspace has room for. */
  public int rows() {
    return rows(extent, workspace.bytes());
  }

  /** The rows of the open index that {@code bytes} of scratch memory have room for. */
  public static int rows(int extent, long bytes) {
    long row = workspaceBytes(extent, 2) - workspaceBytes(extent, 1);
    return (int) Math.min(extent, 1 + (bytes - workspaceBytes(extent, 1)) / row);
  }

  /** Components of the first line that occur, ascending. */
  public int[] firstSpins() {
    return branches.stream()
        .flatMap(branch -> branch.sums().stream())
        .flatMapToInt(sum -> IntStream.range(0, sum.size()).map(sum::first))
        .distinct()
        .sorted()
        .toArray();
  }
}
