package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.LongIntTable;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.SequenceTable;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.TetraquarkPart;

/**
 * Binds a plan to times and makes the {@link ExecutionQueue}. Work that is equal at equal times is
 * done once: what lives on the source alone is shared between all separations, what lives on the
 * sink alone between all sources with that sink time, and where sink and source time agree
 * (separation 0) both sides merge. The nodes of one-point functions, which all stand at the sink,
 * are bound to every one-point time.
 *
 * <p>Result {@code index} is {@code s * separations + d} for source number s and separation number
 * d, or the number of the one-point time. Time and memory are linear in the bound products and
 * traces.
 */
public final class TimeBinding {
  /** What an element is, as the first number of its key. */
  private static final int PAIRS = 1;

  private static final int SPIN_SUM = 2;
  private static final int SUM = 3;
  private static final int NUMBERS_OF_A_TERM = 6;

  private final ContractionPlan plan;
  private final PlanParts parts;
  private final List<ExecutionQueue.Element> elements = new ArrayList<>();
  private final Map<Input, Integer> inputOf = new HashMap<>();
  // Elements by what they are made of: numbers of elements, of gammas and of parts of the plan.
  private final SequenceTable made = new SequenceTable();
  private final List<Integer> elementOf = new ArrayList<>();
  private final Map<ExecutionQueue.Step, Integer> stepElements = new HashMap<>();
  private final LongIntTable traceOf = new LongIntTable();
  private final List<List<ExecutionQueue.Step>> steps = new ArrayList<>();
  private final List<ExecutionQueue.Traces> traces = new ArrayList<>();
  private final List<Integer> events = new ArrayList<>();
  private final List<Integer> planElements = new ArrayList<>();
  private final List<Integer> planTraces = new ArrayList<>();
  private final List<BoundGraph.BoundOutput> results = new ArrayList<>();
  private final int[] boundElement;
  private final int[] boundTrace;
  private int sinkTime;
  private int sourceTime;

  private TimeBinding(PlanParts parts) {
    this.parts = parts;
    plan = parts.plan();
    boundElement = new int[plan.elementCount()];
    boundTrace = new int[plan.traces().size()];
  }

  /**
   * The queue of a plan at given times, in an order that the options name.
   *
   * @throws IllegalArgumentException when the options leave open what only a cost model can choose
   */
  public static ExecutionQueue bind(ContractionPlan plan, BoundTimes times, QueueOptions options) {
    return bind(
        plan,
        times,
        options,
        (queue, eigenvectors, budgetBytes) -> {
          throw new IllegalArgumentException("no cost model to choose by: " + options);
        });
  }

  /**
   * The queue of a plan at given times.
   *
   * @param costs the model that chooses orders and vector sizes where the options leave them open
   */
  public static ExecutionQueue bind(
      ContractionPlan plan, BoundTimes times, QueueOptions options, CostModel costs) {
    return new Scheduling(plan, options, costs).queue(times);
  }

  /**
   * A plan at given times.
   *
   * @param parts those of the plan
   * @param order traces t and elements {@code ~e} of the plan that are bound first, in this order,
   *     for each source and separation; the others follow in the order of the outputs
   * @param withResults whether results are wanted; without them, times must be those of all
   *     elements of matrices
   */
  static BoundGraph bind(PlanParts parts, BoundTimes times, int[] order, boolean withResults) {
    TimeBinding binding = new TimeBinding(parts);
    if (withResults) {
      binding.run(times, order);
    } else {
      binding.runWithoutResults(times, order);
    }
    return new BoundGraph(
        binding.elements,
        binding.steps,
        binding.traces,
        binding.events,
        binding.planTraces,
        binding.planElements,
        binding.results);
  }

