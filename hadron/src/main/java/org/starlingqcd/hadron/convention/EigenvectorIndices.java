package org.starlingqcd.hadron.convention;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order of the eigenvector indices of perambulators.
 *
 * <p>A quark keeps its momentum from one time slice to the next, so Re Tr[Φ(n,t) τ Φ(n,t0)† τ†] is
 * positive at dt = ±1. With exchanged eigenvector indices, or with elementals of other
 * eigenvectors, it is a sum of random phases. The test takes n = e_1, e_2, e_3 (at -n the value is
 * the same) and divides the sum by that of Tr[τ τ†].
 */
final class EigenvectorIndices extends Measurement {
  static final String TEST = "eigenvector-indices";

  private static final String EXPECTED = "as_read positive and above exchanged";
  private static final String AS_READ = "as_read";
  private static final String EXCHANGED = "exchanged";
  private static final String DIFFERENCE = "difference";
  private static final int ENOUGH = 4;

  EigenvectorIndices() {
    super(
        TEST,
        EXPECTED,
        "perambulators from t to t ± 1 and undisplaced meson elementals at e_k on both",
        List.of(AS_READ, EXCHANGED, DIFFERENCE));
  }

  @Override
  void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      Values sums = of(label);
      for (int source : blocks.sourceTimes(label)) {
        double norm = 0;
        double asRead = 0;
        double exchanged = 0;
        for (int dt = -1; dt <= 1; dt += 2) {
          ComplexMatrix @Nullable [] tau = blocks.perambulator(label, source + dt, source);
          for (int axis = 0; axis < 3 && tau != null; axis++) {
            ComplexMatrix sink = blocks.elemental(Blocks.unit(axis), source + dt);
            ComplexMatrix start = blocks.elemental(Blocks.unit(axis), source);
            if (sink != null && start != null) {
              for (ComplexMatrix block : tau) {
                norm += block.norm2();
                asRead += kept(sink, block, start);
                exchanged += kept(sink, block.transposed(), start);
              }
            }
          }
        }
        if (norm > 0) {
          sums.get(AS_READ).add(asRead / norm);
          sums.get(EXCHANGED).add(exchanged / norm);
          sums.get(DIFFERENCE).add((asRead - exchanged) / norm);
        }
      }
    }
  }

  /** Re Tr[Φ(t) τ Φ(t0)† τ†]. */
  private static double kept(ComplexMatrix sink, ComplexMatrix tau, ComplexMatrix start) {
    return tau.times(start).inner(sink.times(tau))[0];
  }

  @Override
  Map<String, Double> measured(Values values) {
    Map<String, Double> measured = values.means();
    measured.remove(DIFFERENCE);
    return measured;
  }

  @Override
  List<Row> table(Values values) {
    Sample asRead = values.get(AS_READ);
    int difference = values.get(DIFFERENCE).sign();
    return List.of(
        passed(asRead.sign() > 0 && difference > 0),
        failed(
            difference < 0,
            "The two eigenvector indices of the perambulators are exchanged, or those of the"
                + " elementals; if time-direction fails too, the two times are."),
        failed(
            asRead.count() >= ENOUGH && asRead.sign() <= 0,
            "Elementals and perambulators do not belong together: they were made from eigenvectors"
                + " that differ, if only by their phases, or from different configurations or"
                + " times."),
        undecided(
            true,
            "The difference is within two standard errors of zero: give more source times or"
                + " configurations."));
  }
}
