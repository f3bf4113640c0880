package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.access.StepKind;

/** Runs with lines and write policies, from files to correlators. */
final class OrganizedRunTest {
  @TempDir private Path folder = Path.of("");

  private JsonNode memory = new ObjectMapper().nullNode();

  /** The correlator of a1_rhopi, separation 1. */
  private double[] run(String name, String... more) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("run", "a1_rhopi", "--data", "../examples/data/quenched_4x8_cfg0001.h5"));
    all.addAll(List.of("--separations", "1", "--backend", "cpu", "--threads", "1", "--json"));
    all.addAll(List.of("--out", folder.resolve(name).toString()));
    all.addAll(List.of(more));
    Cli cli = Cli.run(all.toArray(String[]::new)).ok();
    memory = new ObjectMapper().readTree(cli.out()).get("memory");
    try (ResultReader result = ResultReader.open(folder.resolve(name).resolve("a1_rhopi.h5"))) {
      return result.read(1).correlators().get(0);
    }
  }

  @Tag("slow")
  @Test
  void organizationsAndWrites_doNotChangeResults() throws IOException {
    double[] expected = run("default");
    assertEquals(0, memory.get("evictions").asInt());
    long uncached = memory.get("uncached_bytes").asLong();
    String[][] choices = {
      {"--organization", "5-way", "--lines", "10", "--write", "through"},
      {"--organization", "direct", "--lines", "4"},
      {"--lines", "3", "--eviction", "random", "--write", "through"},
      {"--organization", "3-way", "--device-memory", "300KiB", "--recompute", "0"},
    };
    for (int k = 0; k < choices.length; k++) {
      assertArrayEquals(expected, run("choice" + k, choices[k]), String.join(" ", choices[k]));
      assertTrue(memory.get("evictions").asInt() > 0, memory.toString());
      assertTrue(memory.get("uncached_bytes").asLong() >= uncached, memory.toString());
      double shares = 0;
      for (JsonNode share : memory.get("outcomes")) {
        shares += share.asDouble();
      }
      assertEquals(1, shares, 1e-12);
    }
  }

  @Test
  void trace_hasKindsFlopsAndKeys() throws IOException {
    Path file = folder.resolve("run.trace");
    run("traced", "--trace", file.toString());
    AccessTrace trace = AccessTrace.read(file);
    assertTrue(trace.flops() > 0);
    assertEquals(StepKind.PRODUCT, trace.queues().get(0).kind(0));
    int last = trace.queues().get(0).steps() - 1;
    assertEquals(StepKind.TRACE, trace.queues().get(0).kind(last));
    long[] keys = trace.keys().get(0);
    for (int element = 0; element < keys.length; element++) {
      assertEquals(trace.input()[element], keys[element] != 0, "element " + element);
    }
  }

  @Test
  void wrongChoice_isNamed() {
    Cli.run("run", "pion", "--data", "x.h5", "--organization", "round")
        .refused("no organization is called 'round'");
    Cli write = Cli.run("run", "pion", "--data", "x.h5", "--write", "up");
    write.notes("no write policy is called 'up'");
    assertEquals(2, write.status());
  }
}
