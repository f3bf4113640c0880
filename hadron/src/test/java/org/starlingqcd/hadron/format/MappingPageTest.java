package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.ForeignLayouts;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** The mapping files of docs/your-data.md read what the page says they read. */
final class MappingPageTest {
  private static final int[] TAU = {T, T, 4, 4, N, N};

  @TempDir Path folder;
  private ExampleArrays example;
  private List<String> mappings = List.of();

  @BeforeEach
  void open() throws IOException {
    example = ExampleArrays.open();
    Path docs = ExampleArrays.path().getParent().getParent().getParent().resolve("docs");
    String page = Files.readString(docs.resolve("your-data.md"));
    MappedFormat.shipped().values().forEach(text -> assertTrue(page.contains(text), text));
    String section = page.substring(page.indexOf("## Arrays"), page.indexOf("## Check"));
    List<String> blocks = new ArrayList<>(List.of(section.split("```yaml\n")));
    blocks.remove(0);
    mappings = blocks.stream().map(block -> block.substring(0, block.indexOf("```"))).toList();
    assertEquals(4, mappings.size());
  }

  @AfterEach
  void close() {
    example.close();
  }

  private int assertSame(int mapping, String label, double tolerance) throws IOException {
    Path file = Files.writeString(folder.resolve("mapping.yaml"), mappings.get(mapping));
    DataRequest request =
        label.isEmpty()
            ? DataRequest.of(List.of(file.toString()))
            : new DataRequest(List.of(label + "=" + folder), Map.of(), file);
    try (DistillationData expected = DistillationData.open(List.of(ExampleArrays.path()));
        DistillationData data = DistillationFiles.discover(request).get(0).open()) {
      return SameBlocks.assertSame(expected, data, tolerance);
    }
  }

  private void momenta(String name, List<Momentum> momenta) throws IOException {
    Files.writeString(folder.resolve(name), ForeignLayouts.lines(momenta));
  }

  private void mesons(String name, List<Momentum> momenta, long... leading) {
    long[] extents = Arrays.copyOf(leading, leading.length + 4);
    System.arraycopy(new long[] {momenta.size(), T, N, N}, 0, extents, leading.length, 4);
    NpyWriter.write(
        folder.resolve(name),
        "<c16",
        extents,
        ExampleArrays.joined(
            momenta.stream().map(n -> example.meson("none", n.negate())).toList()));
  }

  @Test
  void firstExample_readsArrays() throws IOException {
    NpyWriter.write(
        folder.resolve("tau_1.npy"),
        "<c16",
        Arrays.stream(TAU).asLongStream().toArray(),
        example.tau("light"));
    momenta("momenta.txt", example.mesonMomenta());
    momenta("momenta_b.txt", example.baryonMomenta());
    mesons("phi_1.npy", example.mesonMomenta());
    NpyWriter.write(
        folder.resolve("b_1.npy"),
        "<c16",
        new long[] {example.baryonMomenta().size(), T, N, N, N},
        ExampleArrays.joined(example.baryonMomenta().stream().map(example::baryon).toList()));
    assertEquals(
        T * T + T * (example.mesonMomenta().size() + example.baryonMomenta().size()),
        assertSame(0, "", 0));
  }

  /**
   * Writes datasets of real and imaginary parts for source times 0 and 1. One spin component of the
   * last block is missing, so the whole block is.
   */
  private void split(String file, String names, int firstSpin, String[] parts, double[] ordered) {
    int block = N * N;
    try (Hdf5File written = Hdf5File.create(folder.resolve(file))) {
      for (int k = 0; k < 2 * T * 16 - 1; k++) {
        String group =
            String.format(
                names, k / (16 * T), k / 16 % T, k / 4 % 4 + firstSpin, k % 4 + firstSpin);
        for (int part = 0; part < 2; part++) {
          double[] numbers = new double[block];
          for (int at = 0; at < block; at++) {
            numbers[at] = ordered[2 * (k * block + at) + part];
          }
          long[] extents = firstSpin == 0 ? new long[] {N, N} : new long[] {block};
          try (Hdf5Dataset dataset =
              written.createDataset(group + "/" + parts[part], ElementType.REAL, extents)) {
            dataset.writeAll(numbers);
          }
        }
      }
    }
  }

  @Test
  void secondExample_readsUnpackedSdb() throws IOException {
    split(
        "unpacked_1.h5",
        "t_source_%d/t_slice_%d/spin_src_%d/spin_sink_%d",
        0,
        new String[] {"real", "imag"},
        permuted(example.tau("light"), TAU, 1, 0, 3, 2, 5, 4));
    assertEquals(2 * T - 1, assertSame(1, "", 0));
  }

  @Test
  void thirdExample_readsLastLaph() throws IOException {
    split(
        "peramb_1.h5",
        "PerambulatorData/srcTime%d_snkTime%d/srcSpin%d/snkSpin%d",
        1,
        new String[] {"re", "im"},
        permuted(
            example.tau("light", SpinBases.known("Dirac-Pauli"), true), TAU, 1, 0, 3, 2, 4, 5));
    assertEquals(2 * T - 1, assertSame(2, "", 1e-14));
  }

  @Test
  void fourthExample_readsEasyDistillation() throws IOException {
    double[] relative = ExampleArrays.relative(example.tau("strange"));
    int column = relative.length / T;
    for (int source = 0; source < T; source++) {
      NpyWriter.write(
          folder.resolve(String.format("light.0001.t%03d.npy", source)),
          "<c8",
          new long[] {T, 4, 4, N, N},
          Arrays.copyOfRange(relative, source * column, (source + 1) * column));
    }
    List<Momentum> some =
        example.mesonMomenta().stream()
            .filter(n -> IntStream.range(0, 3).allMatch(k -> Math.abs(n.component(k)) <= 1))
            .toList();
    assertEquals(27, some.size());
    momenta("mom3.txt", some);
    mesons("a_cfg_0001.mom9.npy", some, 1);
    assertEquals(T * T + 27 * T, assertSame(3, "strange", 1e-6));
  }
}
