package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.correlators.Engine;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.correlators.run.Backends;

final class GpuCheckCommandTest {
  private static final String EXAMPLES = Engine.examples().toString();

  @Test
  @Tag("slow")
  void cpu_isCheckedAndMeasured() {
    Cli cli =
        Cli.line(
                "gpu-check --backend=cpu --examples=%s --references=pion,f0d2 --sizes=8,16 "
                    + "--seconds=0.001 --end-to-end=8 --budget=512KiB",
                EXAMPLES)
            .ok();
    assertFalse(cli.out().contains("WRONG"), cli.out());
    List<String> lines = cli.out().lines().toList();
    int checks = DeviceContract.checks().size() + 3;
    assertTrue(lines.contains("All checks passed: " + checks + "."), cli.out());
    for (ContractCheck check : DeviceContract.checks()) {
      assertTrue(cli.out().contains("| " + check.name() + " | ok | "), check.name());
    }
    for (String name : List.of("pion", "f0d2")) {
      assertTrue(cli.out().contains("| " + name + " | ok | largest error "), name);
    }
    cli.prints("| a1_rhopi in 307200 bytes | ok |");
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("| 8 | 16 | ")), cli.out());
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("| 16 | 16 | ")), cli.out());
    assertTrue(lines.contains("#### f0d2 end to end, N = 8"), cli.out());
    // Nodes of N = 16 are 64 KiB, so that 2 MiB hold those of vectors of 16; the counts are those
    // of
    // Table 1 of MemHC's paper.
    assertTrue(
        lines.stream()
            .anyMatch(
                line ->
                    line.startsWith("| 50 %, pre-protected-lru | 16 | 4 | 2 | ")
                        && line.contains(" | 14.0 | 2.0 | 37.50 % | ")),
        cli.out());
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("| MemHC Naive | 16 |")), cli.out());
    assertEquals(lines.size(), lines.stream().filter(line -> !line.contains("NaN")).count());
  }

  @Test
  @Tag("slow")
  void quick_leavesOutWhatTakesLong() {
    Cli cli =
        Cli.line(
                "gpu-check --quick --backend=cpu --examples=%s --sizes=8,16 --seconds=0.001",
                EXAMPLES)
            .ok();
    cli.prints("| nucleon | ok |");
    assertFalse(cli.out().contains("| f0d4 |"), cli.out());
    assertFalse(cli.out().contains("\n| 16 | 16 |"), "no row of N = 16: " + cli.out());
    assertFalse(cli.out().contains("end to end"), cli.out());
  }

  @Test
  @Tag("slow")
  void wrongNumbers_endInAFailure(@TempDir Path examples) throws IOException {
    Path definitions = Files.createDirectories(examples.resolve("reference"));
    for (String name : List.of("a1_rhopi", "nucleon", "pion", "rho_pipi", "written_out")) {
      Files.copy(Engine.reference(name), definitions.resolve(name + ".h5"));
    }
    Files.createSymbolicLink(examples.resolve("data"), Engine.examples().resolve("data"));
    Cli cli =
        Cli.run("gpu-check", "--quick", "--backend=cpu", "--examples=" + examples, "--no-rates");
    assertEquals(1, cli.status(), cli.out() + cli.err());
    cli.prints("| sigma | **WRONG** | ");
    cli.prints("**Checks that failed: 1 of ");
  }

  @Test
  void withoutGpu_reasonsAreGiven() {
    for (BackendProvider provider : Backends.all()) {
      Assumptions.assumeTrue(
          provider.name().equals("cpu") || !provider.probe().isPresent(), "a GPU works here");
    }
    Cli.run("gpu-check").failed("no GPU is usable: cuda: ").notes("; hip: ");
  }

  @Test
  void wrongArguments_areRefused() {
    for (String wrong :
        List.of("--sizes=0", "--end-to-end=5000", "--budget=much", "--device=-1", "--examples=x")) {
      Cli cli = Cli.run("gpu-check", "--backend=cpu", wrong);
      assertEquals(2, cli.status(), wrong + cli.err());
      assertEquals("", cli.out());
    }
    Cli.run("gpu-check", "--backend=cpu", "--examples=" + EXAMPLES, "--references=pion,kaon")
        .refused("no reference is called 'kaon'; there are: a1_rhopi,");
  }
}
