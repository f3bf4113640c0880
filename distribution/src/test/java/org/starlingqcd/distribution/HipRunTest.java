package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.backend.hip.FakeHip;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** From a definition to correlators on the fake HIP library, next to the CPU. */
@Tag("slow")
final class HipRunTest {
  private static final String DATA = "../examples/data/quenched_4x8_cfg0001.h5";

  private static final String OTHER_DATA = "../examples/data/quenched_4x8_cfg0002.h5";

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
    Cli.run(args.toArray(String[]::new)).ok();
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

  /**
   * The fake BLAS orders its sums by entry point, number of products and alignment, so equal bits
   * mean that none of them depends on what is in memory. All runs follow one plan.
   */
  @ParameterizedTest
  @ValueSource(strings = {"a1_rhopi", "f0d2"})
  void budgetsAndUnits_giveTheSameBits(String definition) {
    double[] all = run(definition, "hip", "--separations", "0,1");
    for (String budget : List.of("300KiB", "700KiB", "2MiB")) {
      FakeHip.reset(FakeHip.BYTES, 1, 23);
      double[] some =
          run(definition, "hip", "--overwrite", "--separations", "0,1", "--device-memory", budget);
      assertArrayEquals(all, some, budget);
      assertEquals("", FakeHip.report());
    }
    // After another unit, in memory that it has used.
    double[] second =
        run(definition, "hip", "--overwrite", "--separations", "0,1", "--data", OTHER_DATA);
    assertArrayEquals(all, second, "after another configuration");
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
    List<String> running = betweenProducts(calls);
    for (String waiting : List.of("hipStreamSynchronize", "hipFree")) {
      assertEquals(0, running.stream().filter(waiting::equals).count(), waiting);
    }
  }

  /**
   * With room for 24 of its elements, as 400 MB are at N = 256, f0d2 frees and allocates all the
   * time. Blocks are parts of slabs whose users the device orders. Inputs are copied out of the
   * page-locked memory into which they were read, so the host waits for nothing. Where the run may
   * lock a few blocks, it waits for buffers, once for an input at most.
   */
  @ParameterizedTest
  @ValueSource(strings = {"full", "direct", "5-way"})
  void underPressure_theHostWaitsForBuffersAlone_whereItHasFew(String organization) {
    double[] expected = underPressureNumbers(organization);
    List<String> calls = betweenProducts(FakeHip.callNames());
    assertEquals(0, count(calls, "hipStreamSynchronize", "hipFree", "hipEventSynchronize"));
    assertArrayEquals(expected, underPressureNumbers(organization, "--host-memory=160kB"));
    calls = betweenProducts(FakeHip.callNames());
    assertEquals(0, count(calls, "hipStreamSynchronize", "hipFree"));
    // A node is copied in 16 pieces, other inputs in one.
    long copies = count(calls, "hipMemcpy2DAsync") / 16 + count(calls, "hipMemcpyAsync");
    long waits = count(calls, "hipEventSynchronize");
    assertTrue(waits > 0 && waits <= copies, "waits=" + waits + " copies=" + copies);
  }

  /** Inputs are rounded into page-locked memory, out of which the device copies. */
  @Test
  void underPressure_inSinglePrecision_theHostWaitsForNothing() {
    FakeHip.reset(FakeHip.BYTES, 1, 17);
    run(
        "f0d2",
        "hip",
        "--overwrite",
        "--separations=1",
        "--configurations=1",
        "--device-memory=195kB",
        "--precision=single");
    assertEquals("", FakeHip.report());
    List<String> calls = betweenProducts(FakeHip.callNames());
    assertTrue(count(calls, "hipMemcpyAsync") > 100, "copies to the device");
    assertEquals(0, count(calls, "hipStreamSynchronize", "hipFree", "hipEventSynchronize"));
  }

  /** Where every block comes from the driver, the host waits for the device each time. */
  @Test
  void underPressure_withoutSlabs_theHostWaits() {
    System.setProperty("starling.gpu.slabs", "off");
    try {
      underPressureNumbers("full");
      List<String> calls = betweenProducts(FakeHip.callNames());
      long waits = count(calls, "hipEventSynchronize", "hipFree");
      assertTrue(waits > 100, "waits=" + waits);
    } finally {
      System.clearProperty("starling.gpu.slabs");
    }
  }

  private double[] underPressureNumbers(String organization, String... more) {
    FakeHip.reset(FakeHip.BYTES, 1, 17);
    // Where the host has few buffers, the device has to be slow for it to wait for them.
    FakeHip.delayWork(more.length > 0 ? 300 : 0);
    List<String> options = new ArrayList<>(List.of("--overwrite", "--separations=1"));
    options.addAll(List.of("--configurations=1", "--organization=" + organization));
    options.add("--device-memory=390kB");
    options.addAll(List.of(more));
    double[] numbers = run("f0d2", "hip", options.toArray(String[]::new));
    assertEquals("", FakeHip.report());
    return numbers;
  }

