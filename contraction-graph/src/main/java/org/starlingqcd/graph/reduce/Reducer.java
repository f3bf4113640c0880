package org.starlingqcd.graph.reduce;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.starlingqcd.graph.Concurrently;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.baryon.CutRings;
import org.starlingqcd.graph.baryon.GraphSums;
import org.starlingqcd.graph.baryon.PairSelection;
import org.starlingqcd.graph.baryon.PairTable;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.Optimization;
import org.starlingqcd.graph.plan.PlanDraft;
import org.starlingqcd.graph.plan.PlanNumbering;
import org.starlingqcd.graph.plan.ReducerOptions;

/**
 * Finds products and traces that evaluate all diagrams of a {@link DiagramSet} with as little work
 * as it can find: nodes, products and traces are shared between all diagrams of all matrix elements
 * of all correlation matrices in the set. Deterministic: equal sets and options give equal plans.
 */
public final class Reducer {
  private static final double NEARLY_SAME = 0.02;

  private Reducer() {}

  /** The plan with {@link ReducerOptions#standard}. */
  public static ContractionPlan reduce(DiagramSet set) {
    return reduce(set, ReducerOptions.standard());
  }

  /** The plan. */
  public static ContractionPlan reduce(DiagramSet set, ReducerOptions options) {
    List<OutputSum> all = OutputSum.of(set);
    BitSet used = CycleClasses.used(set, all);
    ContractionPlan.Counts counts = count(set, all, used);
    CutRings rings = new CutRings(set, all, options.uses(Optimization.ACCUMULATION));
    GraphSums graphSums = new GraphSums(set, rings, options.mixedComponents());
    PairTable pairs = new PairTable(new PairSelection(set, rings, graphSums, options));
    CycleClasses classes = new CycleClasses(set, used, options);
    Reduction reduction = new Reduction(classes, options.uses(Optimization.END_GAMMAS));
    GreedyReduction.reduce(reduction);
    Optional<ReductionSearch> search =
        ReductionSearch.of(reduction, options.searchSteps(), options.seed());
    if (search.isEmpty()) {
      return draft(set, reduction, rings, graphSums, pairs, counts, options).plan(set);
    }
    Reduction unimproved = reduction.copy();
    CompletableFuture<Numbered> greedy =
        Concurrently.begin(() -> draft(set, unimproved, rings, graphSums, pairs, counts, options));
    search.get().improve();
    if (set.hasGraphs()) {
      // Both plans add nodes to the classes, so the second is written after the first.
      Concurrently.join(greedy);
    }
    Numbered searched = draft(set, reduction, rings, graphSums, pairs, counts, options);
    return better(Concurrently.join(greedy), searched).plan(set);
  }

  /** A plan whose elements and traces are numbered; its outputs have yet to be written. */
  private record Numbered(PlanNumbering numbering, ContractionPlan.Counts counts) {
    ContractionPlan plan(DiagramSet set) {
      return numbering.plan(set.matrices(), counts);
    }

    /** Work in units of N³: 64 for a product, 16 for a node. */
    double work() {
      return 64.0 * numbering.products() + 16.0 * numbering.nodes();
    }
  }

  private static Numbered draft(
      DiagramSet set,
      Reduction reduction,
      CutRings rings,
      GraphSums graphSums,
      PairTable pairs,
      ContractionPlan.Counts counts,
      ReducerOptions options) {
    PlanDraft draft =
        new PlanAssembly(set, reduction, options, rings, graphSums, pairs).draft(rings.outputs());
    ContractionPlan.Counts all =
        counts.withSeparate(draft.intermediates().size(), draft.traces().size());
    if (options.uses(Optimization.ACCUMULATION)) {
      Accumulation.apply(draft);
    }
    return new Numbered(new PlanNumbering(draft), all);
  }

  /**
   * The plan with less work. Where that is nearly the same, the one with fewer traces: fewer
   * elements meet, and less has to be resident.
   */
  private static Numbered better(Numbered greedy, Numbered searched) {
    double greedyWork = greedy.work();
    double searchedWork = searched.work();
    if (Math.abs(greedyWork - searchedWork) > NEARLY_SAME * greedyWork) {
      return searchedWork < greedyWork ? searched : greedy;
    }
    return searched.numbering().traces() < greedy.numbering().traces() ? searched : greedy;
  }

  private static ContractionPlan.Counts count(DiagramSet set, List<OutputSum> sums, BitSet used) {
    BitSet usedDiagrams = new BitSet();
    long diagrams = 0;
    long products = 0;
    long traces = 0;
    for (OutputSum sum : sums) {
      diagrams += sum.terms().size();
      for (int diagram : sum.terms().keySet()) {
        usedDiagrams.set(diagram);
        for (int component : set.diagramAt(diagram)) {
          traces++;
          if (DiagramSet.isTetraquarks(component)) {
            products += set.tetraquarkGraphAt(component).productsAlone();
          } else {
            products +=
                component < 0
                    ? set.baryonGraphAt(~component).productsAlone()
                    : Math.max(0, set.cycleAt(component).length - 2);
          }
        }
      }
    }
    return new ContractionPlan.Counts(
        diagrams, usedDiagrams.cardinality(), used.cardinality(), products, traces, 0, 0);
  }
}
