package org.starlingqcd.hadron.convention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.ForeignLayouts;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.format.NpyWriter;

/**
 * A mapping file that misreads arrays, by one word, is found out. The arrays are those of the
 * bundled configuration, which comes from a real gauge field.
 */
final class WrongMappingTest {
  private static final String MAPPING =
      """
      ensemble: quenched_4x8
      configuration: 1
      spatial_extent: 4
      gamma_basis: DeGrand-Rossi
      perambulators:
        light: {file: tau.npy, axes: [t_snk, t_src, alpha_snk, beta_src, i_snk, j_src]}
      elementals:
        meson:
          none: {file: phi.npy, axes: [momentum, t, i, j], phase: minus, momenta: momenta.txt}
          nabla_x: {file: nabla.npy, axes: [axis=0, momentum, t, i, j], phase: minus, momenta: [[0, 0, 0]]}
          nabla_y: {file: nabla.npy, axes: [axis=1, momentum, t, i, j], phase: minus, momenta: [[0, 0, 0]]}
          nabla_z: {file: nabla.npy, axes: [axis=2, momentum, t, i, j], phase: minus, momenta: [[0, 0, 0]]}
        baryon:
          none: {file: b.npy, axes: [momentum, t, i, j, k], phase: minus, momenta: baryons.txt}
      """;

  /** The tests that need derivatives and baryons. */
  private static final Set<String> NEED_MORE = Set.of("derivative-phase", "baryon-phase");

  @TempDir private Path folder;

  @BeforeEach
  void writeArrays() throws IOException {
    try (ExampleArrays example = ExampleArrays.open()) {
      NpyWriter.write(
          folder.resolve("tau.npy"), "<c16", new long[] {T, T, 4, 4, N, N}, example.tau("light"));
      List<Momentum> momenta = example.mesonMomenta();
      NpyWriter.write(
          folder.resolve("phi.npy"),
          "<c16",
          new long[] {momenta.size(), T, N, N},
          ExampleArrays.joined(momenta.stream().map(n -> example.meson("none", n)).toList()));
      NpyWriter.write(
          folder.resolve("nabla.npy"),
          "<c16",
          new long[] {3, 1, T, N, N},
          ExampleArrays.joined(
              List.of("nabla_x", "nabla_y", "nabla_z").stream()
                  .map(nabla -> example.meson(nabla, Momentum.ZERO))
                  .toList()));
      List<Momentum> baryons = new ArrayList<>(List.of(Momentum.ZERO));
      for (int axis = 0; axis < 3; axis++) {
        baryons.add(Blocks.unit(axis));
        baryons.add(Blocks.unit(axis).negate());
      }
      NpyWriter.write(
          folder.resolve("b.npy"),
          "<c16",
          new long[] {baryons.size(), T, N, N, N},
          ExampleArrays.joined(baryons.stream().map(example::baryon).toList()));
      Files.writeString(folder.resolve("momenta.txt"), ForeignLayouts.lines(momenta));
      Files.writeString(folder.resolve("baryons.txt"), ForeignLayouts.lines(baryons));
    }
  }

  /** Checks which tests fail when words of the mapping are others, and what the first one says. */
  private void assertFails(String words, String wrong, String phrase, String... tests)
      throws IOException {
    assertTrue(MAPPING.contains(words), words);
    String text = MAPPING.replace(words, wrong);
    Path file = Files.writeString(folder.resolve("mapping.yaml"), text);
    ConventionCheck check = new ConventionCheck();
    for (DistillationFiles.Configuration configuration :
        DistillationFiles.discover(new DataRequest(List.of(folder.toString()), Map.of(), file))) {
      try (DistillationData data = configuration.open()) {
        check.add(data);
      }
    }
    Set<String> failed = new TreeSet<>();
    for (Finding finding : check.findings()) {
      assertEquals(
          !text.contains("nabla") && NEED_MORE.contains(finding.test()),
          finding.verdict() == Finding.Verdict.NOT_MEASURED,
          finding.toString());
      if (finding.verdict() == Finding.Verdict.FAILED) {
        failed.add(finding.test());
      }
      if (tests.length > 0 && finding.test().equals(tests[0])) {
        assertTrue(finding.meaning().contains(phrase), finding.toString());
      }
    }
    assertEquals(Set.of(tests), failed, wrong);
  }

  @Test
  void oneWrongWord_isFound() throws IOException {
    assertFails("t_snk", "t_snk", "");
    assertFails("alpha_snk, beta_src", "beta_src, alpha_snk", "two spin indices", "spin-indices");
    assertFails("i_snk, j_src", "j_src, i_snk", "two eigenvector indices", "eigenvector-indices");
    assertFails(
        "t_snk, t_src",
        "t_src, t_snk",
        "Sink and source time are exchanged",
        "time-direction",
        "eigenvector-indices");
    assertFails("j, k], phase: minus", "j, k], phase: plus", "opposite", "baryon-phase");
    assertFails(
        "[momentum, t, i, j], phase: minus",
        "[momentum, t, i, j], phase: plus",
        "e^{+ipx}",
        "spin-indices",
        "derivative-phase",
        "baryon-phase");
    assertFails(
        "momenta: momenta.txt",
        "momenta: momenta.txt, momentum_order: zyx",
        "nabla_x belongs to component z",
        "derivative-phase",
        "baryon-phase");
    String basis = "gamma_basis: DeGrand-Rossi";
    assertFails(basis, "gamma_basis: openQCD", "openQCD", "spin-indices", "time-direction");
    assertFails(basis, basis + "\nsource_gamma: g4", "as in LapH", "gamma5-hermiticity");
    assertFails(
        basis,
        "gamma_basis: Dirac-Pauli",
        "Dirac-Pauli is not DeGrand-Rossi",
        "gamma5-hermiticity",
        "spin-indices");
    assertFails(
        "t_snk, t_src",
        "dt, t_src",
        "relative times are read as absolute ones",
        "gamma5-hermiticity",
        "eigenvector-indices");
    // Without derivatives and baryons.
    String more = MAPPING.substring(MAPPING.indexOf("    nabla_x"));
    assertFails(more, "", "");
    String all = MAPPING.substring(MAPPING.indexOf("phase: minus"));
    assertFails(all, "phase: plus, momenta: momenta.txt}\n", "e^{+ipx}", "spin-indices");
  }
}
