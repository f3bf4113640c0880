package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What each optimization saves and what each order needs, for reports: the same diagrams planned
 * with one switch off after the other, and the same plan in every order.
 */
public final class PlanComparison {
  /** Counts of a plan with some optimization left out. */
  public record Variant(int nodes, int products, int intermediates, int traces) {
    static Variant of(ContractionPlan plan) {
      return new Variant(
          plan.nodes().size(), plan.products().size(), plan.intermediates(), plan.traces().size());
    }
  }

  /**
   * What an order needs, contraction by contraction (vectors of one).
   *
   * @param peakBytes most bytes resident with memory without bound
   * @param atQuarter traffic at the budget compared at, under the best eviction
   * @param atQuarterLru the same under Pre-Protected LRU
   */
  public record OrderNeeds(
      long peakBytes,
      ResidencySimulation.Traffic atQuarter,
      ResidencySimulation.Traffic atQuarterLru) {}

  /** Names of the optimizations that {@link #variants} leaves out, one each. */
  public static final List<String> SWITCHES =
      List.of("gamma5_hermiticity", "end_gammas", "accumulation", "search");

  private static final BoundTimes ONE_SEPARATION =
      new BoundTimes(4, List.of(0), List.of(1), List.of());

  private PlanComparison() {}

  /**
   * Plans with everything ({@code all}), with each of {@link #SWITCHES} off alone, and with all of
   * them off ({@code none}).
   */
  public static Map<String, Variant> variants(DiagramSet set, ReducerOptions options) {
    Map<String, Variant> variants = new LinkedHashMap<>();
    variants.put("all", Variant.of(Reducer.reduce(set, options)));
    for (String name : SWITCHES) {
      variants.put(name, Variant.of(Reducer.reduce(set, without(options, name))));
    }
    ReducerOptions none = options;
    for (String name : SWITCHES) {
      none = without(none, name);
    }
    variants.put("none", Variant.of(Reducer.reduce(set, none)));
    return variants;
  }

  private static ReducerOptions without(ReducerOptions options, String name) {
    return switch (name) {
      case "gamma5_hermiticity" -> options.withGamma5Hermiticity(false);
      case "end_gammas" -> options.withEndGammas(false);
      case "accumulation" -> options.withAccumulation(false);
      case "search" -> options.withSearch(0, options.seed());
      default -> throw new IllegalArgumentException("unknown optimization: " + name);
    };
  }

  /**
   * A lower bound for the number of products, before accumulation.
   *
   * @see SharingBound
   */
  public static long leastProducts(DiagramSet set, ReducerOptions options) {
    boolean[] used = new boolean[set.cycleCount()];
    for (OutputSum sum : OutputSum.of(set)) {
      for (int diagram : sum.terms().keySet()) {
        for (int cycle : set.diagramAt(diagram)) {
          if (cycle >= 0) {
            used[cycle] = true;
          }
        }
      }
    }
    CycleClasses classes = new CycleClasses(set, used, options);
    return SharingBound.products(new Reduction(classes, options.endGammas()));
  }

  /**
   * What a plan needs in every order for one source and one separation. {@link StepOrder#GIVEN} is
   * what the others are measured by: the diagrams as they come, each trace on its own (a plan
   * without accumulation) and no node built again. The budget compared at is a quarter of its peak.
   */
  public static Map<StepOrder, OrderNeeds> orders(
      DiagramSet set, ReducerOptions reducerOptions, int extent) {
    ContractionPlan plan = Reducer.reduce(set, reducerOptions);
    ContractionPlan asTheyCome = Reducer.reduce(set, reducerOptions.withAccumulation(false));
    QueueOptions options = new QueueOptions(1).withBudget(Long.MAX_VALUE, extent);
    Map<StepOrder, OrderNeeds> needs = new LinkedHashMap<>();
    Scheduling free = new Scheduling(plan, options);
    Scheduling plain = new Scheduling(asTheyCome, options.withRebuildNodes(false));
    long quarter = 0;
    for (StepOrder order : new ArrayList<>(free.candidates())) {
      boolean given = order == StepOrder.GIVEN;
      ExecutionQueue queue = (given ? plain : free).queue(ONE_SEPARATION, order, 1);
      long peak =
          run(queue, extent, Long.MAX_VALUE, ResidencySimulation.Eviction.FURTHEST_NEXT_USE)
              .peakBytes();
      if (given) {
        quarter = Math.max(1, peak / 4);
      }
      ExecutionQueue atQuarter =
          given
              ? queue
              : new Scheduling(plan, options.withBudget(quarter, extent))
                  .queue(ONE_SEPARATION, order, 1);
      needs.put(
          order,
          new OrderNeeds(
              peak,
              run(atQuarter, extent, quarter, ResidencySimulation.Eviction.FURTHEST_NEXT_USE),
              run(atQuarter, extent, quarter, ResidencySimulation.Eviction.PRE_PROTECTED_LRU)));
    }
    return needs;
  }

  private static ResidencySimulation.Traffic run(
      ExecutionQueue queue, int extent, long budget, ResidencySimulation.Eviction eviction) {
    return ResidencySimulation.run(queue, extent, budget, eviction);
  }
}
