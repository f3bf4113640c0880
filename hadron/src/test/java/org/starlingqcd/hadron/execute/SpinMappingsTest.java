package org.starlingqcd.hadron.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.SpinTraceMapping;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.SpinMatrix;

/** Mappings against explicit 4 × 4 matrices, for all pairs of gamma structures. */
class SpinMappingsTest {
  /** Sums of 16 products of numbers below 1; entries of gammas are exact. */
  private static final double TOLERANCE = 16 * 8 * Math.ulp(1.0);

  private static SpinMatrix random(Random random) {
    return SpinMatrix.of(random.doubles(32, -1, 1).toArray());
  }

  private static SpinMatrix gamma(int mask) {
    return SpinMatrix.deGrandRossi(new Gamma(mask, 1));
  }

  private static Complex entry(SpinMatrix matrix, int spin) {
    return new Complex(matrix.re(spin / 4, spin % 4), matrix.im(spin / 4, spin % 4));
  }

  private static Complex trace(SpinMatrix matrix) {
    Complex sum = Complex.ZERO;
    for (int k = 0; k < 4; k++) {
      sum = sum.plus(entry(matrix, 5 * k));
    }
    return sum;
  }

  private static void assertClose(Complex expected, Complex actual) {
    assertEquals(0, expected.plus(actual.times(-1)).abs(), TOLERANCE);
  }

  @Test
  void product_allGammas() {
    Random random = new Random(1);
    for (int left = 0; left < 16; left++) {
      for (int inner = 0; inner < 16; inner++) {
        SpinMatrix x = random(random);
        SpinMatrix y = random(random);
        SpinMatrix expected = gamma(left).times(x).times(gamma(inner)).times(y);
        BatchSpinMapping mapping = SpinMappings.product(left, inner);
        assertEquals(64, mapping.size());
        Complex[] actual = new Complex[16];
        Arrays.fill(actual, Complex.ZERO);
        for (int b = 0; b < mapping.size(); b++) {
          Complex term =
              entry(x, mapping.left(b))
                  .times(entry(y, mapping.right(b)))
                  .times(new Complex(mapping.factorRe(b), mapping.factorIm(b)));
          actual[mapping.destination(b)] = actual[mapping.destination(b)].plus(term);
          assertEquals(0, mapping.factorIm(b));
        }
        for (int spin = 0; spin < 16; spin++) {
          assertClose(entry(expected, spin), actual[spin].times(SpinMappings.phase(left, inner)));
        }
      }
    }
  }

  @Test
  void trace_allGammas() {
    Random random = new Random(2);
    for (int left = 0; left < 16; left++) {
      SpinMatrix x = random(random);
      assertClose(
          trace(gamma(left).times(x)),
          evaluate(SpinMappings.trace(left), x, SpinMatrix.ONE, true)
              .times(SpinMappings.phase(left)));
      for (int inner = 0; inner < 16; inner++) {
        SpinMatrix y = random(random);
        assertClose(
            trace(gamma(left).times(x).times(gamma(inner)).times(y)),
            evaluate(SpinMappings.trace(left, inner), x, y, false)
                .times(SpinMappings.phase(left, inner)));
      }
    }
  }

  private static Complex evaluate(
      SpinTraceMapping mapping, SpinMatrix x, SpinMatrix y, boolean single) {
    Complex sum = Complex.ZERO;
    for (int b = 0; b < mapping.size(); b++) {
      Complex term = entry(x, mapping.left(b)).times(mapping.factor(b));
      sum = sum.plus(single ? term : term.times(entry(y, mapping.right(b))));
    }
    return sum;
  }

  @Test
  void build_oneProductForEachSpin() {
    BatchSpinMapping mapping = SpinMappings.build();
    assertEquals(16, mapping.size());
    assertEquals(1, mapping.leftSpins());
    for (int b = 0; b < 16; b++) {
      assertEquals(0, mapping.left(b));
      assertEquals(mapping.right(b), mapping.destination(b));
      assertEquals(1, mapping.factorRe(b));
    }
  }
}
