package org.starlingqcd.analysis.fit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
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

  /** Series of one chain and noise of their own, as the separations of a correlator. */
  private static List<double[]> related(double a, int length, int count, long seed) {
    double[] shared = chain(a, length, seed);
    List<double[]> series = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      double[] own = chain(a, length, 1000 * seed + k + 1);
      double part = k / (double) count;
      series.add(
          IntStream.range(0, length)
              .mapToDouble(c -> (1 - part) * shared[c] + part * own[c])
              .toArray());
    }
    return series;
  }

  private static boolean isSignificant(List<double[]> series) {
    return Autocorrelation.isSignificant(series, series.stream().map(Autocorrelation::of).toList());
  }

  @Test
  @Tag("slow")
  void independentMeasurements_areTakenForCorrelatedOnceInTwenty() {
    int trials = 400;
    for (int count : new int[] {1, 48}) {
      long alarms =
          IntStream.range(0, trials)
              .filter(k -> isSignificant(related(0, 150 + k % 100, count, k)))
              .count();
      // 20 of 400 on average; 33 or more have a probability below one in three hundred.
      assertTrue(alarms <= 32 && alarms >= 5, alarms + " of " + trials + " for " + count);
    }
  }

  @Test
  void correlatedMeasurements_areFound() {
    for (double time : new double[] {2, 5, 20}) {
      double a = (2 * time - 1) / (2 * time + 1);
      for (int seed = 0; seed < 20; seed++) {
        List<double[]> series = related(a, 300, 24, seed);
        assertTrue(isSignificant(series), "time " + time + ", seed " + seed);
      }
    }
  }

  @Test
  void seriesWithoutTime_isNotSignificant() {
    double[] constant = {1, 1, 1, 1, 1};
    assertEquals(1, Autocorrelation.of(constant).binSize());
    assertFalse(isSignificant(List.of(constant)));
    assertFalse(isSignificant(List.of()));
    assertTrue(Double.isNaN(Autocorrelation.of(new double[] {1, 2}).time()));
  }
}
