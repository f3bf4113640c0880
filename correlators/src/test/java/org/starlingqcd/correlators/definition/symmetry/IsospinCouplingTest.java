package org.starlingqcd.correlators.definition.symmetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IsospinCouplingTest {
  /** Sums of a hundred products of numbers below 10. */
  private static final double ROUNDING = 1e-12;

  /**
   * Every partial coupling is an eigenstate of its own Casimir operator, and all are normalized.
   */
  @Test
  void components_areEigenstatesOfEveryPartialIsospin() {
    int couplings = 0;
    for (int a = 0; a <= 2; a++) {
      for (int b = 0; b <= 2; b++) {
        for (int c = 0; c <= 2; c++) {
          for (int ab = Math.abs(a - b); ab <= a + b; ab += 2) {
            for (int total = Math.abs(ab - c); total <= ab + c; total += 2) {
              for (int third = -total; third <= total; third += 2) {
                check(List.of(a, b, c), ab, total, third);
                couplings++;
              }
            }
          }
        }
      }
    }
    // All products of components of three multiplets of isospin 0, 1/2 or 1: (1 + 2 + 3)³.
    assertEquals(216, couplings);
  }

  private static void check(List<Integer> isospins, int pair, int total, int third) {
    Map<List<Integer>, Double> state = new HashMap<>();
    double norm = 0;
    for (IsospinCoupling.Component component :
        new IsospinCoupling(halves(isospins), halves(List.of(pair)), new HalfInteger(total))
            .components(new HalfInteger(third), 1000)) {
      double c = component.coefficient().doubleValue();
      state.put(component.components(), c);
      norm += c * c;
    }
    assertEquals(1, norm, ROUNDING);
    checkCasimir(state, isospins, 3, total);
    checkCasimir(state, isospins, 2, pair);
  }

  private static void checkCasimir(
      Map<List<Integer>, Double> state, List<Integer> isospins, int first, int expected) {
    Map<List<Integer>, Double> result = step(step(state, isospins, first, 1), isospins, first, -1);
    state.forEach(
        (m, c) -> {
          double third = m.subList(0, first).stream().mapToInt(k -> k).sum() / 2.0;
          result.merge(m, c * third * (third + 1), Double::sum);
        });
    double eigenvalue = expected / 2.0 * (expected / 2.0 + 1);
    result.forEach((m, c) -> assertEquals(eigenvalue * state.getOrDefault(m, 0.0), c, ROUNDING));
  }

  /** Σ_k I±(k) over the first hadrons. */
  private static Map<List<Integer>, Double> step(
      Map<List<Integer>, Double> state, List<Integer> isospins, int first, int direction) {
    Map<List<Integer>, Double> result = new HashMap<>();
    state.forEach(
        (m, c) -> {
          for (int k = 0; k < first; k++) {
            int j = isospins.get(k);
            int from = direction * m.get(k);
            if (from < j) {
              List<Integer> moved = new ArrayList<>(m);
              moved.set(k, m.get(k) + 2 * direction);
              result.merge(moved, c * Math.sqrt((j - from) * (j + from + 2)) / 2, Double::sum);
            }
          }
        });
    return result;
  }

  @Test
  void constructor_impossibleIsospins_saysWhatIsPossible() {
    assertEquals(
        "impossible isospin: hadron 1 with I = 1 and hadron 2 with I = 1/2 couple to I = 1/2, 3/2,"
            + " not to I = 1",
        assertThrows(
                IllegalArgumentException.class,
                () -> new IsospinCoupling(halves(List.of(2, 1)), List.of(), new HalfInteger(2)))
            .getMessage());
    assertEquals(
        "impossible isospin: hadrons 1 to 2 with I = 0 and hadron 3 with I = 1 couple to I = 1, not"
            + " to I = 3",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new IsospinCoupling(
                        halves(List.of(2, 2, 2)), halves(List.of(0)), new HalfInteger(6)))
            .getMessage());
  }

  @Test
  void components_tooMany_areRefusedBeforeTheyFillTheMemory() {
    List<Integer> pions = new ArrayList<>();
    List<Integer> intermediate = new ArrayList<>();
    for (int k = 0; k < 40; k++) {
      pions.add(2);
      intermediate.add(2);
    }
    IsospinCoupling coupling =
        new IsospinCoupling(halves(pions), halves(intermediate.subList(0, 38)), new HalfInteger(2));
    assertEquals(
        "the coupling has more than 1000 products of isospin components",
        assertThrows(
                IllegalArgumentException.class, () -> coupling.components(new HalfInteger(0), 1000))
            .getMessage());
  }

  private static List<HalfInteger> halves(List<Integer> twice) {
    return twice.stream().map(HalfInteger::new).toList();
  }
}
