package org.starlingqcd.simulator.check;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.contract.ContractCheck;
import org.starlingqcd.backend.contract.DeviceContract;
import org.starlingqcd.backend.contract.DeviceUnderTest;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.Version;
import org.starlingqcd.correlators.run.RunSummary;
import org.starlingqcd.hadron.execute.ExecutionStatistics;
import org.starlingqcd.simulator.BenchResult;

/** A report of checks and measurements in Markdown, written as they proceed. */
public final class CheckReport {
  private final PrintWriter out;
  private int passed;
  private int failed;

  /** A report on this writer. */
  public CheckReport(PrintWriter out) {
    this.out = out;
  }

  /** Whether every check passed so far. */
  public boolean allPassed() {
    return failed == 0;
  }

  /** Writes the versions and the device. */
  public void head(String backend, DeviceInfo device) {
    out.println("### starling gpu-check");
    out.println();
    out.println("- starling " + Version.text());
    out.println(
        "- Java "
            + System.getProperty("java.version")
            + ", "
            + System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    out.println("- " + backend + " " + device.index() + ": " + device.name());
    out.println(
        "- memory: "
            + MemorySize.text(device.totalBytes())
            + ", "
            + MemorySize.text(device.freeBytes())
            + " free");
    device.details().forEach((key, value) -> out.println("- " + key + ": " + value));
    end();
  }

  /** Checks the contract of devices, as the tests of the backends do, on a device. */
  public void contract(BackendProvider provider, int device) {
    DeviceOptions options = new DeviceOptions(device, 0, DeviceUnderTest.CAPACITY, false);
    checks("Contract");
    for (ContractCheck check : DeviceContract.checks()) {
      outcome(
          CheckOutcome.of(
              check.name(),
              () -> {
                double error = check.run(provider, options);
                return error > 0
                    ? String.format(Locale.US, "largest error %.2g of its bound", error)
                    : "";
              }));
    }
    out.println();
  }

  /** Begins a table of checks. */
  public void checks(String title) {
    out.println("#### " + title);
    end();
    out.println("| check | | |");
    out.println("| --- | --- | --- |");
  }

  /** A row of that table. */
  public void outcome(CheckOutcome outcome) {
    passed += outcome.passed() ? 1 : 0;
    failed += outcome.passed() ? 0 : 1;
    String detail = outcome.detail().replace("|", "\\|").replaceAll("\\s+", " ");
    String result = outcome.passed() ? "ok" : "**WRONG**";
    out.println("| " + outcome.name() + " | " + result + " | " + detail + " |");
    out.flush();
  }

  /** Writes the number of failed checks. */
  public void verdict() {
    out.println();
    out.println(
        failed == 0
            ? "All checks passed: " + passed + "."
            : "**Checks that failed: " + failed + " of " + (passed + failed) + ".**");
    end();
  }

  /** Writes that a measurement failed. */
  public void notMeasured(String what, RuntimeException reason) {
    failed++;
    out.println();
    out.println("**" + what + " failed:** " + reason.getMessage());
    end();
  }

  /** Begins the table of rates. */
  public void rates(String library) {
    out.println("#### Rates");
    end();
    out.println(
        "Complex double precision, GFLOP/s (8 flops for each product of numbers); GB/s. A contraction"
            + " is V pairs of nodes in one call, plain, with γ5 and with γ1 in between; zgemm is "
            + library
            + " in the same run.");
    end();
    out.println(
        "| N | V | zgemm 4N | zgemm batched N | contraction | γ5 | γ1 | of the better zgemm | traces"
            + " 1 × 1 | 4 × 4 | up | down |");
    out.println(
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  }

  /** A row of that table. */
  public void rates(DeviceRates.Rates rates) {
    out.println(rates.row());
    out.flush();
  }

  /**
   * Writes the table of a run from files to correlators.
   *
   * @param contraction GFLOP/s of contractions at this N, or 0 if unknown
   */
  public void endToEnd(String definition, int extent, RunSummary summary, double contraction) {
    out.println();
    out.println("#### " + definition + " end to end, N = " + extent);
    end();
    ExecutionStatistics e = summary.execution();
    out.println(
        "One configuration, source and separation of synthetic data, the second run, in seconds."
            + " Nodes, products, traces and copies are times on the device; copies go on beside"
            + " the others, and waiting is the part of the others in which kernels waited for"
            + " copies. Waiting for the device is the host's time at the end.");
    end();
    out.println(
        "| products | traces | TFLOP | planning | waiting for files | nodes | products | traces |"
            + " copies | waiting | waiting for the device | execution | GFLOP/s | of the contraction rate |");
    out.println(
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
            + " ---: |");
    double rate = 1e-9 * e.work().flops() / Math.max(1e-9, e.wallSeconds());
    out.printf(
        Locale.US,
        "| %d | %d | %.3g | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.0f | %s |%n",
        e.work().products(),
        e.work().traces(),
        1e-12 * e.work().flops(),
        summary.planSeconds(),
        summary.stallSeconds(),
        e.buildSeconds(),
        e.contractSeconds(),
        e.traceSeconds(),
        e.copySeconds(),
        e.stallSeconds(),
        e.waitSeconds(),
        e.wallSeconds(),
        rate,
        contraction > 0 ? String.format(Locale.US, "%.0f %%", 100 * rate / contraction) : "");
    out.flush();
  }

  /** Writes a table of MemHC. */
  public void memory(String title, Map<String, BenchResult> rows) {
    out.println();
    out.println("#### " + title);
    end();
    out.println(
        "| | N | V | vectors | budget | allocations | evictions | hit rate | to the device | to the"
            + " host | GFLOP/s |");
    out.println("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    rows.forEach(
        (name, result) -> {
          Map<String, Object> memory = result.memory();
          out.printf(
              Locale.US,
              "| %s | %d | %d | %d | %s | %.1f | %.1f | %.2f %% | %s | %s | %.1f |%n",
              name,
              result.settings().contraction().extent(),
              result.settings().vectorSize(),
              result.settings().vectors(),
              bytes(memory, "device_bytes"),
              number(memory, "allocations"),
              number(memory, "evictions"),
              100 * result.hitRate(),
              bytes(memory, "bytes_to_device"),
              bytes(memory, "bytes_to_host"),
              result.gflops());
        });
    out.flush();
  }

  private static double number(Map<String, Object> memory, String key) {
    if (memory.get(key) instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalStateException("no number '" + key + "' in " + memory);
  }

  private static String bytes(Map<String, Object> memory, String key) {
    return MemorySize.text((long) number(memory, key));
  }

  private void end() {
    out.println();
    out.flush();
  }
}
