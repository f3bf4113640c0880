package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.access.StepKind;

/** Runs with two tiers of memory, lines and write policies, from files to correlators. */
final class TieredRunTest {
  /** A quarter of the memory in which nothing of f0d2 has to leave. */
  private static final String QUARTER = "297216";

  @TempDir private Path folder = Path.of("");

  private JsonNode memory = new ObjectMapper().nullNode();

  /** The correlator of a definition, separation 1. */
  private double[] run(String definition, String name, String options) throws IOException {
    Cli cli =
        Cli.line(
                "run %s --data ../examples/data/quenched_4x8_cfg0001.h5 --separations 1"
                    + " --backend cpu --json --out %s"
                    + options,
                definition,
                folder.resolve(name))
            .ok();
    memory = new ObjectMapper().readTree(cli.out()).get("memory");
    try (ResultReader result =
        ResultReader.open(folder.resolve(name).resolve(definition + ".h5"))) {
      return result.read(1).correlators().get(0);
    }
  }

  private double share(String outcome) {
    return memory.get("outcomes").get(outcome).asDouble();
  }

  @Tag("slow")
  @Test
  void tieringsSizesChunksAndThreads_doNotChangeResults() throws IOException {
    double[] expected = run("f0d2", "default", "");
    assertEquals(0, memory.get("peak_slow_bytes").asLong());
    String[] choices = {
      " --fast-memory 40000",
      " --fast-memory 1",
      " --fast-memory " + QUARTER + " --tiering static",
      " --fast-memory " + QUARTER + " --copy-threads 3 --copy-chunk 1KiB",
      " --fast-memory " + QUARTER + " --eviction first-unused --threads 1",
      " --fast-memory 100000 --device-memory 400000",
    };
    for (int k = 0; k < choices.length; k++) {
      String what = choices[k];
      assertArrayEquals(expected, run("f0d2", "choice" + k, what), what);
      assertTrue(memory.get("peak_slow_bytes").asLong() > 0, what);
      assertTrue(
          memory.get("peak_device_bytes").asLong() <= Long.parseLong(what.split(" ")[2]), what);
      double shares = 0;
      for (String outcome : List.of("hit", "free", "replace", "full", "bypass")) {
        shares += share(outcome);
      }
      assertEquals(1, shares, 1e-12, what);
      assertTrue(share("full") + share("bypass") > 0, what);
    }
  }

  /** Bytes depend on the queue alone, not on the machine. */
  @Tag("slow")
  @Test
  void guided_movesNoMoreThanOff() throws IOException {
    double[] off = run("f0d2", "off", " --tiering off --fast-memory " + QUARTER);
    assertEquals(0, share("bypass") + share("full"));
    assertMoved(4_410_368, 835_584, 835_584);
    double[] guided = run("f0d2", "guided", " --tiering guided --fast-memory " + QUARTER);
    assertArrayEquals(off, guided);
    assertMoved(3_356_672, 442_368, 0);
  }

  private void assertMoved(long in, long out, long spilled) {
    assertEquals(in, memory.get("bytes_to_device").asLong());
    assertEquals(out, memory.get("bytes_to_host").asLong());
    assertEquals(spilled, memory.get("spilled_bytes").asLong());
  }

  @Test
  void absentNode_runsInOneTier() throws IOException {
    double[] expected = run("pion", "default", "");
    assertArrayEquals(
        expected, run("pion", "absent", " --fast-memory 2000 --slow-memory node:9999"));
    assertEquals(0, memory.get("peak_slow_bytes").asLong());
    assertArrayEquals(expected, run("pion", "two", " --fast-memory 2000"));
    assertTrue(memory.get("peak_slow_bytes").asLong() > 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--tiering dynamic | off, static, guided",
        "--slow-memory 4GiB | node:0",
        "--fast-memory node:x | node:0",
        "--fast-memory 1KiB --copy-threads -1 | --copy-threads",
        "--fast-memory 1KiB --copy-chunk 10% | --copy-chunk",
        "--fast-memory 2MiB --device-memory 1MiB | more than the device memory",
        "--fast-memory 1KiB --lines 4 | --tiering",
        "--organization round | no organization is called 'round'",
        "--write up | no write policy is called 'up'",
      })
  void wrongChoice_isNamed(String options, String named) {
    Cli.line(
            "run pion --data ../examples/data/quenched_4x8_cfg0001.h5 --backend cpu --out %s "
                + options,
            folder.resolve("wrong"))
        .refused(named);
  }

  @Tag("slow")
  @Test
  void organizationsAndWrites_doNotChangeResults() throws IOException {
    double[] expected = run("a1_rhopi", "default", "");
    assertEquals(0, memory.get("evictions").asInt());
    long uncached = memory.get("uncached_bytes").asLong();
    String[] choices = {
      " --organization 5-way --lines 10 --write through",
      " --organization direct --lines 4",
      " --lines 3 --eviction random --write through",
      " --organization 3-way --device-memory 300KiB --recompute 0",
    };
    for (int k = 0; k < choices.length; k++) {
      assertArrayEquals(expected, run("a1_rhopi", "choice" + k, choices[k]), choices[k]);
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
    run("a1_rhopi", "traced", " --trace " + file);
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
}
