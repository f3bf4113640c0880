package org.starlingqcd.correlators.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.correlators.run.Backends;

final class GpuCheckCommandTest {
  @Test
  @Tag("slow")
  void cpu_isCheckedAndMeasured() {
    Cli cli = Cli.run("gpu-check", "--backend", "cpu", "--sizes", "8,16", "--seconds", "0.001");
    assertEquals(0, cli.status(), cli.err());
    assertTrue(cli.out().contains("All checks passed."), cli.out());
    assertFalse(cli.out().contains("WRONG"), cli.out());
    assertTrue(cli.out().lines().anyMatch(line -> line.startsWith("| 16 | 16 |")), cli.out());
  }

  @Test
  void withoutGpu_reasonsAreGiven() {
    for (BackendProvider provider : Backends.all()) {
      Assumptions.assumeTrue(
          provider.name().equals("cpu") || !provider.probe().isPresent(), "a GPU works here");
    }
    Cli cli = Cli.run("gpu-check");
    assertEquals(1, cli.status());
    assertTrue(cli.err().contains("no GPU works here: cuda: "), cli.err());
    assertTrue(cli.err().contains("; hip: "), cli.err());
  }

  @Test
  void sizesOutOfRange_areRefused() {
    assertEquals(2, Cli.run("gpu-check", "--backend", "cpu", "--sizes", "0").status());
  }
}
