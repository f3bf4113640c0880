package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.cuda.FakeCuda;
import org.starlingqcd.backend.hip.FakeHip;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.simulator.check.ReferenceCorrelators;

/**
 * Every row of {@code gpu-check} on a fake GPU, whose work runs after random delays and in any
 * order that streams and events allow. The seed is printed; {@code STARLING_FAKE_SEED} sets it.
 */
@Tag("slow")
final class GpuCheckOnFakeTest {
  private static final long MICROSECONDS = 20;

  private static final Path EXAMPLES = Path.of("..", "examples");

  @Test
  void hip_passes() {
    onHip(List.of("--references=nucleon,rho_011_d1,written_out"));
  }

  @Test
  @Tag("soak")
  void hip_withEveryReference_passes() {
    assertEveryReference(onHip(List.of()));
  }

  @Test
  @Tag("soak")
  void cuda_withEveryReference_passes() {
    long seed = seed();
    FakeCuda.use(1, seed);
    try {
      FakeCuda.delayWork(MICROSECONDS);
      assertEveryReference(check("cuda", seed, FakeCuda::report, List.of()));
    } finally {
      FakeCuda.leave();
    }
  }

  private static String onHip(List<String> more) {
    System.setProperty("starling.hip.runtime", FakeHip.library().toString());
    try {
      long seed = seed();
      FakeHip.reset(FakeHip.BYTES, 1, seed);
      FakeHip.delayWork(MICROSECONDS);
      return check("hip", seed, FakeHip::report, more);
    } finally {
      System.clearProperty("starling.hip.runtime");
    }
  }

  private static long seed() {
    String given = System.getenv("STARLING_FAKE_SEED");
    long seed = given == null ? ThreadLocalRandom.current().nextInt() : Long.parseLong(given);
    System.out.println("the fake GPU's seed: STARLING_FAKE_SEED=" + seed);
    return seed;
  }

  private static void assertEveryReference(String out) {
    for (String reference : new ReferenceCorrelators(EXAMPLES).names()) {
      assertTrue(out.contains("| " + reference + " | ok |"), reference + " " + out);
    }
  }

  private static String check(
      String backend, long seed, Supplier<String> report, List<String> more) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("gpu-check", "--backend=" + backend, "--examples=" + EXAMPLES));
    arguments.addAll(List.of("--sizes=4,8", "--seconds=0.001", "--end-to-end=4"));
    arguments.add("--budget=64KiB");
    arguments.addAll(more);
    Cli cli = Cli.run(arguments.toArray(String[]::new));
    String words = "seed=" + seed + "\n" + cli.err() + cli.out();
    assertEquals(0, cli.status(), words);
    assertEquals("", report.get(), words);
    for (String part :
        List.of(
            "- " + backend + " 0: Fake device 0",
            "All checks passed: ",
            "### Rates",
            "#### f0d2 end to end, N = 4",
            "| MemHC Naive | 8 |")) {
      assertTrue(cli.out().contains(part), part + " " + words);
    }
    assertFalse(cli.out().contains("not measured") || cli.out().contains("NaN"), words);
    return words;
  }
}
