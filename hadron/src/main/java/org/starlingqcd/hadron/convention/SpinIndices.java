package org.starlingqcd.hadron.convention;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Gamma;
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
final class SpinIndices extends Measurement {
  static final String TEST = "spin-indices";

  private static final List<String> AXES = List.of("x", "y", "z");
  private static final String EXPECTED = "x, y, z positive";
  private static final int SPINS = SpinMatrix.SPINS;
  private static final SpinMatrix G5 = SpinMatrix.deGrandRossi(Gamma.G5);

  SpinIndices() {
    super(
        TEST,
        EXPECTED,
        "perambulators with source and sink at one time, and undisplaced meson elementals at e_k",
        AXES);
  }

  @Override
  void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      Values values = of(label);
      for (int t : blocks.sourceTimes(label)) {
        ComplexMatrix @Nullable [] tau = blocks.perambulator(label, t, t);
        for (int k = 0; k < 3 && tau != null; k++) {
          ComplexMatrix plus = blocks.elemental(Blocks.unit(k), t);
          ComplexMatrix minus = blocks.elemental(Blocks.unit(k).negate(), t);
          if (plus != null && minus != null) {
            ComplexMatrix[] forward = times(plus, tau);
            ComplexMatrix[] backward = times(minus, tau);
            SpinMatrix axial = SpinMatrix.deGrandRossi(k + 1).times(G5);
            double difference = trace(axial, forward, backward) - trace(axial, backward, forward);
            values.get(AXES.get(k)).add(difference / (2 * norm2(tau)));
          }
        }
      }
    }
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
  List<Row> table(Values values) {
    int count = values.means().size();
    int right = values.agreeing(1, 1, 1);
    int wrong = values.agreeing(-1, -1, -1);
    String phase =
        "The phase of the meson elementals is e^{+ipx}: read the elemental of -n as the one of n.";
    return List.of(
        passed(right == count),
        failed(wrong == count && count == 3, phase),
        failed(
            wrong == count,
            phase + " Or the spin indices are exchanged: other momenta would tell."),
        failed(
            values.all(-1, 1, -1),
            "The two spin indices of the perambulators are exchanged, or the spin basis is another"
                + " than the one named: openQCD and sLapH have the g5 of DeGrand-Rossi, but other"
                + " g1, g3, g4."),
        undecided(
            right + wrong < count && right * wrong == 0,
            "Some values are within two standard errors of zero: give more configurations."),
        failed(
            true,
            "The signs fit no single error: momenta are mixed up, or the spin basis is another than"
                + " the one named."));
  }
}
