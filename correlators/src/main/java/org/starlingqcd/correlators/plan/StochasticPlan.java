package org.starlingqcd.correlators.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.correlators.definition.Definition;
import org.starlingqcd.correlators.definition.Stochastic;
import org.starlingqcd.correlators.definition.Stochastic.NoiseAt;
import org.starlingqcd.correlators.result.ResultUnit;
import org.starlingqcd.graph.BaryonGraph;
import org.starlingqcd.graph.BaryonVertex;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.QuarkSinks;
import org.starlingqcd.hadron.execute.CutLine;
import org.starlingqcd.hadron.execute.DilutionExecutor;
import org.starlingqcd.hadron.execute.DilutionPlan;

/**
 * A definition with stochastic lines: its diagrams, which lines are estimated with which noises of
 * the data, and whether the data allow it. Diagrams are found once; they are planned again only for
 * configurations whose sets have other noises or dilution.
 */
public final class StochasticPlan {
  private static final int SPINS = 4;

  private final Definition definition;
  private final Stochastic stochastic;
  private final DiagramSet diagrams;
  private final Map<Map<NodeRef, CutLine>, DilutionPlan> plans = new HashMap<>();

  /** The name of the definition. */
  public String name() {
    return definition.name();
  }

  /** Contracts a definition that {@link Definition#isStochastic}. */
  public StochasticPlan(Definition definition) {
    this.definition = definition;
    stochastic = definition.header().stochastic();
    diagrams = BoundQueue.diagrams(List.of(definition.contracted()));
  }

  /**
   * The lines of one configuration.
   *
   * @throws DistillationException when its sets do not suit the definition
   */
  public synchronized Lines of(DistillationData data) {
    return new Lines(data);
  }

