package org.starlingqcd.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.Replay;

/**
 * Replays of a memory trace with several policies, capacities and orders of its contractions.
 *
 * @param trace the trace
 * @param orders the results of each order
 */
public record ReplayComparison(AccessTrace trace, List<Order> orders) {
  /** Copies the list. */
  public ReplayComparison {
    orders = List.copyOf(orders);
  }

  /**
   * One order of the contractions.
   *
   * @param name its name, see {@link AccessOrders}
   * @param peakBytes peak of the bytes of elements when memory is ample
   * @param smallestBudgetBytes the smallest budget with which it runs
   * @param capacities the results at each capacity
   */
  public record Order(
      String name, long peakBytes, long smallestBudgetBytes, List<Capacity> capacities) {
    /** Copies the list. */
    public Order {
      capacities = List.copyOf(capacities);
    }
  }

  /**
   * One capacity.
   *
   * @param bytes the budget
   * @param bounds lower bounds on traffic; null when the budget is too small
   * @param policies the counters of each policy; empty when the budget is too small
   */
  public record Capacity(
      long bytes, @Nullable TrafficBounds bounds, List<MemoryStatistics> policies) {
    /** Copies the list. */
    public Capacity {
      policies = List.copyOf(policies);
    }

    /** A policy's traffic in units of the lower bound. */
    public double gap(MemoryStatistics policy) {
      return bounds == null || bounds.trafficBytes() == 0
          ? 1
          : policy.trafficBytes() / (double) bounds.trafficBytes();
    }
  }

  /**
   * Replays a trace.
   *
   * @param capacities amounts, or shares of the peak of the order
   * @param options liveness, seed and prefetch; budget and policy are ignored
   */
  public static ReplayComparison of(
      AccessTrace trace,
      List<String> policies,
      List<MemorySize> capacities,
      List<String> orderNames,
      MemHCOptions options) {
    List<Order> orders = new ArrayList<>();
    for (String name : orderNames) {
      AccessTrace ordered =
          name.equals(AccessOrders.GIVEN) ? trace : AccessOrders.reorder(trace, name);
      long peak = Replay.peakBytes(ordered);
      long smallest = Replay.smallestBudget(ordered);
      List<Capacity> found = new ArrayList<>();
      for (MemorySize capacity : capacities) {
        long bytes = Math.max(1, capacity.of(peak));
        if (bytes < smallest) {
          found.add(new Capacity(bytes, null, List.of()));
          continue;
        }
        List<MemoryStatistics> counted = new ArrayList<>();
        for (String policy : policies) {
          counted.add(Replay.run(ordered, options.withBudget(bytes).withPolicy(policy)));
        }
        found.add(new Capacity(bytes, TrafficBounds.of(ordered, bytes), counted));
      }
      orders.add(new Order(name, peak, smallest, found));
    }
    return new ReplayComparison(trace, orders);
  }

  /** The JSON object of {@code starling replay --json}. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("elements", trace.elements());
    map.put("queues", trace.queues().size());
    map.put("contractions", trace.queues().stream().mapToLong(AccessQueue::steps).sum());
    map.put("accesses", trace.queues().stream().mapToLong(AccessQueue::accesses).sum());
    List<Map<String, Object>> list = new ArrayList<>();
    for (Order order : orders) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("order", order.name());
      one.put("peak_bytes", order.peakBytes());
      one.put("smallest_budget_bytes", order.smallestBudgetBytes());
      one.put("capacities", order.capacities().stream().map(ReplayComparison::describe).toList());
      list.add(one);
    }
    map.put("orders", list);
    return map;
  }

  private static Map<String, Object> describe(Capacity capacity) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("device_bytes", capacity.bytes());
    TrafficBounds bounds = capacity.bounds();
    map.put("fits", bounds != null);
    if (bounds != null) {
      map.put("compulsory_bytes", bounds.compulsoryBytes());
      bounds.beladyLoads().ifPresent(loads -> map.put("belady_loads", loads));
      map.put("pfoo_bytes", bounds.pfooBytes());
      map.put("lower_bound_bytes", bounds.trafficBytes());
    }
    List<Map<String, Object>> policies = new ArrayList<>();
    for (MemoryStatistics policy : capacity.policies()) {
      Map<String, Object> one = policy.describe();
      one.put("clean_evictions", policy.cleanEvictions());
      one.put("traffic_bytes", policy.trafficBytes());
      one.put("lookup_byte_hit_ratio", policy.lookupByteHitRatio());
      one.put("gap", capacity.gap(policy));
      policies.add(one);
    }
    map.put("policies", policies);
    return map;
  }
}
