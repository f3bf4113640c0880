package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.starlingqcd.analysis.PrincipalCorrelators.Vectors;
import org.starlingqcd.correlators.InputException;

final class PrincipalCorrelatorsTest {

  /** What a state contributes to C_ij(t): Z_i Z_j* times this. */
  private interface TimeDependence {
    double at(int t);
  }

  @Test
  void asManyStatesAsOperators_haveExactExponentials() {
    SplittableRandom random = new SplittableRandom(8);
    for (int n = 1; n <= 8; n++) {
      List<TimeDependence> states = new ArrayList<>();
      for (int k = 0; k < n; k++) {
        states.add(exponential(0.2 + 0.3 * k));
      }
      PrincipalCorrelators principal = solved(resampled(states, 8, 1, 0, random), 2, 4);
      for (int t = 0; t < 8; t++) {
        for (int k = 0; k < n; k++) {
          double expected = exponential(0.2 + 0.3 * k).at(t - 2);
          // The condition of C(t0) at unit diagonal multiplies rounding; it stays below 1e7 here.
          assertEquals(1, principal.eigenvalue(t, k).value() / expected, 1e-8, "n=" + n);
        }
      }
    }
  }

  @Test
  void vectors_areOrthonormalInTheMetricAndPickTheirState() {
    SplittableRandom random = new SplittableRandom(9);
    int n = 4;
    List<TimeDependence> states = new ArrayList<>();
    for (int k = 0; k < n; k++) {
      states.add(exponential(0.3 + 0.2 * k));
    }
    ResampledCorrelator correlator = resampled(states, 5, 1, 0, random);
    PrincipalCorrelators principal = solved(correlator, 1, 2);
    for (int t = 0; t < 5; t++) {
      double[] metric = correlator.matrix(0, 1);
      for (int k = 0; k < n; k++) {
        for (int l = 0; l < n; l++) {
          double[] overlap =
              sandwich(principal.vectors()[t], k, metric, principal.vectors()[2], l, n);
          assertEquals(k == l ? 1 : 0, overlap[0], 1e-9);
          assertEquals(0, overlap[1], 1e-9);
        }
      }
    }
    // The overlaps of as many states as operators make up the whole correlator.
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < n; k++) {
        Estimate energy = principal.energy(k);
        assertEquals(0.3 + 0.2 * k, energy.value(), 1e-8);
        double overlap = principal.overlap(energy, k, i).value();
        sum += overlap * overlap * Math.exp(-energy.value() * 4);
      }
      double expected = correlator.matrix(0, 4)[2 * (i * n + i)];
      assertEquals(1, sum / expected, 1e-7);
    }
    double[] vectors = principal.vectors()[2];
    for (int k = 0; k < n; k++) {
      double largest = 0;
      double imaginary = 1;
      for (int i = 0; i < n; i++) {
        double modulus = Math.hypot(vectors[2 * (k * n + i)], vectors[2 * (k * n + i) + 1]);
        if (modulus > largest) {
          largest = modulus;
          imaginary = vectors[2 * (k * n + i) + 1];
        }
      }
      assertEquals(0, imaginary, 1e-12 * largest);
    }
  }

  @Test
  void crossingEigenvalues_keepTheirStates() {
    // The second state overtakes the first between t = 3 and 4, and again before t0.
    List<TimeDependence> states =
        List.of(t -> Math.exp(-0.1 * t * t), t -> Math.exp(-0.35 * t), t -> Math.exp(-1.5 * t));
    PrincipalCorrelators principal =
        solved(resampled(states, 7, 6, 1e-6, new SplittableRandom(10)), 1, 2);
    for (int t = 0; t < 7; t++) {
      for (int k = 0; k < 3; k++) {
        double expected = states.get(k).at(t) / states.get(k).at(1);
        Estimate eigenvalue = principal.eigenvalue(t, k);
        assertEquals(expected, eigenvalue.value(), 1e-3, "t=" + t + " k=" + k);
        // A state mistaken on one sample would show as an error of the order of the gap.
        assertTrue(eigenvalue.error() < 1e-3, "t=" + t + " k=" + k + ": " + eigenvalue.error());
      }
    }
  }

  @Test
  void eigenvaluesAndErrors_agreeWithNumpy() {
    ResampledCorrelator correlator =
        ResampledCorrelator.of(FormulaData.data(), Resampling.jackknife(5), true);
    PrincipalCorrelators principal = solved(correlator, 1, 2);
    double[][] values = {
      {1.4922216343979697, 2.439987951076129},
      {1.0, 1.0},
      {0.6737823315606675, 0.41937344105209073},
      {0.3058574517748506, 0.08358683702905713}
    };
    double[][] errors = {
      {0.010744223628996297, 0.034174358093366476},
      {0.0, 0.0},
      {0.00990512910511832, 0.011174320243632158},
      {0.009980363230440445, 0.01290721275346811}
    };
    for (int t = 0; t < 4; t++) {
      for (int k = 0; k < 2; k++) {
        assertEquals(values[t][k], principal.eigenvalue(t, k).value(), 1e-13);
        assertEquals(errors[t][k], principal.eigenvalue(t, k).error(), 1e-13);
      }
    }
    // np.log(g[2]/g[3])/2
    double[] energies = {0.39489397950277844, 0.8064378672591516};
    double[] energyErrors = {0.01631520603505615, 0.07779559178154916};
    for (int k = 0; k < 2; k++) {
      int state = k;
      Curve curve =
          Curve.of("state", principal.separations(), t -> principal.eigenvalue(t, state))
              .masses(EffectiveMass.LOG, FormulaData.EXTENT, principal.resampling());
      assertEquals(energies[k], curve.points().get(2).value(), 1e-13);
      assertEquals(energyErrors[k], curve.points().get(2).error(), 1e-13);
    }
    assertEquals(1, principal.t0());
    assertEquals(2, principal.td());
  }

  @Test
  void scales_ofOperatorsDoNotMatter() {
    List<TimeDependence> states = List.of(t -> Math.exp(-0.2 * t), t -> Math.exp(-0.6 * t));
    double[] plain = matrices(states, 5, new SplittableRandom(12));
    double[] scaled = plain.clone();
    for (int k = 0; k < scaled.length; k++) {
      scaled[k] *= (k / 4 % 2 == 0 ? 1e-9 : 1e6) * (k / 2 % 2 == 0 ? 1e-9 : 1e6);
    }
    PrincipalCorrelators a =
        solved(resampled(List.of(FormulaData.configuration(1, plain)), 2, 5), 1, 2);
    PrincipalCorrelators b =
        solved(resampled(List.of(FormulaData.configuration(1, scaled)), 2, 5), 1, 2);
    for (int t = 0; t < 5; t++) {
      double[] expected = {a.eigenvalue(t, 0).value(), a.eigenvalue(t, 1).value()};
      double[] found = {b.eigenvalue(t, 0).value(), b.eigenvalue(t, 1).value()};
      assertArrayEquals(expected, found, 1e-12);
    }
  }

  @Test
  void fewerStatesThanOperators_orANegativeDiagonal_isNotPositiveDefinite() {
    for (TimeDependence only : List.<TimeDependence>of(t -> 0, t -> -1)) {
      List<TimeDependence> states =
          only.at(0) < 0 ? List.of(only) : List.of(exponential(0.2), only);
      ResampledCorrelator correlator = resampled(states, 4, 1, 0, new SplittableRandom(13));
      String message =
          assertThrows(InputException.class, () -> solved(correlator, 1, 2)).getMessage();
      assertTrue(
          message.startsWith("the correlation matrix at t0 = 1 is not positive definite"), message);
      assertTrue(message.contains("choose another t0"), message);
      assertEquals(
          states.size() == 1, message.contains("a diagonal element is not positive"), message);
    }
  }

  /** Configurations whose matrices are Σ_k Z_k Z_k† f_k(t) plus noise, with random complex Z. */
  private static ResampledCorrelator resampled(
      List<TimeDependence> states, int extent, int count, double noise, SplittableRandom random) {
    int n = states.size();
    double[] exact = matrices(states, extent, random);
    List<CorrelatorData.Configuration> configurations = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      double[] values = exact.clone();
      for (int k = 0; k < values.length; k++) {
        values[k] += noise * random.nextDouble(-1, 1);
      }
      configurations.add(FormulaData.configuration(c + 1, values));
    }
    return resampled(configurations, n, extent);
  }

  private static ResampledCorrelator resampled(
      List<CorrelatorData.Configuration> configurations, int n, int extent) {
    CorrelatorData data =
        FormulaData.data(
            "states",
            "ensemble",
            IntStream.range(0, n).mapToObj(i -> "o" + i).toList(),
            IntStream.range(0, extent).boxed().toList(),
            OptionalInt.empty(),
            configurations);
    return ResampledCorrelator.of(data, Resampling.jackknife(configurations.size()), false);
  }

  private static PrincipalCorrelators solved(ResampledCorrelator correlator, int t0, int td) {
    return PrincipalCorrelators.of(correlator, t0, td, Vectors.EACH);
  }

  private static TimeDependence exponential(double energy) {
    return t -> Math.exp(-energy * t);
  }

  private static double[] matrices(
      List<TimeDependence> states, int extent, SplittableRandom random) {
    int n = states.size();
    // Well separated operators: unit vectors plus a random part.
    double[] z = random.doubles(2L * n * n, -0.4, 0.4).toArray();
    for (int k = 0; k < n; k++) {
      z[2 * (k * n + k)] += 1;
    }
    double[] result = new double[2 * extent * n * n];
    for (int at = 0; at < extent * n * n; at++) {
      for (int k = 0; k < n; k++) {
        int ki = 2 * (k * n + at / n % n);
        int kj = 2 * (k * n + at % n);
        double f = states.get(k).at(at / (n * n));
        result[2 * at] += f * (z[ki] * z[kj] + z[ki + 1] * z[kj + 1]);
        result[2 * at + 1] += f * (z[ki + 1] * z[kj] - z[ki] * z[kj + 1]);
      }
    }
    return result;
  }

  /** x_k† M y_l. */
  private static double[] sandwich(double[] x, int k, double[] m, double[] y, int l, int n) {
    return ResampledCorrelator.projected(
        m,
        Arrays.copyOfRange(x, 2 * n * k, 2 * n * (k + 1)),
        Arrays.copyOfRange(y, 2 * n * l, 2 * n * (l + 1)));
  }

  @Test
  void assignment_isAsGoodAsTheBestOfAllPermutations() {
    SplittableRandom random = new SplittableRandom(3);
    for (int n = 1; n <= 6; n++) {
      for (int repeat = 0; repeat < 20; repeat++) {
        double[][] weights = new double[n][];
        for (int k = 0; k < n; k++) {
          weights[k] = random.doubles(n).toArray();
        }
        int[] columns = PrincipalCorrelators.assigned(weights);
        assertEquals(n, Arrays.stream(columns).distinct().count());
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum += weights[k][columns[k]];
        }
        assertEquals(best(weights, 0, new boolean[n]), sum, 1e-12);
      }
    }
  }

  @Test
  void assignment_avoidsTheGreedyTrap() {
    // Greedily 0.9 + 0.0; at best 0.8 + 0.8.
    assertArrayEquals(
        new int[] {1, 0}, PrincipalCorrelators.assigned(new double[][] {{0.9, 0.8}, {0.8, 0.0}}));
  }

  private static double best(double[][] weights, int row, boolean[] taken) {
    if (row == weights.length) {
      return 0;
    }
    double best = Double.NEGATIVE_INFINITY;
    for (int column = 0; column < weights.length; column++) {
      if (!taken[column]) {
        taken[column] = true;
        best = Math.max(best, weights[row][column] + best(weights, row + 1, taken));
        taken[column] = false;
      }
    }
    return best;
  }
}
