package org.starlingqcd.graph.schedule;

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
 * What each optimization saves, for reports: the same diagrams planned with one switch off after
 * the other.
 */
public final class PlanComparison {
  /** Counts of a plan with some optimization left out. */
  public record Variant(int nodes, int products, int intermediates, int traces) {
    static Variant of(ContractionPlan plan) {
      return new Variant(
          plan.nodes().size(), plan.products().size(), plan.intermediates(), plan.traces().size());
    }
  }

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
}
