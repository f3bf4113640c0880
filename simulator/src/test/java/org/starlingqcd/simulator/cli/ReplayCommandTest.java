package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.simulator.VectorWorkload;

final class ReplayCommandTest {
  @TempDir private Path folder = Path.of("");
  private Path trace = Path.of("");

  @BeforeEach
  void writeTrace() throws IOException {
    VectorWorkload workload = new VectorWorkload(6, 8, 0.5, VectorWorkload.Distribution.UNIFORM, 5);
    boolean[] input = new boolean[workload.elements()];
    Arrays.fill(input, 0, workload.inputCount() + 1, true);
    trace = folder.resolve("run.trace");
    new AccessTrace(
            List.of(TensorShape.mesonNode(4)),
            new int[workload.elements()],
            input,
            List.of(workload.queue()))
        .write(trace);
  }

  @Test
  void json_everyPolicyAndCapacity_neverBelowTheBound() throws IOException {
    Cli cli =
        Cli.line("replay %s --json --order all --device-memory 12KiB,20KiB,40KiB", trace).ok();
    JsonNode json = new ObjectMapper().readTree(cli.out());
    assertEquals(48, json.get("contractions").asInt());
    assertEquals(144, json.get("accesses").asInt());
    assertEquals(3, json.get("orders").size());
    for (JsonNode order : json.get("orders")) {
      assertEquals(3, order.get("capacities").size());
      for (JsonNode capacity : order.get("capacities")) {
        assertEquals(EvictionPolicies.names().size(), capacity.get("policies").size());
        for (JsonNode policy : capacity.get("policies")) {
          assertTrue(policy.get("gap").asDouble() >= 1, policy.toString());
          assertTrue(
              policy.get("bytes_to_device").asLong()
                  >= capacity.get("belady_loads").asLong() * 4096,
              policy.toString());
          assertEquals(
              policy.get("evictions").asLong(),
              policy.get("clean_evictions").asLong()
                  + policy.get("dirty_evictions").asLong()
                  + policy.get("dead_evictions").asLong());
        }
      }
    }
  }

  @Test
  void table_tooSmallCapacity_isSaid() {
    Cli cli = Cli.line("replay %s --device-memory 1KiB,100% --eviction lru,fifo", trace).ok();
    cli.prints("1.00 KiB: too small for a single contraction");
    cli.prints("\nlru ");
    assertFalse(cli.out().contains("\ncar "), cli.out());
  }

  @Tag("slow")
  @Test
  void workloadOfTooManyTasks_isRefused() {
    Cli.line("replay --workload dgemm:n=100000 --fast-memory 1GiB --tiering off")
        .refused("more than 4000000 tasks");
  }

  @Test
  void plots_areWritten() throws IOException {
    Path png = folder.resolve("residency.png");
    Path svg = folder.resolve("misses.svg");
    Cli.line(
            "replay %s --eviction lru,cost-aware --plot-residency %s --plot-misses %s",
            trace, png, svg)
        .ok();
    assertArrayEquals(
        "\u0089PNG".getBytes(StandardCharsets.ISO_8859_1),
        Arrays.copyOf(Files.readAllBytes(png), 4));
    assertTrue(Files.readString(svg).contains("<svg"));
  }

  @Test
  void workload_everyCombination_hasItsObject() throws IOException {
    Path svg = folder.resolve("hits.svg");
    Cli cli =
        Cli.line(
                "replay --workload tree:taxa=30,moves=10 --organization full,3-way,direct "
                    + "--lines 8,16 --eviction lru,fifo --write back,through --time-model "
                    + "bus=1GB/s,kernel=1GFLOP/s --json --plot-hits %s",
                svg)
            .ok();
    JsonNode order = new ObjectMapper().readTree(cli.out()).get("orders").get(0);
    JsonNode all = order.get("capacities").get(0).get("policies");
    assertEquals(3 * 2 * 2 * 2, all.size());
    for (JsonNode one : all) {
      double ratio = one.get("byte_hit_ratio").asDouble();
      assertTrue(ratio > 0 && ratio < 1, one.toString());
      double moved = one.get("bytes_to_device").asDouble() + one.get("bytes_to_host").asDouble();
      assertEquals(1 - moved / one.get("uncached_bytes").asDouble(), ratio, 1e-12);
      assertTrue(one.get("seconds").asDouble() > 1e-9 * moved, one.toString());
      assertTrue(List.of("full", "3-way", "direct").contains(one.get("organization").asText()));
      assertTrue(List.of(8, 16).contains(one.get("lines").asInt()), one.toString());
      assertTrue(List.of("back", "through").contains(one.get("write").asText()));
      assertTrue(List.of("lru", "fifo").contains(one.get("policy").asText()));
    }
    assertTrue(Files.readString(svg).contains("<svg"));
  }

