package org.starlingqcd.correlators.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.format.NpyWriter;

/** {@code check} finds what is wrong in a mapping file, on data of a gauge field. */
@Tag("slow")
final class WrongMappingTest {
  private static final String RIGHT =
      """
      configuration: 1
      spatial_extent: 4
      gamma_basis: DeGrand-Rossi
      perambulators:
        light: {file: tau.npy, axes: [t_snk, t_src, alpha_snk, beta_src, i_snk, j_src]}
      elementals:
        meson:
          none: {file: phi.npy, axes: [momentum, t, i, j], phase: plus, momenta: momenta.txt}
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "phase: plus | phase: plus | ",
        "phase: plus | phase: minus | spin-indices",
        "'alpha_snk, beta_src' | 'beta_src, alpha_snk' | spin-indices",
        "'i_snk, j_src' | 'j_src, i_snk' | eigenvector-indices",
        "'t_snk, t_src' | 't_src, t_snk' | time-direction",
        "'t_snk, t_src' | 'dt, t_src' | gamma5-hermiticity",
        "DeGrand-Rossi | openQCD | spin-indices",
        "DeGrand-Rossi | Dirac-Pauli | gamma5-hermiticity",
        "DeGrand-Rossi | 'DeGrand-Rossi\nsource_gamma: g4' | gamma5-hermiticity",
      })
  void check_findsIt(String from, String to, String test) throws IOException {
    StringBuilder momenta = new StringBuilder();
    try (ExampleArrays example = ExampleArrays.open()) {
      NpyWriter.write(
          folder.resolve("tau.npy"), "<c16", new long[] {T, T, 4, 4, N, N}, example.tau("light"));
      List<Momentum> all = example.mesonMomenta();
      NpyWriter.write(
          folder.resolve("phi.npy"),
          "<c16",
          new long[] {all.size(), T, N, N},
          ExampleArrays.joined(all.stream().map(n -> example.meson("none", n.negate())).toList()));
      all.forEach(
          n ->
              momenta
                  .append(n.component(0))
                  .append(' ')
                  .append(n.component(1))
                  .append(' ')
                  .append(n.component(2))
                  .append('\n'));
    }
    Files.writeString(folder.resolve("momenta.txt"), momenta);
    assertTrue(RIGHT.contains(from));
    Path mapping = Files.writeString(folder.resolve("mapping.yaml"), RIGHT.replace(from, to));
    Cli check = Cli.run("check", mapping.toString());
    List<String> failed =
        check.out().lines().filter(line -> line.contains("failed:")).map(String::strip).toList();
    if (test == null) {
      check.ok();
      assertEquals(List.of(), failed);
    } else {
      assertEquals(2, check.status(), check.out() + check.err());
      assertTrue(failed.stream().anyMatch(line -> line.startsWith(test)), check.out());
    }
  }
}
