package org.starlingqcd.simulator.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.Output;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.hadron.hdf5.PlainFile;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.Tiering;
import org.starlingqcd.memhc.cache.TimeModel;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.simulator.AccessOrders;
import org.starlingqcd.simulator.MemoryPlot;
import org.starlingqcd.simulator.ReplayComparison;
import org.starlingqcd.simulator.TierComparison;
import org.starlingqcd.simulator.workload.Workloads;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code starling replay}: a recorded memory trace with several policies, capacities and orders.
 */
@Command(
    description = {
      "Replays a recorded memory trace, or a built-in workload, with eviction policies, organizations"
          + " of lines and write policies, without data.",
      "The gap is the traffic of a policy divided by a lower bound for all policies."
    })
public final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";
  private static final List<String> DEFAULT_SHARES = List.of("25%", "50%", "75%");

  @Parameters(
      paramLabel = "TRACE",
      arity = "0..1",
      description = "A trace written by `starling run --trace`.")
  private @Nullable Path trace;

  @Option(
      names = "--workload",
      paramLabel = "NAME:KEY=N,...",
      description =
          "Instead of a trace: tree, vectors, cholesky, smi, dgemm, qr, stream or triad,"
              + " with parameters, such as tree:taxa=100,moves=200,radius=5.")
  private @Nullable String workload;

  @Option(
      names = "--eviction",
      paramLabel = "POLICY",
      split = ",",
      completionCandidates = KnownNames.OfPolicies.class,
      description = "Policies, separated by commas (default: all).")
  private List<String> policies = List.of(ALL);

  @Option(
      names = "--device-memory",
      paramLabel = "SIZE",
      split = ",",
      description =
          "Capacities, such as 4GiB or shares of the peak (default: 25%%,50%%,75%%; with --lines no"
              + " bound on bytes).")
  private List<String> capacities = List.of();

  @Option(
      names = "--organization",
      paramLabel = "NAME",
      split = ",",
      description = "Which lines an element may take: full (default), 5-way for any 5, direct.")
  private List<String> organizations = List.of(Organization.FULL.label());

  @Option(
      names = "--lines",
      paramLabel = "COUNT",
      split = ",",
      description =
          "Numbers of lines, each for one element of any size. Default: as many as the capacity has"
              + " room for the largest element; full: any number.")
  private List<Integer> lines = List.of();

  @Option(
      names = "--index",
      paramLabel = "NAME",
      description =
          "What chooses the set of an element: its number, mixed, or its address as it is"
              + " (${DEFAULT-VALUE}).")
  private String index = "mixed";

  @Option(
      names = "--write",
      paramLabel = "NAME",
      split = ",",
      description =
          "When results are copied to the host: back (default), when they leave; through, at once.")
  private List<String> writes = List.of(WritePolicy.BACK.label());

  @Option(
      names = "--late-locks",
      description =
          "Lock the elements of a contraction one by one, as SoftCache does, instead of together.")
  private boolean lateLocks;

  @Option(
      names = "--fast-memory",
      paramLabel = "SIZE",
      split = ",",
      description =
          "Two tiers of memory: sizes of the fast one, such as 16GiB or shares of the peak (with"
              + " --tiering default: 25%%,50%%,75%%).")
  private List<String> fastMemory = List.of();

  @Option(
      names = "--tiering",
      paramLabel = "NAME",
      split = ",",
      description =
          "Two tiers of memory: off, everything is brought into the fast one; static, the first"
              + " elements stay there; guided (default), the queue says what is worth it.")
  private List<String> tierings = List.of();

  @Option(
      names = "--time-model",
      paramLabel = "RATES",
      description =
          "Estimate seconds from rates, such as bus=25GB/s,kernel=10TFLOP/s[,overlap]; also fast= for"
              + " the device's memory and slow= for the slow one of two tiers.")
  private @Nullable String timeModel;

  @Option(
      names = "--order",
      paramLabel = "NAME",
      split = ",",
      description = "Orders of the contractions: given (default), depth-first, greedy or all.")
  private List<String> orders = List.of(AccessOrders.GIVEN);

  @Option(
      names = "--seed",
      paramLabel = "K",
      description = "Seed of random evictions and of workloads (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(names = "--no-liveness", description = "Evict dead elements instead of releasing them.")
  private boolean noLiveness;

  @Option(
      names = "--prefetch",
      description = "Prefetch the next inputs of the queue, as a run does.")
  private boolean prefetch;

  @Mixin private Output output = new Output();

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

  @Option(
      names = "--plot-hits",
      paramLabel = "FILE",
      description =
          "Plot the byte hit ratio of both directions against capacity, a line for each policy (.png,"
              + " .svg).")
  private @Nullable Path hits;

  @Override
  public Integer call() throws IOException {
    List<String> named = known("eviction policy", policies, EvictionPolicies.names());
    List<String> ordered = known("order", orders, AccessOrders.names());
    List<String> shares = capacities;
    if (capacities.isEmpty() && lines.isEmpty()) {
      shares = DEFAULT_SHARES;
    }
    List<MemorySize> sizes = shares.stream().map(MemorySize::parse).toList();
    ReplayComparison.Choices choices = choices(named);
    TimeModel model = timeModel == null ? null : checked(timeModel, TimeModel::parse);
    Stream.of(hits, residency, misses).filter(Objects::nonNull).forEach(MemoryPlot::format);
    if (!tierings.isEmpty() || !fastMemory.isEmpty()) {
      compareTiers(named, model);
      return ErrorReport.SUCCESS;
    }
    AccessTrace read = read(false);
    MemHCOptions options =
        MemHCOptions.ofBudget(1).withSeed(seed).withLiveness(!noLiveness).withLateLocks(lateLocks);
    if (!prefetch) {
      options = options.withPrefetch(0);
    }
    ReplayComparison comparison =
        ReplayComparison.of(read, choices, sizes, ordered, options, model);
    output.write(comparison::describe, comparison::print);
    if (residency != null) {
      List<Long> budgets =
          comparison.orders().get(0).capacities().stream()
              .filter(ReplayComparison.Capacity::fits)
              .map(ReplayComparison.Capacity::bytes)
              .toList();
      String policy =
          named.contains(MemHCOptions.DEFAULT_POLICY) ? MemHCOptions.DEFAULT_POLICY : named.get(0);
      MemoryPlot.residency(read, budgets, options.withPolicy(policy), residency);
    }
    if (misses != null) {
      MemoryPlot.misses(read, named, options, misses);
    }
    if (hits != null) {
      MemoryPlot.byteHits(read, choices, options.withPrefetch(0), hits);
    }
    return ErrorReport.SUCCESS;
  }

  private ReplayComparison.Choices choices(List<String> policies) {
    if (!index.equals("mixed") && !index.equals("address")) {
      throw new InputException("--index must be mixed or address: " + index);
    }
    for (int count : lines) {
      if (count < 1) {
        throw new InputException("--lines must be at least 1, not " + count);
      }
    }
    return new ReplayComparison.Choices(
        organizations.stream()
            .map(name -> checked(name, Organization::parse).byAddress(index.equals("address")))
            .toList(),
        lines,
        policies,
        writes.stream().map(name -> checked(name, WritePolicy::parse)).toList());
  }

  private static <T> T checked(String text, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException wrong) {
      throw new InputException(String.valueOf(wrong.getMessage()), wrong);
    }
  }

  /** Two tiers of memory in place of a device with a host. */
  private void compareTiers(List<String> policies, @Nullable TimeModel model) {
    if (!capacities.isEmpty() || !lines.isEmpty() || residency != null || misses != null) {
      throw new InputException(
          "--tiering and --fast-memory do not go with --device-memory, --lines and plots");
    }
    List<Tiering> asked =
        (tierings.isEmpty() ? List.of(Tiering.GUIDED.label()) : tierings)
            .stream().map(name -> checked(name, Tiering::parse)).toList();
    List<MemorySize> sizes =
        (fastMemory.isEmpty() ? DEFAULT_SHARES : fastMemory)
            .stream().map(MemorySize::parse).toList();
    TierComparison comparison = TierComparison.of(read(true), sizes, asked, policies, seed, model);
    output.write(comparison::describe, comparison::print);
  }

  private AccessTrace read(boolean inPlace) {
    if ((trace == null) == (workload == null)) {
      throw new InputException("name either a trace or a --workload, such as tree:taxa=100");
    }
    if (trace == null) {
      return checked(Objects.requireNonNull(workload), text -> Workloads.make(text, seed, inPlace));
    }
    try {
      PlainFile.check(trace);
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
}
