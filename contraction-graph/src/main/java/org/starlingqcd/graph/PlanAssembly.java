package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a {@link Reduction} down as elements, traces and outputs, one term for every product and
 * trace, and the baryon graphs with them.
 */
final class PlanAssembly implements BaryonLowering.PlanTarget {
  private final DiagramSet set;
  private final CycleClasses classes;
  private final Reduction reduction;
  private final boolean endGammas;
  private final BaryonLowering baryons;
  private final List<List<BilinearTerm>> intermediates = new ArrayList<>();
  private final List<List<BilinearTerm>> traces = new ArrayList<>();
  private long pairsUnshared;
  private double productsUnshared;
  private final int[] elementOf;
  private final int[] traceOf;

  PlanAssembly(
      DiagramSet set, Reduction reduction, ReducerOptions options, boolean[] usedBaryonGraphs) {
    this.set = set;
    this.reduction = reduction;
    endGammas = options.endGammas();
    classes = reduction.classes();
    elementOf = new int[reduction.sequences().size()];
    traceOf = new int[classes.size()];
    Arrays.fill(elementOf, ContractionPlan.NONE);
    Arrays.fill(traceOf, ContractionPlan.NONE);
    baryons = new BaryonLowering(set, usedBaryonGraphs, options, this);
  }

  /** The draft; made once. */
  PlanDraft draft(List<OutputSum> sums) {
    List<PlanDraft.Output> outputs = new ArrayList<>();
    for (OutputSum sum : sums) {
      outputs.add(output(sum));
    }
    return new PlanDraft(
        classes.nodes(),
        intermediates,
        traces,
        outputs,
        baryons.part(element -> element, new BaryonPart.Unshared(pairsUnshared, productsUnshared)));
  }

  private PlanDraft.Output output(OutputSum sum) {
    TreeMap<int[], Complex> monomials = new TreeMap<>(DiagramSet.LETTER_ORDER);
    for (Map.Entry<Integer, Complex> term : sum.terms().entrySet()) {
      int[] cycles = set.diagramAt(term.getKey());
      int[] codes = new int[cycles.length];
      int sign = 1;
      for (int k = 0; k < cycles.length; k++) {
        if (cycles[k] < 0) {
          pairsUnshared += set.baryonGraphAt(~cycles[k]).sinks().size();
          productsUnshared += baryons.productsAlone(~cycles[k]);
          BaryonLowering.Value value = baryons.value(~cycles[k]);
          sign *= value.sign();
          codes[k] = 2 * value.trace();
          continue;
        }
        int number = classes.classOf(cycles[k]);
        boolean conjugate = classes.conjugateOf(cycles[k]);
        sign *= classes.signOf(cycles[k]);
        if (reduction.traceReversed(number)) {
          conjugate = !conjugate;
          sign *= classes.reverseSign(number);
        }
        codes[k] = 2 * trace(number) + (conjugate ? 1 : 0);
      }
      Arrays.sort(codes);
      monomials.merge(codes, term.getValue().times(sign), Complex::plus);
    }
    monomials.values().removeIf(coefficient -> coefficient.abs() <= sum.negligible());
    return new PlanDraft.Output(sum.matrix(), sum.row(), sum.column(), monomials, sum.negligible());
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
      traceOf[number] =
          trace(
              right < 0
                  ? new BilinearTerm(
                      Complex.ONE, left & 15, element(left >> 4), 0, ContractionPlan.NONE)
                  : new BilinearTerm(
                      Complex.ONE, left & 15, element(left >> 4), right & 15, element(right >> 4)));
    }
    return traceOf[number];
  }

  /** The time of the first node: factors that begin at the sink stand on the left of a trace. */
  private TimeSlot first(int letter) {
    return classes.nodes().get(reduction.sequences().letter(letter >> 4, 0) >> 4).time();
  }

  private int element(int sequence) {
    if (elementOf[sequence] == ContractionPlan.NONE) {
      if (reduction.sequences().length(sequence) == 1) {
        elementOf[sequence] = reduction.sequences().letter(sequence, 0) >> 4;
      } else {
        int left = reduction.splitLeft(sequence);
        int right = reduction.splitRight(sequence);
        int leftGamma = endGammas ? 0 : left & 15;
        BilinearTerm product =
            new BilinearTerm(
                Complex.ONE, leftGamma, element(left >> 4), right & 15, element(right >> 4));
        elementOf[sequence] = newIntermediate();
        product(elementOf[sequence], product);
      }
    }
    return elementOf[sequence];
  }

  @Override
  public int node(NodeRef node) {
    return classes.node(node);
  }

  @Override
  public int newIntermediate() {
    intermediates.add(new ArrayList<>(1));
    return classes.nodes().size() + intermediates.size() - 1;
  }

  @Override
  public void product(int destination, int left, int innerGamma, int right) {
    product(destination, new BilinearTerm(Complex.ONE, 0, left, innerGamma, right));
  }

  private void product(int destination, BilinearTerm term) {
    intermediates.get(destination - classes.nodes().size()).add(term);
  }

  @Override
  public int trace(int left, int right) {
    return trace(new BilinearTerm(Complex.ONE, 0, left, 0, right));
  }

  private int trace(BilinearTerm term) {
    traces.add(new ArrayList<>(List.of(term)));
    return traces.size() - 1;
  }
}
