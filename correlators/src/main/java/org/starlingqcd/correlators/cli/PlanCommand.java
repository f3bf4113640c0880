package org.starlingqcd.correlators.cli;

import com.google.common.base.Joiner;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.AtomicFile;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.TextTable;
import org.starlingqcd.correlators.cli.option.DataOptionGroup;
import org.starlingqcd.correlators.cli.option.DefinitionsAmongData;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.cli.option.PlanOptionGroup;
import org.starlingqcd.correlators.cli.option.PrecisionName;
import org.starlingqcd.correlators.cli.option.WholeNumber;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.DefinitionLoader;
import org.starlingqcd.correlators.plan.BoundQueue;
import org.starlingqcd.correlators.plan.CurrentTimes;
import org.starlingqcd.correlators.plan.DataTraits;
import org.starlingqcd.correlators.plan.JointContraction;
import org.starlingqcd.correlators.plan.PlanComparison;
import org.starlingqcd.correlators.plan.PlanReport;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.plan.PlanningWatch;
import org.starlingqcd.correlators.plan.StochasticPlan;
import org.starlingqcd.correlators.run.Backends;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.correlators.run.Shard;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.hadron.data.DataRequest;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.hdf5.PlainFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code starling plan}: shows what a run would do; needs no data. */
@Command(
    description = {
      "Shows what a run would do for one source and one separation, and how long that would take on"
          + " the CPU of this machine. No data are needed, but a plan for unusual data needs --data"
          + " or options that describe them.",
      "Several definitions are planned separately and then together, as a run plans them."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final int DEFAULT_TENSOR_SIZE = 128;
  private static final int LARGEST_NUMBER = 1_000_000;

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
      names = "--configurations",
      paramLabel = "LIST",
      description =
          "Configurations of the run, such as 1,3,10-20. Default: all of --data, or one without"
              + " data.")
  private @Nullable NumberSelection configurations;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description = "Source times of the run, such as 0,4, or all with --data. Default: 0.")
  private @Nullable NumberSelection sources;

  @Option(
      names = "--separations",
      paramLabel = "LIST",
      description = "Separations of the run, such as 0-7. Default: all with --data.")
  private @Nullable NumberSelection separations;

  @Option(
      names = "--insertion-separations",
      paramLabel = "LIST",
      description =
          "Separations of currents from the source in the run, such as 0-7. Default: all with"
              + " --data.")
  private @Nullable NumberSelection insertionSeparations;

  @Option(
      names = "--shard",
      paramLabel = "K/N",
      description = "Show what part K of N takes besides the whole run, as `run --shard`.")
  private @Nullable Shard shard;

  @Option(
      names = "--shards",
      paramLabel = "COUNT",
      converter = WholeNumber.Shards.class,
      description = "Show what the largest of so many parts takes, as `submit --shards`.")
  private int shards = 1;

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
          "double, or single: the precision of matrices, which bytes of device memory are given"
              + " for. Default: double.")
  private Precision precision = Precision.DOUBLE;

  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      description =
          "Show evictions, traffic and the contractions that are cut into slices with this much"
              + " device memory, such as 4GiB, or 25%% of the largest need.")
  private @Nullable MemorySize deviceMemory;

  @Option(
      names = "--fast-memory",
      paramLabel = "SIZE",
      description =
          "Show what guided tiers (`run --fast-memory`) move with this much fast memory, such as"
              + " 4GiB or 25%% of the largest need, and what one tier of this size moves.")
  private @Nullable MemorySize fastMemory;

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
          "Show how much each optimization saves, how much memory each order of the contractions"
              + " needs and moves at a quarter of the given order's peak, and a lower bound on the"
              + " number of products.")
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
          "Perambulator labels whose data are not gamma5-hermitian. A run finds them in its data; a"
              + " plan saved for that run needs them here.")
  private @Nullable String withoutGamma5;

  @Option(
      names = "--mixed-components",
      description =
          "Plan for data whose spin basis mixes the two components of a baryon. A run finds this in"
              + " its data; a plan saved for that run needs it here.")
  private boolean mixedComponents;

  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    if (givenTensorSize != null && (givenTensorSize < 1 || givenTensorSize > 1 << 14)) {
      throw new InputException("--tensor-size must be between 1 and 16384, not " + givenTensorSize);
    }
    return plan(data.isEmpty() ? null : dataOptions.request(data), planning.settings());
  }

  /** Plans a run that is not made, {@code run --dry-run}. */
  static int dryRun(RunSettings settings, Output output) {
    PlanCommand command = new PlanCommand();
    command.definitions = settings.definitions;
    command.configurations = settings.configurations;
    command.sources = settings.sources;
    command.separations = settings.separations;
    command.insertionSeparations = settings.insertionSeparations;
    command.shard = settings.shard;
    command.precision = settings.device.precision;
    MemorySize memory = settings.device.memory;
    // A share of the device's memory is not known without the device.
    command.deviceMemory = memory == null || memory.fraction() > 0 ? null : memory;
    command.output = output;
    return command.plan(settings.data(), settings.planning());
  }

  private int plan(@Nullable DataRequest request, PlanSettings settings) {
    int tensorSize = givenTensorSize == null ? DEFAULT_TENSOR_SIZE : givenTensorSize;
    List<AnyDefinition> loaded = new ArrayList<>(new DefinitionLoader().loadEvery(definitions));
    List<StochasticPlan> stochastic = new ArrayList<>();
    for (int k = 0; k < loaded.size(); k++) {
      // The plan is that of exact lines, for comparison.
      if (loaded.get(k) instanceof Definition twoPoint && twoPoint.isStochastic()) {
        stochastic.add(new StochasticPlan(twoPoint));
        loaded.set(k, twoPoint.withExactLines());
      }
    }
    Map<String, Object> noises = new LinkedHashMap<>();
    for (AnyDefinition definition : loaded) {
      if (definition instanceof Definition twoPoint) {
        twoPoint.mixedChargeParity().ifPresent(this::say);
      }
    }
    DataTraits traits =
        new DataTraits(
            withoutGamma5 == null ? Set.of() : new TreeSet<>(List.of(withoutGamma5.split(",", -1))),
            mixedComponents);
    PlanReport.Extent run;
    List<DistillationFiles.Configuration> found = List.of();
    if (request == null) {
      run = withoutData();
      stochastic.forEach(one -> noises.put(one.name(), one.describe(null)));
    } else {
      found = DistillationFiles.discover(request);
      try (DistillationData opened = found.get(0).open()) {
        traits = DataTraits.of(opened, loaded);
        tensorSize = givenTensorSize == null ? opened.header().eigenvectors() : tensorSize;
        stochastic.forEach(one -> noises.put(one.name(), one.describe(opened)));
      }
      run = withData(found);
    }
    // Finding the rates loads OpenBLAS, which takes as long as planning a small definition.
    CompletableFuture<@Nullable MeasuredRates> rates = Concurrently.begin(Backends::rates);
    // The first JSON value takes a tenth of a second, for its classes.
    CompletableFuture<String> first =
        Concurrently.begin(() -> output.isJson() ? Json.text(List.of()) : "");
    int extent = tensorSize;
    DataTraits noticed = traits;
    List<AnyDefinition> alone = loaded.size() > 1 && settings.file() == null ? loaded : List.of();
    JointContraction contraction = new JointContraction(loaded);
    List<CompletableFuture<Map<String, @Nullable Object>>> separately =
        IntStream.range(0, alone.size())
            .mapToObj(
                place ->
                    Concurrently.begin(
                        () ->
                            new PlanReport(
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
                    new PlanReport(
                        loaded, extent, precision, settings, noticed, contraction::diagrams));
    Map<String, @Nullable Object> all = together.describe(Concurrently.join(rates));
    List<Map<String, @Nullable Object>> reports = new ArrayList<>();
    separately.forEach(one -> reports.add(Concurrently.join(one)));
    if (run != null
        && !found.isEmpty()
        && loaded.stream().anyMatch(CurrentDefinition.class::isInstance)) {
      try (DistillationData opened = found.get(0).open()) {
        run = together.within(run, opened);
      }
    }
    BoundQueue unit = run == null ? null : together.unit(run);
    if (run != null && unit != null) {
      all.put("run", together.run(run, unit, Concurrently.join(rates)));
    }
    if (!noises.isEmpty()) {
      all.put(PlanText.STOCHASTIC, noises);
    }
    if (deviceMemory != null) {
      all.put("memory", together.memory(deviceMemory, unit));
    }
    if (fastMemory != null) {
      all.put("tiers", together.tiers(fastMemory, unit));
    }
    if (!devices.isEmpty()) {
      all.put("devices", together.sharing(devices));
    }
    if (compare) {
      all.put("comparison", new PlanComparison(together).describe());
    }
    write("--dot", dot, together::dot);
    write("--save", save, together::saved);
    Concurrently.join(first);
    if (output.isJson() && !reports.isEmpty()) {
      all.put("separately", List.copyOf(reports));
    }
    reports.add(all);
    output.print(() -> all, () -> PlanText.of(reports));
    return ErrorReport.SUCCESS;
  }

  private PlanReport.Extent withData(List<DistillationFiles.Configuration> found) {
    int extent = found.get(0).header().temporalExtent();
    String why = "T = " + extent;
    NumberSelection selected = configurations == null ? NumberSelection.ALL : configurations;
    List<Integer> numbers =
        found.stream()
            .map(one -> Math.toIntExact(one.number()))
            .filter(selected::contains)
            .toList();
    if (numbers.isEmpty()) {
      throw new InputException("no configuration to compute: --configurations " + selected);
    }
    NumberSelection times = sources == null ? NumberSelection.of(List.of(0)) : sources;
    NumberSelection distances = separations == null ? NumberSelection.ALL : separations;
    return extent(
        extent,
        numbers,
        times.below("--sources", extent, why),
        distances.below("--separations", extent, why),
        (insertionSeparations == null ? NumberSelection.ALL : insertionSeparations)
            .below("--insertion-separations", extent, why));
  }

  /** What the options say of a run without data; null if they say nothing. */
  private PlanReport.@Nullable Extent withoutData() {
    if (configurations == null
        && sources == null
        && separations == null
        && shard == null
        && shards == 1) {
      return null;
    }
    List<Integer> times = numbers("--sources", sources, List.of(0));
    List<Integer> distances = numbers("--separations", separations, List.of());
    if (distances.isEmpty()) {
      throw new InputException("without --data a run needs --separations, such as 0-31");
    }
    // Any extent does in which no two times of a unit are the same.
    return extent(
        Collections.max(times) + Collections.max(distances) + 1,
        numbers("--configurations", configurations, List.of(1)),
        times,
        distances,
        numbers("--insertion-separations", insertionSeparations, List.of(0)));
  }

  private static List<Integer> numbers(
      String option, @Nullable NumberSelection selection, List<Integer> otherwise) {
    if (selection == null) {
      return otherwise;
    }
    if (selection.isAll()) {
      throw new InputException(option + " all: only --data say how many there are");
    }
    return selection.below(option, LARGEST_NUMBER, "a plan without data");
  }

  private PlanReport.Extent extent(
      int temporalExtent,
      List<Integer> numbers,
      List<Integer> times,
      List<Integer> distances,
      List<Integer> insertions) {
    List<List<Integer>> units = new ArrayList<>();
    numbers.forEach(number -> times.forEach(time -> units.add(List.of(number, time))));
    int count = shard == null ? shards : shard.count();
    List<SortedMap<Integer, SortedSet<Integer>>> tasks = new ArrayList<>();
    for (int k = 1; k <= count; k++) {
      SortedMap<Integer, SortedSet<Integer>> task = new TreeMap<>();
      for (List<Integer> unit : new Shard(k, count).of(units)) {
        task.computeIfAbsent(unit.get(0), number -> new TreeSet<>()).add(unit.get(1));
      }
      tasks.add(task);
    }
    CurrentTimes asked =
        new CurrentTimes(
            distances,
            insertions,
            separations == null || separations.isAll(),
            insertionSeparations == null || insertionSeparations.isAll());
    return new PlanReport.Extent(
        temporalExtent, distances, asked, tasks, shard == null ? 0 : shard.number());
  }

  private void say(String message) {
    output.say("starling: " + message);
  }

  private static void write(String option, @Nullable Path file, Supplier<String> text) {
    if (file != null) {
      try {
        AtomicFile.write(file, text.get());
      } catch (IOException e) {
        throw new InputException(
            option + " " + file + ": cannot be written: " + PlainFile.reason(e), e);
      }
    }
  }

  /** The text of {@code starling plan}: a column for each definition, and what follows beneath. */
  static final class PlanText {
    private static final int COLUMN = 35;
    private static final String MEASURED = "FLOP/s (measured)";
    private static final double GIGA = 1e-9;
    private static final String TIME = "estimated_time";
    private static final String STOCHASTIC = "stochastic";

    private static final double MINUTE = 60;
    private static final double HOUR = 3600;

    /** More seconds than this are printed as minutes. */
    private static final double SECONDS = 120;

    /** More minutes than this are printed as hours. */
    private static final double MINUTES = 120;

    private final List<Map<String, @Nullable Object>> reports;
    private final TextTable table;

    private PlanText(List<Map<String, @Nullable Object>> reports) {
      this.reports = reports;
      List<String> headings = new ArrayList<>(List.of(""));
      for (Map<String, @Nullable Object> report : reports) {
        headings.add(report.get("definition") instanceof String name ? name : "together");
      }
      table = new TextTable(TextTable.FirstColumn.LEFT, "", headings);
    }

    /** The text. */
    static String of(List<Map<String, @Nullable Object>> reports) {
      return new PlanText(reports).text();
    }

    private String text() {
      number("operators", "operators");
      number("diagrams", "diagrams");
      number("distinct diagrams", "unique_diagrams");
      number("hadron nodes", "initial_nodes");
      number("matrix products", "products");
      number("  if nothing were shared", "products_unshared");
      number("traces", "traces");
      number("  if nothing were shared", "traces_unshared");
      number("intermediates", "intermediates");
      number("N^4 contractions", "n4_contractions");
      number("  if nothing were shared", "n4_contractions_unshared");
      number("N^4 products", "n4_products");
      number("  if nothing were shared", "n4_products_unshared");
      number("tetraquarks (flop) by pairs", "tetraquark_pairs_flops");
      number("  leg by leg", "tetraquark_legs_flops");
      number("  n sampled sites, / n^2", "tetraquark_sites_flops");
      number("batches", "vectors");
      row("operations (flop)", report -> count(value(report, "flops")));
      number("  two-point functions alone", "two_point_flops");
      number("  environments alone", "environments_flops");
      row("device memory at the peak", report -> bytes(value(report, "peak_bytes")));
      row("data to read", report -> bytes(value(inputs(report), "bytes")));
      if (reports.stream().allMatch(report -> report.get(TIME) != null)) {
        row("estimated time", report -> seconds(real(value(time(report), "seconds"))));
      }
      row(
          "planning took (s)",
          report -> {
            Map<?, ?> stages = (Map<?, ?>) value(report, "planning_seconds");
            double sum = stages.values().stream().mapToDouble(PlanText::real).sum();
            return String.format(Locale.US, "%.2f", sum);
          });
      Map<String, @Nullable Object> all = reports.get(reports.size() - 1);
      StringBuilder text = new StringBuilder();
      text.append("One source and one separation, N = ").append(all.get("tensor_size"));
      if (!Precision.DOUBLE.label().equals(all.get("precision"))) {
        text.append(", ").append(all.get("precision")).append(" precision");
      }
      text.append(String.format("%n%n%s%n", table)).append(needs(all)).append(time(all.get(TIME)));
      if (all.get("run") instanceof Map<?, ?> run) {
        text.append(String.format("%n%s", run(run)));
      }
      Listing more = new Listing(COLUMN);
      for (String key : List.of(STOCHASTIC, "memory", "tiers", "devices", "comparison")) {
        if (all.containsKey(key)) {
          more.heading("");
          if (key.equals(STOCHASTIC)) {
            more.heading("The numbers above are those of exact lines instead. In dilution space:");
          }
          add("", key, value(all, key), more);
        }
      }
      return text.append(more).toString();
    }

    /** A row of numbers, which some of the reports may not have; none if no report has them. */
    private void number(String name, String key) {
      if (reports.stream().anyMatch(report -> report.containsKey(key))) {
        row(name, report -> report.containsKey(key) ? count(value(report, key)) : "");
      }
    }

    private void row(String name, Function<Map<String, @Nullable Object>, String> value) {
      table.row(Stream.concat(Stream.of(name), reports.stream().map(value)).toList());
    }

    private static double real(@Nullable Object number) {
      return ((Number) Objects.requireNonNull(number)).doubleValue();
    }

    private static Object value(Map<?, ?> report, String key) {
      return Objects.requireNonNull(report.get(key), key);
    }

    private static Map<?, ?> inputs(Map<String, @Nullable Object> report) {
      return (Map<?, ?>) value(report, "inputs");
    }

    /** Such as {@code A run needs perambulators light; meson elementals none up to n² = 3.} */
    private static String needs(Map<String, @Nullable Object> report) {
      Map<?, ?> inputs = inputs(report);
      List<String> parts = new ArrayList<>();
      parts.add("perambulators " + joined(value(inputs, "labels")));
      for (String kind : List.of("meson", "baryon", "tetraquark")) {
        List<String> elementals = new ArrayList<>();
        ((Map<?, ?>) value(inputs, kind + "_elementals"))
            .forEach((name, squared) -> elementals.add(name + " up to n^2 = " + squared));
        if (!elementals.isEmpty()) {
          parts.add(kind + " elementals " + String.join(", ", elementals));
        }
      }
      Listing text = new Listing(COLUMN);
      text.heading("A run needs " + String.join("; ", parts) + ".");
      if (inputs.get("generalized_perambulators") instanceof Map<?, ?> currents) {
        text.heading(
            "Of currents, with the times of their left and right end, and bytes for one insertion time:");
        currents.forEach(
            (name, one) -> {
              Map<?, ?> values = (Map<?, ?>) Objects.requireNonNull(one);
              text.line(
                  "  " + name,
                  "%s: %s",
                  joined(value(values, "ends")),
                  bytes(value(values, "bytes")));
            });
        ((Iterable<?>) value(inputs, "loops")).forEach(loop -> text.line("  " + loop, "loop"));
      }
      return text.toString();
    }

    private static String joined(Object values) {
      return Joiner.on(", ").join((Iterable<?>) values);
    }

    private static Map<?, ?> time(Map<String, @Nullable Object> report) {
      return (Map<?, ?>) value(report, TIME);
    }

    /** What the whole run takes, and a task of it. */
    private static String run(Map<?, ?> run) {
      Map<?, ?> whole = (Map<?, ?>) value(run, "whole_run");
      Map<?, ?> task = (Map<?, ?>) value(run, "task");
      long tasks = ((Number) value(run, "tasks")).longValue();
      Object shard = run.get("shard");
      List<String> headings = new ArrayList<>(List.of("", "whole run"));
      if (tasks > 1) {
        headings.add(shard == null ? "each of " + tasks + " tasks" : "task " + shard);
      }
      List<Map<?, ?>> parts = tasks > 1 ? List.of(whole, task) : List.of(whole);
      TextTable table = new TextTable(TextTable.FirstColumn.LEFT, "", headings);
      BiConsumer<String, Function<Map<?, ?>, String>> row =
          (name, text) ->
              table.row(Stream.concat(Stream.of(name), parts.stream().map(text)).toList());
      row.accept("units (configuration, source)", part -> count(value(part, "units")));
      row.accept(
          "estimated time",
          part -> part.get("estimated_seconds") instanceof Double time ? seconds(time) : "?");
      row.accept("device memory at the peak", part -> bytes(value(run, "device_bytes")));
      row.accept("data to read", part -> bytes(value(part, "bytes_read")));
      row.accept("size of the results", part -> bytes(value(part, "result_bytes")));
      return String.format(
          "The run, with %s separations%s:%n%n%s",
          value(run, "separations"),
          tasks > 1 && shard == null ? "; a task has at most" : "",
          table);
    }

    private static String bytes(Object number) {
      return MemorySize.text(((Number) number).longValue());
    }

    /** What the time is made of, or how to get one. */
    private static String time(@Nullable Object estimate) {
      if (!(estimate instanceof Map<?, ?> time)) {
        return String.format(
            "No time is estimated: `starling backends --calibrate` measures this machine first.%n");
      }
      return String.format(
              "Estimated time on the CPU of this machine, %s threads:%n", value(time, "threads"))
          + estimate(time, "contractions", "contractions", "contraction_flops_per_second", MEASURED)
          + estimate(time, "traces", "traces", "trace_flops_per_second", MEASURED)
          + estimate(time, "reading", "read", "read_bytes_per_second", "B/s (assumed)")
          + String.format(
              "  everything else %s (assumed)%n", seconds(real(value(time, "overhead"))));
    }

    private static String estimate(
        Map<?, ?> time, String name, String seconds, String rate, String unit) {
      return String.format(
          Locale.US,
          "  %-15s %s, at %.3g G%s%n",
          name,
          seconds(real(value(time, seconds))),
          GIGA * real(value(time, rate)),
          unit);
    }

    /** Two digits, in a unit for people: an estimate has no more. */
    static String seconds(double seconds) {
      if (seconds >= MINUTES * MINUTE) {
        return digits(seconds / HOUR) + " h";
      }
      if (seconds >= SECONDS) {
        return digits(seconds / MINUTE) + " min";
      }
      return seconds >= 1 ? digits(seconds) + " s" : digits(seconds * 1e3) + " ms";
    }

    private static String digits(double value) {
      return new BigDecimal(value)
          .round(new MathContext(value >= 100 ? 3 : 2))
          .stripTrailingZeros()
          .toPlainString();
    }

    private static String count(Object number) {
      double value = real(number);
      return value == Math.rint(value) && value < 1e9
          ? String.valueOf((long) value)
          : String.format(Locale.US, "%.4g", value);
    }

    /** One line for each value; those of a map stand beneath its key. */
    private static void add(String indent, String key, Object value, Listing text) {
      String name = indent + key.replace('_', ' ').replaceFirst(" bytes$", "");
      if (value instanceof Map<?, ?> map) {
        text.heading(name);
        map.forEach((inner, its) -> add(indent + "  ", String.valueOf(inner), its, text));
      } else {
        text.line(name, text(key, value));
      }
    }

    private static String text(String key, Object value) {
      if (key.endsWith("_bytes") || key.startsWith("bytes_")) {
        long bytes = ((Number) value).longValue();
        return bytes == Long.MAX_VALUE ? "does not fit" : MemorySize.text(bytes);
      }
      return value instanceof Double number
          ? String.format(Locale.US, "%.4g", number)
          : String.valueOf(value);
    }
  }
}
