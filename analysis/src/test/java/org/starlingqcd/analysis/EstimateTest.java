package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class EstimateTest {
  @Test
  void text_hasTwoDigitsOfTheError() {
    check("0.436(11)", 0.4361052, 0.010827);
    check("0.4361(11)", 0.4361052, 0.0010827);
    check("-0.436(11)", -0.4361052, 0.010827);
    check("12.3(1.2)", 12.345, 1.234);
    check("123(12)", 123.45, 12.34);
    check("1234(123)", 1234.5, 123.4);
    check("0.00(10)", 0.0, 0.1);
    check("0.0010(20)", 0.001, 0.002);
  }

  @Test
  void text_ofLargeAndSmallNumbersHasAnExponent() {
    check("1.234(12)e-07", 1.234e-7, 1.2e-9);
    check("-1.234(12)e+08", -1.234e8, 1.2e6);
    check("0.1(3.0)e-09", 1e-10, 3e-9);
  }

  @Test
  void text_ofAnErrorThatRoundsUpKeepsTwoDigits() {
    check("0.44(10)", 0.4361, 0.0996);
    check("4.4(1.0)", 4.361, 0.996);
    check("44(10)", 43.61, 9.96);
  }

  @Test
  void text_withoutErrorOrValue() {
    check("0.436105", 0.4361052, Double.NaN);
    check("1.00000", 1, 0);
    check("1.00000", 1, 8e-17);
    check("-", Double.NaN, Double.NaN);
  }

  private static void check(String expected, double value, double error) {
    assertEquals(expected, new Estimate(value, error, new double[0], "").text());
  }
}
