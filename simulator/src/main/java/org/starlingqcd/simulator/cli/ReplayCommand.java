package org.starlingqcd.simulator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.simulator.AccessOrders;
import org.starlingqcd.simulator.MemoryPlot;
import org.starlingqcd.simulator.ReplayComparison;
import org.starlingqcd.simulator.TrafficBounds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code starling replay}: a recorded memory trace through policies, capacities and orders. */
@Command(
    name = "replay",
    description = {
      "Runs a recorded memory trace through eviction policies, without data.",
      "The gap is a policy's traffic in units of what no policy can undercut."
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Parameters(paramLabel = "TRACE", description = "A trace, as `starling run --trace` writes it.")
  private Path trace = Path.of("");

  @Option(
      names = "--eviction",
      paramLabel = "NAME",
      split = ",",
      description = "Policies, separated by commas; all by default.")
  private List<String> policies = List.of(ALL);

  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      split = ",",
      description = "Capacities, as 4GiB or as parts of the peak; 25%%,50%%,75%% by default.")
  private List<String> capacities = List.of("25%", "50%", "75%");

  @Option(
      names = "--order",
      paramLabel = "NAME",
      split = ",",
      description = "Orders of the contractions: given (default), depth-first, greedy, or all.")
  private List<String> orders = List.of(AccessOrders.GIVEN);

  @Option(
      names = "--seed",
      paramLabel = "K",
      defaultValue = "1",
      description = "Seed of random evictions (${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--no-liveness", description = "Evict what is dead instead of releasing it.")
  private boolean noLiveness;

  @Option(
      names = "--prefetch",
      description = "Bring in ahead what the queue needs next, as a run does.")
  private boolean prefetch;

  @Option(names = "--json", description = "Print one JSON object instead of tables.")
  private boolean json;

  @Option(
      names = "--plot-residency",
      paramLabel = "FILE",
      description = "Write a plot of the memory in use over time (.png, .svg), first policy.")
  private @Nullable Path residency;

  @Option(
      names = "--plot-misses",
      paramLabel = "FILE",
      description = "Write a plot of misses against capacity (.png, .svg).")
  private @Nullable Path misses;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    List<String> named = known("eviction policy", policies, EvictionPolicies.names());
    List<String> ordered = known("order", orders, AccessOrders.names());
    List<MemorySize> sizes = capacities.stream().map(MemorySize::parse).toList();
    if (residency != null) {
      MemoryPlot.format(residency);
    }
    if (misses != null) {
      MemoryPlot.format(misses);
    }
    AccessTrace read = read();
    MemHCOptions options = MemHCOptions.ofBudget(1).withSeed(seed).withLiveness(!noLiveness);
    if (!prefetch) {
      options = options.withPrefetch(0);
    }
    ReplayComparison comparison = ReplayComparison.of(read, named, sizes, ordered, options);
    PrintWriter out = Console.out(spec);
    if (json) {
      out.println(Json.text(comparison.describe()));
    } else {
      print(comparison, out);
    }
    plot(read, comparison, named, options);
    return ErrorReport.SUCCESS;
  }

  private AccessTrace read() {
    try {
      return AccessTrace.read(trace);
    } catch (IOException failed) {
      throw new InputException(ErrorReport.message(failed), failed);
    }
  }

  private static List<String> known(String what, List<String> asked, List<String> all) {
    if (asked.equals(List.of(ALL))) {
      return all;
    }
    for (String name : asked) {
      if (!all.contains(name)) {
        throw new InputException(
            "no " + what + " is called '" + name + "'; there are: " + String.join(", ", all));
      }
    }
    return asked;
  }

  private static void print(ReplayComparison comparison, PrintWriter out) {
    AccessTrace trace = comparison.trace();
    out.printf(
        Locale.ROOT,
        "%d elements, %d queues, %d contractions%n",
        trace.elements(),
        trace.queues().size(),
        trace.queues().stream().mapToLong(queue -> queue.steps()).sum());
    for (ReplayComparison.Order order : comparison.orders()) {
      out.printf(
          Locale.ROOT,
          "%norder %s: peak %s, smallest budget %s%n",
          order.name(),
          MemorySize.text(order.peakBytes()),
          MemorySize.text(order.smallestBudgetBytes()));
      order.capacities().forEach(capacity -> print(capacity, out));
    }
  }

  private static void print(ReplayComparison.Capacity capacity, PrintWriter out) {
    TrafficBounds bounds = capacity.bounds();
    if (bounds == null) {
      out.printf(
          Locale.ROOT,
          "%n%s: too small for a single contraction%n",
          MemorySize.text(capacity.bytes()));
      return;
    }
    out.printf(
        Locale.ROOT,
        "%n%s: traffic at least %s (compulsory %s, PFOO %s)%n",
        MemorySize.text(capacity.bytes()),
        MemorySize.text(bounds.trafficBytes()),
        MemorySize.text(bounds.compulsoryBytes()),
        MemorySize.text(bounds.pfooBytes()));
    bounds
        .beladyLoads()
        .ifPresent(loads -> out.printf(Locale.ROOT, "at least %d loads (Belady)%n", loads));
    out.printf(
        Locale.ROOT,
        "%-18s %9s %9s %9s %9s %9s %12s %12s %9s %7s%n",
        "policy",
        "hits",
        "misses",
        "clean",
        "dirty",
        "dead",
        "to device",
        "to host",
        "byte hits",
        "gap");
    for (MemoryStatistics policy : capacity.policies()) {
      out.printf(
          Locale.ROOT,
          "%-18s %9d %9d %9d %9d %9d %12s %12s %8.2f%% %7.3f%n",
          policy.policy(),
          policy.hits(),
          policy.misses(),
          policy.cleanEvictions(),
          policy.dirtyEvictions(),
          policy.deadEvictions(),
          MemorySize.text(policy.bytesToDevice()),
          MemorySize.text(policy.bytesToHost()),
          100 * policy.byteHitRatio(),
          capacity.gap(policy));
    }
  }

  private void plot(
      AccessTrace read, ReplayComparison comparison, List<String> named, MemHCOptions options)
      throws IOException {
    if (residency != null) {
      List<Long> budgets = new ArrayList<>();
      for (ReplayComparison.Capacity capacity : comparison.orders().get(0).capacities()) {
        if (capacity.bounds() != null) {
          budgets.add(capacity.bytes());
        }
      }
      String policy =
          named.contains(MemHCOptions.DEFAULT_POLICY) ? MemHCOptions.DEFAULT_POLICY : named.get(0);
      MemoryPlot.residency(read, budgets, options.withPolicy(policy), residency);
    }
    if (misses != null) {
      MemoryPlot.misses(read, named, options, misses);
    }
  }
}
