package org.starlingqcd.correlators.definition.hadrons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.hadron.data.Displacement;

class DerivativeCouplingTest {
  /** Sums of at most 27 numbers of size 1. */
  private static final double ROUNDING = 1e-14;

  private static final int AXES = 3;

  static Stream<DerivativeCoupling> couplings() {
    List<DerivativeCoupling> all = new ArrayList<>();
    for (int gamma = 0; gamma <= 1; gamma++) {
      for (int n = 1; n <= 2; n++) {
        for (int jd : DerivativeCoupling.derivativeSpins(n)) {
          for (int j : DerivativeCoupling.spins(gamma, jd)) {
            for (String irrep : DerivativeCoupling.irreps(j)) {
              all.add(new DerivativeCoupling(gamma, n, jd, j, irrep));
            }
          }
        }
      }
    }
    return all.stream();
  }

  /** A row as a tensor with an index for Γ of spin 1, if there is one, and one per derivative. */
  private static double[] tensor(DerivativeCoupling coupling, int row) {
    double[] tensor = new double[(int) Math.pow(AXES, rank(coupling))];
    for (DerivativeCoupling.Summand s : coupling.rows().get(row)) {
      int index = s.gamma();
      for (int axis : s.derivatives()) {
        index = AXES * index + axis;
      }
      assertEquals(0, tensor[index]);
      tensor[index] = s.coefficient();
    }
    return tensor;
  }

  private static int rank(DerivativeCoupling coupling) {
    return coupling.gammaSpin() + coupling.derivatives();
  }

  /** All couplings of one Γ and number of derivatives are one orthonormal basis. */
  @Test
  void rows_areACompleteOrthonormalBasis() {
    for (int gamma = 0; gamma <= 1; gamma++) {
      for (int n = 1; n <= 2; n++) {
        List<double[]> rows = new ArrayList<>();
        int g = gamma;
        int d = n;
        couplings()
            .filter(c -> c.gammaSpin() == g && c.derivatives() == d)
            .forEach(
                c -> {
                  for (int row = 0; row < c.rows().size(); row++) {
                    rows.add(tensor(c, row));
                  }
                });
        assertEquals((int) Math.pow(AXES, gamma + n), rows.size());
        for (double[] a : rows) {
          for (double[] b : rows) {
            double product = 0;
            for (int k = 0; k < a.length; k++) {
              product += a[k] * b[k];
            }
            assertEquals(a == b ? 1 : 0, product, ROUNDING);
          }
        }
      }
    }
  }

  /** Total spin J and, on the derivatives alone, spin J_D: rows are eigenvectors of J² and J_D². */
  @ParameterizedTest
  @MethodSource("couplings")
  void rows_haveTheirSpins(DerivativeCoupling c) {
    for (int row = 0; row < c.rows().size(); row++) {
      double[] tensor = tensor(c, row);
      assertEigenvector(tensor, spinSquared(tensor, rank(c), 0), c.spin());
      assertEigenvector(tensor, spinSquared(tensor, rank(c), c.gammaSpin()), c.derivativeSpin());
    }
  }

  private static void assertEigenvector(double[] tensor, double[] image, int spin) {
    for (int k = 0; k < tensor.length; k++) {
      assertEquals(spin * (spin + 1) * tensor[k], image[k], 20 * ROUNDING);
    }
  }

  /**
   * (Σ_s L^(s))² over the indices from {@code first} on, with (L_a)_bc = -i ε_abc: twice the number
   * of indices and, for each pair of them, twice the exchange less δ times the trace.
   */
  private static double[] spinSquared(double[] tensor, int rank, int first) {
    double[] result = new double[tensor.length];
    for (int k = 0; k < tensor.length; k++) {
      int[] index = digits(k, rank);
      result[k] = 2 * (rank - first) * tensor[k];
      for (int s = first; s < rank; s++) {
        for (int t = s + 1; t < rank; t++) {
          int[] exchanged = index.clone();
          exchanged[s] = index[t];
          exchanged[t] = index[s];
          result[k] += 2 * tensor[number(exchanged)];
          for (int b = 0; b < AXES && index[s] == index[t]; b++) {
            int[] contracted = index.clone();
            contracted[s] = b;
            contracted[t] = b;
            result[k] -= 2 * tensor[number(contracted)];
          }
        }
      }
    }
    return result;
  }

  private static int[] digits(int number, int rank) {
    int[] digits = new int[rank];
    int rest = number;
    for (int s = rank - 1; s >= 0; s--) {
      digits[s] = rest % AXES;
      rest /= AXES;
    }
    return digits;
  }

  private static int number(int[] digits) {
    return Arrays.stream(digits).reduce(0, (a, b) -> AXES * a + b);
  }

  static Stream<String> fields() {
    return couplings()
        .flatMap(
            c ->
                Arrays.stream(Meson.values())
                    .filter(meson -> meson.spin() == c.gammaSpin())
                    .map(meson -> name(meson, c)));
  }

