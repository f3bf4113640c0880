package org.starlingqcd.correlators.definition.symmetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

class IrrepTest {
  /** A few roundings of numbers of size 1. */
  private static final double ROUNDING = 1e-14;

  static Stream<Arguments> groups() {
    return Stream.of(
        Arguments.of(new Momentum(0, 0, 0), LittleGroup.Kind.OH, 48),
        Arguments.of(new Momentum(0, 0, 1), LittleGroup.Kind.C4V, 8),
        Arguments.of(new Momentum(0, -2, 0), LittleGroup.Kind.C4V, 8),
        Arguments.of(new Momentum(3, 0, 0), LittleGroup.Kind.C4V, 8),
        Arguments.of(new Momentum(0, 1, 1), LittleGroup.Kind.C2V, 4),
        Arguments.of(new Momentum(-1, 0, 1), LittleGroup.Kind.C2V, 4),
        Arguments.of(new Momentum(2, -2, 0), LittleGroup.Kind.C2V, 4),
        Arguments.of(new Momentum(1, 1, 1), LittleGroup.Kind.C3V, 6),
        Arguments.of(new Momentum(-1, 1, -1), LittleGroup.Kind.C3V, 6),
        Arguments.of(new Momentum(1, 2, 0), LittleGroup.Kind.CS, 2),
        Arguments.of(new Momentum(1, 1, 2), LittleGroup.Kind.CS, 2),
        Arguments.of(new Momentum(1, 2, 3), LittleGroup.Kind.C1, 1));
  }

