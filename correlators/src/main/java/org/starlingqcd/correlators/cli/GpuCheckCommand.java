package org.starlingqcd.correlators.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Version;
import org.starlingqcd.correlators.check.DeviceChecks;
import org.starlingqcd.correlators.check.DeviceRates;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.correlators.run.MemorySize;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code starling gpu-check}: checks and rates of a device, as a report to paste. */
@Command(
    name = "gpu-check",
    description = {
      "Checks a GPU against sums on the host, measures its rates and prints a report in Markdown to"
          + " paste into an issue.",
      "Takes half a minute and at most a few GiB of device memory."
    })
final class GpuCheckCommand implements Callable<Integer> {
  private static final String CPU = "cpu";

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      defaultValue = Backends.AUTO,
      description = "auto (the first GPU that works), cuda, hip or cpu (${DEFAULT-VALUE}).")
  private String backend = Backends.AUTO;

  @Option(
      names = "--device",
      paramLabel = "K",
      defaultValue = "0",
      description = "Number of the device within its backend (${DEFAULT-VALUE}).")
  private int number;

  @Option(
      names = "--sizes",
      paramLabel = "N",
      split = ",",
      defaultValue = "64,128,256,384",
      description = "Numbers of eigenvectors to measure (${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.2",
      description = "How long one measurement lasts, about (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(names = "--no-rates", description = "Check only.")
  private boolean noRates;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    for (int size : sizes) {
      if (size < 1 || size > 4096) {
        throw new InputException("--sizes must be >= 1 and <= 4096: " + size);
      }
    }
    if (number < 0) {
      throw new InputException("--device must be >= 0: " + number);
    }
    PrintWriter out = Console.out(spec);
    BackendProvider provider = provider();
    try (Device device = provider.open(new DeviceOptions(number, 0, 0, false))) {
      head(out, provider, device.info());
      boolean passed = check(out, device);
      if (!noRates) {
        rates(out, device);
      }
      return passed ? ErrorReport.SUCCESS : ErrorReport.FAILED;
    }
  }

  /** The backend named, or the first GPU that works. */
  private BackendProvider provider() {
    if (!backend.equals(Backends.AUTO)) {
      return Backends.select(backend);
    }
    List<String> reasons = new ArrayList<>();
    for (BackendProvider provider : Backends.all()) {
      if (!provider.name().equals(CPU)) {
        Availability availability = provider.probe();
        if (availability.isPresent()) {
          return provider;
        }
        reasons.add(provider.name() + ": " + availability.reason());
      }
    }
    throw new ComputationException(
        "no GPU works here: " + String.join("; ", reasons) + " (`--backend cpu` checks the CPU)");
  }

  private static void head(PrintWriter out, BackendProvider provider, DeviceInfo info) {
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
    out.println("- " + provider.name() + " " + info.index() + ": " + info.name());
    out.println(
        "- memory: "
            + MemorySize.text(info.totalBytes())
            + ", "
            + MemorySize.text(info.freeBytes())
            + " free");
    info.details().forEach((key, value) -> out.println("- " + key + ": " + value));
    out.println();
  }

  private static boolean check(PrintWriter out, Device device) {
    out.println("| check | | |");
    out.println("| --- | --- | --- |");
    boolean passed = true;
    for (DeviceChecks.Outcome outcome : new DeviceChecks(device).run()) {
      passed &= outcome.passed();
      out.println(
          "| "
              + outcome.name()
              + " | "
              + (outcome.passed() ? "ok" : "**WRONG**")
              + " | "
              + outcome.detail()
              + " |");
    }
    out.println();
    out.println(passed ? "All checks passed." : "**Some checks failed.**");
    out.println();
    return passed;
  }

  private void rates(PrintWriter out, Device device) {
    out.println("Complex double precision, GFLOP/s (8 flops for each product of numbers); GB/s.");
    out.println();
    out.println(
        "| N | V | zgemm 4N | zgemm batched N | contraction | γ5 | γ1 | traces 4 × 4 | of the better"
            + " zgemm | up | down |");
    out.println("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (int size : sizes) {
      DeviceRates.Rates rates = new DeviceRates(device, size, seconds).measure();
      out.printf(
          Locale.ROOT,
          "| %d | %d | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f %% | %.1f | %.1f |%n",
          rates.extent(),
          rates.contractions(),
          rates.single(),
          rates.batched(),
          rates.product(),
          rates.gamma5(),
          rates.gamma1(),
          rates.traces(),
          100 * rates.product() / Math.max(rates.single(), rates.batched()),
          rates.upload(),
          rates.download());
      out.flush();
    }
  }
}
