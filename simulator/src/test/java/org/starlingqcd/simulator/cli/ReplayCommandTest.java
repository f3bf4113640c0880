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
    Cli cli =
        Cli.run(
                "replay",
                trace.toString(),
                "--device-memory",
                "1KiB,100%",
                "--eviction",
                "lru,fifo")
            .ok();
    cli.prints("1.00 KiB: too small for a single contraction");
    cli.prints("\nlru ");
    assertFalse(cli.out().contains("\ncar "), cli.out());
  }

  @Tag("slow")
  @Test
  void workloadOfTooManyTasks_isRefused() {
    Cli.run("replay", "--workload", "dgemm:n=100000", "--fast-memory", "1GiB", "--tiering", "off")
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
    assertFails(text + ": not a memory trace", "replay", text.toString());
    assertFails("no such file: ", "replay", folder.resolve("absent").toString());
    assertFails("no eviction policy is called 'best'", "replay", trace + "", "--eviction", "best");
    assertFails("name either a trace or a --workload", "replay");
    assertFails(
        "name either a trace or a --workload", "replay", trace + "", "--workload", "vectors");
    assertFails("no workload is called 'forest'", "replay", "--workload", "forest");
    assertFails(
        "no organization is called '0-way'", "replay", trace + "", "--organization", "0-way");
    assertFails("no write policy is called 'up'", "replay", trace + "", "--write", "up");
    assertFails("--lines must be at least 1, not 0", "replay", trace + "", "--lines", "0");
    assertFails("is no time model", "replay", trace + "", "--time-model", "fast");
    assertFails("--index must be mixed or address", "replay", trace + "", "--index", "x");
    assertFails("no order is called 'x'", "replay", trace + "", "--order", "x");
    assertFails("not an amount of memory: 'much'", "replay", trace + "", "--device-memory", "much");
    assertFails(
        "the name of a plot must end in .png or .svg",
        "replay",
        trace + "",
        "--plot-misses",
        "plot.gif");
  }

  private static void assertFails(String message, String... args) {
    Cli.run(args).refused(message);
  }

  @Test
  void tiers_everyCombination_hasItsOutcomes() throws IOException {
    Cli cli =
        Cli.run(
                "replay",
                "--workload",
                "dgemm:n=12",
                "--fast-memory",
                "1GiB,50%",
                "--tiering",
                "static,guided",
                "--eviction",
                "random,first-unused",
                "--time-model",
                "slow=80GB/s,fast=400GB/s,overlap",
                "--json")
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
    Cli cli = Cli.run("replay", trace.toString(), "--tiering", "guided", "--eviction", "lru").ok();
    assertEquals(3, cli.out().lines().filter(line -> line.contains("guided")).count(), cli.out());
    Cli.run("replay", trace.toString(), "--tiering", "dynamic").refused("off, static, guided");
    Cli.run("replay", trace.toString(), "--tiering", "off", "--device-memory", "50%")
        .refused("--device-memory");
  }

  @Test
  void pipe_isRefusedAtOnce() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Cli cli = assertTimeoutPreemptively(Duration.ofMinutes(1), () -> Cli.run("replay", "" + pipe));
    cli.refused(pipe + ": is a named pipe, expected a file");
  }
}
