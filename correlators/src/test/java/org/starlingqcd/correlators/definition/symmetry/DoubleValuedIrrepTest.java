package org.starlingqcd.correlators.definition.symmetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

/** The double-valued irreps over the double cover: every product of two matrices with its sign. */
class DoubleValuedIrrepTest {
  /** Products of a few numbers of size 1. */
  private static final double ROUNDING = 1e-13;

  private static final Complex I = new Complex(0, 1);

  /** C4z: x → y, y → -x. */
  private static final CubicRotation C4Z = new CubicRotation(List.of(1, 0, 2), List.of(1, -1, 1));

  /** C4y: z → x, x → -z. */
  private static final CubicRotation C4Y = new CubicRotation(List.of(2, 1, 0), List.of(-1, 1, 1));

  private static final CubicRotation INVERSION =
      new CubicRotation(List.of(0, 1, 2), List.of(-1, -1, -1));

  /** All momenta with components up to 2 and a few beyond. */
  static List<Momentum> momenta() {
    List<Momentum> momenta = new ArrayList<>();
    for (int x = -2; x <= 2; x++) {
      for (int y = -2; y <= 2; y++) {
        for (int z = -2; z <= 2; z++) {
          momenta.add(new Momentum(x, y, z));
        }
      }
    }
    momenta.add(new Momentum(3, -1, 3));
    momenta.add(new Momentum(1, -3, 0));
    return momenta;
  }

  /** +1 or -1: whether U(a) U(b) is U(ab) or its negative. */
  private static int sign(CubicRotation a, CubicRotation b) {
    SpinRotation product = a.spinor().times(b.spinor());
    SpinRotation u = a.times(b).spinor();
    double overlap =
        product.w() * u.w() + product.x() * u.x() + product.y() * u.y() + product.z() * u.z();
    assertEquals(1, Math.abs(overlap), ROUNDING);
    return overlap > 0 ? 1 : -1;
  }

