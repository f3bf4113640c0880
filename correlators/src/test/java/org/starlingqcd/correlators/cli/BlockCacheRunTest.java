package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Runs with {@code --block-cache}, and what {@code starling cache} says of their cache. */
@Tag("slow")
final class BlockCacheRunTest {
  private static final Path DATA = Path.of("../examples/data/quenched_4x8_cfg0001.h5");
  private static final Path OTHER = Path.of("../examples/data/quenched_4x8_cfg0002.h5");
  private static final List<String> DEFINITIONS = List.of("rho_pipi", "nucleon");

  @TempDir Path folder;
  private int runs;

  /** A run's object and its correlators. */
  private record Done(JsonNode json, List<double[]> correlators, String err) {
    long fromFiles() {
      return json.get("block_cache").get("from_files").asLong();
    }

    long fromCache() {
      return json.get("block_cache").get("from_cache").asLong();
    }

    void assertEqual(Done other) {
      for (int k = 0; k < correlators.size(); k++) {
        assertArrayEquals(other.correlators.get(k), correlators.get(k));
      }
    }
  }

  private Done run(Path data, String... more) throws IOException {
    Path out = folder.resolve("out" + runs++);
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(DEFINITIONS);
    arguments.addAll(List.of("--data", data.toString(), "--separations", "0-2", "--json"));
    arguments.addAll(List.of("--backend", "cpu", "--out", out.toString()));
    arguments.addAll(List.of(more));
    Cli done = Cli.run(arguments.toArray(String[]::new)).ok();
    List<double[]> correlators = new ArrayList<>();
    for (String name : DEFINITIONS) {
      try (Hdf5File file = Hdf5File.open(out.resolve(name + ".h5"));
          Hdf5Dataset dataset = file.dataset(file.children("/").get(0) + "/correlator")) {
        correlators.add(dataset.readAll());
      }
    }
    return new Done(done.json(), correlators, done.err());
  }

  private String[] cache(String... more) {
    return Cli.and(
        Cli.words("--block-cache 64MiB --block-cache-directory %s", folder.resolve("cache")), more);
  }

  private Cli look(String... command) {
    List<String> arguments = new ArrayList<>(List.of("cache"));
    arguments.addAll(List.of(command));
    arguments.addAll(List.of("--block-cache-directory", folder.resolve("cache").toString()));
    return Cli.run(arguments.toArray(String[]::new));
  }

  @Test
  void singlePrecision_hasBlocksOfItsOwn() throws IOException {
    String[] single = {"--sources", "0", "--precision", "single"};
    Done without = run(DATA, single);
    Done doubles = run(DATA, cache("--sources", "0"));
    long inDouble = blockBytes();
    Done first = run(DATA, cache(single));
    first.assertEqual(without);
    assertEquals(doubles.fromFiles(), first.fromFiles());
    assertEquals(0, first.fromCache());
    assertTrue(blockBytes() - inDouble < 0.6 * inDouble, inDouble + " and " + blockBytes());
    Done again = run(DATA, cache(single));
    again.assertEqual(without);
    assertEquals(0, again.fromFiles());
    assertEquals(0, run(DATA, cache("--sources", "0")).fromFiles());
  }

  private long blockBytes() throws IOException {
    return new ObjectMapper().readTree(look("status", "--json").out()).get("block_bytes").asLong();
  }

  @Test
  void secondRun_readsNoFile_resultsAreEqualToTheLastBit() throws IOException {
    Done without = run(DATA, "--sources", "0,3");
    Done first = run(DATA, cache("--sources", "0"));
    assertTrue(first.fromFiles() > 40, first.json().toString());
    assertEquals(0, first.fromCache());
    Done both = run(DATA, cache("--sources", "0,3"));
    both.assertEqual(without);
    assertTrue(both.fromCache() >= first.fromFiles(), both.json().toString());
    Done again = run(DATA, cache("--sources", "0,3", "--read-batch", "1"));
    assertEquals(0, again.fromFiles());
    again.assertEqual(without);
    Cli status = look("status", "--json");
    JsonNode said = status.json();
    assertEquals(first.fromFiles() + both.fromFiles(), said.get("blocks").asLong());
    Cli audit = look("audit").ok();
    assertTrue(audit.out().endsWith(": clean\n"), audit.out());
    Cli evacuated = look("evacuate", "100KiB", "--json");
    assertTrue(evacuated.json().get("freed_bytes").asLong() >= 100 << 10, evacuated.out());
    run(DATA, cache("--sources", "0,3")).assertEqual(without);
    assertEquals(0, look("clear").status());
    assertEquals(2, look("status").status());
  }

  @Test
  void changedFile_isReadAgain() throws IOException {
    Path data = folder.resolve("data_cfg0001.h5");
    Files.copy(DATA, data);
    Done before = run(data, cache());
    // The same name and size, other numbers.
    Files.copy(OTHER, data, StandardCopyOption.REPLACE_EXISTING);
    Done after = run(data, cache());
    assertEquals(before.fromFiles(), after.fromFiles());
    assertEquals(0, after.fromCache());
    after.assertEqual(run(data));
  }

  @Test
  void otherFormats_goThroughTheCache() throws IOException {
    for (String format : new String[] {"sdb", "npy"}) {
      Path data = folder.resolve(format);
      Path target = data.resolve("x_cfg_1");
      Cli.run("convert", DATA.toString(), "--to", format, "--out", target.toString()).ok();
      Done without = run(data);
      run(data, cache()).assertEqual(without);
      Done again = run(data, cache());
      assertEquals(0, again.fromFiles(), format);
      again.assertEqual(without);
    }
    assertEquals(0, look("audit").status());
  }

  @Test
  void cacheThatCannotBeUsed_costsOneWarning() throws IOException {
    Path cache = folder.resolve("cache");
    Files.createDirectory(cache);
    Files.write(cache.resolve("index"), new byte[5000]);
    Done done = run(DATA, cache());
    done.assertEqual(run(DATA));
    assertEquals(0, done.fromCache());
    assertTrue(done.fromFiles() > 0);
    assertEquals(0, look("clear").status());
    assertEquals(0, run(DATA, cache()).fromCache());
    assertEquals(0, run(DATA, cache()).fromFiles());
  }

  @Test
  void settingsOfACache_needACache() {
    Cli.run("run", "pion", "--data", DATA.toString(), "--block-cache-directory", "x")
        .refusedAs("--block-cache-directory needs --block-cache SIZE, such as --block-cache 64GiB");
  }
}
