package org.starlingqcd.analysis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.starlingqcd.graph.Complex;

/** Constants by numpy, see {@link FormulaData}; they agree to rounding in sums of tens of terms. */
final class ResampledCorrelatorTest {
  private static final double TOLERANCE = 1e-14;

  @Test
  void connected_agreesWithNumpy() {
    ResampledCorrelator correlator = jackknife(5, true);
    double[] value = {
      0.4804108177491697, 0.008673607629199196, 0.20052496692438757, -0.1109354641194275,
      0.19791277947850106, 0.09910798479881802, 0.2279889507133851, 0.009155711619656899
    };
    double[] errorRe = {
      0.004279017730600995, 0.0038890868201591797, 0.004090284154129451, 0.0033763422043530597
    };
    double[] errorIm = {
      0.0017659386701578924, 0.002068031084868357, 0.0013238096446826408, 0.0005451301556131665
    };
    for (int k = 0; k < 4; k++) {
      Estimate re = correlator.real(2, k / 2, k % 2);
      Estimate im = correlator.imaginary(2, k / 2, k % 2);
      assertEquals(value[2 * k], re.value(), TOLERANCE);
      assertEquals(value[2 * k + 1], im.value(), TOLERANCE);
      assertEquals(errorRe[k], re.error(), TOLERANCE);
      assertEquals(errorIm[k], im.error(), TOLERANCE);
      assertEquals("", re.remark());
    }
  }

  @Test
  void binned_agreesWithNumpy() {
    // err([connected([0,0,0,1,1]), connected([1,1,1,0,0])])
    ResampledCorrelator correlator = jackknife(2, true);
    double[] error = {
      0.0036560593454488532, 0.0014307838422901592, 0.005234743303925635, 0.0012000360512551822
    };
    for (int k = 0; k < 4; k++) {
      assertEquals(error[k], correlator.real(2, k / 2, k % 2).error(), TOLERANCE);
    }
  }

  @Test
  void masses_agreeWithNumpy() {
    // np.log(M[1,0,0].real/M[2,0,0].real) and np.log(M[2,1,1].real/M[3,1,1].real)/2
    ResampledCorrelator correlator = jackknife(5, true);
    Estimate mass = curve(correlator, 0).points().get(1);
    assertEquals(0.4361052195736684, mass.value(), TOLERANCE);
    assertEquals(0.01082667768275858, mass.error(), TOLERANCE);
    Curve second = curve(correlator, 1);
    assertEquals(List.of(0, 1, 2), second.separations());
    assertEquals(0.694307413612401, second.points().get(2).value(), TOLERANCE);
    assertEquals(0.034238658974087836, second.points().get(2).error(), TOLERANCE);
  }

  private static ResampledCorrelator jackknife(int bins, boolean connected) {
    return ResampledCorrelator.of(FormulaData.data(), Resampling.jackknife(bins), connected);
  }

  private static Curve curve(ResampledCorrelator correlator, int operator) {
    return Curve.of(
            "operator", correlator.separations(), t -> correlator.real(t, operator, operator))
        .masses(EffectiveMass.LOG, FormulaData.EXTENT, correlator.resampling());
  }

  @Test
  void unequalSources_countWithTheirShare() {
    // Source 1 on all configurations, source 4 on two of them only.
    List<CorrelatorData.Configuration> configurations = new ArrayList<>();
    for (int c = 0; c < 5; c++) {
      configurations.add(FormulaData.configuration(c, c < 2 ? List.of(1, 4) : List.of(1)));
    }
    Resampling bootstrap = Resampling.bootstrap(5, 30, 11);
    ResampledCorrelator correlator =
        ResampledCorrelator.of(FormulaData.data(configurations), bootstrap, true);
    int[] all = {1, 1, 1, 1, 1};
    assertArrayEquals(naive(true, all), correlator.all()[0], TOLERANCE);
    ResampledCorrelator plain =
        ResampledCorrelator.of(FormulaData.data(configurations), bootstrap, false);
    assertArrayEquals(naive(false, all), plain.all()[0], TOLERANCE);
    for (int s = 0; s < 30; s++) {
      int[] weights = new int[5];
      for (int c = 0; c < 5; c++) {
        weights[c] = bootstrap.multiplicity(s, c);
      }
      assertArrayEquals(naive(true, weights), correlator.all()[1 + s], TOLERANCE, "sample " + s);
    }
    Resampling jackknife = Resampling.jackknife(5);
    ResampledCorrelator left =
        ResampledCorrelator.of(FormulaData.data(configurations), jackknife, true);
    assertArrayEquals(naive(true, 0, 1, 1, 1, 1), left.all()[1], TOLERANCE);
  }

  /**
   * Per source: averages first, then the product subtracted; sources weighted by their
   * configurations.
   */
  private static double[] naive(boolean subtracts, int... weights) {
    double[] result = new double[2 * FormulaData.SEPARATIONS.size() * 4];
    double all = 0;
    for (int source : FormulaData.SOURCES) {
      double units = 0;
      double configurations = 0;
      for (int c = 0; c < 5; c++) {
        units += source == 1 || c < 2 ? weights[c] : 0;
        configurations += weights[c];
      }
      all += units;
      for (int d = 0; d < FormulaData.SEPARATIONS.size() && units > 0; d++) {
        int sink = (source + FormulaData.SEPARATIONS.get(d)) % FormulaData.EXTENT;
        for (int k = 0; k < 4; k++) {
          int i = k / 2;
          int j = k % 2;
          Complex value = Complex.ZERO;
          Complex atSink = Complex.ZERO;
          Complex atSource = Complex.ZERO;
          for (int c = 0; c < 5; c++) {
            if (source == 1 || c < 2) {
              value = value.plus(FormulaData.correlator(c, source, d, i, j).times(weights[c]));
            }
            atSink = atSink.plus(FormulaData.onePoint(c, sink, i).times(weights[c]));
            atSource = atSource.plus(FormulaData.onePoint(c, source, j).times(weights[c]));
          }
          double square = subtracts ? -1 / (configurations * configurations) : 0;
          Complex product = atSink.times(atSource.conjugate()).times(square);
          Complex connected = value.times(1 / units).plus(product);
          result[8 * d + 2 * k] += units * connected.re();
          result[8 * d + 2 * k + 1] += units * connected.im();
        }
      }
    }
    for (int k = 0; k < result.length; k++) {
      result[k] /= all;
    }
    return result;
  }

  @Test
  void missingOnePointFunctions_areNamed() {
    CorrelatorData.Configuration whole = FormulaData.configuration(0, List.of(1));
    CorrelatorData.Configuration part =
        new CorrelatorData.Configuration(
            7, whole.sourceTimes(), whole.sum(), List.of(0, 1), new double[8]);
    CorrelatorData data = FormulaData.data(List.of(part));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> ResampledCorrelator.of(data, Resampling.jackknife(1), true));
    assertEquals(
        "configuration 7 has no one-point functions for source 1 and separation 1 (time 2), only at the"
            + " times [0, 1]",
        refused.getMessage());
  }

  @Test
  void contradictions_areRefused() {
    CorrelatorData data = FormulaData.data();
    assertThrows(
        IllegalArgumentException.class,
        () -> ResampledCorrelator.of(data, Resampling.jackknife(6), true));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            FormulaData.data(
                "x",
                "e",
                List.of("a"),
                List.of(0, 1),
                OptionalInt.empty(),
                List.of(FormulaData.configuration(1, new double[3]))));
  }
}
