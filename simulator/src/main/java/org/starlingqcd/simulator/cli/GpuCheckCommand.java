package org.starlingqcd.simulator.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Availability;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.DeviceNumberOptionGroup;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.simulator.check.CheckReport;
import org.starlingqcd.simulator.check.DeviceRates;
import org.starlingqcd.simulator.check.EndToEnd;
import org.starlingqcd.simulator.check.MemoryTables;
import org.starlingqcd.simulator.check.ReferenceCorrelators;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code starling gpu-check}: a report of checks and measurements of a device. */
@Command(
    description = {
      "Checks and measures a device and prints a report in Markdown to paste into an issue: the"
          + " contract that the tests of the backends check, the reference correlators of all"
          + " shipped definitions, contractions compared with the zgemm of the device, a run from"
          + " files to correlators, and MemHC's tables.",
      "Without --backend it takes the first usable GPU. The full report takes minutes and 16 GB of"
          + " device memory, --quick half a minute and 1 GiB. The exit status is 1 when a check"
          + " fails."
    })
final class GpuCheckCommand implements Callable<Integer> {
  private static final String CPU = "cpu";
  private static final String END_TO_END = "f0d2";

  /** Short definitions of every kind: products, sums, one-point functions, baryons. */
  private static final List<String> QUICK =
      List.of("a1_rhopi", "nucleon", "pion", "rho_pipi", "sigma", "written_out");

  /** Less memory than the definition needs, so that elements leave the device and come back. */
  private static final String LITTLE_MEMORY = "300KiB";

  private static final String IN_LITTLE_MEMORY = "a1_rhopi";

  @Mixin private DeviceNumberOptionGroup chosen = new DeviceNumberOptionGroup();

  @Option(
      names = "--quick",
      description =
          "Check the contract and some references, and measure the rates at the first of --sizes"
              + " only.")
  private boolean quick;

  @Option(
      names = "--sizes",
      paramLabel = "N",
      split = ",",
      defaultValue = "64,128,256,384",
      description =
          "Numbers of eigenvectors to measure; MemHC's tables use the last (${DEFAULT-VALUE}).")
  private List<Integer> sizes = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "0.2",
      description = "Approximate duration of one measurement of a rate (${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--end-to-end",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "Number of eigenvectors of the run from files to correlators (${DEFAULT-VALUE}).")
  private int endToEnd;

  @Option(
      names = "--budget",
      paramLabel = "SIZE",
      defaultValue = "16GB",
      description = "Device memory of MemHC's tables (${DEFAULT-VALUE}).")
  private String budget = "";

  @Option(
      names = "--references",
      paramLabel = "NAME",
      split = ",",
      description = "Definitions to compare with references. Default: all, or some with --quick.")
  private List<String> named = List.of();

  @Option(
      names = "--examples",
      paramLabel = "DIR",
      description = "The folder examples of starling. Default: the one shipped with it.")
  private @Nullable Path examples;

  @Option(names = "--no-rates", description = "Check only.")
  private boolean noRates;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    for (int size : sizes) {
      checkSize("--sizes", size);
    }
    checkSize("--end-to-end", endToEnd);
    MemorySize bound = MemorySize.parse(budget);
    BackendProvider provider = provider();
    ReferenceCorrelators references = new ReferenceCorrelators(examples());
    for (String name : named) {
      if (!references.names().contains(name)) {
        throw new InputException(
            "--references: no reference is called '"
                + name
                + "'; there are: "
                + String.join(", ", references.names()));
      }
    }
    CheckReport report = new CheckReport(Console.out(spec));
    DeviceInfo info = open(provider, Device::info);
    report.head(provider.name(), info);
    report.contract(provider, chosen.number());
    references(report, references, provider.name());
    report.verdict();
    if (!noRates) {
      measure(report, provider, bound.of(info.freeBytes()));
    }
    return report.allPassed() ? ErrorReport.SUCCESS : ErrorReport.FAILED;
  }

  private static void checkSize(String option, int size) {
    if (size < 1 || size > 4096) {
      throw new InputException(option + " must be between 1 and 4096, not " + size);
    }
  }

  /** The folder of --examples, or the one beside the launcher. */
  private Path examples() {
    if (examples != null) {
      return examples;
    }
    String launcher = System.getProperty("starling.launcher");
    Path beside = launcher == null ? Path.of("") : Path.of(launcher).resolveSibling("..");
    Path found = beside.resolve("examples");
    if (!Files.isDirectory(found)) {
      throw new InputException(
          "found no examples of starling at " + found + "; name their folder with --examples");
    }
    return found.normalize();
  }

  /** The backend of --backend, or the first usable GPU. */
  private BackendProvider provider() {
    if (!chosen.isAuto()) {
      return chosen.provider();
    }
    List<String> reasons = new ArrayList<>();
    for (BackendProvider provider : Backends.all()) {
      if (!provider.name().equals(CPU)) {
        Availability availability = provider.probe(chosen.number());
        if (availability.isPresent()) {
          return provider;
        }
        reasons.add(provider.name() + ": " + availability.reason());
      }
    }
    throw new ComputationException(
        "no GPU is usable: " + String.join("; ", reasons) + " (`--backend cpu` checks the CPU)");
  }

  /** A use of an open device. */
  private interface Use<T> {
    T with(Device device);
  }

  private <T> T open(BackendProvider provider, Use<T> use) {
    try (Device device = provider.open(new DeviceOptions(chosen.number(), 0, 0, false))) {
      return use.with(device);
    }
  }

  private void references(CheckReport report, ReferenceCorrelators references, String name) {
    report.checks("Reference correlators");
    DeviceSettings device = DeviceSettings.of(name, chosen.number());
    List<String> standard = quick ? QUICK : references.names();
    for (String definition : named.isEmpty() ? standard : named) {
      report.outcome(references.check(definition, device));
    }
    report.outcome(
        references.check(IN_LITTLE_MEMORY, device.withMemory(MemorySize.parse(LITTLE_MEMORY))));
  }

  private void measure(CheckReport report, BackendProvider provider, long budgetBytes) {
    double contraction = 0;
    report.rates(provider.name().equals(CPU) ? "the backend's kernel" : "the vendor's");
    for (int size : quick ? sizes.subList(0, 1) : sizes) {
      try {
        DeviceRates.Rates rates =
            open(provider, device -> new DeviceRates(device, size, seconds).measure());
        report.rates(rates);
        contraction = size == endToEnd ? rates.product() : contraction;
      } catch (RuntimeException e) {
        report.notMeasured("The measurement at N = " + size, e);
      }
    }
    if (quick) {
      return;
    }
    try {
      report.endToEnd(
          END_TO_END,
          endToEnd,
          EndToEnd.run(END_TO_END, endToEnd, DeviceSettings.of(provider.name(), chosen.number())),
          contraction);
      open(
          provider,
          device -> {
            MemoryTables tables =
                new MemoryTables(device, sizes.get(sizes.size() - 1), budgetBytes);
            report.memory("MemHC: policies under oversubscription", tables.oversubscription());
            report.memory("MemHC: what each optimization brings", tables.breakdown());
            return device;
          });
    } catch (RuntimeException e) {
      report.notMeasured("A benchmark", e);
    }
  }
}