  private static String name(Meson meson, DerivativeCoupling c) {
    return meson
        + "xD"
        + c.derivatives()
        + (c.derivatives() == 2 ? "_J" + c.derivativeSpin() + "_" : "")
        + "_J"
        + c.spin()
        + "_"
        + c.irrep();
  }

  /** R takes Γ and every derivative to their images; rows go to rows with the irrep's matrices. */
  @ParameterizedTest
  @MethodSource("fields")
  void fields_transformByTheirIrrep(String name) {
    MesonField field = new HadronNames(false).meson(name);
    Meson gamma = Meson.named(name.substring(0, name.indexOf("xD"))).orElseThrow();
    assertEquals(name, field.name());
    for (CubicRotation r : CubicRotation.all()) {
      Complex[][] d = field.irrep().matrix(r);
      for (int row = 0; row < d.length; row++) {
        Map<String, Double> difference = rotated(gamma, field.rows().get(row), r);
        for (int k = 0; k < d.length; k++) {
          double weight = d[k][row].re();
          for (MesonField.Structure s : field.rows().get(k)) {
            add(difference, s, -weight * s.coefficient().re());
          }
        }
        difference.values().forEach(rest -> assertEquals(0, rest, ROUNDING, name + " " + r));
      }
    }
  }

  private static Map<String, Double> rotated(
      Meson meson, List<MesonField.Structure> row, CubicRotation r) {
    boolean determinant = (meson.parity() > 0) == (meson.spin() == 1);
    Map<String, Double> image = new HashMap<>();
    for (MesonField.Structure s : row) {
      double sign = determinant ? r.determinant() : 1;
      int axis = 0;
      if (meson.spin() == 1) {
        while (meson.gamma(axis).mask() != s.gamma().mask()) {
          axis++;
        }
        sign *= r.signs().get(axis) * s.gamma().sign() * meson.gamma(axis).sign();
        axis = r.axes().get(axis);
      }
      List<Integer> derivatives = new ArrayList<>();
      for (int k : Displacement.of(s.displacement()).axes()) {
        sign *= r.signs().get(k);
        derivatives.add(r.axes().get(k));
      }
      add(
          image,
          new MesonField.Structure(
              Complex.ONE, meson.gamma(axis), Displacement.derivative(derivatives)),
          sign * s.coefficient().re());
    }
    return image;
  }

  private static void add(Map<String, Double> sum, MesonField.Structure s, double coefficient) {
    sum.merge(
        s.gamma().unsigned() + " " + s.displacement(), s.gamma().sign() * coefficient, Double::sum);
  }

  /** Written out by hand from the definition of the coupling. */
  @Test
  void rhoD2_J2_J1_T1_rowZ() {
    Map<String, Double> squares = new HashMap<>();
    for (MesonField.Structure s : new HadronNames(false).meson("rhoxD2_J2__J1_T1").rows().get(2)) {
      double c = s.coefficient().re();
      squares.put(s.gamma() + " " + s.displacement(), c * Math.abs(c));
    }
    assertEquals(7, squares.size());
    Map<String, Double> expected =
        Map.of(
            "g3 D_zD_z", 4 / 15.0,
            "g3 D_xD_x", -1 / 15.0,
            "g3 D_yD_y", -1 / 15.0,
            "g1 D_xD_z", 3 / 20.0,
            "g1 D_zD_x", 3 / 20.0,
            "g2 D_yD_z", 3 / 20.0,
            "g2 D_zD_y", 3 / 20.0);
    expected.forEach(
        (structure, square) ->
            assertEquals(square, squares.getOrDefault(structure, 0.0), ROUNDING, structure));
  }

  @Test
  void parityAndChargeConjugation_followFromTheParts() {
    HadronNames names = new HadronNames(false);
    Map<String, String> expected =
        Map.of(
            "pixD1_J1_T1", "T1+ -1",
            "rhoxD1_J2_T2", "T2+ 1",
            "b1xD1_J0_A1", "A1- 1",
            "a0xD2_J1__J1_T1", "T1+ -1",
            "rhoxD2_J2__J3_A2", "A2- -1",
            "rhoxD2_J1__J1_T1", "T1- 1",
            "etaxD2_J0__J0_A1", "A1- 1",
            "KstarxD1_J1_T1", "T1+ 0");
    expected.forEach(
        (name, quantumNumbers) -> {
          MesonField field = names.meson(name);
          assertEquals(
              quantumNumbers, field.irrep().name() + " " + field.chargeConjugation(), name);
        });
  }

  @Test
  void impossibleCouplings_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> new DerivativeCoupling(0, 1, 1, 2, "T2"));
    assertThrows(IllegalArgumentException.class, () -> new DerivativeCoupling(1, 1, 0, 1, "T1"));
    assertEquals(20, couplings().count());
  }
}
