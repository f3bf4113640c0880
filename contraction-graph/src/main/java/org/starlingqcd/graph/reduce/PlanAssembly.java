package org.starlingqcd.graph.reduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.TimeSlot;
import org.starlingqcd.graph.baryon.BaryonLowering;
import org.starlingqcd.graph.baryon.CutRings;
import org.starlingqcd.graph.baryon.GraphSums;
import org.starlingqcd.graph.baryon.PairTable;
import org.starlingqcd.graph.baryon.TetraquarkLowering;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.plan.BilinearTerm;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Monomials;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.PlanDraft;
import org.starlingqcd.graph.plan.ReducerOptions;

/**
 * Writes a {@link Reduction} down as elements, traces and outputs, one term for every product and
 * trace, and the baryon graphs with them.
 */
final class PlanAssembly implements BaryonLowering.PlanTarget {
  private final DiagramSet set;
  private final CycleClasses classes;
  private final Reduction reduction;
  private final boolean endGammas;
  private final GraphSums graphSums;
  private final BaryonLowering baryons;
  private final TetraquarkLowering tetraquarks;
  private final List<List<BilinearTerm>> intermediates = new ArrayList<>();
  private final List<List<BilinearTerm>> traces = new ArrayList<>();
  private final List<ContractionPlan.Made> made = new ArrayList<>();
  private long pairsUnshared;
  private double productsUnshared;
  private final int[] elementOf;
  private final int[] traceOf;

  /**
   * Starts a plan.
   *
   * @param rings those of its baryon graphs that were cut
   * @param graphSums which baryon graphs are added up
   * @param pairs the blocks that were chosen for them
   */
  PlanAssembly(
      DiagramSet set,
      Reduction reduction,
      ReducerOptions options,
      CutRings rings,
      GraphSums graphSums,
      PairTable pairs) {
    this.set = set;
    this.graphSums = graphSums;
    this.reduction = reduction;
    endGammas = options.uses(Optimization.END_GAMMAS);
    classes = reduction.classes();
    elementOf = new int[reduction.sequences().size()];
    traceOf = new int[classes.size()];
    Arrays.fill(elementOf, ContractionPlan.NONE);
    Arrays.fill(traceOf, ContractionPlan.NONE);
    baryons = new BaryonLowering(set, rings, pairs, this);
    tetraquarks = new TetraquarkLowering(set, rings.outputs(), baryons, this);
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
        made,
        baryons.elementals(),
        new BaryonPart.Unshared(pairsUnshared, productsUnshared));
  }

  private PlanDraft.Output output(OutputSum sum) {
    Monomials monomials = new Monomials();
    Map<Integer, Map<Integer, Complex>> together = new LinkedHashMap<>();
    // By the other components of diagrams, as codes of traces.
    Map<List<Integer>, Map<Integer, Complex>> tetraquarkSums = new LinkedHashMap<>();
    for (Map.Entry<Integer, Complex> term : sum.terms().entrySet()) {
      int[] components = set.diagramAt(term.getKey());
      int tetraquarkGraphs = 0;
      for (int component : components) {
        tetraquarkGraphs += DiagramSet.isTetraquarks(component) ? 1 : 0;
        if (DiagramSet.isBaryons(component)) {
          pairsUnshared += set.baryonGraphAt(~component).sinks().size();
          productsUnshared += baryons.productsAlone(~component);
        }
      }
      int key = graphSums.key(term.getKey());
      if (tetraquarkGraphs == 1) {
        // They come first.
        tetraquarkSums
            .computeIfAbsent(
                Arrays.stream(components).skip(1).boxed().toList(), k -> new LinkedHashMap<>())
            .put(components[0], term.getValue());
      } else if (key == GraphSums.ALONE) {
        Monomial monomial = monomial(components);
        merge(monomials, monomial.codes(), term.getValue().times(monomial.factor()));
      } else {
        together
            .computeIfAbsent(key, k -> new LinkedHashMap<>())
            .put(GraphSums.single(components), term.getValue());
      }
    }
    together.forEach((key, graphs) -> merge(monomials, graphSums.others(key), baryons.sum(graphs)));
    tetraquarkSums.forEach(
        (others, graphs) ->
            merge(monomials, others.stream().mapToInt(c -> c).toArray(), tetraquarks.sum(graphs)));
    monomials.removeIf(product -> monomials.coefficient(product).abs() <= sum.negligible());
    return new PlanDraft.Output(sum.matrix(), sum.row(), sum.column(), monomials, sum.negligible());
  }

  /** Adds a sum of traces, times other components. */
  private void merge(
      Monomials monomials, int[] components, List<BaryonLowering.Weighted> traceSum) {
    Monomial others = monomial(components);
    for (BaryonLowering.Weighted weighted : traceSum) {
      int[] codes = Arrays.copyOf(others.codes(), others.codes().length + 1);
      codes[codes.length - 1] = 2 * weighted.trace();
      merge(monomials, codes, weighted.factor().times(others.factor()));
    }
  }

  private static void merge(Monomials monomials, int[] codes, Complex coefficient) {
    Arrays.sort(codes);
    monomials.add(codes, codes.length, coefficient);
  }

  /** Trace codes of a product, and what their product is multiplied by. */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  private record Monomial(int[] codes, Complex factor) {}

  private Monomial monomial(int[] components) {
    int[] codes = new int[components.length];
    int sign = 1;
    Complex factor = Complex.ONE;
    for (int k = 0; k < codes.length; k++) {
      int component = components[k];
      if (DiagramSet.isTetraquarks(component)) {
        BaryonLowering.Weighted value = tetraquarks.sum(Map.of(component, Complex.ONE)).get(0);
        factor = factor.times(value.factor());
        codes[k] = 2 * value.trace();
        continue;
      }
      if (component < 0) {
        BaryonLowering.Value value = baryons.value(~component);
        sign *= value.sign();
        codes[k] = 2 * value.trace();
        continue;
      }
      CycleClasses.Member member = classes.member(component);
      int number = member.number();
      boolean conjugate = member.conjugate();
      sign *= member.sign();
      if (reduction.traceReversed(number)) {
        conjugate = !conjugate;
        sign *= classes.reverseSign(number);
      }
      codes[k] = 2 * trace(number) + (conjugate ? 1 : 0);
    }
    return new Monomial(codes, factor.times(sign));
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
  public int make(IntFunction<ContractionPlan.Made> how) {
    int number = newIntermediate();
    made.add(how.apply(number));
    return number;
  }

  @Override
  public void product(int destination, BilinearTerm term) {
    intermediates.get(destination - classes.nodes().size()).add(term);
  }

  @Override
  public int trace(int left, int innerGamma, int right) {
    return trace(new BilinearTerm(Complex.ONE, 0, left, innerGamma, right));
  }

  private int trace(BilinearTerm term) {
    traces.add(new ArrayList<>(List.of(term)));
    return traces.size() - 1;
  }
}