  @Test
  void rotations_areAGroupOf48() {
    List<CubicRotation> all = CubicRotation.all();
    assertEquals(48, new HashSet<>(all).size());
    assertEquals(CubicRotation.IDENTITY, all.get(0));
    assertEquals(24, all.stream().filter(r -> r.determinant() == 1).count());
    for (CubicRotation a : all) {
      for (CubicRotation b : all) {
        CubicRotation product = a.times(b);
        assertEquals(a.determinant() * b.determinant(), product.determinant());
        Momentum n = new Momentum(1, 2, 3);
        assertEquals(a.apply(b.apply(n)), product.apply(n));
        for (int row = 0; row < 3; row++) {
          for (int column = 0; column < 3; column++) {
            int element = 0;
            for (int k = 0; k < 3; k++) {
              element += a.element(row, k) * b.element(k, column);
            }
            assertEquals(element, product.element(row, column));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("groups")
  void littleGroup_kindAndOrder(Momentum p, LittleGroup.Kind kind, int order) {
    LittleGroup group = LittleGroup.of(p);
    assertEquals(kind, group.kind());
    assertEquals(order, group.elements().size());
  }

  @ParameterizedTest
  @MethodSource("groups")
  void matrix_isAnOrthogonalRepresentation(Momentum p) {
    for (Irrep irrep : irreps(p)) {
      int n = irrep.dimension();
      for (CubicRotation a : irrep.group().elements()) {
        double[][] da = real(irrep, a);
        for (int r = 0; r < n; r++) {
          for (int s = 0; s < n; s++) {
            double unity = 0;
            for (int k = 0; k < n; k++) {
              unity += da[r][k] * da[s][k];
            }
            assertEquals(r == s ? 1 : 0, unity, ROUNDING);
          }
        }
        for (CubicRotation b : irrep.group().elements()) {
          double[][] db = real(irrep, b);
          double[][] dab = real(irrep, a.times(b));
          for (int r = 0; r < n; r++) {
            for (int s = 0; s < n; s++) {
              double element = 0;
              for (int k = 0; k < n; k++) {
                element += da[r][k] * db[k][s];
              }
              assertEquals(dab[r][s], element, ROUNDING, irrep.name() + " " + a + " · " + b);
            }
          }
        }
      }
    }
  }

  /** The great orthogonality theorem: {@code Σ_R D_rs(R) D'_r's'(R) = δ |LG| / d}. */
  @ParameterizedTest
  @MethodSource("groups")
  void matrix_elementsOfAllIrrepsAreOrthogonal(Momentum p, LittleGroup.Kind kind, int order) {
    List<double[]> functions = new ArrayList<>();
    List<Double> norms = new ArrayList<>();
    for (Irrep irrep : irreps(p)) {
      for (int r = 0; r < irrep.dimension(); r++) {
        for (int s = 0; s < irrep.dimension(); s++) {
          int row = r;
          int column = s;
          functions.add(
              irrep.group().elements().stream()
                  .mapToDouble(g -> real(irrep, g)[row][column])
                  .toArray());
          norms.add((double) order / irrep.dimension());
        }
      }
    }
    if (kind == LittleGroup.Kind.C1) {
      // With the unit matrix alone, A1 and A2 are the same irrep.
      assertArrayEquals(functions.get(0), functions.get(1));
      return;
    }
    assertEquals(order, functions.size(), "Σ d² = |LG|");
    for (int a = 0; a < functions.size(); a++) {
      for (int b = 0; b < functions.size(); b++) {
        double sum = 0;
        for (int k = 0; k < order; k++) {
          sum += functions.get(a)[k] * functions.get(b)[k];
        }
        assertEquals(a == b ? norms.get(a) : 0, sum, 48 * ROUNDING);
      }
    }
  }

  /** The definitions themselves, on elements worked out by hand. */
  @Test
  void matrix_byHand() {
    CubicRotation quarterTurn = new CubicRotation(List.of(1, 0, 2), List.of(1, -1, 1)); // about z
    Momentum rest = Momentum.ZERO;
    assertMatrix(
        new double[][] {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
        real(Irrep.of("T1-", rest), quarterTurn));
    assertMatrix(
        new double[][] {{0, 1, 0}, {-1, 0, 0}, {0, 0, -1}},
        real(Irrep.of("T2+", rest), quarterTurn));
    assertEquals(-1, real(Irrep.of("A2+", rest), quarterTurn)[0][0]);
    double[][] e = real(Irrep.of("E+", rest), quarterTurn);
    assertEquals(1, e[0][0], ROUNDING);
    assertEquals(-1, e[1][1], ROUNDING);
    CubicRotation inversion = new CubicRotation(List.of(0, 1, 2), List.of(-1, -1, -1));
    assertEquals(-1, real(Irrep.of("T1-", rest), inversion)[0][0]);
    assertEquals(1, real(Irrep.of("T1+", rest), inversion)[0][0]);
    Momentum axis = new Momentum(0, 0, 1);
    assertEquals(-1, real(Irrep.of("B1", axis), quarterTurn)[0][0]);
    assertEquals(-1, real(Irrep.of("B2", axis), quarterTurn)[0][0]);
    CubicRotation mirrorX = new CubicRotation(List.of(0, 1, 2), List.of(-1, 1, 1));
    assertEquals(1, real(Irrep.of("B1", axis), mirrorX)[0][0]);
    assertEquals(-1, real(Irrep.of("B2", axis), mirrorX)[0][0]);
    assertEquals(-1, real(Irrep.of("A2", axis), mirrorX)[0][0]);
    Momentum face = new Momentum(0, 1, 1);
    assertEquals(-1, real(Irrep.of("B1", face), mirrorX)[0][0], ROUNDING);
    assertEquals(1, real(Irrep.of("B2", face), mirrorX)[0][0], ROUNDING);
    CubicRotation swapXy = new CubicRotation(List.of(1, 0, 2), List.of(1, 1, 1));
    double[][] body = real(Irrep.of("E", new Momentum(1, 1, 1)), swapXy);
    assertEquals(-1, body[0][0], ROUNDING);
    assertEquals(1, body[1][1], ROUNDING);
  }

  /**
   * The phase between the rows: x → y → z about the body diagonal, a quarter turn about an axis.
   */
  @Test
  void matrix_rowsByHand() {
    CubicRotation cycle = new CubicRotation(List.of(1, 2, 0), List.of(1, 1, 1));
    double root = Math.sqrt(3) / 2;
    double[][] third = {{-0.5, -root}, {root, -0.5}};
    assertMatrix(third, real(Irrep.of("E", new Momentum(2, 2, 2)), cycle));
    // b_1, b_2 are -v_2, v_1 of the body diagonal.
    assertMatrix(
        new double[][] {{-0.5, -root}, {root, -0.5}}, real(Irrep.of("E+", Momentum.ZERO), cycle));
    CubicRotation aboutY = new CubicRotation(List.of(2, 1, 0), List.of(-1, 1, 1));
    assertMatrix(
        new double[][] {{0, 1}, {-1, 0}}, real(Irrep.of("E", new Momentum(0, -1, 0)), aboutY));
  }

  /** The matrix of a real irrep. */
  private static double[][] real(Irrep irrep, CubicRotation rotation) {
    return Arrays.stream(irrep.matrix(rotation))
        .map(row -> Arrays.stream(row).mapToDouble(IrrepTest::real).toArray())
        .toArray(double[][]::new);
  }

  private static double real(Complex element) {
    assertEquals(0.0, element.im());
    return element.re();
  }

  private static void assertMatrix(double[][] expected, double[][] actual) {
    for (int row = 0; row < expected.length; row++) {
      assertArrayEquals(expected[row], actual[row], ROUNDING);
    }
  }

  @Test
  void of_unknownName_listsTheIrrepsThereAre() {
    assertEquals(
        "the little group C2v of the total momentum [0, 1, 1] has A1 A2 B1 B2, and for an odd"
            + " number of baryons G (without a parity sign)",
        assertThrows(IllegalArgumentException.class, () -> Irrep.of("E", new Momentum(0, 1, 1)))
            .getMessage());
    assertEquals(
        "the little group O_h of the total momentum [0, 0, 0] has A1 A2 E T1 T2, each with + or -,"
            + " and for an odd number of baryons G1 G2 H, each with g or u",
        assertThrows(IllegalArgumentException.class, () -> Irrep.of("T1", Momentum.ZERO))
            .getMessage());
  }

  private static List<Irrep> irreps(Momentum p) {
    List<String> names =
        switch (LittleGroup.of(p).kind()) {
          case OH -> List.of("A1+", "A2+", "E+", "T1+", "T2+", "A1-", "A2-", "E-", "T1-", "T2-");
          case C4V -> List.of("A1", "A2", "B1", "B2", "E");
          case C2V -> List.of("A1", "A2", "B1", "B2");
          case C3V -> List.of("A1", "A2", "E");
          case CS, C1 -> List.of("A1", "A2");
        };
    return names.stream().map(name -> Irrep.of(name, p)).toList();
  }
}
