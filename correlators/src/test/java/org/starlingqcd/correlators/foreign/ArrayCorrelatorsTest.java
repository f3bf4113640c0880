package org.starlingqcd.correlators.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;
import static org.starlingqcd.hadron.ExampleArrays.permuted;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.ForeignLayouts;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.format.IoMapWriter;
import org.starlingqcd.hadron.format.NpyWriter;
import org.starlingqcd.hadron.format.SpinBases;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Correlators from the bundled data in layouts of other programs are those from the data. */
@Tag("slow")
final class ArrayCorrelatorsTest {
  private static final int[] TAU = {T, T, 4, 4, N, N};

  @TempDir Path folder;

  private static long[] longs(int... extents) {
    return Arrays.stream(extents).asLongStream().toArray();
  }

  /** Meson and baryon elementals as EasyDistillation and its branch for baryons have them. */
  private String elementals(ExampleArrays example, String type) throws IOException {
    List<Momentum> mesons = example.mesonMomenta();
    List<Momentum> baryons = example.baryonMomenta();
    Files.writeString(folder.resolve("mesons.txt"), ForeignLayouts.lines(mesons));
    Files.writeString(folder.resolve("baryons.txt"), ForeignLayouts.lines(baryons));
    NpyWriter.write(
        folder.resolve("phi.npy"),
        type,
        longs(mesons.size(), T, N, N),
        ExampleArrays.joined(mesons.stream().map(n -> example.meson("none", n.negate())).toList()));
    NpyWriter.write(
        folder.resolve("b.npy"),
        type,
        longs(baryons.size(), T, N, N, N),
        ExampleArrays.joined(baryons.stream().map(example::baryon).toList()));
    return """
        spatial_extent: 4
        elementals:
          meson:
            none: {file: phi.npy, axes: [momentum, t, i, j], momenta: mesons.txt, phase: plus}
          baryon:
            none: {file: b.npy, axes: [momentum, t, i, j, k], momenta: baryons.txt, phase: minus}
        """;
  }

  private void assertSame(String definition, DataRequest request, double tolerance) {
    List<Integer> separations = List.of(0, 1, 3);
    try (DistillationData expected = DistillationData.open(List.of(ExampleArrays.path()));
        DistillationData data = DistillationFiles.discover(request).get(0).open()) {
      var matrix = Engine.definition(definition);
      int n = matrix.operators().size();
      double[] one =
          Engine.evaluate(matrix, expected, 2, separations).correlator(0, n, separations.size());
      double[] other =
          Engine.evaluate(matrix, data, 2, separations).correlator(0, n, separations.size());
      double largest = Arrays.stream(one).map(Math::abs).max().orElse(0);
      assertTrue(largest > 0);
      assertArrayEquals(one, other, tolerance * largest, definition);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"<c16", "<c8"})
  void arrays_giveTheSameCorrelators(String type) throws IOException {
    try (ExampleArrays example = ExampleArrays.open()) {
      NpyWriter.write(
          folder.resolve("tau.npy"),
          type,
          longs(TAU),
          ExampleArrays.relative(example.tau("light")));
      Files.writeString(
          folder.resolve("mapping.yaml"),
          elementals(example, type)
              + """
              perambulators:
                light: {file: tau.npy, axes: [t_src, dt, alpha_snk, beta_src, i_snk, j_src]}
              """);
    }
    DataRequest request = DataRequest.of(List.of(folder.resolve("mapping.yaml").toString()));
    double tolerance = type.equals("<c16") ? 1e-12 : 1e-5;
    assertSame("rho_pipi", request, tolerance);
    assertSame("nucleon", request, tolerance);
  }

  /** Perambulators of quda_laph in the Dirac-Pauli basis, sources times g4. */
  @Test
  void laph_givesTheSameCorrelators() throws IOException {
    try (ExampleArrays example = ExampleArrays.open()) {
      double[] tau =
          permuted(
              example.tau("light", SpinBases.known("Dirac-Pauli"), true), TAU, 1, 3, 5, 0, 2, 4);
      int vector = 2 * N;
      int at = 0;
      for (int source = 0; source < T; source++) {
        for (int beta = 0; beta < 4; beta++) {
          IoMapWriter writer =
              new IoMapWriter(
                  ByteOrder.BIG_ENDIAN,
                  true,
                  "Laph--QuarkPeramb",
                  "<H><ConfigNumber>1</ConfigNumber><Flavor>ud</Flavor><SourceTime>"
                      + source
                      + "</SourceTime><SourceSpin>"
                      + (beta + 1)
                      + "</SourceSpin></H>");
          for (int j = 0; j < N; j++) {
            for (int t = 0; t < T; t++) {
              for (int alpha = 0; alpha < 4; alpha++) {
                writer.put(j << 17 | t << 2 | alpha, Arrays.copyOfRange(tau, at, at + vector));
                at += vector;
              }
            }
          }
          writer.write(folder.resolve("peramb." + (4 * source + beta)));
        }
      }
      Files.writeString(folder.resolve("mapping.yaml"), elementals(example, "<c16"));
    }
    DataRequest request =
        DataRequest.of(List.of(folder + "/peramb.*", folder.resolve("mapping.yaml").toString()));
    assertSame("rho_pipi", request, 1e-12);
    // Components of baryons count in the DeGrand-Rossi basis where there is an irrep.
    assertSame("nucleon_g1u", request, 1e-12);
  }

