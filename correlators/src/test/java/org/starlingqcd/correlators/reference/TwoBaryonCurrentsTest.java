package org.starlingqcd.correlators.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.correlators.reference.ThreePointRuns.DATA;
import static org.starlingqcd.correlators.reference.ThreePointRuns.TOLERANCE;
import static org.starlingqcd.correlators.reference.ThreePointRuns.largest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.inspection.CurrentCheck;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.convention.Finding;
import org.starlingqcd.hadron.data.DistillationFiles;

/** Currents on quarks of two baryons, which exchange quarks with each other. */
@Tag("slow")
class TwoBaryonCurrentsTest {
  private static final int T = 8;

  private static final String NN_ISOSPIN_0 =
      """
      isospin: [0, 0]
      operators:
        - name: rest
          hadrons:
            - {baryon: N, momentum: [0, 0, 0], component: 1}
            - {baryon: N, momentum: [0, 0, 0], component: 2}
        - name: flight
          hadrons:
            - {baryon: N, momentum: [0, 0, 1], component: 1}
            - {baryon: N, momentum: [0, 0, -1], component: 1, parity: minus}
      """;

  private static final String NN_ISOSPIN_1 =
      """
      isospin: [1, -1]
      irrep: A1+
      operators:
        - name: flight
          hadrons:
            - {baryon: N, momentum: [0, 0, 1], component: 1}
            - {baryon: N, momentum: [0, 0, -1], component: 2}
      """;

  private static final String STRANGE_WITH_KAON =
      """
      operators:
        - name: lambda
          terms:
            - coefficient: [0, 0.5]
              baryons:
                - {quarks: [u, d, s], momentum: [0, 0, 0], component: 1}
                - {quarks: [d, u, d], momentum: [0, 0, 0], component: 2}
        - name: kaon
          terms:
            - baryons:
                - {quarks: [u, d, u], momentum: [0, 0, 1], component: 1}
                - {quarks: [u, d, d], momentum: [0, 0, -1], component: 2, parity: minus}
              mesons: [{bar: u, gamma: g5, quark: s, momentum: [0, 0, 0]}]
      """;

  @TempDir private Path folder;

  /**
   * The connected part is a derivative of two-point functions, which agree with a brute-force
   * evaluation ({@link BaryonDefinitionsTest}). The disconnected one is a product.
   */
  @ParameterizedTest
  @ValueSource(strings = {NN_ISOSPIN_0, NN_ISOSPIN_1, STRANGE_WITH_KAON})
  void connected_isDerivative_disconnected_isProduct(String operators) throws IOException {
    Path result =
        run(
            operators,
            """
              - {name: density, gamma: g4, flavours: {u: 0.5, d: 1}}
              - {name: pseudoscalar, gamma: g5, flavours: {d: 1}}
            disconnected: true
            """);
    try (ResultReader reader = ResultReader.open(result)) {
      List<Finding> findings =
          CurrentCheck.of(
                  reader,
                  DistillationFiles.discover(List.of(DATA.toString())),
                  NumberSelection.ALL,
                  NumberSelection.of(List.of(1)))
              .findings();
      List<Finding> connected =
          findings.stream().filter(finding -> finding.test().equals("connected")).toList();
      assertEquals(2, connected.size(), "" + findings);
      connected.forEach(
          finding -> assertEquals(Finding.Verdict.PASSED, finding.verdict(), "" + finding));
    }
    double[] twoPoint = read(result, "two_point");
    double[] loops = read(result, "current/density");
    double[] disconnected = read(result, "insertion/density/disconnected");
    double bound = TOLERANCE * largest(disconnected);
    assertTrue(bound > 0);
    for (int k = 0; k < disconnected.length; k += 2) {
      int t = k / twoPoint.length;
      int e = k % twoPoint.length;
      double re = loops[2 * t] * twoPoint[e] - loops[2 * t + 1] * twoPoint[e + 1];
      double im = loops[2 * t] * twoPoint[e + 1] + loops[2 * t + 1] * twoPoint[e];
      assertEquals(re, disconnected[k], bound, "number " + k);
      assertEquals(im, disconnected[k + 1], bound, "number " + k);
    }
  }

  /** The Ward identity. */
  @ParameterizedTest
  @ValueSource(strings = {NN_ISOSPIN_0, NN_ISOSPIN_1, STRANGE_WITH_KAON})
  void conservedCurrent_countsQuarks(String operators) throws IOException {
    Path result =
        run(
            operators,
            "  - {name: charge, gamma: g4, displacement: conserved, flavours: {d: 1}}\n");
    double[] current = read(result, "insertion/charge/connected");
    double[] twoPoint = read(result, "two_point");
    int quarks = operators.equals(NN_ISOSPIN_1) ? 4 : 3;
    assertTrue(largest(twoPoint) > 0);
    for (int k = 0; k < twoPoint.length; k++) {
      double inside = current[twoPoint.length + k] - current[twoPoint.length * (T - 1) + k];
      assertEquals(quarks * twoPoint[k], inside, TOLERANCE * largest(current), "number " + k);
    }
  }

  /** The other two baryons of a diagram, combined, are a third line of a pair. */
  @Test
  void environments_costFewTimesTheTwoPointFunction() throws IOException {
    Path file = definition(NN_ISOSPIN_0, "  - {name: vector, gamma: g4, flavours: {u: 1, d: 1}}\n");
    Cli plan = Cli.run("plan", file.toString(), "--tensor-size", "64", "--json").ok();
    double factor = plan.json().get("environments_factor").asDouble();
    assertTrue(factor > 1 && factor < 8, "" + factor);
  }

  /** Three-point functions with the operators of a two-point definition on both sides. */
  private Path definition(String operators, String insertions) throws IOException {
    Path file = folder.resolve("x.yaml");
    return Files.writeString(
        file, "name: x\nsource:\n" + operators.indent(2) + "insertions:\n" + insertions);
  }

  private Path run(String operators, String insertions) throws IOException {
    ThreePointRuns.run(
        folder,
        List.of(definition(operators, insertions).toString()),
        DATA,
        settings -> settings.separations = NumberSelection.of(List.of(4)));
    return folder.resolve("x.h5");
  }

  private static double[] read(Path file, String dataset) {
    return ThreePointRuns.read(file, 1, dataset);
  }
}
