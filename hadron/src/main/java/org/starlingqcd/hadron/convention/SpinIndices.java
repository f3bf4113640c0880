package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * The order of the spin indices, by axial currents at equal times.
 *
 * <p>The axial current A_k = g_k g5 and the pion, both at t, have a correlator proportional to i
 * p_k: Im Tr[g_k g5 Φ(n) τ(t,t) g5 Φ(-n) τ(t,t)], antisymmetrized in n = ±e_k, has one sign for k =
 * 1, 2, 3. In DeGrand-Rossi, g1 and g3 are antisymmetric and g2 is symmetric. If spin indices are
 * exchanged, or if data of openQCD are taken for DeGrand-Rossi, the signs of k = 1 and 3 change. If
 * the phase of the elementals is wrong, all three change.
 */
final class SpinIndices implements Measurement {
  static final String TEST = "spin-indices";

  private static final String[] AXES = {"x", "y", "z"};
  private static final String EXPECTED = "x, y, z positive";
  private static final int SPINS = SpinMatrix.SPINS;
  private static final SpinMatrix G5 = SpinMatrix.deGrandRossi(Gamma.G5);

  private final TreeMap<String, List<Sample>> samples = new TreeMap<>();

  @Override
  public void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      List<Sample> axes =
          samples.computeIfAbsent(label, key -> List.of(new Sample(), new Sample(), new Sample()));
      for (int t : blocks.sourceTimes(label)) {
        ComplexMatrix @Nullable [] tau = blocks.perambulator(label, t, t);
        for (int k = 0; k < 3 && tau != null; k++) {
          ComplexMatrix plus = blocks.elemental(Blocks.unit(k), t);
          ComplexMatrix minus = blocks.elemental(negative(k), t);
          if (plus != null && minus != null) {
            ComplexMatrix[] forward = times(plus, tau);
            ComplexMatrix[] backward = times(minus, tau);
            SpinMatrix axial = SpinMatrix.deGrandRossi(k + 1).times(G5);
            double difference = trace(axial, forward, backward) - trace(axial, backward, forward);
            axes.get(k).add(difference / (2 * norm2(tau)));
          }
        }
      }
    }
  }

  private static Momentum negative(int axis) {
    return Blocks.unit(axis).negate();
  }

  private static ComplexMatrix[] times(ComplexMatrix phi, ComplexMatrix[] tau) {
    ComplexMatrix[] product = new ComplexMatrix[tau.length];
    for (int k = 0; k < tau.length; k++) {
      product[k] = phi.times(tau[k]);
    }
    return product;
  }

  /** Tr[τ τ†] over spins and vectors. */
  static double norm2(ComplexMatrix[] tau) {
    double sum = 0;
    for (ComplexMatrix block : tau) {
      sum += block.norm2();
    }
    return sum;
  }

  /** Im Tr[Γ A g5 B] over spins and vectors. */
  private static double trace(SpinMatrix gamma, ComplexMatrix[] a, ComplexMatrix[] b) {
    double sum = 0;
    for (int i = 0; i < SPINS; i++) {
      for (int j = 0; j < SPINS; j++) {
        for (int k = 0; k < SPINS && isNonzero(gamma, i, j); k++) {
          for (int l = 0; l < SPINS; l++) {
            if (isNonzero(G5, k, l)) {
              double[] vectors = a[SPINS * j + k].traceWith(b[SPINS * l + i]);
              double re = gamma.re(i, j) * G5.re(k, l);
              double im = gamma.im(i, j) * G5.re(k, l);
              sum += re * vectors[1] + im * vectors[0];
            }
          }
        }
      }
    }
    return sum;
  }

  private static boolean isNonzero(SpinMatrix matrix, int row, int column) {
    return matrix.re(row, column) != 0 || matrix.im(row, column) != 0;
  }

  @Override
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    samples.forEach((label, axes) -> findings.add(finding(label, axes)));
    return findings;
  }

  private static Finding finding(String label, List<Sample> axes) {
    Map<String, Double> measured = new LinkedHashMap<>();
    int right = 0;
    int wrong = 0;
    int asExchanged = 0;
    for (int k = 0; k < 3; k++) {
      if (!axes.get(k).isEmpty()) {
        measured.put(AXES[k], axes.get(k).mean());
        int sign = axes.get(k).sign();
        right += sign > 0 ? 1 : 0;
        wrong += sign < 0 ? 1 : 0;
        asExchanged += sign * (k == 1 ? 1 : -1) > 0 ? 1 : 0;
      }
    }
    int count = measured.size();
    if (count == 0) {
      return Finding.notMeasured(
          TEST,
          label,
          EXPECTED,
          "perambulators with source and sink at one time, and undisplaced meson elementals at e_k");
    }
    if (right == count) {
      return new Finding(TEST, label, measured, EXPECTED, Verdict.PASSED, "");
    }
    String meaning;
    if (asExchanged == count && wrong < count) {
      meaning =
          "The two spin indices of the perambulators are exchanged, or the spin basis is another than"
              + " the one named: openQCD and sLapH have the g5 of DeGrand-Rossi, but other g1, g3, g4.";
    } else if (wrong == count) {
      meaning =
          "The phase of the meson elementals is e^{+ipx}: read the elemental of -n as the one of n."
              + (count < 3 ? " Or the spin indices are exchanged: other momenta would tell." : "");
    } else if (right + wrong < count && right * wrong == 0) {
      return new Finding(
          TEST,
          label,
          measured,
          EXPECTED,
          Verdict.UNDECIDED,
          "Some values are within two standard errors of zero: give more configurations.");
    } else {
      meaning =
          "The signs fit no single error: momenta are mixed up, or the spin basis is another than the"
              + " one named.";
    }
    return new Finding(TEST, label, measured, EXPECTED, Verdict.FAILED, meaning);
  }
}
