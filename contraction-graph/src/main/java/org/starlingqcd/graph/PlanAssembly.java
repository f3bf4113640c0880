package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a {@link Reduction} down as a {@link ContractionPlan}: elements, products and traces in
 * the order in which the diagrams of the outputs, taken one after the other, need them first.
 */
final class PlanAssembly implements BaryonLowering.PlanTarget {
  private final DiagramSet set;
  private final CycleClasses classes;
  private final Reduction reduction;
  private final boolean endGammas;
  private final List<NodeRef> nodes = new ArrayList<>();
  private final Map<NodeRef, Integer> nodeIndex = new HashMap<>();
  private final BaryonLowering baryons;
  private long diquarksUnshared;
  private final List<ContractionPlan.Product> products = new ArrayList<>();
  private final List<ContractionPlan.Trace> traces = new ArrayList<>();
  private final int[] elementOf;
  private final int[] traceOf;
  private int intermediates;

  PlanAssembly(DiagramSet set, Reduction reduction, boolean endGammas, boolean[] usedBaryonGraphs) {
    this.set = set;
    this.reduction = reduction;
    this.endGammas = endGammas;
    classes = reduction.classes();
    elementOf = new int[reduction.sequences().size()];
    traceOf = new int[classes.size()];
    Arrays.fill(elementOf, ContractionPlan.NONE);
    Arrays.fill(traceOf, ContractionPlan.NONE);
    baryons = new BaryonLowering(set, usedBaryonGraphs, this);
  }

  ContractionPlan assemble(List<OutputSum> sums, ContractionPlan.Counts counts) {
    List<ContractionPlan.Output> outputs = new ArrayList<>();
    for (OutputSum sum : sums) {
      outputs.add(output(sum));
    }
    // Nodes come first in the plan, but are met in between; intermediates move behind them.
    int shift = nodes.size();
    List<ContractionPlan.Product> shifted = new ArrayList<>(products.size());
    for (ContractionPlan.Product p : products) {
      shifted.add(
          new ContractionPlan.Product(
              number(p.destination(), shift),
              p.leftGamma(),
              number(p.left(), shift),
              p.innerGamma(),
              number(p.right(), shift),
              p.coefficient(),
              p.accumulate()));
    }
    traces.replaceAll(
        t ->
            new ContractionPlan.Trace(
                t.leftGamma(), number(t.left(), shift), t.innerGamma(), number(t.right(), shift)));
    return new ContractionPlan(
        set.matrices(),
        nodes,
        shifted,
        intermediates,
        traces,
        outputs,
        counts,
        baryons.part(element -> number(element, shift), diquarksUnshared));
  }

  /** Intermediate k is -2 - k until the number of nodes is known. */
  private static int number(int element, int nodeCount) {
    return element <= -2 ? nodeCount - 2 - element : element;
  }

  private ContractionPlan.Output output(OutputSum sum) {
    TreeMap<int[], Complex> monomials = new TreeMap<>(DiagramSet.LETTER_ORDER);
    for (Map.Entry<Integer, Complex> term : sum.terms().entrySet()) {
      int[] cycles = set.diagramAt(term.getKey());
      int[] factors = new int[cycles.length];
      int sign = 1;
      for (int k = 0; k < cycles.length; k++) {
        if (cycles[k] < 0) {
          diquarksUnshared += set.baryonGraphAt(~cycles[k]).sinks().size();
          BaryonLowering.Value value = baryons.value(~cycles[k]);
          sign *= value.sign();
          factors[k] = 2 * value.trace();
          continue;
        }
        int number = classes.classOf(cycles[k]);
        boolean conjugate = classes.conjugateOf(cycles[k]);
        sign *= classes.signOf(cycles[k]);
        int trace = trace(number);
        if (reduction.traceReversed(number)) {
          conjugate = !conjugate;
          sign *= classes.reverseSign(number);
        }
        factors[k] = 2 * trace + (conjugate ? 1 : 0);
      }
      Arrays.sort(factors);
      monomials.merge(factors, term.getValue().times(sign), Complex::plus);
    }
    List<ContractionPlan.Monomial> list = new ArrayList<>();
    for (Map.Entry<int[], Complex> entry : monomials.entrySet()) {
      if (entry.getValue().abs() <= sum.negligible()) {
        continue;
      }
      List<ContractionPlan.Factor> factors = new ArrayList<>();
      for (int code : entry.getKey()) {
        factors.add(new ContractionPlan.Factor(code >> 1, (code & 1) != 0));
      }
      list.add(new ContractionPlan.Monomial(entry.getValue(), factors));
    }
    return new ContractionPlan.Output(sum.matrix(), sum.row(), sum.column(), list);
  }

  private int trace(int number) {
    if (traceOf[number] < 0) {
      int left = reduction.traceLeft(number);
      int right = reduction.traceRight(number);
      if (right >= 0 && first(left) != first(right) && first(right) == TimeSlot.SINK) {
        int swap = left;
        left = right;
        right = swap;
      }
      traceOf[number] = traces.size();
      traces.add(
          right < 0
              ? new ContractionPlan.Trace(left & 15, element(left >> 4), 0, ContractionPlan.NONE)
              : new ContractionPlan.Trace(
                  left & 15, element(left >> 4), right & 15, element(right >> 4)));
    }
    return traceOf[number];
  }

  /** The time of the first node: factors that begin at the sink stand on the left of a trace. */
  private TimeSlot first(int letter) {
    return classes.nodes().get(reduction.sequences().letter(letter >> 4, 0) >> 4).time();
  }

  private int element(int sequence) {
    if (elementOf[sequence] != ContractionPlan.NONE) {
      return elementOf[sequence];
    }
    int result;
    if (reduction.sequences().length(sequence) == 1) {
      result = node(classes.nodes().get(reduction.sequences().letter(sequence, 0) >> 4));
    } else {
      int left = reduction.splitLeft(sequence);
      int right = reduction.splitRight(sequence);
      int leftElement = element(left >> 4);
      int rightElement = element(right >> 4);
      result = newIntermediate();
      products.add(
          new ContractionPlan.Product(
              result,
              endGammas ? 0 : left & 15,
              leftElement,
              right & 15,
              rightElement,
              Complex.ONE,
              false));
    }
    elementOf[sequence] = result;
    return result;
  }

  @Override
  public int node(NodeRef node) {
    return nodeIndex.computeIfAbsent(
        node,
        key -> {
          nodes.add(key);
          return nodes.size() - 1;
        });
  }

  @Override
  public int newIntermediate() {
    return -2 - intermediates++;
  }

  @Override
  public void product(int destination, int left, int innerGamma, int right) {
    products.add(
        new ContractionPlan.Product(destination, 0, left, innerGamma, right, Complex.ONE, false));
  }

  @Override
  public int trace(int left, int right) {
    traces.add(new ContractionPlan.Trace(0, left, 0, right));
    return traces.size() - 1;
  }
}
