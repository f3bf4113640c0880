package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
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
        Cli.run(
            "replay",
            trace.toString(),
            "--json",
            "--order",
            "all",
            "--device-memory",
            "12KiB,20KiB,40KiB");
    assertEquals(0, cli.status(), cli.err());
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
            "replay", trace.toString(), "--device-memory", "1KiB,100%", "--eviction", "lru,fifo");
    assertEquals(0, cli.status(), cli.err());
    assertTrue(cli.out().contains("1.00 KiB: too small for a single contraction"), cli.out());
    assertTrue(cli.out().contains("\nlru "), cli.out());
    assertFalse(cli.out().contains("\ncar "), cli.out());
  }

  @Test
  void plots_areWritten() throws IOException {
    Path png = folder.resolve("residency.png");
    Path svg = folder.resolve("misses.svg");
    Cli cli =
        Cli.run(
            "replay",
            trace.toString(),
            "--eviction",
            "lru,cost-aware",
            "--plot-residency",
            png.toString(),
            "--plot-misses",
            svg.toString());
    assertEquals(0, cli.status(), cli.err());
    assertArrayEquals(
        "\u0089PNG".getBytes(StandardCharsets.ISO_8859_1),
        Arrays.copyOf(Files.readAllBytes(png), 4));
    assertTrue(Files.readString(svg).contains("<svg"));
  }

  @Test
  void wrongInput_isNamed() throws IOException {
    Path text = folder.resolve("notes.txt");
    Files.writeString(text, "not a trace");
    assertFails(text + ": not a memory trace", "replay", text.toString());
    assertFails("no such file: ", "replay", folder.resolve("absent").toString());
    assertFails("no eviction policy is called 'best'", "replay", trace + "", "--eviction", "best");
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
    Cli cli = Cli.run(args);
    assertEquals(2, cli.status());
    assertTrue(cli.err().contains(message), cli.err());
  }
}
