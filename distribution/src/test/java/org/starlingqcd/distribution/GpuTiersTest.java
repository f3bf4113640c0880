package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.hip.FakeHip;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Page-locked memory of the host as the slow memory of a GPU, on the fake HIP library. */
@Tag("slow")
final class GpuTiersTest {
  private static final String DATA = "../examples/data/quenched_4x8_cfg0001.h5";

  /** Little more than the largest contraction takes. */
  private static final String LITTLE = "340000";

  @TempDir Path folder;

  private String warnings = "";
  private JsonNode memory = new ObjectMapper().nullNode();

  @BeforeEach
  void useFakeLibrary() {
    Path library = FakeHip.library();
    FakeHip.reset(FakeHip.BYTES, 1, 17);
    System.setProperty("starling.hip.runtime", library.toString());
  }

  @AfterEach
  void useRocm() {
    System.clearProperty("starling.hip.runtime");
  }

  private double[] run(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("run", "f0d2", "--data", DATA, "--overwrite"));
    args.addAll(List.of("--separations", "1", "--backend", "hip", "--json"));
    args.addAll(List.of("--out", folder.toString()));
    args.addAll(List.of(more));
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    Cli cli;
    try {
      cli = Cli.run(args.toArray(String[]::new));
    } finally {
      System.setErr(before);
    }
    cli.ok();
    assertEquals("", FakeHip.report());
    memory = new ObjectMapper().readTree(cli.out()).get("memory");
    warnings = log.toString(StandardCharsets.UTF_8);
    double shares = 0;
    for (String outcome : List.of("hit", "free", "replace", "full", "bypass")) {
      shares += memory.get("outcomes").get(outcome).asDouble();
    }
    assertEquals(1, shares, 1e-12);
    try (Hdf5File hdf5 = Hdf5File.open(folder.resolve("f0d2.h5"))) {
      return hdf5.dataset("cfg_0001/correlator").readAll();
    }
  }

  private long moved() {
    return memory.get("bytes_to_device").asLong() + memory.get("bytes_to_host").asLong();
  }

  private double inPlace() {
    JsonNode outcomes = memory.get("outcomes");
    return outcomes.get("full").asDouble() + outcomes.get("bypass").asDouble();
  }

  @Test
  void pageLockedMemory_isUsedInPlaceAndTakesWhatLeaves() throws IOException {
    double[] all = run();
    assertEquals(0, memory.get("peak_slow_bytes").asLong());
    assertArrayEquals(all, run("--fast-memory", LITTLE, "--tiering", "off"));
    long off = moved();
    assertArrayEquals(all, run("--fast-memory", LITTLE, "--tiering", "guided"));
    assertTrue(memory.get("peak_slow_bytes").asLong() > 0);
    assertEquals(0, memory.get("peak_host_bytes").asLong(), "slow memory is in its place");
    assertTrue(memory.get("peak_device_bytes").asLong() <= Long.parseLong(LITTLE));
    assertTrue(moved() <= off, moved() + " of " + off);
    assertArrayEquals(all, run("--fast-memory", "40000"), "less than one contraction takes");
    assertTrue(inPlace() > 0);
    assertArrayEquals(all, run("--fast-memory", LITTLE, "--tiering", "static"));
    assertTrue(inPlace() > 0);
    assertEquals(0, memory.get("outcomes").get("replace").asDouble());
  }

  @Test
  void whatCannotBePageLocked_isOneLine_andOrdinaryMemoryTakesTheRest() throws IOException {
    double[] all = run();
    for (long limit : new long[] {0, 200_000}) {
      FakeHip.reset(FakeHip.BYTES, 1, 23);
      FakeHip.limitPageLocked(limit);
      assertArrayEquals(all, run("--fast-memory", LITTLE));
      long told = warnings.lines().filter(line -> line.contains("can be page-locked")).count();
      assertEquals(1, told, warnings);
      assertTrue(memory.get("peak_slow_bytes").asLong() <= limit);
      assertTrue(memory.get("peak_host_bytes").asLong() > 0);
    }
  }

  @Test
  void memoryNodes_areOneLine_andOneTier() throws IOException {
    run("--fast-memory", LITTLE, "--slow-memory", "node:0");
    assertTrue(warnings.contains("takes no memory nodes, so there is one tier"), warnings);
    assertEquals(0, memory.get("peak_slow_bytes").asLong());
  }
}
