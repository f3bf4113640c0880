package org.starlingqcd.correlators.plan;

import java.util.HashMap;
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
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.MeasuredRates;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.definition.AnyDefinition;
import org.starlingqcd.correlators.definition.CurrentDefinition;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.graph.CorrelationMatrix;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.Profiles;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.PlanFile;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.schedule.BoundTimes;
import org.starlingqcd.graph.schedule.CostModel;
import org.starlingqcd.graph.schedule.ExecutionQueue;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.graph.schedule.PairCosts;
import org.starlingqcd.graph.schedule.QueueOptions;
import org.starlingqcd.graph.schedule.TimeBinding;
import org.starlingqcd.graph.share.PlaceModel;
import org.starlingqcd.graph.share.QueueSharing;
import org.starlingqcd.graph.share.SharedQueue;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.execute.MemoryForecast;
import org.starlingqcd.hadron.execute.PreparedQueue;
import org.starlingqcd.hadron.execute.QueueCost;
import org.starlingqcd.hadron.execute.QueueWork;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.replay.Replay;

/**
 * What a run of definitions would do for one source and one separation (other than 0), known
 * without data.
 */
public final class PlanReport {
  private static final Set<String> COUNTS =
      Set.of(
          "policy",
          "device_bytes",
          "evictions",
          "evicted_bytes",
          "bytes_to_device",
          "bytes_to_host");

  /** Separations of the unit that is divided among devices, 0 among them. */
  private static final int SEPARATIONS = 16;

  private static final long COMPLEX_BYTES = 16;

  private final List<AnyDefinition> definitions;
  private final List<CorrelationMatrix> matrices;
  private final ReducerOptions options;
  private final int tensorSize;
  private final Precision precision;
  private final PlanSettings settings;
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private final ContractionPlan plan;
  private final ExecutionQueue queue;
  private final QueueWork work;
  private final Set<CurrentTimes.Line> lines;

  // Of three-point functions, if there are any: two-point functions and environments alone.
  private QueueWork twoPoint = QueueWork.NONE;
  private QueueWork environments = QueueWork.NONE;

  private final long peakBytes;
  private @Nullable Supplier<DiagramSet> contraction;
  private @Nullable DiagramSet diagrams;

  /**
   * Plans definitions together.
   *
   * @param tensorSize number of eigenvectors N that flops and bytes are reckoned with
   * @param precision that bytes of device memory are reckoned with
   * @param data what the plan depends on of the data
   * @param contraction the diagrams of the definitions, asked for at most once
   */
  public PlanReport(
      List<? extends AnyDefinition> definitions,
      int tensorSize,
      Precision precision,
      PlanSettings settings,
      DataTraits data,
      Supplier<DiagramSet> contraction) {
    this.definitions = List.copyOf(definitions);
    this.contraction = contraction;
    this.tensorSize = tensorSize;
    this.precision = precision;
    this.settings = settings;
    check(data);
    options = settings.reducerOptions(data);
    matrices = BoundQueue.matrices(definitions);
    if (settings.file() == null) {
      timed("contraction", this::diagrams);
    }
    plan =
        timed(
            settings.file() == null ? "reduction" : "reading",
            () -> settings.plan(matrices, this::diagrams, data));
    lines = CurrentTimes.lines(definitions, plan);
    // Any two different times would do; a one-point function counts once.
    boolean onePoint = matrices.stream().anyMatch(CorrelationMatrix::onePoint);
    BoundTimes times = new BoundTimes(2, List.of(0), List.of(1), onePoint ? List.of(1) : List.of());
    queue = timed("order", () -> bind(plan, times));
    PreparedQueue prepared = prepared(queue);
    work = prepared.work();
    if (matrices.stream().anyMatch(matrix -> matrix.current() != null)) {
      twoPoint = part(false, data, times);
      environments = part(true, data, times);
    }
    peakBytes = prepared.peakBytes();
  }

  private void check(DataTraits data) {
    Set<String> labels = BoundQueue.labels(definitions);
    for (String label : data.labelsWithoutGamma5()) {
      if (!labels.contains(label)) {
        throw InputException.of(
            "no quark of these definitions has the perambulator label '%s'; there are: %s",
            label, String.join(", ", new TreeSet<>(labels)));
      }
    }
    if (data.mixedComponents() && !DataTraits.haveBaryons(definitions)) {
      throw new InputException("--mixed-components: there is no baryon in these definitions");
    }
  }

