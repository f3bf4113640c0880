package org.starlingqcd.correlators.definition.hadrons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starlingqcd.correlators.definition.RandomHadrons;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.correlators.definition.symmetry.LittleGroup;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

class ProjectionTest {
  /** Sums of 48 numbers of size 1, twice. */
  private static final double ROUNDING = 1e-13;

  static List<Momentum> totals() {
    return List.of(
        new Momentum(0, 0, 0),
        new Momentum(0, 0, 1),
        new Momentum(0, -1, 0),
        new Momentum(1, 0, 1),
        new Momentum(0, 1, -1),
        new Momentum(1, 1, 1),
        new Momentum(-1, 1, 1),
        new Momentum(1, 2, 0),
        new Momentum(1, 2, 3));
  }

  private static List<Irrep> irreps(Momentum total) {
    List<String> names =
        switch (LittleGroup.of(total).kind()) {
          case OH -> List.of("A1+", "A2+", "E+", "T1+", "T2+", "A1-", "A2-", "E-", "T1-", "T2-");
          case C4V -> List.of("A1", "A2", "B1", "B2", "E");
          case C2V -> List.of("A1", "A2", "B1", "B2");
          case C3V -> List.of("A1", "A2", "E");
          case CS, C1 -> List.of("A1", "A2");
        };
    return names.stream().map(name -> Irrep.of(name, total)).toList();
  }

  /** P_rr O = O for the projector to the row itself, and none of another irrep or row. */
  @ParameterizedTest
  @MethodSource("totals")
  void project_isAnEigenvectorOfTheProjector(Momentum total) {
    RandomHadrons random = new RandomHadrons(1 + total.hashCode());
    int projected = 0;
    for (int trial = 0; trial < 20; trial++) {
      List<HadronFactor> seed = random.product(1 + trial % 3, total);
      for (Irrep irrep : irreps(total)) {
        int row = random.below(irrep.dimension());
        int seedRow = random.below(irrep.dimension());
        Map<List<HadronFactor>, Complex> operator = Projection.project(seed, irrep, row, seedRow);
        if (operator.isEmpty()) {
          continue;
        }
        projected++;
        assertEquals(
            1, operator.values().stream().mapToDouble(c -> c.abs() * c.abs()).sum(), ROUNDING);
        for (Irrep other : irreps(total)) {
          for (int r = 0; r < other.dimension(); r++) {
            boolean same = other.name().equals(irrep.name()) && r == row;
            // With the unit matrix alone, A1 and A2 are one irrep.
            if (same || LittleGroup.of(total).kind() != LittleGroup.Kind.C1) {
              assertClose(same ? operator : Map.of(), Projection.apply(operator, other, r, r));
            }
          }
        }
      }
    }
    assertTrue(projected > 20, "projected=" + projected);
  }

  /** Rows made from one set of seeds transform into each other with the irrep's matrices. */
  @ParameterizedTest
  @MethodSource("totals")
  void apply_rowsTransformIntoEachOther(Momentum total) {
    RandomHadrons random = new RandomHadrons(2 + total.hashCode());
    for (int trial = 0; trial < 10; trial++) {
      Map<List<HadronFactor>, Complex> seed =
          Map.of(random.product(1 + trial % 3, total), Complex.ONE);
      for (Irrep irrep : irreps(total)) {
        int s = random.below(irrep.dimension());
        List<Map<List<HadronFactor>, Complex>> rows = new ArrayList<>();
        for (int r = 0; r < irrep.dimension(); r++) {
          rows.add(Projection.apply(seed, irrep, r, s));
        }
        for (CubicRotation rotation : irrep.group().elements()) {
          for (int r = 0; r < irrep.dimension(); r++) {
            Map<List<HadronFactor>, Complex> expected = new HashMap<>();
            for (int k = 0; k < irrep.dimension(); k++) {
              Complex d = irrep.matrix(rotation)[k][r];
              rows.get(k)
                  .forEach((product, c) -> expected.merge(product, d.times(c), Complex::plus));
            }
            assertClose(expected, rotated(rotation, rows.get(r)));
          }
        }
      }
    }
  }