  private void run(BoundTimes times, int[] order) {
    for (int s = 0; s < times.sources().size(); s++) {
      for (int d = 0; d < times.separations().size(); d++) {
        int source = times.sources().get(s);
        begin((source + times.separations().get(d)) % times.temporalExtent(), source);
        List<ContractionPlan.Output> outputs = outputs(times, times.separations().get(d));
        bindInOrder(order, outputs, !times.known().isEmpty());
        int index = s * times.separations().size() + d;
        outputs.forEach(output -> result(output, index));
      }
    }
    for (int k = 0; k < times.onePointTimes().size(); k++) {
      int time = times.onePointTimes().get(k);
      begin(time, time);
      for (ContractionPlan.Output output : plan.outputs()) {
        if (output.column() == ContractionPlan.NONE
            && !times.isKnownAt(output.matrix(), output.row(), time)) {
          result(output, k);
        }
      }
    }
  }

  private void runWithoutResults(BoundTimes times, int[] order) {
    if (!times.known().isEmpty() || !times.onePointTimes().isEmpty()) {
      throw new IllegalArgumentException("times of all elements of matrices: " + times);
    }
    for (int source : times.sources()) {
      for (int separation : times.separations()) {
        begin((source + separation) % times.temporalExtent(), source);
        bindInOrder(order, List.of(), false);
        for (int trace : parts.tracesOfMatrices()) {
          trace(trace);
        }
      }
    }
  }

  /** The matrix elements that are computed at a separation. */
  private List<ContractionPlan.Output> outputs(BoundTimes times, int separation) {
    return plan.outputs().stream()
        .filter(output -> output.column() != ContractionPlan.NONE)
        .filter(
            output -> !times.isKnown(output.matrix(), output.row(), output.column(), separation))
        .toList();
  }

  /**
   * Binds traces and elements in their order.
   *
   * @param some whether elements of matrices are left out; if so, only the traces that the
   *     remaining elements need are bound, and elements only when these traces need them
   */
  private void bindInOrder(int[] order, List<ContractionPlan.Output> outputs, boolean some) {
    BitSet needed = new BitSet();
    if (some) {
      for (ContractionPlan.Output output : outputs) {
        output
            .monomials()
            .forEach(monomial -> monomial.factors().forEach(factor -> needed.set(factor.trace())));
      }
    }
    for (int event : order) {
      if (event >= 0 && (!some || needed.get(event))) {
        trace(event);
      } else if (event < 0 && !some) {
        events.add(~element(~event));
      }
    }
  }

  private void begin(int sink, int source) {
    sinkTime = sink;
    sourceTime = source;
    Arrays.fill(boundElement, -1);
    Arrays.fill(boundTrace, -1);
  }

  private int time(TimeSlot slot) {
    return slot == TimeSlot.SINK ? sinkTime : sourceTime;
  }

  private void result(ContractionPlan.Output output, int index) {
    int[] numbers = new int[2 * output.monomials().size()];
    int count = 0;
    for (ContractionPlan.Monomial monomial : output.monomials()) {
      for (ContractionPlan.Factor factor : monomial.factors()) {
        if (count == numbers.length) {
          numbers = Arrays.copyOf(numbers, 2 * count);
        }
        numbers[count++] = trace(factor.trace());
      }
    }
    results.add(new BoundGraph.BoundOutput(output, index, Arrays.copyOf(numbers, count)));
  }

  private int trace(int number) {
    if (boundTrace[number] < 0) {
      ContractionPlan.Trace trace = plan.traces().get(number);
      int left = element(trace.left());
      int right = trace.right() == ContractionPlan.NONE ? -1 : element(trace.right());
      // Gammas are masks of four bits; far fewer than 2^27 elements fit into memory.
      long elements = (long) left << 27 | (right + 1);
      long key = elements << 8 | trace.leftGamma() << 4 | trace.innerGamma();
      int known = traceOf.get(key);
      if (known < 0) {
        known = traces.size();
        traceOf.put(key, known);
        planTraces.add(number);
        events.add(known);
        traces.add(
            new ExecutionQueue.Traces(
                trace.leftGamma(),
                List.of(left),
                trace.innerGamma(),
                right < 0 ? List.of() : List.of(right),
                known));
      }
      boundTrace[number] = known;
    }
    return boundTrace[number];
  }

