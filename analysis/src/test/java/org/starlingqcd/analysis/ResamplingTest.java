package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ResamplingTest {
  @Test
  void jackknife_ofAMeanGivesTheStandardError() {
    double[] x = new SplittableRandom(5).doubles(23).toArray();
    Resampling jackknife = Resampling.jackknife(x.length);
    assertEquals(23, jackknife.samples());
    double error = jackknife.error(means(jackknife, x));
    double mean = Arrays.stream(x).average().orElseThrow();
    double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).sum() / (x.length - 1);
    assertEquals(Math.sqrt(variance / x.length), error, 1e-14);
  }

  @Test
  void bootstrap_ofAMeanApproachesTheStandardError() {
    double[] x = new SplittableRandom(6).doubles(50).toArray();
    Resampling bootstrap = Resampling.bootstrap(x.length, 4000, 7);
    double mean = Arrays.stream(x).average().orElseThrow();
    // Its expectation is sqrt(Σ (x - mean)²) / B; the relative error of a deviation of S samples is
    // 1/sqrt(2S).
    double expected =
        Math.sqrt(Arrays.stream(x).map(v -> (v - mean) * (v - mean)).sum()) / x.length;
    double error = bootstrap.error(means(bootstrap, x));
    assertEquals(1, error / expected, 4 / Math.sqrt(2 * 4000));
  }

  @Test
  void bootstrap_drawsAsManyBinsAsThereAreAndIsSeeded() {
    Resampling first = Resampling.bootstrap(9, 20, 1);
    Resampling again = Resampling.bootstrap(9, 20, 1);
    Resampling other = Resampling.bootstrap(9, 20, 2);
    boolean differs = false;
    for (int s = 0; s < 20; s++) {
      int drawn = 0;
      for (int b = 0; b < 9; b++) {
        drawn += first.multiplicity(s, b);
        assertEquals(first.multiplicity(s, b), again.multiplicity(s, b));
        differs |= first.multiplicity(s, b) != other.multiplicity(s, b);
      }
      assertEquals(9, drawn);
    }
    assertTrue(differs);
    assertNotEquals(first.seed(), other.seed());
  }

  @Test
  void sampleSum_addsBinsAsOftenAsTheSampleHoldsThem() {
    double[][] bins = {{1, 10}, {2, 20}, {4, 40}};
    double[] total = {7, 70};
    assertArrayEquals(
        new double[] {5, 50}, Resampling.jackknife(3).sampleSum(1, bins, total), 1e-15);
    Resampling bootstrap = Resampling.bootstrap(3, 5, 3);
    for (int s = 0; s < 5; s++) {
      double expected = 0;
      for (int b = 0; b < 3; b++) {
        expected += bootstrap.multiplicity(s, b) * bins[b][0];
      }
      assertArrayEquals(
          new double[] {expected, 10 * expected}, bootstrap.sampleSum(s, bins, total), 1e-13);
    }
  }

  @Test
  void oneBin_hasNoSamplesAndNoError() {
    assertEquals(0, Resampling.jackknife(1).samples());
    assertEquals(0, Resampling.bootstrap(1, 100, 1).samples());
    assertTrue(Double.isNaN(Resampling.jackknife(1).error(new double[0])));
  }

  @Test
  void wrongArguments_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> Resampling.jackknife(0));
    assertThrows(IllegalArgumentException.class, () -> Resampling.bootstrap(5, 1, 1));
    Resampling jackknife = Resampling.jackknife(3);
    assertThrows(IllegalArgumentException.class, () -> jackknife.error(new double[2]));
  }

  private static double[] means(Resampling resampling, double[] x) {
    double[][] bins = Arrays.stream(x).mapToObj(v -> new double[] {v, 1}).toArray(double[][]::new);
    double[] total = {Arrays.stream(x).sum(), x.length};
    double[] means = new double[resampling.samples()];
    for (int s = 0; s < means.length; s++) {
      double[] sum = resampling.sampleSum(s, bins, total);
      means[s] = sum[0] / sum[1];
    }
    return means;
  }
}
