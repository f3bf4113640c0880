package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Segments of the block cache as slow memory: an input that lies there is in RAM once. */
@Tag("slow")
final class TierCacheTest {
  private static final String DATA = "../examples/data/quenched_4x8_cfg0001.h5";

  /** Bytes of an input of 8 eigenvectors: a perambulator of 16 spin components. */
  private static final long PERAMBULATOR = 16L * 8 * 8 * 16;

  @TempDir Path folder;

  private JsonNode json = new ObjectMapper().nullNode();

  private double[] run(String definition, String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("run", definition, "--data", DATA));
    args.addAll(List.of("--separations", "1", "--backend", "cpu", "--json", "--overwrite"));
    args.addAll(List.of("--out", folder.resolve("out").toString()));
    args.addAll(List.of(more));
    Cli cli = Cli.run(args.toArray(String[]::new)).ok();
    json = new ObjectMapper().readTree(cli.out());
    try (Hdf5File hdf5 = Hdf5File.open(folder.resolve("out").resolve(definition + ".h5"))) {
      return hdf5.dataset("cfg_0001/correlator").readAll();
    }
  }

  private long memory(String key) {
    return json.get("memory").get(key).asLong();
  }

  private String cache(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void inputsInTheCache_takeNoSlowMemory() throws IOException {
    double[] expected = run("f0d2");
    String[] tiers = {"--fast-memory", "40000", "--tiering", "guided"};
    assertArrayEquals(expected, run("f0d2", tiers));
    long copies = memory("peak_slow_bytes");
    assertEquals(0, memory("peak_borrowed_bytes"));
    for (int round = 0; round < 2; round++) {
      assertArrayEquals(
          expected,
          run(
              "f0d2",
              "--fast-memory",
              "40000",
              "--tiering",
              "guided",
              "--block-cache",
              "64MiB",
              "--block-cache-directory",
              cache("plain")));
      long borrowed = memory("peak_borrowed_bytes");
      assertTrue(borrowed >= PERAMBULATOR, "bytes used in the cache: " + borrowed);
      assertTrue(memory("peak_slow_bytes") < copies, memory("peak_slow_bytes") + " of " + copies);
      JsonNode blocks = json.get("block_cache");
      assertEquals(round == 0, blocks.get("from_files").asLong() > 0, blocks.toString());
    }
    Cli.run("cache", "audit", "--block-cache-directory", cache("plain")).ok();
  }

  /** Everything used in place: the slow tier holds intermediates alone, to the byte. */
  @Test
  void nothingInFastMemory_slowTierHoldsNoInput() throws IOException {
    double[] expected = run("pion");
    String[] tiers = {"--fast-memory", "1", "--tiering", "static"};
    assertArrayEquals(expected, run("pion", tiers));
    long all = memory("peak_slow_bytes");
    assertArrayEquals(
        expected,
        run(
            "pion",
            "--fast-memory",
            "1",
            "--tiering",
            "static",
            "--block-cache",
            "64MiB",
            "--block-cache-directory",
            cache("pion")));
    long blocks =
        json.get("block_cache").get("from_files").asLong()
            + json.get("block_cache").get("from_cache").asLong();
    assertTrue(blocks > 0);
    assertTrue(memory("peak_borrowed_bytes") > 0);
    assertEquals(all, memory("peak_slow_bytes") + memory("peak_borrowed_bytes"));
  }

  @Test
  void encryptedCache_isCopiedFrom() throws IOException {
    double[] expected = run("pion");
    assertArrayEquals(
        expected,
        run(
            "pion",
            "--fast-memory",
            "2000",
            "--block-cache",
            "64MiB",
            "--block-cache-encrypt",
            "--block-cache-directory",
            cache("sealed")));
    assertEquals(0, memory("peak_borrowed_bytes"));
    assertTrue(memory("peak_slow_bytes") > 0);
  }

  /** The key of an encrypted cache lies in RAM, not in the folder. */
  @AfterEach
  void removeKey() {
    Cli.run("cache", "clear", "--block-cache-directory", cache("sealed")).ok();
  }
}
