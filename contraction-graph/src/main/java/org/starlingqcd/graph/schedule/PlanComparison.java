package org.starlingqcd.graph.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.DiagramSet;
import org.starlingqcd.graph.NodeRef;
import org.starlingqcd.graph.OutputSum;
import org.starlingqcd.graph.plan.ContractionPlan;
import org.starlingqcd.graph.plan.PlanDraft;
import org.starlingqcd.graph.plan.ReducerOptions;
import org.starlingqcd.graph.reduce.CycleClasses;
import org.starlingqcd.graph.reduce.Reducer;
import org.starlingqcd.graph.reduce.Reduction;
import org.starlingqcd.graph.reduce.SharingBound;

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

  /** How many of something live on the source alone, on the sink alone, on both. */
  public record TimeShare(int source, int sink, int both) {}

  /** Where the {@code nodes}, {@code products} and {@code traces} of a plan live. */
  public static Map<String, TimeShare> timeShares(ContractionPlan plan) {
    int[] bits = new int[plan.elementCount()];
    int[] nodes = new int[4];
    int[] products = new int[4];
    int[] traces = new int[4];
    for (int k = 0; k < plan.nodes().size(); k++) {
      NodeRef node = plan.nodes().get(k);
      bits[k] = PlanDraft.bit(node.time()) | PlanDraft.bit(node.next());
      nodes[bits[k]]++;
    }
    // What is made of baryons is not a product, and lives on both.
    Arrays.fill(bits, plan.nodes().size(), bits.length, 3);
    plan.products().forEach(product -> bits[product.destination()] = 0);
    for (ContractionPlan.Product product : plan.products()) {
      int of = bits[product.left()] | bits[product.right()];
      products[of]++;
      bits[product.destination()] |= of;
    }
    for (ContractionPlan.Trace trace : plan.traces()) {
      boolean two = trace.right() != ContractionPlan.NONE;
      traces[bits[trace.left()] | (two ? bits[trace.right()] : 0)]++;
    }
    Map<String, TimeShare> shares = new LinkedHashMap<>();
    shares.put("nodes", new TimeShare(nodes[1], nodes[2], nodes[3]));
    shares.put("products", new TimeShare(products[1], products[2], products[3]));
    shares.put("traces", new TimeShare(traces[1], traces[2], traces[3]));
    return shares;
  }

  /** Matrix products or single traces, and what they read. */
  public record TracePasses(long passes, long bytesRead) {}

  /** The traces of a plan at one separation, as matrix products or one by one. */
  public static TracePasses tracePasses(ContractionPlan plan, int extent, boolean blocks) {
    ExecutionQueue queue =
        TimeBinding.bind(
            plan,
            ONE_SEPARATION,
            QueueOptions.standard()
                .withBudget(Long.MAX_VALUE, extent)
                .withOrder(StepOrder.SIBLING)
                .withTraceBlocks(blocks));
    long[] bytes = ElementSizes.bytes(queue.elements(), extent);
    long passes = 0;
    long[] read = {0};
    for (ExecutionQueue.Vector vector : queue.vectors()) {
      for (ExecutionQueue.Step step : vector.steps()) {
        if (step instanceof ExecutionQueue.Traces) {
          passes++;
          step.forEachInput(element -> read[0] += bytes[element]);
        }
      }
    }
    return new TracePasses(passes, read[0]);
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
    return SharingBound.products(new Reduction(usedClasses(set, options), options.endGammas()));
  }

  /** The classes of cycles that any number of the result needs. */
  public static CycleClasses usedClasses(DiagramSet set, ReducerOptions options) {
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
    return new CycleClasses(set, used, options);
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
