package org.starlingqcd.backend.cpu.baryon;

import org.starlingqcd.backend.PairContraction;
import org.starlingqcd.backend.cpu.blas.CpuMemory;
import org.starlingqcd.backend.cpu.blas.ElementAccess;
import org.starlingqcd.backend.cpu.blas.Team;
import org.starlingqcd.backend.cpu.blas.Tiling;

/**
 * The layout of the scratch memory, in which a contraction of pairs of lines keeps its intermediate
 * results: the lines in the rotated basis; the elemental with the first line attached, {@code
 * Y[p][i][x][y]}; and, for a group of sums at a time, the elemental with both lines attached,
 * {@code X[sum][i][x y]}. If the other end is antisymmetric, only x &lt; y counts and X holds
 * {@code X[x y] - X[y x]}.
 *
 * <p>All three have three planes: real part, imaginary part, and their sum, since three real
 * products replace each complex one unless conventional products are asked for. The open index i is
 * cut into slices, which share only the lines.
 *
 * <p>One line is transposed so that every product is one of plain row-major matrices: the first
 * line for a sink, the second for a source.
 */
final class PairWorkspace {
  /** Real part, imaginary part and their sum. */
  static final int PLANES = 3;

  final PairContraction contraction;
  final Team team;

  /** Number of eigenvectors N. */
  final int n;

  /** Bytes of a real number. */
  final long bytes;

  /** Numbers of a matrix. */
  final int square;

  /** Places of the components of the first line among those that occur. */
  final int[] placeOfSpin;

  private final long first;
  private final long second;
  private final long y;
  private final long x;

  /** Resolves the scratch memory of a contraction. */
  PairWorkspace(PairContraction contraction, ElementAccess device) {
    this.contraction = contraction;
    team = device.team();
    n = contraction.extent();
    bytes = contraction.precision().realBytes();
    square = n * n;
    placeOfSpin = places(contraction);
    CpuMemory workspace = device.own(contraction.workspace());
    workspace.tiling(Tiling.PLAIN);
    first = workspace.spinAddresses(1, workspace.bytes())[0];
    second = first + line(LineRotation.SPINS);
    y = second + line(LineRotation.SPINS);
    x = y + bytes * PLANES * contraction.firstSpins().size() * contraction.rows() * square;
  }

  /** For each component of the first line its place among those that occur. */
  static int[] places(PairContraction contraction) {
    int[] places = new int[LineRotation.SPINS];
    for (int k = 0; k < contraction.firstSpins().size(); k++) {
      places[contraction.firstSpins().get(k)] = k;
    }
    return places;
  }

  private long line(int spin) {
    return bytes * PLANES * square * spin;
  }

  /** Address of a component of the first line. */
  long first(int spin) {
    return first + line(spin);
  }

  /** Address of a component of the second line. */
  long second(int spin) {
    return second + line(spin);
  }

  /**
   * Address of a matrix of the elemental with the first line attached.
   *
   * @param count rows of the slice
   */
  long y(int plane, int place, int row, int count) {
    return y
        + bytes * (((long) plane * contraction.firstSpins().size() + place) * count + row) * square;
  }

  /** Both lines attached for some sums and rows. */
  Attached attached(int sums, int rows) {
    return new Attached(x, bytes, sums, rows, PairClosing.numbers(n, contraction.antisymmetric()));
  }

  /**
   * Both lines attached for some sums and rows, {@code [plane][sum][row][numbers]}.
   *
   * @param address of the first number
   * @param bytes of a real number
   * @param numbers that are kept of a matrix
   */
  record Attached(long address, long bytes, int sums, int rows, int numbers) {
    /** Address of a matrix. */
    long at(int plane, int sum, int row) {
      return address + plane * plane() + bytes * ((long) sum * rows + row) * numbers;
    }

    /** Bytes of a plane. */
    long plane() {
      return bytes * sums * rows * numbers;
    }

    /** All columns, ready to be closed. */
    PairClosing.Columns columns(int start) {
      return new PairClosing.Columns(address, plane(), sums, rows, start);
    }
  }
}
