package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.result.ResultAssert;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;

/** {@code --precision single} from the command line to the result. */
@Tag("slow")
final class SinglePrecisionTest {
  private static final String DATA = "../examples/data";
  private static final String REFERENCE = "../examples/reference/";

  /** Of √(C_ii C_jj): a few hundred times the rounding of a number in single precision. */
  private static final double ROUNDING = 256 * 0x1p-24;

  @TempDir private Path folder;

  private Cli starling(String out, String definition, String... options) {
    return Cli.run(
        Cli.words(
            "run %s --data %s --backend cpu --json --out %s",
            definition, DATA, folder.resolve(out)),
        options);
  }

  private JsonNode run(String out, String definition, String... options) throws IOException {
    Cli result = starling(out, definition, options).ok();
    return result.json();
  }

  private Path file(String out, String definition) {
    return folder.resolve(out).resolve(definition + ".h5");
  }

  /** The largest difference from the reference, relative to √(C_ii C_jj). */
  private static double difference(Path file, String definition) {
    double largest = 0;
    try (ResultReader found = ResultReader.open(file);
        ResultReader reference = ResultReader.open(Path.of(REFERENCE + definition + ".h5"))) {
      assertFalse(found.finished().isEmpty());
      int n = reference.header().operators().size();
      for (int configuration : found.finished().keySet()) {
        double[] actual = found.read(configuration).correlators().get(0);
        double[] expected = reference.read(configuration).correlators().get(0);
        assertTrue(actual != null && expected != null && actual.length == expected.length);
        for (int k = 0; actual != null && expected != null && k < actual.length / 2; k++) {
          int block = k / (n * n) * n * n;
          int i = block + k / n % n * (n + 1);
          int j = block + k % n * (n + 1);
          double size =
              Math.sqrt(
                  Math.hypot(expected[2 * i], expected[2 * i + 1])
                      * Math.hypot(expected[2 * j], expected[2 * j + 1]));
          double error =
              Math.hypot(actual[2 * k] - expected[2 * k], actual[2 * k + 1] - expected[2 * k + 1]);
          largest = Math.max(largest, error / size);
        }
      }
    }
    return largest;
  }

  @ParameterizedTest
  @ValueSource(strings = {"rho_pipi", "nucleon", "npi_g1u"})
  void correlators_agreeWithTheReferenceToSinglePrecision(String definition) throws IOException {
    String separations;
    try (ResultReader reference = ResultReader.open(Path.of(REFERENCE + definition + ".h5"))) {
      separations = NumberSelection.text(reference.header().separations());
    }
    JsonNode summary =
        run(
            "single",
            definition,
            "--precision",
            "single",
            "--configurations",
            "1",
            "--separations",
            separations);
    assertEquals("single", summary.get("precision").asText());
    assertTrue(summary.get("kernel").asText().endsWith(",products=3"), summary.toString());
    double error = difference(file("single", definition), definition);
    // Not zero: what is multiplied is not double.
    assertTrue(error > 1e-12 && error < ROUNDING, "error " + error);
  }

  @Test
  void memoryAndTraffic_areHalves() throws IOException {
    JsonNode exact = run("double", "npi_g1u").get("memory");
    JsonNode single = run("single", "npi_g1u", "--precision", "single").get("memory");
    for (String key : List.of("peak_device_bytes", "bytes_to_device", "hit_bytes")) {
      assertTrue(exact.get(key).asLong() > 0, key);
      assertEquals(exact.get(key).asLong(), 2 * single.get(key).asLong(), key);
    }
    Cli inDouble = Cli.run("plan", "npi_g1u", "--device-memory", "50%", "--json");
    Cli inSingle =
        Cli.run("plan", "npi_g1u", "--device-memory", "50%", "--json", "--precision", "single");
    JsonNode whole = inDouble.json();
    JsonNode half = inSingle.json();
    assertEquals(whole.get("peak_bytes").asLong(), 2 * half.get("peak_bytes").asLong());
    for (String key : List.of("peak_device_bytes", "smallest_device_bytes", "bytes_to_device")) {
      long bytes = whole.get("memory").get(key).asLong();
      assertEquals(bytes, 2 * half.get("memory").get(key).asLong(), key);
    }
    assertTrue(Cli.run("plan", "pion", "--precision", "single").out().contains("single precision"));
  }

  /** Budgets, threads, restarts and reading ahead change no bit, in single precision either. */
  @Test
  void bits_dependOnNothingElse() throws IOException {
    String[] single = {"--precision", "single", "--device-memory", "64MiB", "--threads", "2"};
    run("all", "npi_g1u", single);
    long peak =
        run("one", "npi_g1u", "--precision", "single", "--device-memory", "64MiB", "--threads", "1")
            .get("memory")
            .get("peak_device_bytes")
            .asLong();
    ResultAssert.assertSame(file("all", "npi_g1u"), file("one", "npi_g1u"));
    run("late", "npi_g1u", "--precision", "single", "--read-ahead", "1B", "--read-batch", "1");
    assertArrayEquals(correlator("all"), correlator("late"));
    run(
        "parts",
        "npi_g1u",
        "--precision",
        "single",
        "--device-memory",
        "64MiB",
        "--configurations",
        "2");
    run("parts", "npi_g1u", single);
    ResultAssert.assertSame(file("all", "npi_g1u"), file("parts", "npi_g1u"));
    JsonNode small =
        run("small", "npi_g1u", "--precision", "single", "--device-memory", peak / 2 + "B");
    assertTrue(small.get("memory").get("evictions").asLong() > 0);
    assertArrayEquals(correlator("all"), correlator("small"));
  }

  private double[] correlator(String out) {
    try (ResultReader reader = ResultReader.open(file(out, "npi_g1u"))) {
      return reader.read(1).correlators().getOrDefault(0, new double[0]);
    }
  }

  @Test
  void resultsOfDifferentPrecision_neverMerge() throws IOException {
    run("double", "pion", "--configurations", "1");
    byte[] before = Files.readAllBytes(file("double", "pion"));
    starling("double", "pion", "--precision", "single")
        .refused("holds results with precision double instead of single");
    assertArrayEquals(before, Files.readAllBytes(file("double", "pion")));
    Cli grown = starling("double", "pion", "--precision", "single", "--separations", "0-7");
    assertEquals(2, grown.status(), grown.out());
    for (String shard : List.of("1/2", "2/2")) {
      run(
          "parts",
          "pion",
          "--shard",
          shard,
          "--precision",
          shard.equals("1/2") ? "single" : "double");
    }
    Cli.line("merge %s --out %s", folder.resolve("parts"), folder.resolve("merged"))
        .refused("with precision");
    Cli.run("inspect", file("double", "pion").toString()).prints("precision");
    run("single", "pion", "--precision", "single");
    Cli.run("inspect", "--json", file("single", "pion").toString())
        .prints("\"precision\" : \"single\"");
    starling("x", "pion", "--precision", "half").refused("expected double or single: half");
  }

  @Test
  void settingsFile_givesThePrecision() throws IOException {
    Path settings =
        Files.writeString(folder.resolve("run.yaml"), "precision: single\nseparations: 0-3\n");
    JsonNode summary = run("single", "pion", "--settings", settings.toString());
    assertEquals("single", summary.get("precision").asText());
  }
}