  private static long count(List<String> calls, String... names) {
    return calls.stream().filter(List.of(names)::contains).count();
  }

  /** The calls between the first and the last product. */
  private static List<String> betweenProducts(List<String> calls) {
    List<Integer> places =
        IntStream.range(0, calls.size())
            .filter(call -> calls.get(call).matches("hipblas[CZ]gem.*"))
            .boxed()
            .toList();
    return calls.subList(places.get(0), places.get(places.size() - 1));
  }

  /**
   * A unit is written by another thread than that which computes the next one: when it is finished,
   * the next one has begun and gets on.
   */
  @Test
  void results_areWrittenWhileTheNextUnitRuns() {
    int[] units = new int[3];
    RunListener watch =
        new RunListener() {
          private int callsBefore;

          @Override
          public void unitStarted(int configuration, int source) {
            units[0]++;
            callsBefore = FakeHip.callNames().size();
          }

          @Override
          public void unitFinished(int configuration, int source, double seconds) {
            units[1]++;
            if (units[0] > units[1]) {
              assertTimeoutPreemptively(
                  Duration.ofMinutes(1),
                  () -> {
                    while (FakeHip.callNames().size() <= callsBefore) {
                      Thread.onSpinWait();
                    }
                  });
              units[2]++;
            }
          }
        };
    RunSettings settings = RunSettings.of(List.of("a1_rhopi"), List.of(DATA), folder);
    settings.sources = NumberSelection.parse("0,1,2,3");
    settings.separations = NumberSelection.parse("1");
    settings.device = DeviceSettings.of("hip", 0);
    settings.overwrite = true;
    new CorrelatorRun(settings, watch).execute();
    assertArrayEquals(new int[] {4, 4, 3}, units);
  }

  /** The device's events tell how long it took for each kind of work. */
  @Test
  void json_splitsTheTimeOfTheDevice() {
    FakeHip.delayWork(100);
    Cli cli =
        Cli.line(
                "run a1_rhopi --data=%s --separations=1 --out=%s --backend=hip --json",
                DATA, folder)
            .ok();
    String seconds = cli.out().substring(cli.out().indexOf("\"seconds\""));
    for (String stage : List.of("nodes", "products", "traces", "copies", "waiting")) {
      Matcher number = Pattern.compile("\"" + stage + "\"\\s*:\\s*([-+.0-9eE]+)").matcher(seconds);
      assertTrue(number.find() && Double.parseDouble(number.group(1)) > 0, stage + seconds);
    }
  }

  /**
   * A device gives memory out in units of 2 MiB. Blocks that are parts of slabs share them; where
   * every block of 16 KiB comes from the driver, 128 MiB are soon full, and elements make room.
   */
  @Test
  void memoryThatRunsOut_isMadeRoomFor() {
    double[] expected = run("a1_rhopi", "cpu", "--separations", "0-3");
    double[] shared = runIn128MiB();
    // A slab of the usual size, after which a small one is taken.
    assertEquals(1, refusals());
    System.setProperty("starling.gpu.slabs", "off");
    try {
      double[] single = runIn128MiB();
      assertTrue(refusals() > 1);
      assertArrayEquals(shared, single);
    } finally {
      System.clearProperty("starling.gpu.slabs");
    }
    assertArrayEquals(expected, shared, 1e-10 * Math.abs(expected[0]) + 1e-18);
  }

  /** Most of it is the device's workspace. */
  private double[] runIn128MiB() {
    FakeHip.reset(128L << 20, 1, 17);
    double[] numbers =
        run("a1_rhopi", "hip", "--overwrite", "--device-memory", "100%", "--separations", "0-3");
    assertEquals("", FakeHip.report());
    return numbers;
  }

  private static long refusals() {
    return FakeHip.callNames().stream().filter("hipGetLastError"::equals).count();
  }

  @Test
  void severalDevices_areListedAndChosenByNumber() {
    FakeHip.reset(FakeHip.BYTES, 2, 17);
    Cli.run("backends")
        .prints("hip:\n  0: Fake device 0, 512.00 MiB, ")
        .prints("\n  1: Fake device 1, 512.00 MiB, ")
        .prints("     HIP runtime: 6.3.42134\n");
    // Where no NVIDIA GPU works, auto takes this one.
    Cli.run("run", "pion", "--data", DATA, "--out", folder.toString(), "--device", "1")
        .ok()
        .prints("hip: Fake device 1");
    Cli.line("run pion --data %s --out %s --overwrite --backend=hip --device=2", DATA, folder)
        .refused("(hip: HIP device 2 does not exist; visible: 0 to 1)");
  }
}
