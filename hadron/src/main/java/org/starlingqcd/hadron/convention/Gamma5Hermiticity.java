package org.starlingqcd.hadron.convention;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * τ(t, t') = γ5 τ(t', t)† γ5, where both are in the files. Perambulators come from an iterative
 * solver, so the residual is that of the solver; a wrong basis makes it of order one.
 */
final class Gamma5Hermiticity extends Measurement {
  static final String TEST = "gamma5-hermiticity";

  private static final double TOLERANCE = 1e-4;
  private static final String EXPECTED =
      String.format(Locale.ROOT, "residual below %.0e of the largest entry", TOLERANCE);

  /** Diagonal of g5 in the DeGrand-Rossi basis, up to a sign that cancels. */
  private static final int[] G5 = {1, 1, -1, -1};

  private static final String RESIDUAL = "residual";

  /** Labels that are not γ5-hermitian. */
  private final Set<String> others = new HashSet<>();

  Gamma5Hermiticity() {
    super(TEST, EXPECTED, "perambulators from t to t' and from t' to t", List.of(RESIDUAL));
  }

  @Override
  void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      Sample residuals = of(label).get(RESIDUAL);
      if (!blocks.data().gamma5Hermitian(label)) {
        others.add(label);
        continue;
      }
      for (int source : blocks.sourceTimes(label)) {
        for (int sink : blocks.sourceTimes(label)) {
          ComplexMatrix @Nullable [] forward = blocks.perambulator(label, sink, source);
          ComplexMatrix @Nullable [] backward = blocks.perambulator(label, source, sink);
          if (sink >= source && forward != null && backward != null) {
            residuals.raise(residual(forward, backward));
          }
        }
      }
    }
  }

  private static double residual(ComplexMatrix[] forward, ComplexMatrix[] backward) {
    double worst = 0;
    double largest = 0;
    for (int a = 0; a < SpinMatrix.SPINS; a++) {
      for (int b = 0; b < SpinMatrix.SPINS; b++) {
        ComplexMatrix here = forward[SpinMatrix.SPINS * a + b];
        ComplexMatrix there = backward[SpinMatrix.SPINS * b + a].adjoint();
        int sign = G5[a] * G5[b];
        for (int i = 0; i < here.size(); i++) {
          for (int j = 0; j < here.size(); j++) {
            worst =
                Math.max(
                    worst,
                    Math.hypot(
                        here.re(i, j) - sign * there.re(i, j),
                        here.im(i, j) - sign * there.im(i, j)));
          }
        }
        largest = Math.max(largest, here.largest());
      }
    }
    return worst / largest;
  }

  @Override
  String needs(String label) {
    return others.contains(label) ? "a label whose gamma5_hermitian is not 0" : super.needs(label);
  }

  @Override
  List<Row> table(Values values) {
    return List.of(
        passed(values.get(RESIDUAL).mean() < TOLERANCE),
        failed(
            true,
            "The spin basis has another g5 than the one named (Dirac-Pauli is not DeGrand-Rossi),"
                + " the source carries a factor g4 as in LapH, the configurations or masses of the"
                + " files differ, or the label has no gamma5-hermiticity: then say gamma5_hermitian"
                + " = 0."));
  }
}
