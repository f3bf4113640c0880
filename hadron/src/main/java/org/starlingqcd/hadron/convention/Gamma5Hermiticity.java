package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * τ(t, t') = γ5 τ(t', t)† γ5, where both are in the files. Perambulators come from an iterative
 * solver, so the residual is that of the solver; a wrong basis makes it of order one.
 */
final class Gamma5Hermiticity implements Measurement {
  static final String TEST = "gamma5-hermiticity";

  private static final double TOLERANCE = 1e-4;
  private static final String EXPECTED =
      String.format(Locale.ROOT, "residual below %.0e of the largest entry", TOLERANCE);

  /** Diagonal of g5 in the DeGrand-Rossi basis, up to a sign that cancels. */
  private static final int[] G5 = {1, 1, -1, -1};

  /** Residual by label; NaN without a pair, -1 for a label that is not γ5-hermitian. */
  private final TreeMap<String, Double> residuals = new TreeMap<>();

  @Override
  public void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      if (!blocks.data().gamma5Hermitian(label)) {
        residuals.put(label, -1.0);
        continue;
      }
      double worst = residuals.getOrDefault(label, Double.NaN);
      for (int source : blocks.sourceTimes(label)) {
        for (int sink : blocks.sourceTimes(label)) {
          ComplexMatrix @Nullable [] forward = blocks.perambulator(label, sink, source);
          ComplexMatrix @Nullable [] backward = blocks.perambulator(label, source, sink);
          if (sink >= source && forward != null && backward != null) {
            double residual = residual(forward, backward);
            worst = Double.isNaN(worst) ? residual : Math.max(worst, residual);
          }
        }
      }
      residuals.put(label, worst);
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
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    residuals.forEach(
        (label, residual) -> {
          if (residual < 0) {
            findings.add(
                Finding.notMeasured(
                    TEST, label, EXPECTED, "a label whose gamma5_hermitian is not 0"));
          } else if (residual.isNaN()) {
            findings.add(
                Finding.notMeasured(
                    TEST, label, EXPECTED, "perambulators from t to t' and from t' to t"));
          } else {
            boolean passed = residual < TOLERANCE;
            findings.add(
                new Finding(
                    TEST,
                    label,
                    Map.of("residual", residual),
                    EXPECTED,
                    passed ? Verdict.PASSED : Verdict.FAILED,
                    passed
                        ? ""
                        : "The spin basis has another g5 than the one named (Dirac-Pauli is not"
                            + " DeGrand-Rossi), the source carries a factor g4 as in LapH, the"
                            + " configurations or masses of the files differ, or the label has no"
                            + " gamma5-hermiticity: then say gamma5_hermitian = 0."));
          }
        });
    return findings;
  }
}