  /** The rotation of hadrons, written independently from the table of the mesons. */
  private static Map<List<HadronFactor>, Complex> rotated(
      CubicRotation rotation, Map<List<HadronFactor>, Complex> operator) {
    Map<List<HadronFactor>, Complex> image = new HashMap<>();
    operator.forEach(
        (product, c) -> {
          double sign = 1;
          List<HadronFactor> hadrons = new ArrayList<>();
          for (HadronFactor factor : product) {
            MesonHadron m = (MesonHadron) factor;
            boolean odd =
                List.of("pi", "eta", "pi_2", "eta_2", "eta_s", "K", "Kbar", "a1", "b1", "f1", "h1")
                    .contains(m.meson().toString());
            sign *= odd ? rotation.determinant() : 1;
            int axis = 0;
            if (m.meson().polarized()) {
              while (rotation.element(axis, m.row()) == 0) {
                axis++;
              }
              sign *= rotation.element(axis, m.row());
            }
            hadrons.add(new MesonHadron(m.meson(), rotation.apply(m.momentum()), axis));
          }
          image.merge(hadrons, c.times(sign), Complex::plus);
        });
    return image;
  }

  /** Known from the literature: P-wave pion pairs, and irreps that a seed has no part in. */
  @Test
  void project_byHand() {
    List<HadronFactor> pions = List.of(pion(new Momentum(0, 0, 1)), pion(new Momentum(0, 0, -1)));
    double half = Math.sqrt(0.5);
    assertClose(
        Map.of(
            pions,
            new Complex(half, 0),
            List.of(pions.get(1), pions.get(0)),
            new Complex(-half, 0)),
        Projection.project(pions, Irrep.of("T1-", Momentum.ZERO), 2, 2));
    assertClose(Map.of(), Projection.project(pions, Irrep.of("T1-", Momentum.ZERO), 0, 0));
    assertClose(Map.of(), Projection.project(pions, Irrep.of("T1+", Momentum.ZERO), 2, 2));
    assertEquals(6, Projection.project(pions, Irrep.of("A1+", Momentum.ZERO), 0, 0).size());
    // E+, row 1 is (-1, -1, 2)/√6 over the axes, and each axis has two orders.
    Map<List<HadronFactor>, Complex> e =
        Projection.project(pions, Irrep.of("E+", Momentum.ZERO), 0, 0);
    assertEquals(2 / Math.sqrt(12), e.getOrDefault(pions, Complex.ZERO).re(), ROUNDING);
    assertEquals(
        -1 / Math.sqrt(12),
        e.getOrDefault(
                List.of(pion(new Momentum(1, 0, 0)), pion(new Momentum(-1, 0, 0))), Complex.ZERO)
            .re(),
        ROUNDING);
    // The second row from a seed in the first.
    Map<List<HadronFactor>, Complex> second =
        Projection.project(pions, Irrep.of("E+", Momentum.ZERO), 1, 0);
    assertEquals(4, second.size());
    assertEquals(
        0.5,
        second
            .getOrDefault(
                List.of(pion(new Momentum(1, 0, 0)), pion(new Momentum(-1, 0, 0))), Complex.ZERO)
            .re(),
        ROUNDING);
  }

  private static HadronFactor pion(Momentum n) {
    return new MesonHadron(Meson.PI, n, 0);
  }

  private static void assertClose(
      Map<List<HadronFactor>, Complex> expected, Map<List<HadronFactor>, Complex> actual) {
    Map<List<HadronFactor>, Complex> difference = new HashMap<>(expected);
    actual.forEach((product, c) -> difference.merge(product, c.times(-1), Complex::plus));
    difference.forEach((product, c) -> assertEquals(0, c.abs(), ROUNDING, product.toString()));
  }
}
