package org.starlingqcd.simulator.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.Console;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Json;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.simulator.AccessOrders;
import org.starlingqcd.simulator.MemoryPlot;
import org.starlingqcd.simulator.ReplayComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code starling replay}: a recorded memory trace with several policies, capacities and orders.
 */
@Command(
    name = "replay",
    description = {
      "Replays a recorded memory trace with eviction policies, without data.",
      "The gap is the traffic of a policy divided by a lower bound for all policies."
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Parameters(paramLabel = "TRACE", description = "A trace written by `starling run --trace`.")
  private Path trace = Path.of("");

  @Option(
      names = "--eviction",
      paramLabel = "NAME",
      split = ",",
      description = "Policies, separated by commas (default: all).")
  private List<String> policies = List.of(ALL);

  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      split = ",",
      description = "Capacities, such as 4GiB or shares of the peak (default: 25%%,50%%,75%%).")
  private List<String> capacities = List.of("25%", "50%", "75%");

  @Option(
      names = "--order",
      paramLabel = "NAME",
      split = ",",
      description = "Orders of the contractions: given (default), depth-first, greedy or all.")
  private List<String> orders = List.of(AccessOrders.GIVEN);

  @Option(
      names = "--seed",
      paramLabel = "K",
      defaultValue = "1",
      description = "Seed of random evictions (${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--no-liveness", description = "Evict dead elements instead of releasing them.")
  private boolean noLiveness;

  @Option(
      names = "--prefetch",
      description = "Prefetch the next inputs of the queue, as a run does.")
  private boolean prefetch;

  @Option(names = "--json", description = "Print one JSON object instead of tables.")
  private boolean json;

  @Option(
      names = "--plot-residency",
      paramLabel = "FILE",
      description = "Plot the memory in use over time for one policy (.png, .svg).")
  private @Nullable Path residency;

  @Option(
      names = "--plot-misses",
      paramLabel = "FILE",
      description = "Plot misses against capacity (.png, .svg).")
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
      ReplayText.print(comparison, out);
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
