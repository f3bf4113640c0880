package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.hadron.data.DistillationData;

/** A correlator does not depend on I3. */
@Tag("slow")
class IsospinIndependenceTest {
  /** Relative to the largest element: each I3 sums other terms, some hundred of them. */
  private static final double TOLERANCE = 1e-12;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 1, 0, -1 | A1- | | {meson: pi, momentum: [0, 0, 0]}",
        "1 | 1, 0, -1 | T1- | row: x | {meson: rho, momentum: [0, 0, 0], polarization: x}; "
            + "{meson: pi, momentum: [1, 0, 0]}, {meson: pi, momentum: [-1, 0, 0]}; "
            + "{meson: K, momentum: [1, 0, 0]}, {meson: Kbar, momentum: [-1, 0, 0]}",
        "2 | 2, 1, 0, -1, -2 | A1+ | | {meson: pi, momentum: [0, 0, 1]}, "
            + "{meson: pi, momentum: [0, 0, -1]}",
        "1/2 | 1/2, -1/2 | A1+ | | {meson: K, momentum: [0, 0, 0]}, "
            + "{meson: pi, momentum: [0, 0, 0]}",
        "3/2 | 3/2, 1/2, -1/2, -3/2 | A1+ | | {meson: Kbar, momentum: [0, 0, 1]}, "
            + "{meson: pi, momentum: [0, 0, -1]}",
        "1 | 1, 0, -1 | | | {meson: pi, momentum: [0, 0, 0]}, {meson: pi, momentum: [0, 0, 0]}, "
            + "{meson: pi, momentum: [0, 0, 0]} INTERMEDIATE 2; {meson: pi, momentum: [0, 0, 0]}",
        "1/2 | 1/2, -1/2 | | | {baryon: N, momentum: [0, 0, 0], component: 1}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 2}, {meson: pi, momentum: [0, 0, -1]}",
        "3/2 | 3/2, 1/2, -1/2, -3/2 | | | {baryon: N, momentum: [0, 0, 1], component: 2}, "
            + "{meson: pi, momentum: [0, 0, -1]}",
        "1 | 1, 0, -1 | | | {baryon: N, momentum: [0, 0, 0], component: 1}, "
            + "{baryon: N, momentum: [0, 0, 0], component: 2}",
        "1 | 1, 0, -1 | | | {baryon: N, momentum: [0, 0, 1], component: 1, parity: minus}, "
            + "{meson: K, momentum: [0, 0, -1]}",
        "1 | 1, 0, -1 | | | {baryon: N, momentum: [0, 0, 0], component: 2}, "
            + "{meson: Kbar, momentum: [0, 0, 0]}",
        "3/2 | 3/2, 1/2, -1/2, -3/2 | | | {baryon: N, momentum: [0, 0, 0], component: 1}, "
            + "{meson: rho, momentum: [0, 0, 0], polarization: y}, {meson: pi, momentum: [0, 0, 0]}"
            + " INTERMEDIATE 1/2",
        "3/2 | 3/2, 1/2, -1/2, -3/2 | Hg | row: 2 | "
            + "{baryon: Delta, momentum: [0, 0, 0], component: 2}; "
            + "{baryon: N, momentum: [0, 0, 1], component: 1}, {meson: pi, momentum: [0, 0, -1]}",
        "1/2 | 1/2, -1/2 | Hu | row: 1 | {baryon: Delta, momentum: [0, 0, 0], component: 1}, "
            + "{meson: pi, momentum: [0, 0, 0]}",
        "3/2 | 3/2, 1/2, -1/2, -3/2 | Hu | row: 1 | {baryon: Delta, momentum: [0, 0, 0],"
            + " component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "5/2 | 5/2, 3/2, 1/2, -1/2, -3/2, -5/2 | Hu | row: 1 | {baryon: Delta, momentum:"
            + " [0, 0, 0], component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "1 | 1, 0, -1 | G1u | row: 1 | {baryon: Sigma, momentum: [0, 0, 0], component: 1}, "
            + "{meson: pi, momentum: [0, 0, 0]}; {baryon: N, momentum: [0, 0, 0], component: 1}, "
            + "{meson: Kbar, momentum: [0, 0, 0]}; {baryon: Lambda, momentum: [0, 0, 0],"
            + " component: 1}, {meson: pi, momentum: [0, 0, 0]}",
        "2 | 2, 1, 0, -1, -2 | G1u | row: 1 | {baryon: Sigma, momentum: [0, 0, 0], component: 1},"
            + " {meson: pi, momentum: [0, 0, 0]}",
        "1 | 1, 0, -1 | | | {baryon: Sigmastar, momentum: [0, 0, 0], component: 3}; "
            + "{baryon: Sigma, momentum: [0, 0, 0], component: 2}",
        "1/2 | 1/2, -1/2 | | | {baryon: Xistar, momentum: [0, 0, 0], component: 2}; "
            + "{baryon: Xi, momentum: [0, 0, 0], component: 1}; "
            + "{baryon: Omega, momentum: [0, 0, 0], component: 2}, "
            + "{meson: K, momentum: [0, 0, 0]}",
        "1 | 1, 0, -1 | | | {baryon: N, momentum: [0, 1, 0], component: 3}, "
            + "{baryon: N, momentum: [0, -1, 0], component: 1, parity: minus}",
      })
  void correlator_isTheSameForEveryComponent(
      String total, String thirds, String irrep, String row, String operators) {
    double[] first = new double[0];
    for (String third : thirds.split(", ")) {
      double[] values = correlator(total, third, irrep, row, operators);
      if (first.length == 0) {
        first = values;
      }
      double largest = 0;
      for (double value : first) {
        largest = Math.max(largest, Math.abs(value));
      }
      assertTrue(largest > 1e-6, "largest=" + largest);
      assertEquals(first.length, values.length);
      for (int k = 0; k < first.length; k++) {
        assertEquals(first[k], values[k], TOLERANCE * largest, "I3 = " + third);
      }
    }
  }

  private double[] correlator(
      String total, String third, String irrep, String row, String operators) {
    StringBuilder text = new StringBuilder("name: x\n");
    text.append("isospin: [").append(total).append(", ").append(third).append("]\n");
    text.append(irrep == null ? "" : "irrep: " + irrep + "\n");
    text.append(row == null ? "" : row + "\n").append("operators:\n");
    for (String operator : operators.split("; ")) {
      String[] parts = operator.split(" INTERMEDIATE ");
      text.append("  - name: ").append('"').append(operator).append("\"\n");
      text.append("    hadrons: [").append(parts[0]).append("]\n");
      text.append(parts.length == 1 ? "" : "    intermediate_isospin: [" + parts[1] + "]\n");
    }
    CorrelationMatrix matrix =
        DefinitionLoader.parse("x.yaml", text.toString()).toCorrelationMatrix();
    Path file = SyntheticLattice.write(folder, matrix, 4, 3, 7);
    try (DistillationData data = DistillationData.open(List.of(file))) {
      return Engine.evaluate(matrix, data, 1, List.of(0, 3))
          .correlator(0, matrix.operators().size(), 2);
    }
  }
}
