package org.starlingqcd.correlators.reference;

import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/** Small random data that hold just what a correlation matrix needs. */
final class SyntheticLattice {
  private SyntheticLattice() {}

  /** Writes configuration 1 to a folder; baryon elementals from three eigenvectors on. */
  static Path write(
      Path folder, CorrelationMatrix matrix, int temporalExtent, int eigenvectors, long seed) {
    TreeSet<Momentum> momenta = new TreeSet<>();
    matrix.operators().stream()
        .flatMap(operator -> operator.terms().stream())
        .flatMap(term -> term.factors().stream())
        .forEach(factor -> momenta.add(factor.momentum()));
    SyntheticEnsemble ensemble =
        new SyntheticEnsemble(
            "random",
            4,
            temporalExtent,
            eigenvectors,
            List.copyOf(new TreeSet<>(matrix.quarkLabels().values())),
            List.of(),
            List.copyOf(momenta),
            List.of("nabla_y"),
            eigenvectors > 2,
            0,
            seed);
    return SyntheticData.write(ensemble, 1, folder, bytes -> {});
  }
}
