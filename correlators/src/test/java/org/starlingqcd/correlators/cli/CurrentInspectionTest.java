package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** What {@code inspect} and {@code check} say about generalized perambulators and loops. */
final class CurrentInspectionTest {
  private static final Path DATA =
      Path.of("../examples/data-currents/quenched_4x8_currents_cfg0001.h5");
  private static final String LIGHT = "generalized_perambulators/light-light/";
  private static final int N = 4;

  @TempDir private Path folder;

  private Path changed(Consumer<Hdf5File> change) throws Exception {
    Path copy = Files.copy(DATA, folder.resolve("changed.h5"));
    try (Hdf5File file = Hdf5File.openForUpdate(copy)) {
      change.accept(file);
    }
    return copy;
  }

  private static void rewrite(Hdf5File file, String object, UnaryOperator<double[]> change) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      dataset.writeAll(change.apply(dataset.readAll()));
    }
  }

  private static List<String> faults(Path file) throws Exception {
    Cli result = Cli.run("inspect", "--verify", "--json", file.toString());
    JsonNode found = result.json().get("files").get(0).get("faults");
    List<String> faults = new ArrayList<>();
    found.forEach(fault -> faults.add(fault.asText()));
    assertEquals(faults.isEmpty() ? 0 : 2, result.status(), result.err());
    return faults;
  }

  @Test
  void inspect_lists() throws Exception {
    Cli.run("inspect", "--verify", DATA.toString())
        .ok()
        .prints(
            "  currents             light-light g4 D_z, sink times 0, 4, insertion times 0-7,"
                + " source times 0, 4: q = [0, 0, 0], [0, 0, 1]\n")
        .prints("  loops                strange g4 none: q = [0, 0, 0], [0, 0, 1]\n")
        .prints("  verified             sound\n");
    JsonNode json =
        new ObjectMapper()
            .readTree(Cli.run("inspect", "--json", DATA.toString()).out())
            .get("files")
            .get(0);
    assertEquals(28, json.get("generalized_perambulators").size());
    assertEquals(13, json.get("loops").size());
    assertEquals(
        "{\"gamma\":\"1\",\"displacement\":\"none\",\"momentum\":[0,0,0],\"label\":\"light\",\"times\":[0,1,2,3,4,5,6,7]}",
        json.get("loops").get(0).toString());
    JsonNode times = json.get("generalized_perambulators").get(0).get("times").get(1);
    assertEquals(4, times.get("sink_time").asInt());
    assertEquals(0, times.get("source_time").asInt());
    assertEquals(8, times.get("insertion_times").size());
  }

  @Test
  void verify_blockThatIsNotGamma5Hermitian() throws Exception {
    Path path =
        changed(
            file ->
                rewrite(
                    file,
                    LIGHT + "g1/none/0_0_1",
                    numbers -> {
                      // Block (sink, insertion, source) = (4, 3, 0).
                      int block = 2 * 16 * N * N * ((1 * 8 + 3) * 2);
                      for (int k = 0; k < 2 * 16 * N * N; k++) {
                        numbers[block + k] *= -1;
                      }
                      return numbers;
                    }));
    List<String> faults = faults(path);
    assertEquals(1, faults.size(), faults.toString());
    assertEquals(
        "configuration 1: generalized_perambulators/light-light/g1/none/0_0_-1 are not"
            + " gamma5-hermitian at 1 set of times, worst at (sink, insertion, source) = (0, 3, 4):"
            + " off by 2.0 of the largest entry",
        faults.get(0));
  }

  @Test
  void verify_conservedCurrentOfAnotherNormalization() throws Exception {
    Path path =
        changed(
            file ->
                rewrite(
                    file,
                    LIGHT + "g4/conserved/0_0_0",
                    numbers -> {
                      for (int k = 0; k < numbers.length; k++) {
                        numbers[k] *= 1.01;
                      }
                      return numbers;
                    }));
    List<String> faults = faults(path);
    assertEquals(1, faults.size(), faults.toString());
    assertTrue(
        faults
            .get(0)
            .startsWith(
                "configuration 1: generalized_perambulators/light-light/g4/conserved/0_0_0 violate"
                    + " the Ward identity: "),
        faults.get(0));
    // t = 4 … 7 of (4, 0) and of (0, 4): there θ differs from that of the first insertion time.
    assertTrue(faults.get(0).contains(" at 8 sets of times"), faults.get(0));
    assertTrue(faults.get(0).contains(": off by 0.010 of the largest entry"), faults.get(0));
  }

  @Test
  void verify_perambulatorsOfAnotherConfiguration() throws Exception {
    Path path =
        changed(
            file -> {
              file.move("perambulators/light", "perambulators/other");
              file.move("perambulators/strange", "perambulators/light");
              file.move("perambulators/other", "perambulators/strange");
            });
    List<String> faults = faults(path);
    assertEquals(2, faults.size(), faults.toString());
    faults.forEach(fault -> assertTrue(fault.contains("violate the Ward identity"), fault));
  }

  @Test
  void verify_readsEveryBlockOnce() throws Exception {
    Path path =
        changed(
            file -> {
              rewrite(
                  file,
                  LIGHT + "g5/none/0_0_0",
                  numbers -> {
                    numbers[0] = Double.NaN;
                    return numbers;
                  });
              rewrite(
                  file,
                  "loops/strange/g5/none/0_0_0",
                  numbers -> {
                    numbers[5] = Double.POSITIVE_INFINITY;
                    return numbers;
                  });
            });
    List<String> faults = faults(path);
    assertEquals(2, faults.size(), faults.toString());
    assertTrue(faults.get(0).contains("holds NaN at complex number 0 of 256"), faults.get(0));
    assertTrue(faults.get(1).contains("block [time]=[2] holds Infinity"), faults.get(1));
  }

  @Test
  void missing_whatAnotherConfigurationHas() throws Exception {
    Path other =
        changed(
            file -> {
              file.attributes("/").put("configuration", 2);
              file.delete(LIGHT + "g2g5");
              file.delete("loops/light/g5");
            });
    String text = Cli.run("inspect", DATA.toString(), other.toString()).out();
    assertTrue(
        text.contains(
            "  missing              configuration 2: generalized_perambulators/light-light/"
                + "g1g3g4/none/0_0_0 at (sink, source) = (0, 0), (4, 0), (0, 4), (4, 4), insertion"
                + " times 0-7\n"),
        text);
    assertTrue(text.contains("configuration 2: loops/light/g5/none/0_0_0 at times 0-7\n"), text);
  }

  @Test
  void check_overlapTellsTheOrderOfIndices() throws Exception {
    JsonNode sound = finding(DATA, "light");
    assertEquals("passed", sound.get("verdict").asText(), sound.toString());
    // The overlaps of an independent evaluation in NumPy.
    assertEquals(AS_READ, sound.get("measured").get("as_read").asDouble(), 1e-7);
    Path vectors = changed(file -> exchange(file, true, false));
    assertFails(vectors, "have vectors exchanged");
    Path spins = Files.copy(DATA, folder.resolve("spins.h5"));
    try (Hdf5File file = Hdf5File.openForUpdate(spins)) {
      exchange(file, false, true);
    }
    assertFails(spins, "have spins exchanged");
    Path both = Files.copy(DATA, folder.resolve("both.h5"));
    try (Hdf5File file = Hdf5File.openForUpdate(both)) {
      exchange(file, true, true);
    }
    assertFails(both, "have both exchanged");
  }

  private static final double AS_READ = 0.73870321;

  private static JsonNode finding(Path path, String label) throws Exception {
    Cli result = Cli.run("check", "--json", path.toString());
    for (JsonNode test : result.json().get("tests")) {
      if (test.get("test").asText().equals("current-indices")
          && test.get("label").asText().equals(label)) {
        return test;
      }
    }
    throw new AssertionError(result.out() + result.err());
  }

  private static void assertFails(Path path, String meaning) throws Exception {
    JsonNode found = finding(path, "light");
    assertEquals("failed", found.get("verdict").asText(), found.toString());
    assertTrue(found.get("meaning").asText().contains(meaning), found.toString());
  }

  private static void exchange(Hdf5File file, boolean vectors, boolean spins) {
    rewrite(
        file,
        LIGHT + "g4/none/0_0_0",
        numbers -> {
          double[] exchanged = new double[numbers.length];
          for (int block = 0; block < numbers.length / (32 * N * N); block++) {
            for (int k = 0; k < 16 * N * N; k++) {
              int a = k / (4 * N * N);
              int b = k / (N * N) % 4;
              int i = k / N % N;
              int j = k % N;
              int spin = spins ? 4 * b + a : 4 * a + b;
              int to = (spin * N + (vectors ? j : i)) * N + (vectors ? i : j);
              System.arraycopy(
                  numbers,
                  2 * (block * 16 * N * N + k),
                  exchanged,
                  2 * (block * 16 * N * N + to),
                  2);
            }
          }
          return exchanged;
        });
  }
}
