package org.starlingqcd.hadron.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
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
import org.starlingqcd.hadron.ForeignLayouts;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
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

  private void perambulators(int noises, int everySource) {
    ForeignLayouts.hadronsPerambulators(example, folder.resolve("peramb.1"), noises, everySource);
  }

  private void field(Momentum n, String folderName, double lastSpin) {
    ForeignLayouts.hadronsField(example, folder.resolve("fields/" + folderName), n, lastSpin);
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

  private static void assertMessage(Runnable use, String... parts) {
    String message = TestData.refusal(use::run);
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void open_dilutedPerambulator_isOneMessage() {
    perambulators(2, 8);
    assertMessage(
        () -> data("light=" + folder.resolve("peramb.1")).close(),
        "iDT_0.1.h5",
        "2 noises, 4 combinations of 8 eigenvectors");
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
  void discover_fieldDilutedInTime_isOneMessage() {
    field(Momentum.ZERO, "rho-rho.1", 1);
    Path file = folder.resolve("fields/rho-rho.1/Identity_p0_0_0.h5");
    try (Hdf5File opened = Hdf5File.openForUpdate(file)) {
      GridHdf5.write(
          opened,
          "DistilMesonField/5/1-1",
          new long[] {1, 1},
          new double[2],
          true,
          new long[] {1, 1});
    }
    assertMessage(
        () -> data(folder + "/fields/*/*.h5").close(), "Identity_p0_0_0.h5", "diluted in time");
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
    TestData.change(
        folder.resolve("peramb.1/iDT_0.1.h5"),
        file -> file.attributes("MetaData").put("TimeDilutionIndex", 5));
    assertMessage(() -> data("light=" + folder.resolve("peramb.1")).close(), "source time 0", "5");
  }
}
