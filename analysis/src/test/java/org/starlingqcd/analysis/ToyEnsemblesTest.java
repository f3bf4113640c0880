package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ensembles of known energies, 200 to 400 configurations each, with noise that is correlated in
 * time and falls more slowly than the signal: how often the truth lies within one and two errors.
 */
@Tag("soak")
final class ToyEnsemblesTest {
  /** More than 100, since the rates of 100 have errors of 5 % themselves. */
  private static final int ENSEMBLES = 400;

  /** No ensemble of smaller numbers, with which the fits were made, is among them. */
  private static final int FIRST = 500_000;

  private static final double[] ENERGIES = {0.4, 0.7, 1.0, 1.6};
  private static final double[][] OVERLAPS = {
    {1, 0.5, 0.3, 0.2}, {0.4, -1, 0.4, 0.25}, {0.2, 0.3, 1, -0.3},
  };

  /**
   * One ensemble.
   *
   * @param overlaps [operator][state]
   * @param noise of one configuration relative to the correlator at 0
   * @param rate at which noise falls
   * @param extent T, 0 for an open lattice
   */
  private static CorrelatorData ensemble(
      double[] energies,
      double[][] overlaps,
      double noise,
      double rate,
      int extent,
      int separations,
      int seed) {
    Random random = new Random(7919L * seed + 13);
    int n = overlaps.length;
    List<CorrelatorData.Configuration> list = new ArrayList<>();
    for (int c = 0; c < 200 + seed % 3 * 100; c++) {
      double[] sum = new double[2 * separations * n * n];
      for (int pair = 0; pair < n * n; pair++) {
        int i = pair / n;
        int j = pair % n;
        double shared = random.nextGaussian();
        for (int t = 0; t < separations && j <= i; t++) {
          double value = 0;
          double square = 0;
          for (int k = 0; k < energies.length; k++) {
            value += overlaps[i][k] * overlaps[j][k] * decay(energies[k], t, extent);
            square += Math.hypot(overlaps[i][k], overlaps[j][k]) / Math.sqrt(2);
          }
          value += noise * square * decay(rate, t, extent) * shared;
          sum[2 * ((t * n + i) * n + j)] = value;
          sum[2 * ((t * n + j) * n + i)] = value;
          shared = 0.8 * shared + 0.6 * random.nextGaussian();
        }
      }
      list.add(FormulaData.configuration(c + 1, sum));
    }
    return new CorrelatorData(
        "toy",
        "toys",
        IntStream.range(0, n).mapToObj(k -> "o" + k).toList(),
        Collections.nCopies(n, 1),
        IntStream.range(0, separations).boxed().toList(),
        extent > 0 ? OptionalInt.of(extent) : OptionalInt.empty(),
        extent > 0,
        list);
  }

  private static double decay(double energy, int t, int extent) {
    return Math.exp(-energy * t) + (extent > 0 ? Math.exp(-energy * (extent - t)) : 0);
  }

  /** Checks the rates of every energy. */
  private static void check(
      String what, IntFunction<CorrelatorData> toys, OptionalInt t0, double... truth) {
    int[] one = new int[truth.length];
    int[] two = new int[truth.length];
    for (int seed = FIRST; seed < FIRST + ENSEMBLES; seed++) {
      AnalysisSettings options = new AnalysisSettings();
      options.noSubtraction = true;
      options.t0 = t0.isPresent() ? Integer.toString(t0.getAsInt()) : null;
      options.fit = true;
      FitResults fits = CorrelatorAnalysis.of(toys.apply(seed), options).fits();
      if (fits == null) {
        throw new AssertionError("no fits");
      }
      List<EnergyFit> all = t0.isPresent() ? fits.eigenvalues() : fits.correlators();
      for (int k = 0; k < truth.length; k++) {
        Estimate energy = all.get(k).energy();
        double off = Math.abs(energy.value() - truth[k]);
        one[k] += off < energy.error() ? 1 : 0;
        two[k] += off < 2 * energy.error() ? 1 : 0;
      }
    }
    System.out.printf(
        "%s: %s of %d within one error, %s within two%n",
        what, Arrays.toString(one), ENSEMBLES, Arrays.toString(two));
    assertAll(
        IntStream.range(0, truth.length)
            .mapToObj(
                k ->
                    () ->
                        assertTrue(
                            one[k] >= 0.6 * ENSEMBLES
                                && one[k] <= 0.76 * ENSEMBLES
                                && two[k] >= 0.9 * ENSEMBLES,
                            what + ", state " + k + ": " + one[k] + ", " + two[k])));
  }

  @Test
  void singleOperators_haveTheirEnergies() {
    double[] several = {0.4, 0.8, 1.3, 1.9};
    double[][] overlaps = {{1, 0.7, 0.5, 0.4}};
    OptionalInt none = OptionalInt.empty();
    check("meson-like", k -> ensemble(several, overlaps, 0.1, 0.4, 0, 20, k), none, 0.4);
    check("baryon-like", k -> ensemble(several, overlaps, 0.05, 0.2, 0, 20, k), none, 0.4);
    check("periodic", k -> ensemble(several, overlaps, 0.1, 0.35, 32, 17, k), none, 0.4);
  }

  @Test
  void matrixWithNoisyThirdState_hasItsEnergies() {
    IntFunction<CorrelatorData> toys = k -> ensemble(ENERGIES, OVERLAPS, 0.03, 0.3, 0, 16, k);
    check("matrix", toys, OptionalInt.of(2), 0.4, 0.7, 1.0);
  }
}
