package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.PairSum;

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
  /** Identifies a bound product: its terms. */
  private record Sum(List<ExecutionQueue.Multiply> terms) {}

  private record BoundTrace(int leftGamma, int left, int innerGamma, int right) {}

  private final ContractionPlan plan;
  private final int[] firstTerm;
  private final Map<Integer, BaryonPart.PlannedPairs> pairsOf = new HashMap<>();
  private final Map<Integer, BaryonPart.SpinSum> spinSumOf = new HashMap<>();
  private final List<ExecutionQueue.Element> elements = new ArrayList<>();
  private final Map<Object, Integer> elementOf = new HashMap<>();
  private final Map<BoundTrace, Integer> traceOf = new HashMap<>();
  private final List<List<ExecutionQueue.Step>> steps = new ArrayList<>();
  private final List<ExecutionQueue.Traces> traces = new ArrayList<>();
  private final List<Integer> events = new ArrayList<>();
  private final List<Integer> planElements = new ArrayList<>();
  private final List<Integer> planTraces = new ArrayList<>();
  private final List<ExecutionQueue.Result> results = new ArrayList<>();
  private final int[] boundElement;
  private final int[] boundTrace;
  private int sinkTime;
  private int sourceTime;

  private TimeBinding(ContractionPlan plan) {
    this.plan = plan;
    firstTerm = new int[plan.intermediates()];
    Arrays.fill(firstTerm, -1);
    for (int p = plan.products().size() - 1; p >= 0; p--) {
      firstTerm[plan.products().get(p).destination() - plan.nodes().size()] = p;
    }
    plan.baryonPart().pairs().forEach(p -> pairsOf.put(p.destination(), p));
    plan.baryonPart().spinSums().forEach(s -> spinSumOf.put(s.destination(), s));
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
   * @param order traces t and elements {@code ~e} of the plan that are bound first, in this order,
   *     for each source and separation; the others follow in the order of the outputs
   */
  static BoundGraph bind(ContractionPlan plan, BoundTimes times, int[] order) {
    TimeBinding binding = new TimeBinding(plan);
    binding.run(times, order);
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
    List<ContractionPlan.Monomial> monomials = new ArrayList<>(output.monomials().size());
    for (ContractionPlan.Monomial monomial : output.monomials()) {
      List<ContractionPlan.Factor> factors = new ArrayList<>(monomial.factors().size());
      for (ContractionPlan.Factor factor : monomial.factors()) {
        factors.add(new ContractionPlan.Factor(trace(factor.trace()), factor.conjugate()));
      }
      monomials.add(new ContractionPlan.Monomial(monomial.coefficient(), factors));
    }
    results.add(
        new ExecutionQueue.Result(
            output.matrix(), output.row(), output.column(), index, monomials));
  }

  private int trace(int number) {
    if (boundTrace[number] < 0) {
      ContractionPlan.Trace trace = plan.traces().get(number);
      int left = element(trace.left());
      int right = trace.right() == ContractionPlan.NONE ? -1 : element(trace.right());
      BoundTrace key = new BoundTrace(trace.leftGamma(), left, trace.innerGamma(), right);
      Integer known = traceOf.get(key);
      if (known == null) {
        known = traceOf.size();
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
    if (node.isLine()) {
      return input(new Input.Perambulator(node.label(), time, time(node.next())));
    }
    int elemental = input(new Input.Elemental(node.elemental(), time));
    int perambulator = input(new Input.Perambulator(node.label(), time, time(node.next())));
    return elementOf.computeIfAbsent(
        List.of(elemental, perambulator),
        key -> {
          int number = elements.size();
          elements.add(new ExecutionQueue.Node());
          steps.add(List.of(new ExecutionQueue.Build(number, elemental, perambulator)));
          return number;
        });
  }

  private int input(ExecutionQueue.Element element) {
    return elementOf.computeIfAbsent(
        element,
        key -> {
          elements.add(element);
          steps.add(List.of());
          return elements.size() - 1;
        });
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
    for (BaryonPart.Branch branch : blocks.branches()) {
      branches.add(
          new BaryonPart.Branch(
              element(branch.second()),
              branch.spins(),
              branch.others().stream().map(other -> baryon(baryons.get(other))).toList(),
              branch.antisymmetric()));
    }
    boolean sinkAttached = !baryons.get(blocks.attached()).conjugate();
    return elementOf.computeIfAbsent(
        List.of(ExecutionQueue.BoundPairs.class, attached, first, branches, sinkAttached),
        key -> {
          int number = elements.size();
          elements.add(new ExecutionQueue.PairBlocks(blocks.components()));
          steps.add(
              List.of(
                  new ExecutionQueue.BoundPairs(number, attached, first, branches, sinkAttached)));
          return number;
        });
  }

  private int spinSum(BaryonPart.SpinSum sum) {
    int block = element(sum.block());
    List<PairSum> spins =
        Objects.requireNonNull(pairsOf.get(sum.block())).spinsAt(sum.firstComponent());
    return elementOf.computeIfAbsent(
        List.of(block, sum.firstComponent(), sum.terms()),
        key -> {
          int number = elements.size();
          elements.add(new ExecutionQueue.Intermediate());
          steps.add(
              List.of(
                  new ExecutionQueue.SpinSum(
                      number, block, sum.firstComponent(), spins, sum.symmetric(), sum.terms())));
          return number;
        });
  }

  private int intermediate(int planElement) {
    BaryonPart.PlannedPairs pairs = pairsOf.get(planElement);
    if (pairs != null) {
      return pairs(pairs);
    }
    BaryonPart.SpinSum sum = spinSumOf.get(planElement);
    if (sum != null) {
      return spinSum(sum);
    }
    List<ExecutionQueue.Multiply> terms = new ArrayList<>();
    List<ContractionPlan.Product> products = plan.products();
    for (int p = firstTerm[planElement - plan.nodes().size()];
        p < products.size() && products.get(p).destination() == planElement;
        p++) {
      ContractionPlan.Product product = products.get(p);
      terms.add(
          new ExecutionQueue.Multiply(
              -1,
              product.leftGamma(),
              element(product.left()),
              product.innerGamma(),
              element(product.right()),
              product.coefficient(),
              product.accumulate()));
    }
    return elementOf.computeIfAbsent(
        new Sum(terms),
        key -> {
          int number = elements.size();
          elements.add(new ExecutionQueue.Intermediate());
          List<ExecutionQueue.Step> bound = new ArrayList<>(terms.size());
          for (ExecutionQueue.Multiply term : terms) {
            bound.add(
                new ExecutionQueue.Multiply(
                    number,
                    term.leftGamma(),
                    term.left(),
                    term.innerGamma(),
                    term.right(),
                    term.coefficient(),
                    term.accumulate()));
          }
          steps.add(bound);
          return number;
        });
  }
}
