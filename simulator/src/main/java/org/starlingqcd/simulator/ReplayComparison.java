package org.starlingqcd.simulator;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.replay.Replay;

/**
 * Replays of a memory trace with several organizations, policies, write policies, capacities and
 * orders of its contractions.
 *
 * @param trace the trace
 * @param orders the results of each order
 */
public record ReplayComparison(AccessTrace trace, List<Order> orders) {
  /**
   * One order of the contractions.
   *
   * @param name its name, see {@link AccessOrders}
   * @param peakBytes peak of the bytes of elements when memory is ample
   * @param smallestBudgetBytes the smallest budget with which it runs
   * @param capacities the results at each capacity
   */
  public record Order(
      String name, long peakBytes, long smallestBudgetBytes, List<Capacity> capacities) {}

  /**
   * One capacity.
   *
   * @param bytes the budget, or {@link #UNBOUNDED}
   * @param fits whether every contraction fits
   * @param bounds lower bounds on traffic; null when it does not fit, without a bound on bytes, and
   *     for traces that overwrite elements
   * @param combinations what each combination counted; empty when it does not fit
   */
  public record Capacity(
      long bytes, boolean fits, @Nullable TrafficBounds bounds, List<Combination> combinations) {
    /** Whether lines alone bound the cache. */
    public boolean isUnbounded() {
      return bytes == UNBOUNDED;
    }

    /** A policy's traffic in units of the lower bound. */
    public double gap(MemoryStatistics policy) {
      return bounds == null || bounds.trafficBytes() == 0
          ? 1
          : policy.trafficBytes() / (double) bounds.trafficBytes();
    }
  }

  /** A budget that no trace reaches. */
  public static final long UNBOUNDED = Long.MAX_VALUE / 4;

  /**
   * What is compared, each with each.
   *
   * @param organizations which lines an element may take
   * @param lines numbers of lines; empty: as many as the budget has room for the largest element,
   *     and any number with the full organization
   * @param policies names of eviction policies
   * @param writes when results are copied to the host
   */
  public record Choices(
      List<Organization> organizations,
      List<Integer> lines,
      List<String> policies,
      List<WritePolicy> writes) {
    /** All combinations within a budget, as options of MemHC. */
    List<MemHCOptions> all(MemHCOptions options, long largestBytes) {
      List<MemHCOptions> all = new ArrayList<>();
      int fitting = (int) Math.max(1, Math.min(1 << 20, options.budgetBytes() / largestBytes));
      for (Organization organization : organizations) {
        List<Integer> counts =
            lines.isEmpty() ? List.of(organization.ways() == 0 ? 0 : fitting) : lines;
        for (int count : counts) {
          for (String policy : policies) {
            for (WritePolicy write : writes) {
              all.add(
                  options
                      .withOrganization(organization, count)
                      .withPolicy(policy)
                      .withWritePolicy(write));
            }
          }
        }
      }
      return all;
    }
  }

  /**
   * One combination and its counters.
   *
   * @param options organization, lines, policy and write policy
   * @param counts the counters
   * @param seconds the time by the model; null without one
   */
  public record Combination(
      MemHCOptions options, MemoryStatistics counts, @Nullable Double seconds) {}

  /**
   * Replays a trace.
   *
   * @param choices what is compared at each capacity
   * @param capacities amounts, or shares of the peak of the order; empty: lines alone bound the
   *     cache
   * @param options liveness, seed, prefetch and late locks; the rest is ignored
   * @param timeModel the model of time, or null
   */
  public static ReplayComparison of(
      AccessTrace trace,
      Choices choices,
      List<MemorySize> capacities,
      List<String> orderNames,
      MemHCOptions options,
      @Nullable TimeModel timeModel) {
    List<Order> orders = new ArrayList<>();
    for (String name : orderNames) {
      AccessTrace ordered =
          name.equals(AccessOrders.GIVEN) ? trace : AccessOrders.reorder(trace, name);
      long peak = Replay.peakBytes(ordered);
      long smallest = Replay.smallestBudget(ordered);
      List<Long> budgets =
          capacities.isEmpty()
              ? List.of(UNBOUNDED)
              : capacities.stream().map(capacity -> Math.max(1, capacity.of(peak))).toList();
      List<Capacity> found = new ArrayList<>();
      for (long bytes : budgets) {
        if (bytes < smallest) {
          found.add(new Capacity(bytes, false, null, List.of()));
          continue;
        }
        List<Combination> counted = new ArrayList<>();
        for (MemHCOptions one : choices.all(options.withBudget(bytes), ordered.largestBytes())) {
          MemoryStatistics counts = Replay.run(ordered, one);
          Double seconds =
              timeModel == null ? null : timeModel.seconds(counts.cache(), ordered.flops());
          counted.add(new Combination(one, counts, seconds));
        }
        boolean bounded =
            bytes != UNBOUNDED && ordered.queues().stream().noneMatch(AccessQueue::overwrites);
        found.add(
            new Capacity(bytes, true, bounded ? TrafficBounds.of(ordered, bytes) : null, counted));
      }
      orders.add(new Order(name, peak, smallest, found));
    }
    return new ReplayComparison(trace, orders);
  }

