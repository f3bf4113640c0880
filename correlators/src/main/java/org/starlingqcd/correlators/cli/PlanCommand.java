package org.starlingqcd.correlators.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.WholeFile;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.cli.option.DefinitionsAmongData;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.cli.option.PlanOptionGroup;
import org.starlingqcd.correlators.cli.option.PrecisionName;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.JointContraction;
import org.starlingqcd.correlators.plan.PlanComparison;
import org.starlingqcd.correlators.plan.PlanReport;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.plan.PlanningWatch;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling plan}: shows what a run would do; needs no data. */
@Command(
    description = {
      "Shows what a run would do for one source and one separation, and how long that would take on the"
          + " CPU of this machine. No data are needed, but a plan for unusual data needs --data or"
          + " options that describe them.",
      "Several definitions are planned separately and then together, as a run plans them."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int DEFAULT_TENSOR_SIZE = 128;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      paramLabel = "DEFINITION",
      arity = "1..*",
      completionCandidates = KnownNames.OfDefinitions.class,
      description = "Definition files, or names of definitions that come with the program.")
  private List<String> definitions = List.of();

  @Option(
      names = "--data",
      paramLabel = "PATH",
      arity = "1..*",
      preprocessor = DefinitionsAmongData.class,
      description =
          "Plan for these data: for their number of eigenvectors, their labels without"
              + " gamma5-hermiticity and their spin basis.")
  private List<String> data = List.of();

  @Mixin private DataOptionGroup dataOptions = new DataOptionGroup();

  @Option(
      names = "--tensor-size",
      paramLabel = "N",
      description =
          "Number of eigenvectors for which flops and bytes are given. Default: that of --data, or"
              + " 128.")
  private @Nullable Integer givenTensorSize;

  @Option(
      names = "--precision",
      paramLabel = "NAME",
      converter = PrecisionName.class,
      description =
          "double, or single: the precision of matrices, which bytes of device memory are given for."
              + " Default: double.")
  private Precision precision = Precision.DOUBLE;

  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      description =
          "Show evictions, traffic and the contractions that are cut into slices with this much device"
              + " memory, such as 4GiB, or 25%% of the largest need.")
  private @Nullable MemorySize deviceMemory;

  @Option(
      names = "--devices",
      paramLabel = "LIST",
      split = ",",
      converter = WholeNumber.Devices.class,
      description =
          "Show how a unit of 16 separations would be divided among this many devices (`run"
              + " --devices-per-unit`), such as 2,4,8: the largest load in terms of the mean, bytes"
              + " between devices, and time and speed-up by a model of GPUs.")
  private List<Integer> devices = List.of();

  @Option(
      names = "--dot",
      paramLabel = "FILE",
      description = "Write the contraction graphs to this file for Graphviz.")
  private @Nullable Path dot;

  @Option(
      names = "--compare",
      description =
          "Show how much each optimization saves, how much memory each order of the contractions needs"
              + " and moves at a quarter of the given order's peak, and a lower bound on the number"
              + " of products.")
  private boolean compare;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Save the plan in this file, for the option --plan of `plan` and `run`.")
  private @Nullable Path save;

  @Mixin private PlanOptionGroup planning = new PlanOptionGroup();

  @Option(
      names = "--without-gamma5",
      paramLabel = "LIST",
      description =
          "Perambulator labels whose data are not gamma5-hermitian. A run finds them in its data; a plan"
              + " saved for that run needs them here.")
  private @Nullable String withoutGamma5;

  @Option(
      names = "--mixed-components",
      description =
          "Plan for data whose spin basis mixes the two components of a baryon. A run finds this in its"
              + " data; a plan saved for that run needs it here.")
  private boolean mixedComponents;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    int tensorSize = givenTensorSize == null ? DEFAULT_TENSOR_SIZE : givenTensorSize;
    if (tensorSize < 1 || tensorSize > 1 << 14) {
      throw new InputException("--tensor-size must be >= 1 && <= 16384: " + tensorSize);
    }
    List<Definition> loaded = new DefinitionLoader().loadAll(definitions);
    loaded.forEach(definition -> definition.mixedChargeParity().ifPresent(this::say));
    PlanSettings settings = planning.settings();
    DataTraits traits =
        new DataTraits(
            withoutGamma5 == null ? Set.of() : new TreeSet<>(List.of(withoutGamma5.split(",", -1))),
            mixedComponents);
    if (!data.isEmpty()) {
      List<DistillationFiles.Configuration> found =
          DistillationFiles.discover(dataOptions.request(data));
      try (DistillationData opened = found.get(0).open()) {
        traits = DataTraits.of(opened, loaded);
        tensorSize = givenTensorSize == null ? opened.header().eigenvectors() : tensorSize;
      }
    }
    // Finding the rates loads OpenBLAS, which takes as long as planning a small definition.
    CompletableFuture<@Nullable MeasuredRates> rates = Concurrently.begin(Backends::rates);
    // The first JSON value takes a tenth of a second, for its classes.
    CompletableFuture<String> first = Concurrently.begin(() -> json ? Json.text(List.of()) : "");
    int extent = tensorSize;
    DataTraits noticed = traits;
    List<Definition> alone = loaded.size() > 1 && settings.file() == null ? loaded : List.of();
    JointContraction contraction = new JointContraction(loaded);
    List<CompletableFuture<Map<String, @Nullable Object>>> separately =
        IntStream.range(0, alone.size())
            .mapToObj(
                place ->
                    Concurrently.begin(
                        () ->
                            PlanReport.of(
                                    List.of(alone.get(place)),
                                    extent,
                                    precision,
                                    settings,
                                    noticed.noticedBy(alone.get(place)),
                                    () -> contraction.diagrams(place))
                                .describe(Concurrently.join(rates))))
            .toList();
    PlanReport together =
        new PlanningWatch(this::say, () -> false)
            .plan(
                loaded,
                () ->
                    PlanReport.of(
                        loaded, extent, precision, settings, noticed, contraction::diagrams));
    Map<String, @Nullable Object> all = together.describe(Concurrently.join(rates));
    List<Map<String, @Nullable Object>> reports = new ArrayList<>();
    separately.forEach(one -> reports.add(Concurrently.join(one)));
    if (deviceMemory != null) {
      all.put("memory", together.memory(deviceMemory));
    }
    if (!devices.isEmpty()) {
      all.put("devices", together.sharing(devices, settings));
    }
    if (compare) {
      all.put("comparison", new PlanComparison(together).describe());
    }
    write("--dot", dot, together::dot);
    write("--save", save, together::saved);
    PrintWriter out = Console.out(spec);
    if (json) {
      Concurrently.join(first);
      if (!reports.isEmpty()) {
        all.put("separately", reports);
      }
      out.println(Json.text(all));
    } else {
      reports.add(all);
      out.print(PlanText.of(reports));
    }
    return ErrorReport.SUCCESS;
  }

  private void say(String message) {
    PrintWriter err = Console.err(spec);
    err.println("starling: " + message);
    err.flush();
  }

  private static void write(String option, @Nullable Path file, Supplier<String> text) {
    if (file != null) {
      try {
        WholeFile.write(file, text.get());
      } catch (IOException e) {
        throw new InputException(option + " " + file + ": cannot be written: " + e.getMessage(), e);
      }
    }
  }
}