  /**
   * What it takes, for {@code starling plan}: {@code lines}, the most stochastic lines of a
   * diagram, all of which need different noises, and if data are given, {@code assignments}, {@code
   * sets} with their D and noises, and the {@code nodes}, {@code products}, {@code traces} and
   * {@code flops} of a source and a separation.
   *
   * @param data of the first configuration, or null
   */
  public Map<String, Object> describe(@Nullable DistillationData data) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("lines", mostLines());
    map.put("noises_needed", mostLines());
    map.put("noise_subsets", stochastic.subsets());
    if (data != null) {
      Lines lines = of(data);
      Map<String, Object> sets = new TreeMap<>();
      for (CutLine line : lines.plan.lines()) {
        if (line.isStochastic()) {
          sets.put(line.source(), Map.of("D", line.size(), "noises", line.noises().size()));
        }
      }
      DilutionPlan.Work work = lines.plan.work(data.header().eigenvectors());
      map.put("noises", lines.names.size());
      map.put("assignments", lines.plan.mostAssignments());
      map.put("sets", sets);
      map.put("nodes", work.nodes());
      map.put("products", work.products());
      map.put("traces", work.traces());
      map.put("flops", work.flops());
    }
    return map;
  }

  private int mostLines() {
    int most = 0;
    for (int d = 0; d < diagrams.diagramCount(); d++) {
      int lines = 0;
      for (int component : diagrams.diagramAt(d)) {
        lines +=
            (int)
                DilutionPlan.letters(diagrams, component).stream()
                    .filter(letter -> source(diagrams.nodeAt(letter / 16)).base() != null)
                    .count();
      }
      most = Math.max(most, lines);
    }
    return most;
  }

  private List<NodeRef> nodes() {
    return IntStream.range(0, diagrams.nodeCount()).mapToObj(diagrams::nodeAt).toList();
  }

  /** A definition whose lines are those of the sets of a configuration. */
  public final class Lines {
    private final DistillationData data;
    private final QuarkSinks sinks;
    private final List<String> names;
    private final Map<NodeRef, CutLine> cut = new LinkedHashMap<>();
    private final DilutionPlan plan;

    private Lines(DistillationData data) {
      this.data = data;
      sinks = data.quarkSinks();
      Map<NoiseList, List<String>> lists = new LinkedHashMap<>();
      for (NodeRef node : nodes()) {
        Source source = source(node);
        if (source.base() != null) {
          lists.computeIfAbsent(source.list(), list -> noises(node, source));
        }
      }
      names = lists.values().stream().flatMap(List::stream).distinct().sorted().toList();
      checkWindows(lists);
      for (NodeRef node : nodes()) {
        cut.put(node, cut(node, lists));
      }
      plan = plans.computeIfAbsent(cut, this::plan);
    }

    private DilutionPlan plan(Map<NodeRef, CutLine> lines) {
      try {
        return new DilutionPlan(
            diagrams, node -> Objects.requireNonNull(lines.get(node)), stochastic.subsets());
      } catch (IllegalArgumentException e) {
        throw fault("%s", String.valueOf(e.getMessage()));
      }
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private DistillationException fault(String what, Object... values) {
      return new DistillationException(
          "%s: %s: %s".formatted(data.files().get(0), definition.name(), what.formatted(values)));
    }

    /** The noises of a set that are used, in their order. */
    private List<String> noises(NodeRef node, Source source) {
      String set = source.name();
      if (!sinks.sets().contains(set)) {
        throw fault(
            "the label '%s' is stochastic in the definition, and the data have no quark sinks '%s'%s;"
                + " there are: %s",
            node.label(),
            set,
            set.equals(node.label()) && data.labels().contains(set)
                ? ", only perambulators; leave it out of 'stochastic' or add the sinks"
                : "",
            sinks.sets().isEmpty() ? "none" : String.join(", ", sinks.sets()));
      }
      Stochastic.Lines lines = source.lines();
      boolean asked = lines.noiseAt() != NoiseAt.ANTIQUARK && !source.conjugate();
      boolean reverses = lines.noiseAt() == NoiseAt.QUARK || set.equals(lines.sinks());
      if (asked && reverses && !sinks.scheme(set).gamma5Hermitian()) {
        throw fault(
            "noise_at of '%s' needs γ5-hermiticity, and quark_sinks/%s has gamma5_hermitian 0; take"
                + " noise_at: antiquark, or conjugate_of for the other member of a doublet",
            node.label(), set);
      }
      Set<String> stored = sinks.noises(set);
      if (lines.noises().isEmpty()) {
        return List.copyOf(stored);
      }
      for (String noise : lines.noises()) {
        if (!sinks.noises(lines.sinks()).contains(noise)
            && !sinks.noises(lines.within()).contains(noise)) {
          throw fault(
              "noise '%s' of '%s' is in neither of its sets; there are: %s",
              noise,
              node.label(),
              String.join(", ", union(sinks.noises(lines.sinks()), sinks.noises(lines.within()))));
        }
      }
      return lines.noises().stream().filter(stored::contains).toList();
    }

    private void checkWindows(Map<NoiseList, List<String>> lists) {
      int subsets = stochastic.subsets();
      lists.forEach(
          (key, list) -> {
            String set = key.set();
            if (list.isEmpty()) {
              throw fault("none of the noises of the definition is in quark_sinks/%s", set);
            }
            if (subsets > list.size()) {
              throw fault(
                  "noise_subsets is %d, and %d noises of quark_sinks/%s are used; at most that many"
                      + " windows are possible",
                  subsets, list.size(), set);
            }
            lists.forEach(
                (other, its) -> {
                  if (subsets > 0 && !list.equals(its) && its.stream().anyMatch(list::contains)) {
                    throw fault(
                        "with noise_subsets, lists of noises must be equal or have no common name;"
                            + " quark_sinks/%s has %s, quark_sinks/%s has %s",
                        set, list, other.set(), its);
                  }
                });
          });
    }

    private CutLine cut(NodeRef node, Map<NoiseList, List<String>> lists) {
      Source source = source(node);
      if (source.base() == null) {
        CutLine.Kind kind = source.conjugate() ? CutLine.Kind.CONJUGATE : CutLine.Kind.EXACT;
        int size = SPINS * data.header().eigenvectors();
        return new CutLine(kind, source.name(), List.of(), size, node.time(), node.next());
      }
      List<Integer> noises =
          lists.getOrDefault(source.list(), List.of()).stream().map(names::indexOf).toList();
      boolean atSource = node.time() != node.next() && node.time() == TimeSlot.SOURCE;
      boolean reversed =
          switch (source.lines().noiseAt()) {
            case ANTIQUARK -> source.conjugate();
            case QUARK -> true;
            case SOURCE -> atSource;
          };
      return new CutLine(
          reversed ? CutLine.Kind.REVERSED : CutLine.Kind.FORWARD,
          source.name(),
          noises,
          sinks.scheme(source.name()).size(),
          node.time(),
          node.next());
    }

    /** The names of the noises that are used, sorted. */
    public List<String> noises() {
      return names;
    }

    /** How it is computed. */
    public DilutionPlan plan() {
      return plan;
    }

    /**
     * Checks noises, and that sinks are stored for all times that sources and separations need.
     *
     * @throws DistillationException when they are not
     */
    public void check(Collection<Integer> sources, List<Integer> separations) {
      for (String label : definition.quarkLabels().values()) {
        String base =
            stochastic.labels().containsKey(label)
                ? stochastic.labels().get(label).conjugateOf()
                : label;
        if (!base.isEmpty()
            && !stochastic.labels().containsKey(base)
            && !data.labels().contains(base)
            && !sinks.sets().isEmpty()) {
          throw fault(
              "the label '%s' is exact in the definition, and the data have no perambulators of it;"
                  + " add them, or name a set of quark sinks for it under 'stochastic': %s",
              base, String.join(", ", sinks.sets()));
        }
      }
      sinks.checkNoises(names);
      for (CutLine line : Set.copyOf(cut.values())) {
        if (line.isStochastic()) {
          checkTimes(line, sources, separations);
        }
      }
    }

    private void checkTimes(CutLine line, Collection<Integer> sources, List<Integer> separations) {
      Set<Integer> missing = new TreeSet<>();
      Set<String> lacking = new TreeSet<>();
      for (int source : sources) {
        for (int time : noiseTimes(line, source, separations)) {
          for (int noise : line.noises()) {
            if (!sinks.has(line.source(), names.get(noise), time)) {
              missing.add(time);
              lacking.add(names.get(noise));
            }
          }
        }
      }
      if (missing.isEmpty()) {
        return;
      }
      List<Integer> would =
          IntStream.range(0, data.header().temporalExtent())
              .filter(source -> isStored(line, noiseTimes(line, source, separations)))
              .boxed()
              .toList();
      List<Integer> stored =
          IntStream.range(0, data.header().temporalExtent())
              .filter(time -> isStored(line, Set.of(time)))
              .boxed()
              .toList();
      throw fault(
          "quark_sinks/%s has no sinks of %s for noise at times %s, where lines %s %s would have it;"
              + " %s",
          line.source(),
          String.join(", ", lacking),
          missing,
          line.quark() == line.antiquark()
              ? "within operators of"
              : "between operators that end at",
          "the " + line.noiseEnd().name().toLowerCase(Locale.ROOT),
          would.isEmpty()
              ? "no --sources would do with these --separations; times that are stored: " + stored
              : "--sources that would do: " + would);
    }

    private boolean isStored(CutLine line, Collection<Integer> times) {
      return times.stream()
          .allMatch(
              time ->
                  line.noises().stream()
                      .allMatch(noise -> sinks.has(line.source(), names.get(noise), time)));
    }

    private Set<Integer> noiseTimes(CutLine line, int source, List<Integer> separations) {
      return line.noiseEnd() == TimeSlot.SOURCE
          ? Set.of(source)
          : sinkTimes(source, separations, line.quark() == line.antiquark());
    }

    /** Times of the sink; with one-point functions, what is at the sink alone is at others too. */
    private Set<Integer> sinkTimes(int source, List<Integer> separations, boolean alone) {
      Set<Integer> times = new TreeSet<>();
      separations.forEach(dt -> times.add((source + dt) % data.header().temporalExtent()));
      if (alone && definition.header().onePoint()) {
        times.add(source);
      }
      return times;
    }

    /** Elementals and exact perambulators that are needed. */
    public Set<Input> inputs(Collection<Integer> sources, List<Integer> separations) {
      Set<Input> inputs = new LinkedHashSet<>();
      for (int source : sources) {
        for (int sink : sinkTimes(source, separations, false)) {
          add(inputs, sink, source);
        }
        if (definition.header().onePoint()) {
          cut.forEach(
              (node, line) -> {
                if (node.time() == TimeSlot.SINK && node.next() == TimeSlot.SINK) {
                  add(inputs, node, line, source, source);
                }
              });
        }
      }
      return inputs;
    }

    private void add(Set<Input> inputs, int sink, int source) {
      cut.forEach((node, line) -> add(inputs, node, line, sink, source));
      for (int k = 0; k < diagrams.baryonGraphCount(); k++) {
        BaryonGraph graph = diagrams.baryonGraphAt(k);
        graph.sinks().forEach(vertex -> inputs.add(baryon(vertex, sink, false)));
        graph.sources().forEach(vertex -> inputs.add(baryon(vertex, source, true)));
      }
    }

    private void add(Set<Input> inputs, NodeRef node, CutLine line, int sink, int source) {
      int quark = node.time() == TimeSlot.SINK ? sink : source;
      int antiquark = node.next() == TimeSlot.SINK ? sink : source;
      if (!node.isLine()) {
        inputs.add(new Input.Elemental(node.elemental(), quark));
      }
      if (line.kind() == CutLine.Kind.EXACT) {
        inputs.add(new Input.Perambulator(line.source(), quark, antiquark));
      } else if (line.kind() == CutLine.Kind.CONJUGATE) {
        inputs.add(new Input.Perambulator(line.source(), antiquark, quark));
      }
    }

    /** Opens what computes units on a device. */
    public DilutionExecutor executor(Device device, InputBlocks blocks, long mostBytes) {
      return new DilutionExecutor(
          device,
          sinks,
          blocks,
          names,
          data.header().temporalExtent(),
          data.header().eigenvectors(),
          mostBytes);
    }

    /**
     * Refuses a configuration with other noises than the first.
     *
     * @param expected the most assignments of a diagram there
     */
    public void checkAssignments(int expected) {
      if (plan.mostAssignments() != expected) {
        throw fault(
            "a diagram has up to %d assignments of noises, and %d in the first configuration; name the"
                + " noises that all of them have under 'noises'",
            plan.mostAssignments(), expected);
      }
    }

    /**
     * Computes a unit.
     *
     * @param keep whether numbers of each window follow their mean
     * @param numbers gluonic factors
     */
    public ResultUnit unit(
        DilutionExecutor executor,
        int configuration,
        int source,
        List<Integer> separations,
        boolean keep,
        Function<DataBlock, Complex> numbers) {
      int extent = data.header().temporalExtent();
      int[] sinkTimes = separations.stream().mapToInt(dt -> (source + dt) % extent).toArray();
      double[] correlators =
          withMean(
              executor.correlators(plan, source, separations),
              keep,
              some ->
                  definition
                      .sinkParts()
                      .correlators(
                          some, definition.sourceParts(), sinkTimes, source, false, numbers));
      int[] times = {};
      double[] onePoint = {};
      if (definition.header().onePoint()) {
        Set<Integer> occurring = new TreeSet<>(List.of(source));
        IntStream.of(sinkTimes).forEach(occurring::add);
        times = occurring.stream().mapToInt(t -> t).toArray();
        List<double[]> rows = new ArrayList<>();
        for (int time : times) {
          int[] one = {time};
          rows.add(
              withMean(
                  executor.onePoint(plan, time),
                  keep,
                  some -> definition.sinkParts().onePoint(some, one, numbers)));
        }
        onePoint = rows.stream().flatMapToDouble(Arrays::stream).toArray();
      }
      return new ResultUnit(
          configuration,
          source,
          correlators,
          times,
          onePoint,
          List.of(ResultUnit.NOISES + String.join(",", names)));
    }

    /** The mean over windows of what is made of their numbers, and then these if they are kept. */
    private double[] withMean(double[] all, boolean keep, UnaryOperator<double[]> made) {
      int subsets = Math.max(1, stochastic.subsets());
      int length = all.length / subsets;
      List<double[]> windows = new ArrayList<>();
      for (int k = 0; k < subsets; k++) {
        windows.add(made.apply(Arrays.copyOfRange(all, k * length, (k + 1) * length)));
      }
      double[] mean = new double[windows.get(0).length];
      windows.forEach(window -> Arrays.setAll(mean, k -> mean[k] + window[k] / subsets));
      if (keep && stochastic.subsets() > 0) {
        windows.add(0, mean);
        return windows.stream().flatMapToDouble(Arrays::stream).toArray();
      }
      return mean;
    }
  }

  /**
   * A set and the noises that are asked for; labels may use other noises of one set.
   *
   * @param noises none for all
   */
  private record NoiseList(String set, List<String> noises) {}

  /**
   * Where the numbers of a line come from.
   *
   * @param name the set of sinks, or the label of the perambulator
   * @param base those of the label, or of the label that it is the conjugate of; null where these
   *     are exact
   */
  private record Source(String name, boolean conjugate, Stochastic.@Nullable Lines base) {
    Stochastic.Lines lines() {
      return Objects.requireNonNull(base);
    }

    NoiseList list() {
      return new NoiseList(name, lines().noises());
    }
  }

  private Source source(NodeRef node) {
    Stochastic.Lines own = stochastic.labels().get(node.label());
    boolean conjugate = own != null && own.isConjugate();
    String label = own == null || !conjugate ? node.label() : own.conjugateOf();
    Stochastic.Lines lines = stochastic.labels().get(label);
    if (lines == null) {
      return new Source(label, conjugate, null);
    }
    boolean within = node.time() == node.next();
    return new Source(within ? lines.within() : lines.sinks(), conjugate, lines);
  }

  private static Set<String> union(Set<String> a, Set<String> b) {
    Set<String> all = new TreeSet<>(a);
    all.addAll(b);
    return all;
  }

  private static Input baryon(BaryonVertex vertex, int time, boolean conjugate) {
    return new Input.BaryonElemental(
        vertex.displacement(), vertex.momentum(), time, conjugate, BaryonPart.Legs.NATURAL);
  }
}
