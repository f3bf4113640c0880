package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.cli.Cli;

final class BenchCommandTest {
  private static JsonNode bench(String more, Object... values) throws IOException {
    String line = "bench --backend cpu --threads 1 --tensor-size 8 --json ";
    return new ObjectMapper().readTree(Cli.line(line + more, values).ok().out());
  }

  /** The counts that the description of the workload gives for n + 1 vectors. */
  @Tag("slow")
  @ParameterizedTest
  @CsvSource({
    "8, 4, 1, gaussian",
    "64, 4, 2, uniform",
    "5, 3, 3, uniform",
    "16, 0, 4, gaussian",
    "1, 4, 5, uniform",
    "32, 8, 2, gaussian",
    "100, 7, 1, uniform",
  })
  void preProtectedLru_realContractions_closedForm(
      int v, int eighths, int halves, String distribution) throws IOException {
    JsonNode memory =
        bench(
                "--vector-size %s --repeated-rate %s --oversubscription %s --distribution %s "
                    + "--eviction pre-protected-lru --iterations 2",
                v, eighths / 8.0, halves / 2.0, distribution)
            .get("memory");
    int repeated = v * eighths / 8;
    int evictions = halves * (v - repeated);
    int hits = (halves + 1) * v - 1 + halves * repeated;
    assertEquals(4 + 2 * v + evictions, memory.get("allocations").asDouble());
    assertEquals(evictions, memory.get("evictions").asDouble());
    assertEquals(hits, memory.get("hits").asDouble());
    assertEquals(3 * v * (halves + 1) - hits, memory.get("misses").asDouble());
  }

  @Test
  void json_hasParametersAndRates() throws IOException {
    JsonNode json = bench("--vector-size 2 --vectors 3 --iterations 2 --seed 7");
    double flops = 64 * 8 * Math.pow(8, 3) * 2 * 3 * 2;
    assertEquals(flops, json.get("flops").asDouble());
    assertEquals(
        1e-9 * flops / json.get("wall_seconds").asDouble(), json.get("gflops").asDouble(), 1e-9);
    assertEquals(8, json.get("tensor_size").asInt());
    assertEquals(2, json.get("vector_size").asInt());
    assertEquals(3, json.get("vectors").asInt());
    assertEquals(7, json.get("seed").asInt());
    assertTrue(json.get("oversubscription").isNull());
    assertEquals("uniform", json.get("distribution").asText());
    assertEquals("cpu", json.get("backend").asText());
    for (String key :
        List.of("policy", "device_bytes", "peak_device_bytes", "allocations", "pool_reuses")) {
      assertTrue(json.get("memory").has(key), key);
    }
    for (String key : List.of("hits", "misses", "evictions", "evicted_bytes", "bytes_to_device")) {
      assertTrue(json.get("memory").has(key), key);
    }
    assertEquals(0, json.get("memory").get("bytes_to_host").asLong());
  }

  @Test
  void rank3_contractsLegsOfBaryons() throws IOException {
    JsonNode json =
        bench(
            "--rank 3 --spins 12 --vector-size 4 --oversubscription 0.5 --eviction "
                + "pre-protected-lru --iterations 1");
    assertEquals(3, json.get("rank").asInt());
    assertEquals(12, json.get("spins").asInt());
    assertEquals(8 * 48 * Math.pow(8, 4) * 8, json.get("flops").asDouble());
    JsonNode memory = json.get("memory");
    // The counts do not depend on what is contracted, the bytes do: 6 inputs and the line.
    assertEquals(4 + 8 + 2, memory.get("allocations").asInt());
    assertEquals(2, memory.get("evictions").asInt());
    assertEquals(
        16 * (6 * 12 * 512 + 16 * 64), memory.get("bytes_to_device").asInt(), memory.toString());
    assertEquals(
        16 * (8 * 12 * 512 + 16 * 64) + 3 * 4 * 48 * 8, memory.get("device_bytes").asInt());
  }

  @Test
  void switches_changeWhatTheySay() throws IOException {
    String size = "--vector-size 4 --oversubscription 0.5 --iterations 1";
    JsonNode all = bench(size).get("memory");
    JsonNode noReuse = bench(size + " --no-reuse").get("memory");
    assertEquals(3 * 8 + 3, noReuse.get("allocations").asInt(), "three blocks a contraction");
    assertEquals(0, noReuse.get("hits").asInt());
    assertEquals(0, noReuse.get("bytes_to_host").asLong());
    JsonNode noPacking = bench(size + " --no-packing").get("memory");
    assertEquals(
        16 * (all.get("allocations").asInt() - 3) + 3, noPacking.get("allocations").asInt());
    JsonNode noGpuOnly = bench(size + " --no-gpu-only").get("memory");
    assertEquals(8L * 16 * 8 * 8 * 16, noGpuOnly.get("bytes_to_host").asLong(), "every output");
  }

  @Test
  void organizationAndWrites_countWhatTheySay() throws IOException {
    JsonNode json =
        bench(
            "--vector-size 4 --vectors 3 --iterations 1 --organization 2-way --lines 6 --write "
                + "through");
    assertEquals("2-way", json.get("organization").asText());
    assertEquals(6, json.get("lines").asInt());
    assertEquals("through", json.get("write").asText());
    JsonNode memory = json.get("memory");
    assertEquals(12L * 16 * 8 * 8 * 16, memory.get("bytes_to_host").asLong(), "every output");
    assertTrue(memory.get("evictions").asInt() > 0, "six lines do not hold all");
    double shares = 0;
    for (JsonNode share : memory.get("outcomes")) {
      shares += share.asDouble();
    }
    assertEquals(1, shares, 1e-12);
  }

  @Test
  void csv_appendsRowsUnderOneHeader(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("sweep.csv");
    for (int k = 0; k < 2; k++) {
      bench("--vector-size 2 --vectors 1 --iterations 1 --csv %s", file);
    }
    List<String> lines = Files.readAllLines(file);
    assertEquals(3, lines.size());
    assertTrue(lines.get(0).startsWith("tensor_size,vector_size,repeated_rate,distribution,seed,"));
    assertEquals(lines.get(0).split(",").length, lines.get(1).split(",").length);
  }

  @Test
  void table_namesWhatRan() {
    Cli cli =
        Cli.line(
                "bench --backend cpu --tensor-size 4 --vector-size 2 --vectors 2 "
                    + "--iterations 1 --no-packing")
            .ok();
    assertTrue(cli.out().startsWith("N 4, vector size 2, repeated rate 0.5, uniform, 2 vectors"));
    cli.prints("no packing");
    cli.prints("GFLOP/s");
  }

  @ParameterizedTest
  @CsvSource({
    "--eviction, best, no eviction policy is called 'best'",
    "--oversubscription, 0.3, multiple of 0.5",
    "--repeated-rate, 1.5, the repeated rate must be between 0 and 1",
    "--vector-size, 0, must be at least 1",
    "--backend, abacus, abacus",
    "--tensor-size, 0, '--tensor-size must be between 1 and 16384, not 0'",
    "--rank, 4, --rank must be 2 or 3",
    "--spins, 8, --spins goes with --rank 3",
    "--rank=3 --spins, 6, multiple of 4",
  })
  void wrongInput_isNamed(String option, String value, String message) {
    Cli.run(("bench " + option + " " + value).split(" ")).refused(message);
  }

  @Test
  void sizeOfAChain_belongsToAChain() {
    Cli.run("bench", "--size", "8", "--backend", "cpu")
        .refused("--size belongs to --workload chain");
  }
}