  private int element(int planElement) {
    if (boundElement[planElement] < 0) {
      boundElement[planElement] =
          planElement < plan.nodes().size()
              ? node(plan.nodes().get(planElement))
              : intermediate(planElement);
      while (planElements.size() < elements.size()) {
        planElements.add(ContractionPlan.NONE);
      }
      if (planElements.get(boundElement[planElement]) == ContractionPlan.NONE) {
        planElements.set(boundElement[planElement], planElement);
      }
    }
    return boundElement[planElement];
  }

  private int node(NodeRef node) {
    int time = time(node.time());
    if (node.isElemental()) {
      return input(new Input.Elemental(node.elemental(), time));
    }
    if (node.isCurrent()) {
      return input(CurrentExpansion.anyCurrent(node, time, time(node.next())));
    }
    if (node.isLine()) {
      return input(new Input.Perambulator(node.label(), time, time(node.next())));
    }
    int elemental = input(new Input.Elemental(node.elemental(), time));
    int perambulator = input(new Input.Perambulator(node.label(), time, time(node.next())));
    return stepOnce(
        new ExecutionQueue.Node(), e -> new ExecutionQueue.Build(e, elemental, perambulator));
  }

  private boolean isElemental(int planElement) {
    return planElement < plan.nodes().size() && plan.nodes().get(planElement).isElemental();
  }

  private int input(Input input) {
    return inputOf.computeIfAbsent(input, key -> added(key, List.of()));
  }

  /** The element with a key, which is added if the key has not been met. */
  private int once(
      int[] key, ExecutionQueue.Element element, IntFunction<List<ExecutionQueue.Step>> howMade) {
    int number = made.intern(key, 0, key.length);
    if (number == elementOf.size()) {
      elementOf.add(added(element, howMade.apply(elements.size())));
    }
    return elementOf.get(number);
  }

  private int added(ExecutionQueue.Element element, List<ExecutionQueue.Step> howMade) {
    elements.add(element);
    steps.add(howMade);
    return elements.size() - 1;
  }

  private int baryon(BaryonPart.BaryonElementalRef ref) {
    return input(
        new Input.BaryonElemental(
            ref.displacement(), ref.momentum(), time(ref.time()), ref.conjugate(), ref.legs()));
  }

  private int pairs(BaryonPart.PlannedPairs blocks) {
    List<BaryonPart.BaryonElementalRef> baryons = plan.baryonPart().baryons();
    int attached = baryon(baryons.get(blocks.attached()));
    int first = element(blocks.first());
    List<BaryonPart.Branch> branches = new ArrayList<>();
    IntStream.Builder key = IntStream.builder();
    boolean sinkAttached = !baryons.get(blocks.attached()).conjugate();
    key.add(PAIRS).add(attached).add(first).add(sinkAttached ? 1 : 0);
    for (BaryonPart.Branch branch : blocks.branches()) {
      int second = element(branch.second());
      List<Integer> others =
          branch.others().stream().map(other -> baryon(baryons.get(other))).toList();
      branches.add(new BaryonPart.Branch(second, branch.spins(), others, branch.antisymmetric()));
      key.add(second).add(parts.number(branch.spins())).add(branch.antisymmetric() ? 1 : 0);
      key.add(others.size());
      others.forEach(key::add);
    }
    return once(
        key.build().toArray(),
        new ExecutionQueue.PairBlocks(blocks.components()),
        e -> List.of(new ExecutionQueue.BoundPairs(e, attached, first, branches, sinkAttached)));
  }

  private int spinSum(BaryonPart.SpinSum sum) {
    int block = element(sum.block());
    return once(
        new int[] {SPIN_SUM, block, sum.firstComponent(), parts.number(sum.terms())},
        new ExecutionQueue.Intermediate(),
        e ->
            List.of(
                new ExecutionQueue.SpinSum(
                    e,
                    block,
                    sum.firstComponent(),
                    made(BaryonPart.PlannedPairs.class, sum.block()).spinsAt(sum.firstComponent()),
                    sum.symmetric(),
                    sum.terms())));
  }

