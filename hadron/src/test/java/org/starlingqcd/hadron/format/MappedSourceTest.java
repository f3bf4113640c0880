package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;
import static org.starlingqcd.hadron.ExampleArrays.permuted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.ForeignLayouts;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;

/** The bundled data in layouts of other programs have the same numbers block by block. */
final class MappedSourceTest {
  /** c16 keeps every bit; a rotation of spin rounds; c8 rounds to 24 bits. */
  private static final double EXACT = 0;

  private static final double ROTATED = 1e-14;
  private static final double SINGLE = 1e-6;

  private static final int[] TAU = {T, T, 4, 4, N, N};

  @TempDir Path folder;
  private ExampleArrays example;

  @BeforeEach
  void open() {
    example = ExampleArrays.open();
  }

  @AfterEach
  void close() {
    example.close();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private static long[] longs(int... extents) {
    return Arrays.stream(extents).asLongStream().toArray();
  }

  private static int assertSame(DataRequest request, double tolerance) {
    List<DistillationFiles.Configuration> found = DistillationFiles.discover(request);
    assertEquals(1, found.size());
    assertEquals(1, found.get(0).number());
    try (DistillationData expected = DistillationData.open(List.of(ExampleArrays.path()));
        DistillationData data = found.get(0).open()) {
      return SameBlocks.assertSame(expected, data, tolerance);
    }
  }

  /** EasyDistillation, with a list of momenta of one's own. */
  @ParameterizedTest
  @CsvSource({"<c16,true", ">c16,true", "<c8,false"})
  void easyDistillation_hasTheSameBlocks(String type, boolean exact) throws IOException {
    ForeignLayouts.easyDistillation(example, folder, type);
    write("mapping.yaml", ForeignLayouts.easyDistillationMapping());
    int blocksCompared =
        assertSame(
            new DataRequest(List.of("light=" + folder), Map.of(), folder.resolve("mapping.yaml")),
            exact ? EXACT : SINGLE);
    assertEquals(T * T + T * (example.mesonMomenta().size() + 3), blocksCompared);
  }

  /** The mapping that comes with the program, found by its name; momenta in its own order. */
  @Test
  void easyDistillation_byName_hasTheSameBlocks() throws IOException {
    List<Momentum> order =
        MomentumList.ball(9, "zyx").stream()
            .map(n -> new Momentum((int) n[0], (int) n[1], (int) n[2]))
            .toList();
    assertEquals(123, order.size());
    assertEquals(new Momentum(0, 0, -3), order.get(0));
    assertEquals(new Momentum(-1, -2, -2), order.get(1));
    assertEquals(Momentum.ZERO, order.get(61));
    List<Momentum> there = example.mesonMomenta();
    double[] zero = new double[2 * T * N * N];
    List<double[]> blocks = new ArrayList<>();
    for (Momentum n : order) {
      blocks.add(there.contains(n) ? example.meson("none", n.negate()) : zero);
    }
    for (int derivative = 1; derivative < 4; derivative++) {
      order.forEach(n -> blocks.add(zero));
    }
    NpyWriter.write(
        folder.resolve("a_b2.0_cfg_1.mom9.npy"),
        "<c16",
        longs(4, 123, T, N, N),
        ExampleArrays.joined(blocks));
    write("facts.yaml", "spatial_extent: 4\n");
    DataRequest request =
        new DataRequest(
            List.of(folder.toString(), folder.resolve("facts.yaml").toString()),
            Map.of(),
            Path.of("easydistillation"));
    try (DistillationData data = DistillationFiles.discover(request).get(0).open();
        DistillationData expected = DistillationData.open(List.of(ExampleArrays.path()))) {
      assertEquals(123 + 3, data.mesonElementals().size());
      for (Momentum n : there) {
        Input input = new Input.Elemental(new ElementalRef("none", n, false), 3);
        TestData.assertSame(expected, data, input, 0);
      }
    }
  }

  /** HDF5 of PerambulatorContractions.jl, by the name of the mapping. */
  @Test
  void perambulatorContractions_hasTheSameBlocks() throws IOException {
    ForeignLayouts.perambulatorContractions(example, folder, List.of("light", "strange"), 3);
    write("facts.yaml", "like: PerambulatorContractions.jl\nspatial_extent: 4\n");
    int blocks =
        assertSame(
            new DataRequest(List.of(folder.toString()), Map.of(), folder.resolve("facts.yaml")),
            ROTATED);
    assertEquals(T * 2 * 3 + T * example.mesonMomenta().size(), blocks);
  }

  /**
   * Raw numbers, big-endian, merged axes, a gamma matrix at the source, Dirac-Pauli, a factor,
   * files for each source time; baryons with their vectors in another order and momenta as z, y, x.
   */
  @Test
  void rawWithEveryConvention_hasTheSameBlocks() throws IOException {
    double[] tau = example.tau("light", SpinBases.known("Dirac-Pauli"), true);
    // [t0][t][(i, alpha)][(beta, j)]
    double[] ordered = permuted(ExampleArrays.times(tau, 2), TAU, 1, 0, 4, 2, 3, 5);
    int column = ordered.length / T;
    Files.createDirectory(folder.resolve("peram"));
    for (int source = 0; source < T; source++) {
      double[] block = new double[column];
      System.arraycopy(ordered, source * column, block, 0, column);
      NpyWriter.writeRaw(
          folder.resolve(String.format("peram/ud_t%03d.dat", source)), ">c16", block);
    }
    NpyWriter.write(
        folder.resolve("elem.npy"),
        "<c16",
        longs(example.mesonMomenta().size(), T, N * N),
        ForeignLayouts.mesons(example, false));
    List<Momentum> momenta = example.baryonMomenta();
    double[] baryons =
        ExampleArrays.joined(
            momenta.stream()
                .map(n -> permuted(example.baryon(n.negate()), new int[] {T, N, N, N}, 3, 0, 2, 1))
                .toList());
    NpyWriter.writeRaw(folder.resolve("baryon.raw"), ">c16", baryons);
    write(
        "zyx.txt",
        ForeignLayouts.lines(
            momenta.stream().map(n -> new Momentum(n.z(), n.y(), n.x())).toList()));
    write("xyz.txt", ForeignLayouts.lines(example.mesonMomenta()));
    write(
        "mapping.yaml",
        """
        configuration: 1
        spatial_extent: 4
        temporal_extent: 8
        num_eigenvectors: 8
        gamma_basis: Dirac-Pauli
        source_gamma: g4
        temporal_boundary: antiperiodic
        labels: {ud: light}
        perambulators:
          ud:
            file: peram/ud_t{t0:03}.dat
            axes: [t_snk, i_snk*alpha_snk, beta_src*j_src]
            complex: c16
            byte_order: big
            shape: [8, 32, 32]
            factor: 0.5
        elementals:
          meson:
            none: {file: elem.npy, axes: [momentum, t, i*j], momenta: xyz.txt, phase: minus}
          baryon:
            none:
              file: baryon.raw
              axes: [momentum, k, t, j, i]
              complex: ">c16"
              shape: [%d, 8, 8, 8, 8]
              momenta: zyx.txt
              momentum_order: zyx
              phase: plus
        """
            .formatted(momenta.size()));
    int blocks =
        assertSame(DataRequest.of(List.of(folder.resolve("mapping.yaml").toString())), ROTATED);
    assertEquals(T * T + T * example.mesonMomenta().size() + T * momenta.size(), blocks);
  }

  /** Two parts of a real array, source times that are not 0, 1, 2, a label without γ5. */
  @Test
  void lastAxisAndListedTimes_hasTheSameBlocks() throws IOException {
    double[] tau = permuted(example.tau("strange"), TAU, 1, 0, 2, 3, 4, 5);
    int column = tau.length / T;
    double[] some = new double[2 * column];
    System.arraycopy(tau, 6 * column, some, 0, column);
    System.arraycopy(tau, column, some, column, column);
    NpyWriter.write(folder.resolve("s.npy"), "<f8", longs(2, T, 4, 4, N, N, 2), some);
    write(
        "mapping.yaml",
        """
        configuration: 1
        spatial_extent: 4
        perambulators:
          strange:
            file: s.npy
            axes: [t_src, t_snk, alpha_snk, beta_src, i_snk, j_src]
            complex: last axis 2
            source_times: [6, 1]
            gamma5_hermitian: false
        """);
    DataRequest request = DataRequest.of(List.of(folder.resolve("mapping.yaml").toString()));
    assertEquals(2 * T, assertSame(request, EXACT));
    try (DistillationData data = DistillationFiles.discover(request).get(0).open()) {
      assertEquals(Set.of(1, 6), data.sourceTimes("strange"));
      assertFalse(data.gamma5Hermitian("strange"));
      assertTrue(data.mesonElementals().isEmpty());
    }
  }
}
