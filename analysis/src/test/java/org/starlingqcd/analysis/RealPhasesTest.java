package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.starlingqcd.correlators.InputException;

final class RealPhasesTest {
  /** One separation of two operators: C_aa, C_ab, C_ba, C_bb on each configuration. */
  private static CorrelatorData data(List<Integer> signs, double[]... matrices) {
    List<CorrelatorData.Configuration> configurations = new ArrayList<>();
    for (double[] matrix : matrices) {
      configurations.add(FormulaData.configuration(configurations.size(), matrix));
    }
    return data(signs, configurations);
  }

  private static CorrelatorData data(
      List<Integer> signs, List<CorrelatorData.Configuration> configurations) {
    List<String> operators = List.of("a", "b").subList(0, signs.size());
    return new CorrelatorData(
        "x", "e", operators, signs, List.of(3), OptionalInt.of(8), true, configurations);
  }

  private static void refused(CorrelatorData data, String... phrases) {
    InputException e = assertThrows(InputException.class, () -> RealPhases.multiply(data));
    for (String phrase : phrases) {
      assertTrue(String.valueOf(e.getMessage()).contains(phrase), e.getMessage());
    }
  }

  @Test
  void multiply_signsDiffer_turnsElementsBetweenThem() {
    double[] matrix = {1, 2, 3, 4, 5, 6, 7, 8};
    CorrelatorData first = RealPhases.multiply(data(List.of(-1, 1), matrix));
    // C_ab times i, C_ba times -i.
    assertArrayEquals(new double[] {1, 2, -4, 3, 6, -5, 7, 8}, first.configurations().get(0).sum());
    assertEquals(List.of(1, 1), first.conjugation());
    CorrelatorData second = RealPhases.multiply(data(List.of(1, -1), matrix));
    assertArrayEquals(
        new double[] {1, 2, 4, -3, -6, 5, 7, 8}, second.configurations().get(0).sum());
    CorrelatorData both = RealPhases.multiply(data(List.of(-1, -1), matrix));
    assertArrayEquals(matrix, both.configurations().get(0).sum());
    assertTrue(second.mesonic());
    assertEquals(OptionalInt.of(8), second.temporalExtent());
  }

  @Test
  void multiply_onePointFunctions_takeTheFactorOfTheirOperator() {
    CorrelatorData data =
        data(
            List.of(-1, 1),
            List.of(
                new CorrelatorData.Configuration(
                    1,
                    List.of(0),
                    new double[8],
                    List.of(0, 3),
                    new double[] {1, 2, 3, 4, 5, 6, 7, 8})));
    assertArrayEquals(
        new double[] {-2, 1, 3, 4, -6, 5, 7, 8},
        RealPhases.multiply(data).configurations().get(0).onePoint());
    assertArrayEquals(
        new double[] {-2, 0, 3, 0, -6, 0, 7, 0},
        RealPhases.realParts(data).configurations().get(0).onePoint());
  }

  @Test
  void realParts_haveNoImaginaryParts() {
    CorrelatorData real =
        RealPhases.realParts(data(List.of(-1, 1), new double[] {1, 2, 3, 4, 5, 6, 7, 8}));
    assertArrayEquals(new double[] {1, 0, -4, 0, 6, 0, 7, 0}, real.configurations().get(0).sum());
  }

  @Test
  void undecided_amongSeveral_isRefused() {
    double[] matrix = {1, 0, 0, 0, 0, 0, 1, 0};
    refused(
        data(List.of(1, 0), matrix),
        "x: the sign of b under complex conjugation with parity is not known",
        "(--operators a)",
        "export --complex");
    refused(data(List.of(0, 0), matrix), "the sign of a, b under", "a single operator");
  }