  private <T extends ContractionPlan.Made> T made(Class<T> kind, int planElement) {
    return kind.cast(Objects.requireNonNull(parts.made(planElement)));
  }

  /** The two lines that a step makes a matrix of. */
  private ExecutionQueue.FormPairs lines(TetraquarkPart.Step step, int destination) {
    TimeSlot from = step.tetraquark().get(0).time();
    List<String> profiles = step.tetraquark().get(0).profiles();
    TetraquarkPart.VertexSpin spin = step.spins().get(0);
    return new ExecutionQueue.FormPairs(
        destination,
        siteLine(element(step.inputs().get(0)), from, profiles),
        siteLine(element(step.inputs().get(1)), from, profiles),
        spin.diquark(),
        spin.antidiquark(),
        step.rows(),
        step.columns(),
        parts.sites());
  }

  private int tetraquark(TetraquarkPart.Step step) {
    if (parts.isLegByLeg(step)) {
      TetraquarkPart.Step pairs = made(TetraquarkPart.Step.class, step.inputs().get(0));
      int left = vertex(step);
      ExecutionQueue.FormPairs lines = lines(pairs, ContractionPlan.NONE);
      return stepOnce(
          new ExecutionQueue.PairMatrix(step.rows(), step.columns(), true),
          e -> new ExecutionQueue.LegProduct(left, lines.to(e)));
    }
    int[] in = step.inputs().stream().mapToInt(this::element).toArray();
    PairColour rows = step.rows();
    PairColour columns = step.columns();
    int sites = parts.sites();
    ExecutionQueue.Element pairs =
        sites == 0
            ? new ExecutionQueue.PairMatrix(
                rows, columns, step.kind() == TetraquarkPart.Kind.PRODUCT)
            : new ExecutionQueue.SiteMatrix(rows.groups() * columns.groups(), sites, false);
    return switch (step.kind()) {
      case PAIRS -> {
        ExecutionQueue.FormPairs lines = lines(step, ContractionPlan.NONE);
        yield stepOnce(pairs, lines::to);
      }
      case PRODUCT -> {
        int left = vertex(step);
        yield stepOnce(
            pairs, e -> new ExecutionQueue.PairProduct(e, left, in[0], rows, columns, sites));
      }
      case CLOSED -> closed(step, in[0]);
      case OPENED ->
          stepOnce(
              new ExecutionQueue.Intermediate(),
              e -> new ExecutionQueue.OpenVertex(e, in[0], step.spins()));
    };
  }

  private int closed(TetraquarkPart.Step step, int line) {
    int vertex = vertex(step);
    int sites = parts.sites();
    ExecutionQueue.Element blocks = new ExecutionQueue.PairBlocks(ElementSizes.SPINS);
    if (sites == 0) {
      return stepOnce(
          blocks, e -> new ExecutionQueue.ClosePair(e, vertex, line, List.of(), step.rows(), 0));
    }
    TimeSlot slot = step.tetraquark().get(0).time();
    List<String> profiles = step.tetraquark().get(0).profiles();
    int half = halfLine(line, slot, profile(profiles, 1));
    List<Integer> vectors =
        List.of(
            vectors(slot, false, profile(profiles, 0)), vectors(slot, false, profile(profiles, 1)));
    int closed =
        stepOnce(
            new ExecutionQueue.SiteMatrix(ElementSizes.SPINS, sites, true),
            e -> new ExecutionQueue.ClosePair(e, vertex, half, vectors, step.rows(), sites));
    int adjoint = vectors(slot, true, profile(profiles, 0));
    return stepOnce(
        blocks, e -> new ExecutionQueue.SiteProduct(e, adjoint, closed, 0, 3 * sites, 0));
  }