  private ExecutionQueue bind(ContractionPlan contractions, BoundTimes times) {
    QueueOptions ordered = settings.queueOptions(Long.MAX_VALUE, tensorSize);
    return TimeBinding.bind(contractions, times, ordered, QueueCost::of);
  }

  private PreparedQueue prepared(ExecutionQueue contractions) {
    return QueueCost.prepare(contractions, tensorSize, precision, Long.MAX_VALUE);
  }

  /** The work of the matrices with a current alone, or of those without. */
  private QueueWork part(boolean currents, DataTraits data, BoundTimes times) {
    List<CorrelationMatrix> some =
        matrices.stream().filter(m -> currents == (m.current() != null)).toList();
    ContractionPlan alone =
        settings.withoutFile().plan(some, () -> BoundQueue.diagrams(some), data);
    return prepared(bind(alone, times)).work();
  }

  private <T> T timed(String stage, Supplier<T> work) {
    long begin = System.nanoTime();
    T result = work.get();
    seconds.put(stage, 1e-9 * (System.nanoTime() - begin));
    return result;
  }

  /** All diagrams; found when they are first asked for. */
  DiagramSet diagrams() {
    if (diagrams == null) {
      diagrams = Objects.requireNonNull(contraction).get();
      // What was contracted may be large.
      contraction = null;
    }
    return diagrams;
  }

  ContractionPlan plan() {
    return plan;
  }

  int tensorSize() {
    return tensorSize;
  }

  ReducerOptions options() {
    return options;
  }

  /** The graphs in the language of Graphviz. */
  public String dot() {
    return DiagramDrawing.dot(diagrams());
  }

  /** The plan as a file keeps it ({@link PlanFile}). */
  public String saved() {
    return PlanFile.text(plan, options);
  }

