package org.starlingqcd.correlators.definition.hadrons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.definition.survey.HadronText;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.Irrep;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

class BaryonProjectionTest {
  /** Sums of 48 numbers of size 1, twice. */
  private static final double ROUNDING = 1e-13;

  private final Random random = new Random(15);

  /** A product whose first baryon has a component. */
  private static List<HadronFactor> product(String text, int component) {
    List<HadronFactor> product = new ArrayList<>(HadronText.product(text, new HadronNames(false)));
    product.set(0, product.get(0).spinStates().get(component - 1));
    return List.copyOf(product);
  }

  private static Complex c(double re, double im) {
    return new Complex(re, im);
  }

  /** The three operators that the conventions work out. */
  @Test
  void project_byHand() {
    Irrep g1u = Irrep.of("G1u", Momentum.ZERO);
    Map<List<HadronFactor>, Complex> all = new HashMap<>();
    for (String n : List.of("1,0,0", "0,1,0", "0,0,1")) {
      String m = n.replace("1", "-1");
      all.put(product("N(" + n + ") pi(" + m + ")", 1), c(1 / Math.sqrt(6), 0));
      all.put(product("N(" + m + ") pi(" + n + ")", 1), c(1 / Math.sqrt(6), 0));
    }
    List<HadronFactor> seed = product("N(0,0,1) pi(0,0,-1)", 1);
    assertClose(all, Projection.project(seed, g1u, 0, 0));

    double third = 1 / Math.sqrt(3);
    double twelfth = 1 / Math.sqrt(12);
    Map<List<HadronFactor>, Complex> h =
        Map.of(
            product("N(0,0,1) pi(0,0,-1)", 1), c(third, 0),
            product("N(0,0,-1) pi(0,0,1)", 1), c(-third, 0),
            product("N(0,1,0) pi(0,-1,0)", 2), c(0, -twelfth),
            product("N(0,-1,0) pi(0,1,0)", 2), c(0, twelfth),
            product("N(1,0,0) pi(-1,0,0)", 2), c(-twelfth, 0),
            product("N(-1,0,0) pi(1,0,0)", 2), c(twelfth, 0));
    assertClose(h, Projection.project(seed, Irrep.of("Hg", Momentum.ZERO), 1, 1));

    Map<List<HadronFactor>, Complex> flight =
        Map.of(
            product("N(0,1,0) pi(0,-1,1)", 2), c(0.5, 0),
            product("N(0,-1,0) pi(0,1,1)", 2), c(-0.5, 0),
            product("N(1,0,0) pi(-1,0,1)", 2), c(0, -0.5),
            product("N(-1,0,0) pi(1,0,1)", 2), c(0, 0.5));
    assertClose(
        flight,
        Projection.project(
            product("N(0,1,0) pi(0,-1,1)", 2), Irrep.of("G1", new Momentum(0, 0, 1)), 0, 0));
  }

  /** {@code R · O_r = Σ_r' O_r' D_r'r(R)} for all R of the little group, rows from one seed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "N(0,0,1) pi(0,0,-1)",
        "N-(0,1,1) rho(0,-1,-1)",
        "Delta(1,1,1) pi(-1,-1,-1)",
        "Omega(0,1,0) Kstar(0,-1,0)",
        "Delta(0,0,1)",
        "N(0,1,0) b1(-1,-1,0)",
        "Sigma(1,0,1)",
        "Xistar-(0,1,0) pi(0,0,1)",
        "Delta(1,1,1)",
        "N(-1,1,0) pi(0,0,-1)",
        "N(0,1,1) a1(0,0,1)",
        "N(0,0,0) N(0,0,0)",
        "N(0,0,1) N-(0,0,-1)",
        "N(1,0,0) Delta(-1,0,0)",
        "N(0,1,0) N(0,0,1)",
        "Lambda(2,1,1)",
        "N(0,2,1) pi(0,0,0)",
        "N(1,0,0) N(0,0,0) rho(0,0,0)",
      })
  void apply_rowsTransformIntoEachOther(String text) {
    List<HadronFactor> seed = new ArrayList<>();
    for (HadronFactor hadron : HadronText.product(text, new HadronNames(false))) {
      seed.add(hadron.spinStates().get(random.nextInt(hadron.spinStates().size())));
    }
    Momentum total =
        seed.stream().map(HadronFactor::momentum).reduce(Momentum.ZERO, Momentum::plus);
    boolean odd = seed.stream().filter(HadronFactor::isBaryon).count() % 2 == 1;
    List<Irrep> irreps = Irrep.all(total, odd);
    assertTrue(!irreps.isEmpty());
    int found = 0;
    for (Irrep irrep : irreps) {
      for (int s = 0; s < irrep.dimension(); s++) {
        List<Map<List<HadronFactor>, Complex>> rows = new ArrayList<>();
        for (int r = 0; r < irrep.dimension(); r++) {
          rows.add(Projection.apply(Map.of(seed, Complex.ONE), irrep, r, s));
          found += rows.get(r).isEmpty() ? 0 : 1;
        }
        for (CubicRotation rotation : irrep.group().elements()) {
          Complex[][] d = irrep.matrix(rotation);
          for (int r = 0; r < irrep.dimension(); r++) {
            Map<List<HadronFactor>, Complex> expected = new HashMap<>();
            for (int k = 0; k < irrep.dimension(); k++) {
              Complex element = d[k][r];
              rows.get(k)
                  .forEach((p, value) -> expected.merge(p, element.times(value), Complex::plus));
            }
            assertClose(expected, Projection.rotate(rotation, rows.get(r)));
          }
        }
      }
    }
    assertTrue(found > 0);
  }

  /** The parts of a seed in all irreps and rows add up to the seed. */
  @ParameterizedTest
  @CsvSource({
    "'N(0,0,1) pi(0,0,-1)'",
    "'Delta(1,1,1)'",
    "'N(0,1,1) rho(0,0,1)'",
    "'N(0,0,1) N(0,0,-1)'",
  })
  void apply_allRowsOfAllIrreps_areComplete(String text) {
    List<HadronFactor> seed = HadronText.product(text, new HadronNames(false));
    Momentum total =
        seed.stream().map(HadronFactor::momentum).reduce(Momentum.ZERO, Momentum::plus);
    boolean odd = seed.stream().filter(HadronFactor::isBaryon).count() % 2 == 1;
    Map<List<HadronFactor>, Complex> sum = new HashMap<>();
    for (Irrep irrep : Irrep.all(total, odd)) {
      for (int r = 0; r < irrep.dimension(); r++) {
        Projection.apply(Map.of(seed, Complex.ONE), irrep, r, r)
            .forEach((p, value) -> sum.merge(p, value, Complex::plus));
      }
    }
    assertClose(Map.of(seed, Complex.ONE), sum);
  }

  private static void assertClose(
      Map<List<HadronFactor>, Complex> expected, Map<List<HadronFactor>, Complex> actual) {
    Map<List<HadronFactor>, Complex> difference = new HashMap<>(expected);
    actual.forEach((product, value) -> difference.merge(product, value.times(-1), Complex::plus));
    difference.forEach(
        (product, value) -> assertEquals(0, value.abs(), ROUNDING, product.toString()));
  }
}