  private int vertex(TetraquarkPart.Step step) {
    TetraquarkPart.Tetraquark k = step.tetraquark().get(0);
    boolean adjoint = k.time() == TimeSlot.SOURCE;
    int time = time(k.time());
    return input(
        parts.sites() == 0
            ? new Input.Tetraquark(k.colour(), k.momentum(), time, adjoint, k.profiles())
            : new Input.Sites(adjoint, k.momentum(), time, adjoint, parts.sites()));
  }

  private static String profile(List<String> profiles, int place) {
    return profiles.isEmpty() ? "" : profiles.get(place);
  }

  /**
   * A line from the sampled sites of one side to those of the other; the line without sites.
   *
   * @param profiles of both ends; or none
   */
  private int siteLine(int line, TimeSlot from, List<String> profiles) {
    int sites = parts.sites();
    if (sites == 0) {
      return line;
    }
    int half = halfLine(line, from, profile(profiles, 0));
    TimeSlot to = from == TimeSlot.SINK ? TimeSlot.SOURCE : TimeSlot.SINK;
    int adjoint = vectors(to, true, profile(profiles, 1));
    return stepOnce(
        new ExecutionQueue.SiteMatrix(ElementSizes.SPINS, sites, false),
        e -> new ExecutionQueue.SiteProduct(e, half, adjoint, 3 * sites, 0, 3 * sites));
  }

  private int halfLine(int line, TimeSlot from, String profile) {
    int sites = parts.sites();
    int vectors = vectors(from, false, profile);
    return stepOnce(
        new ExecutionQueue.SiteMatrix(ElementSizes.SPINS, sites, true),
        e -> new ExecutionQueue.SiteProduct(e, vectors, line, 3 * sites, 0, 0));
  }

  private int vectors(TimeSlot slot, boolean adjoint, String profile) {
    boolean atSource = slot == TimeSlot.SOURCE;
    return input(new Input.Sites(atSource, null, time(slot), adjoint, parts.sites(), profile));
  }

  /** The element that a step makes, which is told from others by the step with no destination. */
  private int stepOnce(
      ExecutionQueue.Element made, IntFunction<ExecutionQueue.Step> byDestination) {
    return stepElements.computeIfAbsent(
        byDestination.apply(ContractionPlan.NONE),
        key -> added(made, List.of(byDestination.apply(elements.size()))));
  }

  private int intermediate(int planElement) {
    ContractionPlan.Made made = parts.made(planElement);
    if (made instanceof BaryonPart.PlannedPairs pairs) {
      return pairs(pairs);
    }
    if (made instanceof BaryonPart.SpinSum sum) {
      return spinSum(sum);
    }
    if (made instanceof TetraquarkPart.Step step) {
      return tetraquark(step);
    }
    List<ContractionPlan.Product> terms = parts.terms(planElement);
    int[] key = new int[1 + NUMBERS_OF_A_TERM * terms.size()];
    key[0] = SUM;
    int at = 1;
    for (ContractionPlan.Product term : terms) {
      key[at++] = term.leftGamma();
      key[at++] = element(term.left());
      key[at++] = term.innerGamma();
      key[at++] = element(term.right());
      key[at++] = parts.number(term.coefficient());
      key[at++] = term.accumulate() ? 1 : 0;
    }
    return once(
        key,
        new ExecutionQueue.Intermediate(),
        e -> terms.stream().map(term -> bound(term, e)).toList());
  }

  private ExecutionQueue.Step bound(ContractionPlan.Product term, int destination) {
    int left = element(term.left());
    int right = element(term.right());
    int gamma = term.innerGamma();
    Complex coefficient = term.coefficient();
    boolean adds = term.accumulate();
    return isElemental(term.right())
        ? new ExecutionQueue.Attach(
            destination, term.leftGamma(), left, gamma, right, coefficient, adds)
        : new ExecutionQueue.Multiply(
            destination, term.leftGamma(), left, gamma, right, coefficient, adds);
  }
}
