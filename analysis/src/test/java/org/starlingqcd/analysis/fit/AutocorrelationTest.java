package org.starlingqcd.analysis.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class AutocorrelationTest {
  /** x' = a x + noise, whose autocorrelation falls as a^t: τ_int = (1 + a) / (2 (1 - a)). */
  private static double[] chain(double a, int length, long seed) {
    Random random = new Random(seed);
    double[] series = new double[length];
    double x = random.nextGaussian();
    for (int k = 0; k < length; k++) {
      x = a * x + Math.sqrt(1 - a * a) * random.nextGaussian();
      series[k] = 5 + x;
    }
    return series;
  }

  @Test
  void chains_haveTheirKnownTimes() {
    for (double a : new double[] {0.3, 0.6, 0.9}) {
      Autocorrelation found = Autocorrelation.of(chain(a, 20_000, 1));
      double expected = (1 + a) / (2 * (1 - a));
      assertEquals(expected, found.time(), 4 * found.error(), "a = " + a);
      assertTrue(found.error() < 0.15 * expected, "a = " + a + ": " + found);
      assertTrue(found.binSize() > 2 * expected, found.toString());
    }
  }

  /** The error from bins of the suggested size is that of the chain, which bins of 1 miss. */
  @Test
  void suggestedBins_giveTheError() {
    int length = 20_000;
    double[] series = chain(0.8, length, 2);
    double truth = Math.sqrt(2 * 4.5 / length);
    assertEquals(1, binned(series, Autocorrelation.of(series).binSize()) / truth, 0.12);
    assertEquals(1 / 3.0, binned(series, 1) / truth, 0.03);
  }

  private static double binned(double[] series, int size) {
    int bins = series.length / size;
    double[] means = new double[bins];
    double mean = 0;
    for (int b = 0; b < bins; b++) {
      for (int k = 0; k < size; k++) {
        means[b] += series[b * size + k] / size;
      }
      mean += means[b] / bins;
    }
    double squares = 0;
    for (double value : means) {
      squares += (value - mean) * (value - mean);
    }
    return Math.sqrt(squares / bins / (bins - 1));
  }

  @Test
  void independentMeasurements_needNoBins() {
    int bins = 0;
    for (int seed = 0; seed < 20; seed++) {
      bins += Autocorrelation.of(chain(0, 400, seed)).binSize() == 1 ? 1 : 0;
    }
    assertTrue(bins >= 14, bins + " of 20");
    assertEquals(1, Autocorrelation.of(new double[] {1, 1, 1, 1, 1}).binSize());
    assertTrue(Double.isNaN(Autocorrelation.of(new double[] {1, 2}).time()));
  }
}
