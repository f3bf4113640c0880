package org.starlingqcd.hadron.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.ExampleArrays;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.hdf5.GridHdf5;
import org.starlingqcd.hadron.hdf5.Hdf5File;

final class HadronsFormatTest {
  @TempDir Path folder;
  private ExampleArrays example;

  @BeforeEach
  void open() throws IOException {
    example = ExampleArrays.open();
    Files.writeString(folder.resolve("facts.yaml"), "spatial_extent: 4\n");
    Files.createDirectories(folder.resolve("peramb.1"));
    Files.createDirectories(folder.resolve("fields/rho-rho.1"));
  }

  @AfterEach
  void close() {
    example.close();
  }

  private void perambulators(int extentOfNoise, int step) {
    double[] tau = example.tau("light");
    // [t0][t][i][j][noise][beta][alpha]
    double[] ordered = ExampleArrays.permuted(tau, new int[] {T, T, 4, 4, N, N}, 1, 0, 4, 5, 3, 2);
    int column = ordered.length / T;
    for (int source = 0; source < T; source += step) {
      double[] block = new double[column];
      System.arraycopy(ordered, source * column, block, 0, column);
      long[] extents = {T, N, N / extentOfNoise, extentOfNoise, 4, 4};
      GridHdf5.write(
          folder.resolve("peramb.1/iDT_" + source + ".1.h5"),
          file -> {
            file.createGroup("MetaData");
            file.attributes("MetaData").put("Version", "0.1");
          },
          "Perambulator",
          extents,
          block,
          false,
          extents);
    }
  }

  /** rho† e^{ip·x} rho of a momentum: the elemental of -n times 1 in spin, in single precision. */
  private void field(Momentum n, String folderName, double otherSpin) {
    double[] phi = example.meson("none", n.negate());
    Path path =
        folder.resolve(
            "fields/"
                + folderName
                + "/Identity_p"
                + n.component(0)
                + "_"
                + n.component(1)
                + "_"
                + n.component(2)
                + ".h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      file.createGroup("DistilMesonField/Metadata");
      for (int t = 0; t < T; t++) {
        double[] matrix = new double[2 * 16 * N * N];
        for (int i = 0; i < N; i++) {
          for (int j = 0; j < N; j++) {
            for (int s = 0; s < 4; s++) {
              int at = 2 * ((4 * i + s) * 4 * N + 4 * j + s);
              double factor = s == 3 ? otherSpin : 1;
              matrix[at] = factor * phi[2 * ((t * N + i) * N + j)];
              matrix[at + 1] = factor * phi[2 * ((t * N + i) * N + j) + 1];
            }
          }
        }
        GridHdf5.write(
            file,
            "DistilMesonField/" + t + "/" + t + "-" + t,
            new long[] {4 * N, 4 * N},
            matrix,
            true,
            new long[] {N, N});
      }
    }
  }

  private DistillationData data() {
    return data("light=" + folder.resolve("peramb.1"), folder + "/fields/*/*.h5");
  }

  private DistillationData data(String... paths) {
    List<String> all = new ArrayList<>(List.of(paths));
    all.add(folder.resolve("facts.yaml").toString());
    return DistillationFiles.discover(DataRequest.of(all)).get(0).open();
  }

  @Test
  void read_example_hasTheSameBlocks() {
    perambulators(1, 3);
    List<Momentum> momenta = example.mesonMomenta().subList(0, 7);
    momenta.forEach(n -> field(n, "rho-rho.1", 1));
    try (DistillationData expected = DistillationData.open(List.of(ExampleArrays.path()));
        DistillationData data = data()) {
      assertEquals(Set.of("light"), data.labels());
      assertEquals(Set.of(0, 3, 6), data.sourceTimes("light"));
      assertEquals(1, data.header().configuration());
      assertEquals(3 * T + 7 * T, SameBlocks.assertSame(expected, data, 1e-6));
    }
  }

  @Test
  void read_perambulators_keepEveryBit() {
    perambulators(1, 7);
    try (DistillationData expected = DistillationData.open(List.of(ExampleArrays.path()));
        DistillationData data = data("light=" + folder.resolve("peramb.1"))) {
      assertEquals(2 * T, SameBlocks.assertSame(expected, data, 0));
    }
  }

  private static void assertMessage(Runnable use, String... parts) {
    DistillationException e = assertThrows(DistillationException.class, use::run);
    for (String part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e::toString);
    }
  }

  @Test
  void open_dilutedPerambulator_isOneMessage() {
    perambulators(2, 8);
    assertMessage(
        () -> data("light=" + folder.resolve("peramb.1")).close(), "iDT_0.1.h5", "extent");
  }

  @Test
  void load_fieldThatIsNotOneInSpin_isOneMessage() {
    perambulators(1, 8);
    field(Momentum.ZERO, "rho-rho.1", 0.9);
    try (DistillationData data = data()) {
      assertMessage(() -> SameBlocks.assertSame(data, data, 0), "unit matrix in spin");
    }
  }

  @Test
  void discover_fieldsOfSolutions_areRefused() throws IOException {
    Files.createDirectories(folder.resolve("fields/phi-rho.1"));
    field(Momentum.ZERO, "phi-rho.1", 1);
    assertMessage(
        () ->
            DistillationFiles.discover(
                DataRequest.of(List.of(folder.resolve("fields/phi-rho.1").toString()))),
        "phi-rho.1/Identity_p0_0_0.h5",
        "solutions");
  }

  @Test
  void discover_sourceTimesThatContradict_areOneMessage() {
    perambulators(1, 8);
    try (Hdf5File file = Hdf5File.openForUpdate(folder.resolve("peramb.1/iDT_0.1.h5"))) {
      file.attributes("MetaData").put("TimeDilutionIndex", 5);
    }
    assertMessage(() -> data("light=" + folder.resolve("peramb.1")).close(), "source time 0", "5");
  }
}