  /** Its element is real whatever the sign; its one-point function need not be. */
  @Test
  void undecided_alone_staysAsItIs() {
    CorrelatorData data =
        data(
            List.of(0),
            List.of(
                new CorrelatorData.Configuration(
                    1, List.of(0), new double[] {3, 0.5}, List.of(0), new double[] {0.25, 4})));
    CorrelatorData real = RealPhases.realParts(data);
    assertEquals(List.of(0), real.conjugation());
    assertArrayEquals(new double[] {3, 0}, real.configurations().get(0).sum());
    assertArrayEquals(new double[] {0.25, 4}, real.configurations().get(0).onePoint());
  }

  @Test
  void imaginaryParts_thatContradictTheSigns_areRefused() {
    double[][] matrices = new double[20][];
    for (int c = 0; c < matrices.length; c++) {
      double noise = c % 2 == 0 ? 0.01 : -0.01;
      matrices[c] = new double[] {1, noise, noise, 0.5 + noise, noise, -0.5 + noise, 1, noise};
    }
    // err = 0.01 sqrt(20/19) / sqrt(20).
    refused(
        data(List.of(1, 1), matrices),
        "x: the element of sink a and source b at separation 3 has the imaginary part 0.5000 +-"
            + " 0.0023 on average over 20 configurations",
        "the signs under complex conjugation with parity (a +1, b +1)");
    CorrelatorData real = RealPhases.multiply(data(List.of(1, -1), matrices));
    assertEquals(0.51, real.configurations().get(0).sum()[2], 1e-15);
  }

  @Test
  void onePointFunctions_thatContradictTheSigns_areRefused() {
    List<CorrelatorData.Configuration> configurations = new ArrayList<>();
    for (int c = 0; c < 20; c++) {
      configurations.add(
          new CorrelatorData.Configuration(
              c,
              List.of(0),
              new double[] {1, 0},
              List.of(0),
              new double[] {c % 2, 2 + 0.1 * (c % 2)}));
    }
    refused(
        data(List.of(1), configurations),
        "the one-point function of a has the imaginary part 2.050",
        "the sign under complex conjugation with parity (a +1)");
    RealPhases.multiply(data(List.of(-1), configurations));
  }

  @Test
  void noise_ofOneConfigurationOrOfRounding_contradictsNothing() {
    assertFalse(RealPhases.isBeyondNoise(new double[] {1}, 1));
    assertFalse(RealPhases.isBeyondNoise(new double[] {1e-11, 1e-11, 1e-11}, 1));
    assertTrue(RealPhases.isBeyondNoise(new double[] {1e-9, 1e-9, 1e-9}, 1));
    assertFalse(RealPhases.isBeyondNoise(new double[] {0, 0, 0}, 0));
  }

  /**
   * Beyond t with one side's probability 2.8665e-7: with 1 degree of freedom t = 1/tan(π p), with 2
   * it is (1 - 2p)/sqrt(2p(1 - p)), with many it is 5.
   */
  @Test
  void fewConfigurations_needMoreStandardErrors() {
    double one = 1 / Math.tan(Math.PI * 2.866515719e-7);
    assertFalse(isBeyond(2, 0.9999 * one));
    assertTrue(isBeyond(2, 1.0001 * one));
    double two = (1 - 2 * 2.866515719e-7) / Math.sqrt(2 * 2.866515719e-7);
    assertFalse(isBeyond(3, 0.9999 * two));
    assertTrue(isBeyond(3, 1.0001 * two));
    assertFalse(isBeyond(100_000, 4.99));
    assertTrue(isBeyond(100_000, 5.01));
  }

  /** Whether numbers whose mean is 1 and whose standard error is 1/ratio are no noise. */
  private static boolean isBeyond(int count, double ratio) {
    double[] values = new double[count];
    double width = Math.sqrt(count % 2 == 0 ? count - 1.0 : count) / ratio;
    Arrays.setAll(values, k -> 1 + (2 * k + 1 == count ? 0 : 2 * k < count ? -width : width));
    return RealPhases.isBeyondNoise(values, 1);
  }
}