  @Test
  void trace_organizationWithoutLines_takesWhatFits() throws IOException {
    Cli cli =
        Cli.line(
                "replay %s --device-memory 40KiB --organization full,direct --eviction lru "
                    + "--json",
                trace)
            .ok();
    JsonNode order = new ObjectMapper().readTree(cli.out()).get("orders").get(0);
    JsonNode all = order.get("capacities").get(0).get("policies");
    assertTrue(all.get(0).get("lines").isNull());
    assertEquals(10, all.get(1).get("lines").asInt());
    assertTrue(all.get(0).get("seconds").isNull());
    assertTrue(all.get(0).get("misses").asInt() <= all.get(1).get("misses").asInt(), cli.out());
  }

  @Test
  void wrongInput_isNamed() throws IOException {
    Path text = folder.resolve("notes.txt");
    Files.writeString(text, "not a trace");
    Cli.line("replay %s", text).refused(text + ": not a memory trace");
    Cli.line("replay %s", folder.resolve("absent")).refused("no such file: ");
    Cli.line("replay").refused("name either a trace or a --workload");
    Cli.line("replay --workload forest").refused("no workload is called 'forest'");
  }

  @ParameterizedTest
  @CsvSource({
    "--eviction best, no eviction policy is called 'best'",
    "--workload vectors, name either a trace or a --workload",
    "--organization 0-way, no organization is called '0-way'",
    "--write up, no write policy is called 'up'",
    "--lines 0, '--lines must be at least 1, not 0'",
    "--time-model fast, is no time model",
    "--index x, --index must be mixed or address",
    "--order x, no order is called 'x'",
    "--device-memory much, not an amount of memory: 'much'",
    "--plot-misses plot.gif, the name of a plot must end in .png or .svg",
  })
  void wrongOption_isNamed(String option, String message) {
    Cli.line("replay %s " + option, trace).refused(message);
  }

  @Test
  void tiers_everyCombination_hasItsOutcomes() throws IOException {
    Cli cli =
        Cli.line(
                "replay --workload dgemm:n=12 --fast-memory 1GiB,50% --tiering static,guided "
                    + "--eviction random,first-unused --time-model "
                    + "slow=80GB/s,fast=400GB/s,overlap "
                    + "--json")
            .ok();
    JsonNode all = new ObjectMapper().readTree(cli.out()).get("combinations");
    assertEquals(8, all.size());
    for (JsonNode one : all) {
      double sum = 0;
      for (String outcome : List.of("hit", "free", "replace", "full", "bypass")) {
        sum += one.get("outcomes").get(outcome).asDouble();
      }
      assertEquals(1, sum, 1e-12, one.toString());
      assertTrue(one.get("seconds").asDouble() > 0, one.toString());
    }
    assertEquals("static", all.get(0).get("tiering").asText());
    assertEquals("random", all.get(0).get("policy").asText());
    assertEquals(0, all.get(0).get("bytes_to_fast").asLong());
    assertTrue(
        all.get(2).get("outcomes").get("hit").asDouble()
            > all.get(0).get("outcomes").get("hit").asDouble());
  }

  @Test
  void tiers_ofARecordedTrace_andWrongOptions() {
    Cli cli = Cli.line("replay %s --tiering guided --eviction lru", trace).ok();
    assertEquals(3, cli.out().lines().filter(line -> line.contains("guided")).count(), cli.out());
    Cli.line("replay %s --tiering dynamic", trace).refused("off, static, guided");
    Cli.line("replay %s --tiering off --device-memory 50%", trace).refused("--device-memory");
  }

  @Test
  void pipe_isRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Cli cli = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> Cli.line("replay %s", pipe));
    cli.refused(pipe + ": is a named pipe, expected a file");
  }
}
