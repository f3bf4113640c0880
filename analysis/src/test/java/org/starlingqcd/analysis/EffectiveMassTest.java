package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class EffectiveMassTest {
  private static final double EPSILON = Math.ulp(1.0);

  @Test
  void log_ofOneExponentialIsExactAtAnySpacing() {
    for (double mass : new double[] {-0.3, 1e-3, 0.4, 3}) {
      for (int step : new int[] {1, 2, 5}) {
        double c1 = 7 * Math.exp(-mass * 3);
        double c2 = 7 * Math.exp(-mass * (3 + step));
        // The logarithm of a rounded quotient: an absolute error of a few eps.
        assertEquals(
            mass, EffectiveMass.LOG.solve(c1, c2, 3, 3 + step, 0), 10 * EPSILON, "step " + step);
        assertEquals(mass, EffectiveMass.LOG.solve(-c1, -c2, 3, 3 + step, 0), 10 * EPSILON);
      }
    }
  }

  @Test
  void log_ofTinyValuesDoesNotUnderflow() {
    assertEquals(Math.log(2), EffectiveMass.LOG.solve(2e-300, 1e-300, 0, 1, 0), 10 * EPSILON);
  }

  @Test
  void cosh_ofOneStateIsExact() {
    SplittableRandom random = new SplittableRandom(4);
    for (int repeat = 0; repeat < 2000; repeat++) {
      int extent = random.nextInt(2, 129);
      int t1 = random.nextInt(extent);
      int t2 = random.nextInt(extent);
      double mass = Math.exp(random.nextDouble(Math.log(1e-3), Math.log(3)));
      double a = mass * (t1 - extent / 2.0);
      double b = mass * (t2 - extent / 2.0);
      if (t2 <= t1 || Math.abs(a) == Math.abs(b)) {
        continue;
      }
      double found = EffectiveMass.COSH.solve(Math.cosh(a), Math.cosh(b), t1, t2, extent);
      // The logarithm of the quotient is known to a few eps; the mass to that over its derivative.
      double slope = Math.abs((a * Math.tanh(a) - b * Math.tanh(b)) / mass);
      double size = 1 + Math.max(Math.abs(a), Math.abs(b));
      assertEquals(
          mass,
          found,
          20 * EPSILON * size / slope,
          () -> "T=" + extent + " t1=" + t1 + " t2=" + t2 + " m=" + mass);
    }
  }

  @Test
  void cosh_atExtremesConverges() {
    // So steep that cosh(m T/2) overflows: there cosh is a plain exponential.
    assertEquals(700, EffectiveMass.COSH.solve(1e280, 1e280 * Math.exp(-700), 0, 1, 96), 1e-10);
    // So flat that the quotient differs from 1 by few eps: C(t1)/C(t2) - 1 ≈ m² (a² - b²)/2.
    double found = EffectiveMass.COSH.solve(1 + 4 * EPSILON, 1, 0, 1, 8);
    assertEquals(Math.sqrt(2 * 4 * EPSILON / (16 - 9)), found, 1e-6 * found);
  }

  @Test
  void cosh_isLargerThanLogBeforeTheMiddle() {
    double c1 = Math.cosh(0.5 * 3);
    double c2 = Math.cosh(0.5 * 2);
    assertTrue(EffectiveMass.LOG.solve(c1, c2, 1, 2, 8) < 0.5);
    assertEquals(0.5, EffectiveMass.COSH.solve(c1, c2, 1, 2, 8), 10 * EPSILON);
  }

  @Test
  void undefined_isNaNAndSaysWhy() {
    undefined(EffectiveMass.LOG, 1, -1, 2, 3, "C changes its sign from 2 to 3");
    undefined(EffectiveMass.LOG, 0, 1, 2, 3, "C vanishes at 2");
    undefined(EffectiveMass.LOG, 1, Double.NaN, 2, 3, "C is undefined at 3");
    undefined(EffectiveMass.COSH, 1, -1, 2, 3, "C changes its sign from 2 to 3");
    String cosh = "|C| does not %s as a cosh about T/2 = 4.0 does";
    undefined(EffectiveMass.COSH, 1, 2, 2, 3, cosh.formatted("fall from 2 to 3"));
    undefined(EffectiveMass.COSH, 2, 1, 5, 6, cosh.formatted("rise from 5 to 6"));
    undefined(EffectiveMass.COSH, 2, 1, 3, 5, "3 and 5 lie symmetrically to T/2 = 4.0");
  }

  private static void undefined(
      EffectiveMass kind, double c1, double c2, int t1, int t2, String why) {
    assertTrue(Double.isNaN(kind.solve(c1, c2, t1, t2, 8)));
    assertEquals(why, kind.whyUndefined(c1, c2, t1, t2, 8));
  }
}