  @Test
  void spinor_turnsPauliMatrices() {
    Complex[][][] pauli = {
      {{Complex.ZERO, Complex.ONE}, {Complex.ONE, Complex.ZERO}},
      {{Complex.ZERO, I.times(-1)}, {I, Complex.ZERO}},
      {{Complex.ONE, Complex.ZERO}, {Complex.ZERO, Complex.ONE.times(-1)}}
    };
    for (CubicRotation r : CubicRotation.all()) {
      Complex[][] u = r.spinor().matrix();
      for (int j = 0; j < 3; j++) {
        Complex[][] expected = zero(2);
        for (int i = 0; i < 3; i++) {
          expected = sum(expected, pauli[i], r.determinant() * r.element(i, j));
        }
        assertClose(expected, times(times(u, pauli[j]), adjoint(u)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("momenta")
  void matrix_representsTheDoubleCover(Momentum p) {
    for (Irrep irrep : Irrep.all(p, true)) {
      assertTrue(irrep.isDoubleValued());
      for (CubicRotation a : irrep.group().elements()) {
        assertClose(one(irrep.dimension()), times(irrep.matrix(a), adjoint(irrep.matrix(a))));
        for (CubicRotation b : irrep.group().elements()) {
          Complex[][] product = times(irrep.matrix(a), irrep.matrix(b));
          assertClose(scaled(sign(a, b), irrep.matrix(a.times(b))), product);
        }
      }
    }
  }

  /** {@code Σ_R D_rs(R) D'_r's'(R)* = δ |LG| / d}, and the squares of dimensions add up to |LG|. */
  @ParameterizedTest
  @MethodSource("momenta")
  void matrix_elementsOfAllIrrepsAreOrthogonal(Momentum p) {
    List<CubicRotation> group = LittleGroup.of(p).elements();
    List<Complex[]> functions = new ArrayList<>();
    List<Double> norms = new ArrayList<>();
    int squares = 0;
    for (Irrep irrep : Irrep.all(p, true)) {
      int d = irrep.dimension();
      squares += d * d;
      for (int k = 0; k < d * d; k++) {
        int row = k / d;
        int column = k % d;
        functions.add(
            group.stream().map(g -> irrep.matrix(g)[row][column]).toArray(Complex[]::new));
        norms.add((double) group.size() / d);
      }
    }
    assertEquals(LittleGroup.of(p).kind() == LittleGroup.Kind.C1 ? 0 : group.size(), squares);
    for (int a = 0; a < functions.size(); a++) {
      for (int b = 0; b < functions.size(); b++) {
        Complex sum = Complex.ZERO;
        for (int k = 0; k < group.size(); k++) {
          sum = sum.plus(functions.get(a)[k].times(functions.get(b)[k].conjugate()));
        }
        assertEquals(a == b ? norms.get(a) : 0, sum.re(), ROUNDING);
        assertEquals(0, sum.im(), ROUNDING);
      }
    }
  }

  /** The generators as the conventions print them, up to the common sign of a rotation. */
  @Test
  void matrix_atRest_generators() {
    double s = Math.sqrt(0.5);
    Complex w = new Complex(s, s);
    Complex[][] z = diagonal(w.conjugate(), w);
    Complex[][] y = real(s, new double[][] {{1, -1}, {1, 1}});
    Complex[][] hz = diagonal(power(w.conjugate(), 3), w.conjugate(), w, power(w, 3));
    double q = Math.sqrt(3);
    Complex[][] hy =
        real(
            1 / (2 * Math.sqrt(2)),
            new double[][] {{1, -q, q, -1}, {q, -1, -1, q}, {q, 1, -1, -q}, {1, q, q, 1}});
    for (CubicRotation generator : List.of(C4Z, C4Y)) {
      Complex[][] spinHalf = generator.equals(C4Z) ? z : y;
      Complex[][] quartet = generator.equals(C4Z) ? hz : hy;
      double sign = Math.signum(generator.spinor().w());
      for (String parity : List.of("g", "u")) {
        assertClose(scaled(sign, spinHalf), rest("G1" + parity).matrix(generator));
        assertClose(scaled(-sign, spinHalf), rest("G2" + parity).matrix(generator));
        assertClose(scaled(sign, quartet), rest("H" + parity).matrix(generator));
      }
    }
    for (Irrep irrep : Irrep.all(Momentum.ZERO, true)) {
      double parity = irrep.name().endsWith("g") ? 1 : -1;
      assertClose(scaled(parity, one(irrep.dimension())), irrep.matrix(INVERSION));
    }
  }

  private static Irrep rest(String name) {
    return Irrep.of(name, Momentum.ZERO);
  }

  /** Images of x, y, z under the reference rotation. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, '-z y x'",
    "0, 1, 0, 'x -z y'",
    "0, 0, -1, 'x -y -z'",
    "-1, 0, 0, 'z y -x'",
    "1, 0, 1, '-y x z'",
    "1, -1, 0, '-z x -y'",
    "1, -1, -1, '-z x -y'",
    "0, 2, 1, '-x z y'",
    "0, 0, 0, 'x y z'",
    "0, 0, 3, 'x y z'",
  })
  void referenceRotation_images(int px, int py, int pz, String images) {
    StringBuilder actual = new StringBuilder();
    CubicRotation q = ReferenceRotation.of(new Momentum(px, py, pz));
    for (int axis = 0; axis < 3; axis++) {
      actual.append(axis == 0 ? "" : " ").append(q.signs().get(axis) < 0 ? "-" : "");
      actual.append("xyz".charAt(q.axes().get(axis)));
    }
    assertEquals(images, actual.toString());
  }

  /** {@code D_P(Q R Q⁻¹) = D_{P_ref}(R)}, up to the sign between the two spinors. */
  @ParameterizedTest
  @MethodSource("momenta")
  void matrix_inFlight_isTheOneAtTheReferenceMomentum(Momentum p) {
    int[] r = ReferenceRotation.referenceMomentum(p);
    Momentum reference = new Momentum(r[0], r[1], r[2]);
    CubicRotation q = ReferenceRotation.of(p);
    assertEquals(p, q.apply(reference));
    assertEquals(1, q.determinant());
    for (Irrep irrep : Irrep.all(p, true)) {
      Irrep first = Irrep.of(irrep.name(), reference);
      for (CubicRotation g : first.group().elements()) {
        CubicRotation turned = q.times(g).times(q.inverse());
        int sign = sign(q, g) * sign(q.times(g), q.inverse()) * sign(q, q.inverse());
        assertClose(scaled(sign, first.matrix(g)), irrep.matrix(turned));
      }
    }
  }

  /** Rows in flight are helicities: turns about P are diagonal, with m = +1/2 first. */
  @ParameterizedTest
  @CsvSource({"0, 0, 1", "-2, 0, 0", "0, 1, 1", "1, 0, -1", "1, 1, 1", "-1, 1, -1"})
  void matrix_inFlight_turnsAboutTheMomentumAreDiagonal(int x, int y, int z) {
    Momentum p = new Momentum(x, y, z);
    double norm = Math.sqrt(x * x + y * y + z * z);
    for (Irrep irrep : Irrep.all(p, true)) {
      if (irrep.dimension() == 2 && !irrep.name().equals("G2")) {
        for (CubicRotation r : irrep.group().elements()) {
          if (r.determinant() == 1) {
            SpinRotation u = r.spinor();
            double along = (u.x() * x + u.y() * y + u.z() * z) / norm;
            Complex[][] d = irrep.matrix(r);
            assertEquals(0, d[0][1].abs() + d[1][0].abs(), ROUNDING);
            assertEquals(u.w(), d[0][0].re(), ROUNDING);
            assertEquals(-along, d[0][0].im(), ROUNDING);
          }
        }
      }
    }
  }

  /** How often each irrep is contained in spin J at rest, and in helicity λ in flight. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | G1",
        "3 | H",
        "5 | G2 H",
        "7 | G1 G2 H",
        "9 | G1 H H",
      })
  void subduction_ofSpin(int twiceSpin, String content) {
    StringBuilder found = new StringBuilder();
    for (String name : List.of("G1", "G2", "H")) {
      Irrep irrep = rest(name + "g");
      Complex sum = Complex.ZERO;
      for (CubicRotation r : CubicRotation.all()) {
        if (r.determinant() == 1) {
          sum =
              sum.plus(
                  trace(irrep.matrix(r)).conjugate().times(trace(r.spinor().wigner(twiceSpin))));
        }
      }
      found.append((name + " ").repeat((int) Math.round(sum.re() / 24)));
    }
    assertEquals(content, found.toString().strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0, 0, 1 | G1 | G2 | G1 G2",
        "0, 1, 1 | G | G | G G",
        "1, 1, 1 | G | G | G F1 F2",
      })
  void subduction_ofIrrepsAtRest(String p, String g1, String g2, String h) {
    String[] n = p.split(", ");
    Momentum momentum =
        new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2]));
    Map<String, String> expected = Map.of("G1u", g1, "G2u", g2, "Hu", h);
    Map<String, String> found = new HashMap<>();
    for (String name : expected.keySet()) {
      StringBuilder content = new StringBuilder();
      for (Irrep irrep : Irrep.all(momentum, true)) {
        Complex sum = Complex.ZERO;
        for (CubicRotation r : irrep.group().elements()) {
          sum = sum.plus(trace(irrep.matrix(r)).conjugate().times(trace(rest(name).matrix(r))));
        }
        int count = (int) Math.round(sum.re() / irrep.group().elements().size());
        content.append((irrep.name() + " ").repeat(count));
      }
      found.put(name, content.toString().strip());
    }
    assertEquals(expected, found);
  }

  @Test
  void wigner_isUnitaryAndARepresentation() {
    for (int twiceSpin = 0; twiceSpin <= 9; twiceSpin++) {
      for (CubicRotation a : List.of(C4Z, C4Y, C4Z.times(C4Y))) {
        Complex[][] da = a.spinor().wigner(twiceSpin);
        assertClose(one(twiceSpin + 1), times(da, adjoint(da)));
        SpinRotation product = a.spinor().times(C4Y.spinor());
        assertClose(product.wigner(twiceSpin), times(da, C4Y.spinor().wigner(twiceSpin)));
      }
      Complex[][] turn = C4Z.spinor().wigner(twiceSpin);
      double sign = Math.pow(Math.signum(C4Z.spinor().w()), twiceSpin);
      for (int k = 0; k <= twiceSpin; k++) {
        double angle = -Math.PI / 4 * (twiceSpin - 2 * k);
        assertEquals(sign * Math.cos(angle), turn[k][k].re(), ROUNDING);
        assertEquals(sign * Math.sin(angle), turn[k][k].im(), ROUNDING);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0, G1", "0, G1+", "0, F1", "1, G1g", "1, G", "1, F2"})
  void of_namesOfOtherGroups_areRefused(int z, String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Irrep.of(name, new Momentum(0, 0, z)))
            .getMessage();
    assertTrue(message.contains("odd number of baryons G1 G2"), message);
  }

  private static Complex power(Complex base, int exponent) {
    return exponent == 0 ? Complex.ONE : base.times(power(base, exponent - 1));
  }

  private static Complex trace(Complex[][] m) {
    Complex sum = Complex.ZERO;
    for (int k = 0; k < m.length; k++) {
      sum = sum.plus(m[k][k]);
    }
    return sum;
  }

  private static Complex[][] zero(int n) {
    return real(0, new double[n][n]);
  }

  private static Complex[][] one(int n) {
    Complex[] ones = new Complex[n];
    Arrays.fill(ones, Complex.ONE);
    return diagonal(ones);
  }

  private static Complex[][] diagonal(Complex... entries) {
    Complex[][] m = zero(entries.length);
    for (int k = 0; k < entries.length; k++) {
      m[k][k] = entries[k];
    }
    return m;
  }

  private static Complex[][] real(double factor, double[][] entries) {
    Complex[][] m = new Complex[entries.length][entries.length];
    for (int r = 0; r < m.length; r++) {
      for (int s = 0; s < m.length; s++) {
        m[r][s] = new Complex(factor * entries[r][s], 0);
      }
    }
    return m;
  }

  private static Complex[][] scaled(double factor, Complex[][] a) {
    return sum(zero(a.length), a, factor);
  }

  private static Complex[][] sum(Complex[][] a, Complex[][] b, double factor) {
    Complex[][] m = new Complex[a.length][a.length];
    for (int r = 0; r < m.length; r++) {
      for (int s = 0; s < m.length; s++) {
        m[r][s] = a[r][s].plus(b[r][s].times(factor));
      }
    }
    return m;
  }

  private static Complex[][] adjoint(Complex[][] a) {
    Complex[][] m = new Complex[a.length][a.length];
    for (int r = 0; r < m.length; r++) {
      for (int s = 0; s < m.length; s++) {
        m[r][s] = a[s][r].conjugate();
      }
    }
    return m;
  }

  private static Complex[][] times(Complex[][] a, Complex[][] b) {
    Complex[][] m = zero(a.length);
    for (int r = 0; r < m.length; r++) {
      for (int s = 0; s < m.length; s++) {
        for (int k = 0; k < m.length; k++) {
          m[r][s] = m[r][s].plus(a[r][k].times(b[k][s]));
        }
      }
    }
    return m;
  }

  private static void assertClose(Complex[][] expected, Complex[][] actual) {
    assertEquals(expected.length, actual.length);
    for (int r = 0; r < expected.length; r++) {
      for (int s = 0; s < expected.length; s++) {
        assertEquals(expected[r][s].re(), actual[r][s].re(), ROUNDING, r + " " + s);
        assertEquals(expected[r][s].im(), actual[r][s].im(), ROUNDING, r + " " + s);
      }
    }
  }
}
