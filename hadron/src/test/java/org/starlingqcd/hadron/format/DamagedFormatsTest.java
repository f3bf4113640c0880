package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.SameBlocks;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.hdf5.GridHdf5;
import org.starlingqcd.hadron.hdf5.Mutants;

/**
 * Bytes of mapping files, of arrays and of files of Hadrons changed: each mutant is read or
 * refused, and nothing crashes or hangs.
 */
@Tag("slow")
final class DamagedFormatsTest {
  private static final String MAPPING =
      """
      ensemble: e
      spatial_extent: 4
      temporal_extent: 2
      configuration: 1
      perambulators:
        light: {file: "tau*.npy", axes: [t_snk, t_src, alpha_snk, beta_src, i_snk, j_src]}
      elementals:
        meson:
          none: {file: "phi.npy", axes: [momentum, t, i, j], phase: plus, momenta: momenta.txt}
      """;

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(folder.resolve("mapping.yaml"), MAPPING);
    Files.writeString(folder.resolve("momenta.txt"), "0 0 0\n");
    NpyWriter.write(
        folder.resolve("tau.npy"), "<c16", new long[] {2, 2, 4, 4, 1, 1}, numbers(2 * 64));
    NpyWriter.write(folder.resolve("phi.npy"), "<c16", new long[] {1, 2, 1, 1}, numbers(4));
  }

  private static double[] numbers(int count) {
    double[] numbers = new double[count];
    Arrays.setAll(numbers, k -> 1 + k);
    return numbers;
  }

  /** Reads all that data hold which a mutant is a part of. */
  private static void read(Path mapping, String... paths) {
    DataRequest request = new DataRequest(List.of(paths), Map.of(), mapping);
    for (DistillationFiles.Configuration found : DistillationFiles.discover(request)) {
      try (DistillationData data = found.open()) {
        SameBlocks.assertSame(data, data, 0);
      }
    }
  }

  /** Reads mutants in the place of a part of the data. */
  static final class Worker {
    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[1]);
      boolean hadrons = Files.exists(folder.resolve("light"));
      boolean yaml = args[0].endsWith("yaml");
      Path part = folder.resolve(hadrons ? "light/iDT_0.1.h5" : yaml ? "mutant.yaml" : "tau.npy");
      Mutants.work(
          args,
          mutant -> {
            Files.copy(mutant, part, StandardCopyOption.REPLACE_EXISTING);
            if (hadrons) {
              read(null, "light=" + part.getParent(), folder + "/facts.yaml");
            } else {
              read(yaml ? part : folder.resolve("mapping.yaml"), args[1]);
            }
          },
          List.of("DistillationException"));
    }
  }

  @Test
  void mappingFile() throws Exception {
    read(folder.resolve("mapping.yaml"), folder.toString());
    Mutants.assertSurvived(Worker.class, folder.resolve("mapping.yaml"), folder, 1);
  }

  @Test
  void array() throws Exception {
    Path whole = folder.resolve("whole");
    Files.copy(folder.resolve("tau.npy"), whole);
    Mutants.assertSurvived(Worker.class, whole, folder, 5);
  }

  @Test
  void fileOfHadrons() throws Exception {
    Path whole = folder.resolve("whole");
    long[] extents = {2, 1, 1, 1, 4, 4};
    GridHdf5.write(
        whole,
        file -> {
          file.createGroup("MetaData");
          file.attributes("MetaData").put("Version", "0.1");
        },
        "Perambulator",
        extents,
        numbers(64),
        false,
        extents);
    Path file = Files.createDirectory(folder.resolve("light")).resolve("iDT_0.1.h5");
    Files.copy(whole, file);
    Files.writeString(folder.resolve("facts.yaml"), "spatial_extent: 4\n");
    read(null, "light=" + file.getParent(), folder + "/facts.yaml");
    Mutants.assertSurvived(Worker.class, whole, folder, 16);
  }
}
