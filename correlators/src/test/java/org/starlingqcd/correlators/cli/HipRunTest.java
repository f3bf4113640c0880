package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.hip.FakeHip;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** From a definition to correlators on the fake HIP library, next to the CPU. */
@Tag("slow")
final class HipRunTest {
  private static final String DATA = "../examples/data/quenched_4x8_cfg0001.h5";

  @TempDir Path folder;

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

  private double[] run(String definition, String backend, String... more) {
    Path out = folder.resolve(backend);
    List<String> args = new ArrayList<>(List.of("run", definition, "--data", DATA));
    args.addAll(List.of("--backend", backend, "--out", out.toString()));
    args.addAll(List.of(more));
    Cli cli = Cli.run(args.toArray(String[]::new));
    assertEquals(0, cli.status(), cli.err());
    try (Hdf5File hdf5 = Hdf5File.open(out.resolve(definition + ".h5"))) {
      return hdf5.dataset("cfg_0001/correlator").readAll();
    }
  }

  private void assertSame(String definition, String... more) {
    double[] expected = run(definition, "cpu", more);
    double[] actual = run(definition, "hip", more);
    double largest = 0;
    for (double number : expected) {
      largest = Math.max(largest, Math.abs(number));
    }
    // Products and sums run in another order: a few hundred eps of the largest number.
    assertArrayEquals(expected, actual, 1e-12 * largest);
    assertEquals("", FakeHip.report());
  }

  @Test
  void mesons_giveTheCorrelatorsOfTheCpu() {
    assertSame("a1_rhopi");
  }

  @Test
  void mesons_inLittleMemory_giveTheSame() {
    assertSame("a1_rhopi", "--device-memory", "300KiB", "--separations", "0-3");
  }

  @Test
  void baryons_giveTheCorrelatorsOfTheCpu() {
    assertSame("nucleon", "--separations", "0,1");
  }

  /**
   * The queue of f0d2 has 44 vector pairs with 207 contractions of 64 products each and 987 traces.
   * From the first to the last product the host never waits for a stream to be empty and frees
   * nothing, which would wait for the device.
   */
  @Test
  void vectorPairs_areAHandfulOfLaunchesAndNeverWaitForTheDevice() {
    run("f0d2", "hip", "--separations", "1", "--configurations", "1");
    List<String> calls = FakeHip.callNames();
    List<String> products = calls.stream().filter(name -> name.startsWith("hipblasZgem")).toList();
    assertTrue(products.size() <= 7 * 44, "products=" + products.size());
    long others =
        calls.stream()
            .filter(name -> name.equals("hipblasZgeam") || name.equals("hipMemcpyAsync"))
            .count();
    assertTrue(others <= 12 * 44, "transpositions and copies=" + others);
    List<Integer> places =
        IntStream.range(0, calls.size())
            .filter(call -> calls.get(call).startsWith("hipblasZgem"))
            .boxed()
            .toList();
    List<String> running = calls.subList(places.get(0), places.get(places.size() - 1));
    for (String waiting : List.of("hipStreamSynchronize", "hipFree")) {
      assertEquals(0, running.stream().filter(waiting::equals).count(), waiting);
    }
  }

  @Test
  void gpuCheck_passes() {
    Cli cli =
        Cli.run(
            "gpu-check",
            "--examples=../examples",
            "--references=f0d2,nucleon",
            "--sizes=4,8",
            "--seconds=0.001",
            "--end-to-end=4",
            "--budget=64KiB");
    assertEquals(0, cli.status(), cli.err() + cli.out());
    assertTrue(cli.out().contains("- hip 0: Fake device 0"), cli.out());
    assertTrue(cli.out().contains("All checks passed: "), cli.out());
    assertTrue(cli.out().contains("| MemHC Naive | 8 |"), cli.out());
    assertEquals("", FakeHip.report());
  }
}