  /**
   * The JSON object of {@code starling plan --json}; {@code definition} is one name or a list.
   *
   * @param rates of the CPU of this machine, for {@code estimated_time}; null where they are
   *     unknown
   */
  public Map<String, @Nullable Object> describe(@Nullable MeasuredRates rates) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    List<String> names = definitions.stream().map(AnyDefinition::name).toList();
    List<List<String>> operators = definitions.stream().map(AnyDefinition::operatorNames).toList();
    map.put("definition", names.size() == 1 ? names.get(0) : names);
    map.put("operators", operators.stream().mapToInt(List::size).sum());
    map.put("tensor_size", tensorSize);
    map.put("precision", precision.label());
    map.put("diagrams", plan.counts().diagrams());
    map.put("unique_diagrams", plan.counts().uniqueDiagrams());
    map.put("initial_nodes", plan.nodes().size());
    long products = work.products();
    long traces = queue.traceCount();
    map.put("products", products);
    map.put("traces", traces);
    map.put("contractions", products + traces);
    map.put("products_unshared", plan.counts().productsUnshared());
    map.put("traces_unshared", plan.counts().tracesUnshared());
    map.put("intermediates", plan.intermediates());
    map.put("intermediates_without_accumulation", plan.counts().intermediatesSeparate());
    map.put("traces_without_accumulation", plan.counts().tracesSeparate());
    BaryonPart baryons = plan.baryonPart();
    if (!baryons.baryons().isEmpty()) {
      map.put("n4_products", baryons.products());
      map.put("n4_products_unshared", baryons.unshared().products());
      map.put("n4_factor", factor(baryons.unshared().products(), baryons.products()));
      map.put("n4_contractions", baryons.contractions());
      map.put("n4_contractions_unshared", baryons.unshared().contractions());
      map.put(
          "n4_contractions_factor",
          factor((double) baryons.unshared().contractions(), (double) baryons.contractions()));
    }
    PairCosts pairs = PairCosts.of(queue, tensorSize);
    if (pairs.pairs() > 0) {
      map.put("tetraquark_pairs_flops", pairs.pairs());
      map.put("tetraquark_legs_flops", pairs.legs());
      map.put("tetraquark_sites_flops", pairs.sites());
    }
    map.put("flops", work.flops());
    if (environments.flops() > 0) {
      map.put("two_point_flops", twoPoint.flops());
      map.put("environments_flops", environments.flops());
      map.put("environments_factor", factor(environments.flops(), twoPoint.flops()));
    }
    map.put("vectors", queue.vectors().size());
    map.put("peak_bytes", peakBytes);
    map.put("inputs", inputs());
    map.put("planning_seconds", seconds);
    map.put(
        "estimated_time",
        rates == null
            ? null
            : TimeEstimate.describe(queue, tensorSize, precision, bytesOfInputs(), rates));
    return map;
  }

  /**
   * The data for one source and one separation: {@code labels}; {@code meson_elementals} and {@code
   * baryon_elementals}, the largest n² by displacement, {@code tetraquark_elementals} by colour; of
   * currents {@code generalized_perambulators} by name, with their ends and bytes at one insertion
   * time, and {@code loops}; {@code bytes} of all blocks.
   */
  private Map<String, Object> inputs() {
    TreeSet<String> labels = new TreeSet<>();
    TreeMap<String, Long> mesons = new TreeMap<>();
    TreeMap<String, Long> baryons = new TreeMap<>();
    TreeMap<String, Long> tetraquarks = new TreeMap<>();
    for (Input input : queue.inputs()) {
      if (input instanceof Input.Perambulator perambulator) {
        labels.add(perambulator.plain().label());
      } else if (input instanceof Input.Elemental e) {
        mesons.merge(
            Profiles.plain(e.elemental().displacement()),
            e.elemental().momentum().squared(),
            Math::max);
      } else if (input instanceof Input.BaryonElemental e) {
        baryons.merge(Profiles.plain(e.displacement()), e.momentum().squared(), Math::max);
      } else if (input instanceof Input.Tetraquark k) {
        tetraquarks.merge(k.colour().toString(), k.momentum().squared(), Math::max);
      }
    }
    TreeMap<String, TreeSet<String>> ends = new TreeMap<>();
    for (CurrentTimes.Line line : lines) {
      String between = line.node().time() + "-" + line.node().next();
      ends.computeIfAbsent(line.name().toString(), name -> new TreeSet<>())
          .add(between.toLowerCase(Locale.ROOT));
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("labels", labels);
    map.put("meson_elementals", mesons);
    map.put("baryon_elementals", baryons);
    map.put("tetraquark_elementals", tetraquarks);
    if (!ends.isEmpty()) {
      Map<String, Object> currents = new LinkedHashMap<>();
      ends.forEach(
          (name, some) ->
              currents.put(
                  name,
                  new TreeMap<>(Map.of("bytes", some.size() * perambulatorBytes(), "ends", some))));
      map.put("generalized_perambulators", currents);
      map.put(
          "loops",
          BoundQueue.loops(definitions).stream()
              .map(loop -> loop.label() + "/" + loop.vertex())
              .toList());
    }
    Set<String> gluonic = new TreeSet<>();
    for (AnyDefinition definition : definitions) {
      BoundQueue.gluonic(definition).forEach(factor -> gluonic.add(factor.toString()));
    }
    if (!gluonic.isEmpty()) {
      map.put("gluonic", gluonic);
    }
    map.put("bytes", bytesOfInputs());
    return map;
  }

  /** With currents at one time. */
  private long bytesOfInputs() {
    return queue.inputs().stream()
            .filter(input -> !(input instanceof Input.Generalized))
            .mapToLong(input -> input.bytes(tensorSize))
            .sum()
        + lines.size() * perambulatorBytes();
  }

  private long perambulatorBytes() {
    return new Input.Perambulator("", 0, 0).bytes(tensorSize);
  }

  private static double factor(double unshared, double shared) {
    return Math.rint(10 * unshared / shared) / 10;
  }

  /**
   * What a run is to compute.
   *
   * @param temporalExtent T
   * @param separations of every unit
   * @param currents the times of three-point functions, whose separations are among these
   * @param tasks for each task, the sources of its configurations
   * @param task the number of the task that is asked for, from 1; 0 for the largest
   */
  public record Extent(
      int temporalExtent,
      List<Integer> separations,
      CurrentTimes currents,
      List<SortedMap<Integer, SortedSet<Integer>>> tasks,
      int task) {}

  /**
   * A run whose times are those for which data have what three-point functions need, where all
   * times are asked for ({@link CurrentTimes}).
   */
  public Extent within(Extent extent, DistillationData data) {
    Set<Integer> sources = new TreeSet<>();
    extent.tasks().forEach(task -> task.values().forEach(sources::addAll));
    CurrentTimes times = extent.currents().within(definitions, plan, data, List.copyOf(sources));
    boolean alone = definitions.stream().allMatch(CurrentDefinition.class::isInstance);
    return new Extent(
        extent.temporalExtent(),
        alone ? times.separations() : extent.separations(),
        times,
        extent.tasks(),
        extent.task());
  }

  /** The contractions of one unit of a run. */
  public BoundQueue unit(Extent extent) {
    return BoundQueue.of(
        definitions,
        plan,
        extent.temporalExtent(),
        List.of(0),
        extent.separations(),
        extent.currents(),
        Map.of(),
        settings.queueOptions(Long.MAX_VALUE, tensorSize));
  }

  /**
   * What a whole run and a task of it take, under the keys of {@code run} in the JSON of {@code
   * starling plan}. Data of a configuration are read once for all of its sources, as they are if
   * host memory holds them.
   *
   * @param unit as {@link #unit} gives it
   */
  public Map<String, @Nullable Object> run(
      Extent extent, BoundQueue unit, @Nullable MeasuredRates rates) {
    long peak = prepared(unit.queue()).peakBytes();
    double secondsOfUnit =
        rates == null ? 0 : TimeEstimate.seconds(unit.queue(), tensorSize, precision, rates);
    Map<SortedSet<Integer>, Long> bytes = new HashMap<>();
    Map<String, @Nullable Object> task = Map.of();
    long mostUnits = -1;
    long units = 0;
    long read = 0;
    for (int k = 0; k < extent.tasks().size(); k++) {
      long ofTask = 0;
      long readByTask = 0;
      for (SortedSet<Integer> sources : extent.tasks().get(k).values()) {
        ofTask += sources.size();
        readByTask += bytes.computeIfAbsent(sources, some -> bytes(unit, some));
      }
      units += ofTask;
      read += readByTask;
      if (extent.task() == 0 ? ofTask > mostUnits : extent.task() == k + 1) {
        mostUnits = ofTask;
        task = part(ofTask, readByTask, secondsOfUnit, extent);
      }
    }
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("tasks", extent.tasks().size());
    map.put("shard", extent.task() == 0 ? null : extent.task() + "/" + extent.tasks().size());
    map.put("separations", extent.separations().size());
    map.put("device_bytes", peak);
    map.put("whole_run", part(units, read, secondsOfUnit, extent));
    map.put("task", task);
    return map;
  }

  private long bytes(BoundQueue unit, SortedSet<Integer> sources) {
    return sources.stream()
        .flatMap(source -> unit.inputsAt(source).stream())
        .map(Input::plain)
        .distinct()
        .mapToLong(input -> input.bytes(tensorSize))
        .sum();
  }

  private Map<String, @Nullable Object> part(
      long units, long read, double secondsOfUnit, Extent extent) {
    long separations = extent.separations().size();
    long onePointTimes = separations + (extent.separations().contains(0) ? 0 : 1);
    long numbers = 0;
    for (AnyDefinition definition : definitions) {
      long n = definition.sinkParts().count();
      long elements = n * definition.sourceParts().count();
      if (definition instanceof CurrentDefinition currents) {
        long parts = (long) currents.insertions().size() * (currents.disconnected() ? 2 : 1);
        CurrentTimes times = extent.currents();
        numbers += elements * times.separations().size() * (1 + parts * times.insertions().size());
      } else {
        numbers +=
            elements * separations
                + (definition instanceof Definition twoPoint && twoPoint.header().onePoint()
                    ? n * onePointTimes
                    : 0);
      }
    }
    double seconds = units * secondsOfUnit + read / TimeEstimate.READ_BYTES_PER_SECOND;
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("units", units);
    map.put("estimated_seconds", secondsOfUnit == 0 ? null : seconds);
    map.put("bytes_read", read);
    map.put("result_bytes", units * numbers * COMPLEX_BYTES);
    return map;
  }

  /**
   * What the contractions do with a memory budget, under the keys of {@code starling plan
   * --device-memory --json}.
   *
   * @param unit the contractions of a unit; those of one separation if null
   * @throws InputException if a contraction does not fit
   */
  public Map<String, Object> memory(MemorySize budget, @Nullable BoundQueue unit) {
    ExecutionQueue contractions = unit == null ? queue : unit.queue();
    long peak = unit == null ? peakBytes : prepared(contractions).peakBytes();
    try {
      MemoryForecast forecast =
          MemoryForecast.of(contractions, tensorSize, precision, budget.of(peak));
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("peak_device_bytes", peak);
      map.put("smallest_device_bytes", forecast.smallestBudgetBytes());
      map.put("sliced", forecast.slicings().stream().map(PlanReport::sliced).toList());
      Map<String, Object> counts = forecast.statistics().describe();
      counts.keySet().retainAll(COUNTS);
      map.putAll(counts);
      return map;
    } catch (MemoryBudgetException e) {
      throw tooSmall(e, tensorSize, 1, "device");
    }
  }

  /**
   * What guided tiers do with the contractions, under the keys of {@code starling plan
   * --fast-memory --json}.
   *
   * @param fast size of the fast memory; the slow one has room for everything
   * @param unit as in {@link #memory}
   */
  public Map<String, @Nullable Object> tiers(MemorySize fast, @Nullable BoundQueue unit) {
    ExecutionQueue contractions = unit == null ? queue : unit.queue();
    long bytes =
        Math.max(1, fast.of(unit == null ? peakBytes : prepared(contractions).peakBytes()));
    Replay.Choice choice =
        QueueCost.inTiers(
                contractions,
                tensorSize,
                precision,
                MemHCOptions.ofBudget(bytes).withTiering(Tiering.GUIDED, Long.MAX_VALUE / 4))
            .choice();
    CostModel.Cost one =
        QueueCost.of(contractions, tensorSize, precision, bytes, MemHCOptions.DEFAULT_POLICY);
    boolean fits = !one.equals(CostModel.Cost.IMPOSSIBLE);
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("fast_bytes", bytes);
    map.put("guided_bytes", choice.statistics().trafficBytes());
    map.put("one_tier_bytes", fits ? one.bytesToDevice() + one.bytesToHost() : null);
    map.put("as_one_tier", choice.aside());
    return map;
  }

  private static Map<String, Object> sliced(MemoryForecast.Slicing slicing) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("contractions", slicing.contractions());
    one.put("rows", slicing.rows());
    one.put("slices", slicing.slices());
    one.put("passes", slicing.passes());
    one.put("together", slicing.together());
    return one;
  }

  /**
   * Explains that the largest contraction does not fit.
   *
   * @param units that share the memory
   * @param which memory it is, {@code device} or {@code fast}, with an option {@code --…-memory}
   */
  public static InputException tooSmall(
      MemoryBudgetException e, int eigenvectors, long units, String which) {
    long least = units * e.smallestBudgetBytes();
    long unit = 1L << (10 * Math.max(0, (63 - Long.numberOfLeadingZeros(least)) / 10));
    // The next number of bytes that two decimals of a unit can say.
    long rounded = (long) (Math.ceil(100.0 * least / unit) / 100 * unit) + unit / 200;
    return new InputException(
        ("%s memory of %s is too small for these definitions at N = %d%s: the largest"
                + " contraction needs %d bytes (--%s-memory %s would do)")
            .formatted(
                which,
                MemorySize.text(units * e.budgetBytes()),
                eigenvectors,
                units > 1 ? " and " + units + " units at once" : "",
                e.smallestBudgetBytes(),
                which,
                MemorySize.text(rounded).replace(" ", "")),
        e);
  }

  /**
   * How a unit of {@value #SEPARATIONS} separations would be divided among devices, under the keys
   * of {@code starling plan --devices --json}.
   *
   * @param counts numbers of devices
   */
  public Map<String, Object> sharing(List<Integer> counts) {
    boolean onePoint = matrices.stream().anyMatch(CorrelationMatrix::onePoint);
    List<Integer> separations = IntStream.range(0, SEPARATIONS).boxed().toList();
    BoundTimes times =
        new BoundTimes(
            2 * SEPARATIONS, List.of(0), separations, onePoint ? separations : List.of());
    ExecutionQueue several = bind(plan, times);
    Map<String, Object> map = new LinkedHashMap<>();
    for (int count : counts) {
      SharedQueue shared = QueueSharing.share(several, count, tensorSize, PlaceModel.gpus());
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("balance", shared.balance());
      one.put("bytes_between_devices", shared.movedBytes());
      one.put("modelled_seconds", shared.seconds());
      one.put("modelled_speed_up", shared.speedUp());
      map.put(Integer.toString(count), one);
    }
    return map;
  }
}
