package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The order of the eigenvector indices of perambulators.
 *
 * <p>A quark keeps its momentum from one time slice to the next, so Re Tr[Φ(n,t) τ Φ(n,t0)† τ†] is
 * positive at dt = ±1. With exchanged eigenvector indices, or with elementals of other
 * eigenvectors, it is a sum of random phases. The test takes n = e_1, e_2, e_3 (at -n the value is
 * the same) and divides the sum by that of Tr[τ τ†].
 */
final class EigenvectorIndices implements Measurement {
  static final String TEST = "eigenvector-indices";

  private static final String EXPECTED = "as_read positive and above exchanged";
  private static final int ENOUGH = 4;

  private final TreeMap<String, Values> values = new TreeMap<>();

  /** The values of one label. */
  private static final class Values {
    final Sample asRead = new Sample();
    final Sample exchanged = new Sample();
    final Sample difference = new Sample();
  }

  @Override
  public void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      Values sums = values.computeIfAbsent(label, key -> new Values());
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
          sums.asRead.add(asRead / norm);
          sums.exchanged.add(exchanged / norm);
          sums.difference.add((asRead - exchanged) / norm);
        }
      }
    }
  }

  /** Re Tr[Φ(t) τ Φ(t0)† τ†]. */
  private static double kept(ComplexMatrix sink, ComplexMatrix tau, ComplexMatrix start) {
    return tau.times(start).inner(sink.times(tau))[0];
  }

  @Override
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    values.forEach((label, sums) -> findings.add(finding(label, sums)));
    return findings;
  }

  private static Finding finding(String label, Values sums) {
    if (sums.asRead.isEmpty()) {
      return Finding.notMeasured(
          TEST,
          label,
          EXPECTED,
          "perambulators from t to t ± 1 and undisplaced meson elementals at e_k on both");
    }
    Map<String, Double> measured = new LinkedHashMap<>();
    measured.put("as_read", sums.asRead.mean());
    measured.put("exchanged", sums.exchanged.mean());
    if (sums.asRead.sign() > 0 && sums.difference.sign() > 0) {
      return new Finding(TEST, label, measured, EXPECTED, Verdict.PASSED, "");
    }
    if (sums.difference.sign() < 0) {
      return new Finding(
          TEST,
          label,
          measured,
          EXPECTED,
          Verdict.FAILED,
          "The two eigenvector indices of the perambulators are exchanged, or those of the elementals;"
              + " if time-direction fails too, the two times are.");
    }
    if (sums.asRead.count() >= ENOUGH && sums.asRead.sign() <= 0) {
      return new Finding(
          TEST,
          label,
          measured,
          EXPECTED,
          Verdict.FAILED,
          "Elementals and perambulators do not belong together: they were made from eigenvectors that"
              + " differ, if only by their phases, or from different configurations or times.");
    }
    return new Finding(
        TEST,
        label,
        measured,
        EXPECTED,
        Verdict.UNDECIDED,
        "The difference is within two standard errors of zero: give more source times or"
            + " configurations.");
  }
}
