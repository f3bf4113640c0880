package org.starlingqcd.correlators.definition.symmetry;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.graph.Momentum;

/**
 * An element of the cubic group O_h: a signed permutation matrix R with {@code R e_i = sign_i
 * e_axis_i} for the axes 0, 1, 2.
 *
 * @param axes image axes of e_0, e_1, e_2, a permutation
 * @param signs signs of the images, each ±1
 */
public record CubicRotation(List<Integer> axes, List<Integer> signs) {
  /** The unit matrix. */
  public static final CubicRotation IDENTITY =
      new CubicRotation(List.of(0, 1, 2), List.of(1, 1, 1));

  private static final List<CubicRotation> GROUP = group();

  /** Checks that it is a signed permutation. */
  public CubicRotation {
    axes = List.copyOf(axes);
    signs = List.copyOf(signs);
    if (axes.size() != 3
        || signs.size() != 3
        || !axes.containsAll(List.of(0, 1, 2))
        || signs.stream().anyMatch(s -> Math.abs(s) != 1)) {
      throw new IllegalArgumentException("no signed permutation: axes=" + axes + " signs=" + signs);
    }
  }

  /** All 48 elements, the unit matrix first. */
  public static List<CubicRotation> all() {
    return GROUP;
  }

  private static List<CubicRotation> group() {
    List<CubicRotation> all = new ArrayList<>();
    for (int first = 0; first < 3; first++) {
      for (int step = 1; step <= 2; step++) {
        List<Integer> axes = List.of(first, (first + step) % 3, (first + 2 * step) % 3);
        for (int bits = 0; bits < 8; bits++) {
          all.add(
              new CubicRotation(
                  axes, List.of(1 - 2 * (bits & 1), 1 - (bits & 2), 1 - (bits >> 1 & 2))));
        }
      }
    }
    return List.copyOf(all);
  }

  /** Matrix element {@code R[row][column]}, one of -1, 0, 1. */
  public int element(int row, int column) {
    return axes.get(column) == row ? signs.get(column) : 0;
  }

  /** R n. */
  public Momentum apply(Momentum n) {
    int[] image = new int[3];
    for (int axis = 0; axis < 3; axis++) {
      image[axes.get(axis)] = signs.get(axis) * n.component(axis);
    }
    return new Momentum(image[0], image[1], image[2]);
  }

  /** The sign of the permutation of the axes, that is, the determinant of {@code |R|}. */
  public int permutationSign() {
    return (axes.get(1) - axes.get(0) + 3) % 3 == 1 ? 1 : -1;
  }

  /** The determinant: 1 for a proper rotation, -1 for one with the inversion. */
  public int determinant() {
    return permutationSign() * signs.get(0) * signs.get(1) * signs.get(2);
  }

  /**
   * U(R), one of the two matrices of SU(2) that belong to the proper part of R. A term of a
   * projection uses the same matrix in all of its factors, so its sign cancels.
   */
  public SpinRotation spinor() {
    return SpinRotation.of(this);
  }

  /** The inverse, which is the transpose. */
  public CubicRotation inverse() {
    Integer[] inverseAxes = new Integer[3];
    Integer[] inverseSigns = new Integer[3];
    for (int axis = 0; axis < 3; axis++) {
      inverseAxes[axes.get(axis)] = axis;
      inverseSigns[axes.get(axis)] = signs.get(axis);
    }
    return new CubicRotation(List.of(inverseAxes), List.of(inverseSigns));
  }

  /** The product {@code this · other}: other first. */
  public CubicRotation times(CubicRotation other) {
    List<Integer> imageAxes = new ArrayList<>();
    List<Integer> imageSigns = new ArrayList<>();
    for (int axis = 0; axis < 3; axis++) {
      int through = other.axes.get(axis);
      imageAxes.add(axes.get(through));
      imageSigns.add(other.signs.get(axis) * signs.get(through));
    }
    return new CubicRotation(imageAxes, imageSigns);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int axis = 0; axis < 3; axis++) {
      text.append(axis == 0 ? "" : " ")
          .append("xyz".charAt(axis))
          .append('→')
          .append(signs.get(axis) < 0 ? "-" : "")
          .append("xyz".charAt(axes.get(axis)));
    }
    return text.toString();
  }
}