  /** Perambulators keep every bit; the elementals of Hadrons are in single precision. */
  @Test
  void hadrons_givesTheSameCorrelators() throws IOException {
    Path perambulators = Files.createDirectories(folder.resolve("peramb.1"));
    Path fields = Files.createDirectories(folder.resolve("rho-rho.1"));
    Path facts = Files.writeString(folder.resolve("facts.yaml"), "spatial_extent: 4\n");
    try (ExampleArrays example = ExampleArrays.open()) {
      ForeignLayouts.hadronsPerambulators(example, perambulators, 1, 1);
      example.mesonMomenta().forEach(n -> ForeignLayouts.hadronsField(example, fields, n, 1));
    }
    DataRequest request =
        DataRequest.of(List.of("light=" + perambulators, fields.toString(), facts.toString()));
    assertSame("rho_pipi", request, 1e-5);
  }

  /** A spin basis of its own, and times and configuration in names. */
  @Test
  void perambulatorContractions_givesTheSameCorrelators() throws IOException {
    try (ExampleArrays example = ExampleArrays.open()) {
      ForeignLayouts.perambulatorContractions(example, folder, List.of("light"), 1);
    }
    Path facts =
        Files.writeString(
            folder.resolve("facts.yaml"), "like: PerambulatorContractions.jl\nspatial_extent: 4\n");
    assertSame("rho_pipi", new DataRequest(List.of(folder.toString()), Map.of(), facts), 1e-12);
  }

  /** The mapping of the program, derivatives and the baryons of its branch included. */
  @ParameterizedTest
  @ValueSource(strings = {"<c16", "<c8"})
  void easyDistillation_givesTheSameCorrelators(String type) throws IOException {
    Path mapping = folder.resolve("mapping.yaml");
    try (ExampleArrays example = ExampleArrays.open()) {
      ForeignLayouts.easyDistillation(example, folder, type);
      elementals(example, type);
      Files.move(folder.resolve("b.npy"), folder.resolve("lattice_cfg_0001.b.npy"));
    }
    Files.writeString(
        mapping,
        ForeignLayouts.easyDistillationMapping()
            + """
              baryon:
                none: {file: '*{cfg}.b.npy', axes: [momentum, t, i, j, k], momenta: baryons.txt, phase: minus}
            """);
    DataRequest request = new DataRequest(List.of("light=" + folder), Map.of(), mapping);
    double tolerance = type.equals("<c16") ? 1e-12 : 1e-5;
    assertSame("rho_pipi", request, tolerance);
    assertSame("a1_rhopi", request, tolerance);
    assertSame("nucleon", request, tolerance);
  }

  /** {@code run}, {@code inspect} and {@code check} take a mapping file as a path of the data. */
  @Test
  void run_takesMappingFile() throws IOException {
    try (ExampleArrays example = ExampleArrays.open()) {
      NpyWriter.write(
          folder.resolve("tau.npy"),
          ">c16",
          longs(TAU),
          permuted(example.tau("light"), TAU, 0, 1, 3, 2, 5, 4));
      Files.writeString(
          folder.resolve("mapping.yaml"),
          elementals(example, ">c16")
              + """
              configuration: 1
              ensemble: quenched_4x8
              perambulators:
                light: {file: tau.npy, axes: [t_snk, t_src, beta_src, alpha_snk, j_src, i_snk]}
              """);
    }
    String mapping = folder.resolve("mapping.yaml").toString();
    List<double[]> results = new ArrayList<>();
    for (Map.Entry<String, String> data :
        Map.of("ours", ExampleArrays.path().toString(), "theirs", mapping).entrySet()) {
      Path out = folder.resolve(data.getKey());
      Cli.run("run", "pion", "--data", data.getValue(), "--out", out.toString(), "--sources", "0")
          .ok();
      try (Hdf5File file = Hdf5File.open(out.resolve("pion.h5"));
          Hdf5Dataset dataset = file.dataset("cfg_0001/correlator")) {
        results.add(dataset.readAll());
      }
    }
    double largest = Arrays.stream(results.get(0)).map(Math::abs).max().orElse(0);
    assertArrayEquals(results.get(0), results.get(1), 1e-12 * largest);
    Cli inspect = Cli.run("inspect", mapping).ok();
    assertTrue(inspect.out().contains("light"), inspect.out());
    Cli.run("check", mapping).ok();
    Path file = Path.of(mapping);
    Files.writeString(file, Files.readString(file).replace("j_src, i_snk", "i_snk, j_src"));
    Cli check = Cli.run("check", mapping).refusedAs("1 test failed");
    assertTrue(
        check.out().lines().anyMatch(l -> l.matches(" *eigenvector-indices light +failed: .*")),
        check.out());
  }
}
