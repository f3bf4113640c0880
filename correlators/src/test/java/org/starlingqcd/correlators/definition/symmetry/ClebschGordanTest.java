package org.starlingqcd.correlators.definition.symmetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClebschGordanTest {
  /** Sums of a dozen products of numbers below 1. */
  private static final double ROUNDING = 1e-14;

  /** Lines of the table of the Particle Data Group; all angular momenta doubled. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, -1, 0, 0, 1, 1, 2",
    "1, -1, 1, 1, 0, 0, -1, 1, 2",
    "2, 2, 1, -1, 3, 1, 1, 1, 3",
    "2, 2, 1, -1, 1, 1, 1, 2, 3",
    "2, 0, 1, 1, 1, 1, -1, 1, 3",
    "2, 2, 2, -2, 2, 0, 1, 1, 2",
    "2, 2, 2, 0, 2, 2, 1, 1, 2",
    "2, 0, 2, 2, 2, 2, -1, 1, 2",
    "2, 0, 2, 0, 2, 0, 0, 0, 1",
    "2, 2, 2, -2, 0, 0, 1, 1, 3",
    "2, 0, 2, 0, 0, 0, -1, 1, 3",
    "2, 0, 2, 0, 4, 0, 1, 2, 3",
    "4, 2, 2, -2, 2, 0, 1, 3, 10",
    "4, 4, 3, -3, 1, 1, 1, 2, 5",
    "3, 3, 3, -3, 0, 0, 1, 1, 4",
  })
  void coefficient_tabulated(
      int j1, int m1, int j2, int m2, int j, int m, int sign, int numerator, int denominator) {
    assertEquals(
        SignedRoot.of(sign, numerator, denominator),
        ClebschGordan.coefficient(j1, m1, j2, m2, j, m));
  }

  @Test
  void coefficient_selectionRules() {
    assertEquals(SignedRoot.ZERO, ClebschGordan.coefficient(2, 2, 2, 0, 2, 0));
    assertEquals(SignedRoot.ZERO, ClebschGordan.coefficient(2, 2, 2, 2, 2, 4));
    assertEquals(SignedRoot.ZERO, ClebschGordan.coefficient(2, 0, 2, 0, 6, 0));
    assertEquals(SignedRoot.ZERO, ClebschGordan.coefficient(1, 0, 1, 0, 0, 0));
  }

  @Test
  void coefficient_statesAreOrthonormal() {
    for (int j1 = 0; j1 <= 5; j1++) {
      for (int j2 = 0; j2 <= 5; j2++) {
        for (int j = Math.abs(j1 - j2); j <= j1 + j2; j += 2) {
          for (int k = Math.abs(j1 - j2); k <= j1 + j2; k += 2) {
            for (int m = -Math.min(j, k); m <= Math.min(j, k); m += 2) {
              assertEquals(j == k ? 1 : 0, overlap(j1, j2, j, k, m), ROUNDING);
            }
          }
        }
      }
    }
  }

  private static double overlap(int j1, int j2, int j, int k, int m) {
    double sum = 0;
    for (int m1 = -j1; m1 <= j1; m1 += 2) {
      sum +=
          ClebschGordan.coefficient(j1, m1, j2, m - m1, j, m).doubleValue()
              * ClebschGordan.coefficient(j1, m1, j2, m - m1, k, m).doubleValue();
    }
    return sum;
  }

  /** J₋ |J M⟩ = Σ (j₋ ⊗ 1 + 1 ⊗ j₋): the phases between the components of a multiplet. */
  @Test
  void coefficient_ladder() {
    for (int j1 = 0; j1 <= 4; j1++) {
      for (int j2 = 0; j2 <= 4; j2++) {
        for (int j = Math.abs(j1 - j2); j <= j1 + j2; j += 2) {
          for (int m = -j + 2; m <= j; m += 2) {
            for (int m1 = -j1; m1 <= j1; m1 += 2) {
              int m2 = m - 2 - m1;
              double expected =
                  lowering(j1, m1 + 2)
                          * ClebschGordan.coefficient(j1, m1 + 2, j2, m2, j, m).doubleValue()
                      + lowering(j2, m2 + 2)
                          * ClebschGordan.coefficient(j1, m1, j2, m2 + 2, j, m).doubleValue();
              assertEquals(
                  expected,
                  lowering(j, m)
                      * ClebschGordan.coefficient(j1, m1, j2, m2, j, m - 2).doubleValue(),
                  10 * ROUNDING);
            }
          }
        }
      }
    }
  }

  /** ⟨j m-1| J₋ |j m⟩ for doubled arguments; 0 outside the multiplet. */
  private static double lowering(int j, int m) {
    return Math.abs(m) > j || m == -j ? 0 : Math.sqrt((j + m) * (j - m + 2)) / 2;
  }
}