  /** What every JSON object of {@code starling replay} begins with. */
  static Map<String, Object> describe(AccessTrace trace) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("elements", trace.elements());
    map.put("queues", trace.queues().size());
    map.put("contractions", trace.queues().stream().mapToLong(AccessQueue::steps).sum());
    map.put("accesses", trace.queues().stream().mapToLong(AccessQueue::accesses).sum());
    return map;
  }

  /** The JSON object of {@code starling replay --json}. */
  public Map<String, Object> describe() {
    Map<String, Object> map = describe(trace);
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
    map.put("device_bytes", capacity.isUnbounded() ? null : capacity.bytes());
    TrafficBounds bounds = capacity.bounds();
    map.put("fits", capacity.fits());
    if (bounds != null) {
      map.put("compulsory_bytes", bounds.compulsoryBytes());
      bounds.beladyLoads().ifPresent(loads -> map.put("belady_loads", loads));
      map.put("pfoo_bytes", bounds.pfooBytes());
      map.put("lower_bound_bytes", bounds.trafficBytes());
    }
    List<Map<String, Object>> policies = new ArrayList<>();
    for (Combination combination : capacity.combinations()) {
      MemoryStatistics policy = combination.counts();
      MemHCOptions options = combination.options();
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("organization", options.organization().label());
      one.put("lines", options.lines() == 0 ? null : options.lines());
      one.put("policy", options.policy());
      one.put("write", options.writePolicy().label());
      one.put("byte_hit_ratio", policy.cache().byteHitRatio());
      one.put("bytes_to_device", policy.bytesToDevice());
      one.put("bytes_to_host", policy.bytesToHost());
      one.put("seconds", combination.seconds());
      policy.describe().forEach(one::putIfAbsent);
      one.put("device_bytes", capacity.isUnbounded() ? null : capacity.bytes());
      one.put("clean_evictions", policy.cleanEvictions());
      one.put("traffic_bytes", policy.trafficBytes());
      one.put("lookup_byte_hit_ratio", policy.lookupByteHitRatio());
      if (bounds != null) {
        one.put("gap", capacity.gap(policy));
      }
      policies.add(one);
    }
    map.put("policies", policies);
    return map;
  }

  /** The tables of {@code starling replay}: one for each order and capacity. */
  public void print(PrintWriter out) {
    out.printf(
        Locale.US,
        "%d elements, %d queues, %d contractions%n",
        trace.elements(),
        trace.queues().size(),
        trace.queues().stream().mapToLong(AccessQueue::steps).sum());
    for (Order order : orders) {
      out.printf(
          Locale.US,
          "%norder %s: peak %s, smallest budget %s%n",
          order.name(),
          MemorySize.text(order.peakBytes()),
          MemorySize.text(order.smallestBudgetBytes()));
      order.capacities().forEach(capacity -> print(capacity, out));
    }
  }

  private static void print(Capacity capacity, PrintWriter out) {
    TrafficBounds bounds = capacity.bounds();
    if (!capacity.fits()) {
      out.printf(
          Locale.US,
          "%n%s: too small for a single contraction%n",
          MemorySize.text(capacity.bytes()));
      return;
    }
    printBounds(capacity, bounds, out);
    List<Combination> all = capacity.combinations();
    boolean choices =
        all.stream()
            .map(Combination::options)
            .anyMatch(
                o ->
                    o.lines() > 0
                        || o.organization().ways() > 0
                        || o.writePolicy() != WritePolicy.BACK);
    boolean seconds = all.stream().anyMatch(one -> one.seconds() != null);
    out.printf("%-18s", "policy");
    if (choices) {
      out.printf(" %12s %7s %7s", "organization", "lines", "write");
    }
    out.printf(
        Locale.US,
        " %9s %9s %9s %9s %9s %12s %12s %9s %9s",
        "hits",
        "misses",
        "clean",
        "dirty",
        "dead",
        "to device",
        "to host",
        "looked up",
        "byte hits");
    out.printf("%s%s%n", bounds == null ? "" : "     gap", seconds ? "      seconds" : "");
    for (Combination one : all) {
      MemHCOptions options = one.options();
      MemoryStatistics policy = one.counts();
      out.printf("%-18s", policy.policy());
      if (choices) {
        out.printf(
            " %12s %7s %7s",
            options.organization().label(),
            options.lines() == 0 ? "-" : options.lines(),
            options.writePolicy().label());
      }
      out.printf(
          Locale.US,
          " %9d %9d %9d %9d %9d %12s %12s %8.2f%% %8.2f%%",
          policy.hits(),
          policy.misses(),
          policy.cleanEvictions(),
          policy.dirtyEvictions(),
          policy.deadEvictions(),
          MemorySize.text(policy.bytesToDevice()),
          MemorySize.text(policy.bytesToHost()),
          100 * policy.lookupByteHitRatio(),
          100 * policy.cache().byteHitRatio());
      if (bounds != null) {
        out.printf(Locale.US, " %7.3f", capacity.gap(policy));
      }
      if (one.seconds() != null) {
        out.printf(Locale.US, " %12.6g", one.seconds());
      }
      out.println();
    }
  }

  private static void printBounds(
      Capacity capacity, @Nullable TrafficBounds bounds, PrintWriter out) {
    if (bounds == null) {
      out.printf(
          "%n%s%n",
          capacity.isUnbounded() ? "bound by lines alone" : MemorySize.text(capacity.bytes()));
      return;
    }
    out.printf(
        Locale.US,
        "%n%s: traffic at least %s (compulsory %s, PFOO %s)%n",
        MemorySize.text(capacity.bytes()),
        MemorySize.text(bounds.trafficBytes()),
        MemorySize.text(bounds.compulsoryBytes()),
        MemorySize.text(bounds.pfooBytes()));
    bounds
        .beladyLoads()
        .ifPresent(loads -> out.printf(Locale.US, "at least %d loads (Belady)%n", loads));
  }
}
