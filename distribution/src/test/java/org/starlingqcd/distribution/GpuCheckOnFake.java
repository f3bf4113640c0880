package org.starlingqcd.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.starlingqcd.correlators.cli.Cli;

/**
 * Every row of {@code gpu-check} on a fake GPU, whose work runs after random delays and in any
 * order that streams and events allow. The seed is printed; {@code STARLING_FAKE_SEED} sets it.
 */
final class GpuCheckOnFake {
  static final long MICROSECONDS = 20;

  private GpuCheckOnFake() {}

  static long seed() {
    String given = System.getenv("STARLING_FAKE_SEED");
    long seed = given == null ? ThreadLocalRandom.current().nextInt() : Long.parseLong(given);
    System.out.println("the fake GPU's seed: STARLING_FAKE_SEED=" + seed);
    return seed;
  }

  static void check(String backend, long seed, Supplier<String> report) {
    Cli cli =
        Cli.run(
            "gpu-check",
            "--backend=" + backend,
            "--examples=../examples",
            "--references=nucleon,pion",
            "--sizes=4,8",
            "--seconds=0.001",
            "--end-to-end=4",
            "--budget=64KiB");
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
    assertTrue(!cli.out().contains("not measured") && !cli.out().contains("NaN"), words);
  }
}
