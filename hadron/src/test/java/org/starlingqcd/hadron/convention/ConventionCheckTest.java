package org.starlingqcd.hadron.convention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DistillationData;

/**
 * What tests measure on the bundled data, which come from a real gauge field. {@link
 * WrongMappingTest} has the errors that a mapping can make.
 */
final class ConventionCheckTest {
  private static final Path DATA = Path.of("../examples/data");
  private static final int[] LIGHT = {0, 2, 5};

  @TempDir private Path folder;

  private Path copy() throws IOException {
    return Files.copy(DATA.resolve("quenched_4x8_cfg0001.h5"), folder.resolve("data.h5"));
  }

  private static List<Finding> check(Path... files) {
    ConventionCheck check = new ConventionCheck();
    for (Path file : files) {
      try (DistillationData data = DistillationData.open(List.of(file))) {
        check.add(data);
      }
    }
    return check.findings();
  }

  private static Finding finding(List<Finding> findings, String test) {
    return findings.stream().filter(f -> f.test().equals(test)).findFirst().orElseThrow();
  }

  private static Set<String> failed(List<Finding> findings) {
    Set<String> failed = new TreeSet<>();
    findings.stream()
        .filter(f -> f.verdict() == Finding.Verdict.FAILED)
        .forEach(f -> failed.add(f.test()));
    return failed;
  }

  /** Checks which tests fail, all others passing, and a phrase of what the first one says. */
  private static void assertFails(Path file, String phrase, String... tests) {
    List<Finding> findings = check(file);
    assertEquals(new TreeSet<>(List.of(tests)), failed(findings), findings.toString());
    String meaning = finding(findings, tests[0]).meaning();
    assertTrue(meaning.contains(phrase), meaning);
  }

  private static double measured(List<Finding> findings, String test, String name) {
    return finding(findings, test).measured().getOrDefault(name, Double.NaN);
  }

  @Test
  void soundData_passEveryTest() {
    Path derivatives = Path.of("../examples/data-derivatives");
    for (List<Finding> findings :
        List.of(
            check(DATA.resolve("quenched_4x8_cfg0001.h5"), DATA.resolve("quenched_4x8_cfg0002.h5")),
            check(derivatives.resolve("quenched_4x8_derivatives_cfg0001.h5")))) {
      assertEquals(5 + 2 * 5, findings.size());
      for (Finding finding : findings) {
        assertEquals(Finding.Verdict.PASSED, finding.verdict(), finding.toString());
        assertEquals("", finding.meaning());
      }
    }
  }

  /** Against an independent evaluation in NumPy (einsum) of the same file. */
  @Test
  void measuredValues_areThoseOfTheFormulas() {
    List<Finding> findings = check(DATA.resolve("quenched_4x8_cfg0001.h5"));
    assertEquals(1.258850, measured(findings, "derivative-phase", "x"), 1e-6);
    assertEquals(1.049979, measured(findings, "derivative-phase", "y"), 1e-6);
    assertEquals(1.041442, measured(findings, "derivative-phase", "z"), 1e-6);
    assertEquals(0.2175, measured(findings, "spin-indices", "x"), 6e-5);
    assertEquals(0.1009, measured(findings, "spin-indices", "y"), 6e-5);
    assertEquals(0.1019, measured(findings, "spin-indices", "z"), 6e-5);
    assertEquals(
        (0.4185 + 0.4292 + 0.2693) / 3, measured(findings, "time-direction", "forward_sink"), 6e-5);
    assertEquals(
        -(0.4044 + 0.4117 + 0.2504) / 3,
        measured(findings, "time-direction", "backward_sink"),
        6e-5);
    assertEquals(0.0365, measured(findings, "eigenvector-indices", "as_read"), 6e-5);
    assertEquals(0.0068, measured(findings, "eigenvector-indices", "exchanged"), 6e-5);
  }

  @Test
  void factorOfTheDerivative() throws IOException {
    Path file = copy();
    for (String axis : List.of("x", "y", "z")) {
      WrongData.scale(file, "nabla_" + axis, -4);
    }
    assertFails(file, "-4 nabla_k", "derivative-phase", "laplacian-eigenvalues");
    for (String axis : List.of("x", "y", "z")) {
      WrongData.scale(file, "nabla_" + axis, -0.5);
    }
    assertFails(file, "another factor", "derivative-phase", "laplacian-eigenvalues");
  }

  /** Chroma's names: left-right derivatives, or shifts of which a part here is zero. */
  @Test
  void derivativesOfChroma() throws IOException {
    Path file = copy();
    double before = measured(check(file), "derivative-phase", "x");
    for (int axis = 1; axis <= 3; axis++) {
      WrongData.scale(file, "nabla_" + "xyz".charAt(axis - 1), -4);
      WrongData.rename(file, "nabla_" + "xyz".charAt(axis - 1), "deriv_" + axis);
    }
    assertEquals(before, measured(check(file), "derivative-phase", "x"), 1e-12);
    for (int axis = 1; axis <= 3; axis++) {
      // deriv = -4 nabla; forward - backward = 2 nabla with forward = nabla, backward = -nabla.
      WrongData.scale(file, "deriv_" + axis, -0.25);
      WrongData.copy(file, "deriv_" + axis, "disp_-" + axis);
      WrongData.scale(file, "disp_-" + axis, -1);
      WrongData.rename(file, "deriv_" + axis, "disp_" + axis);
    }
    assertEquals(before, measured(check(file), "derivative-phase", "x"), 1e-12);
  }

  @Test
  void elementalsScaled() throws IOException {
    Path file = copy();
    WrongData.scale(file, "none", 2);
    assertFails(file, "not the unit matrix", "unit-elemental");
  }

  @Test
  void elementalsOfOtherEigenvectors() throws IOException {
    Path file = copy();
    WrongData.otherEigenvectorPhases(file);
    List<Finding> findings = check(file);
    assertTrue(failed(findings).contains("eigenvector-indices"), findings.toString());
    String meaning = finding(findings, "eigenvector-indices").meaning();
    assertTrue(meaning.contains("do not belong together"), findings.toString());
  }

  /** A label from few sources is tested with what is there. */
  @Test
  void fewSources() throws IOException {
    Path file = copy();
    TestData.keepSources(file, "light", LIGHT);
    List<Finding> findings = check(file);
    assertEquals(Set.of(), failed(findings));
    assertEquals(3, measured(findings, "source-times", "source_times"));
    assertEquals(8, measured(findings, "source-times", "sink_times"));
  }

  @Test
  void whatIsNotThere_isSaid() {
    Path file = TestData.write(folder, 4, 3, 1);
    List<Finding> findings = check(file);
    Finding derivative = finding(findings, "derivative-phase");
    assertEquals(1, derivative.measured().containsKey("z") ? 1 : 0);
    Finding baryon = finding(findings, "baryon-phase");
    assertEquals(Finding.Verdict.NOT_MEASURED, baryon.verdict());
    assertTrue(baryon.meaning().startsWith("needs undisplaced baryon elementals"));
  }
}
