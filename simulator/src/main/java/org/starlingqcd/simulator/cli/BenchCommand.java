package org.starlingqcd.simulator.cli;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.backend.BackendProvider;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.TierOptions;
import org.starlingqcd.correlators.ComputationException;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.cli.ErrorReport;
import org.starlingqcd.correlators.cli.OneDeviceOptionGroup;
import org.starlingqcd.correlators.cli.Output;
import org.starlingqcd.correlators.cli.option.KnownNames;
import org.starlingqcd.correlators.run.CacheSettings;
import org.starlingqcd.correlators.run.TierSettings;
import org.starlingqcd.correlators.run.TwoTiers;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.MemoryBudgetException;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.simulator.BenchResult;
import org.starlingqcd.simulator.BenchSettings;
import org.starlingqcd.simulator.SyntheticBenchmark;
import org.starlingqcd.simulator.SyntheticContraction;
import org.starlingqcd.simulator.VectorWorkload;
import org.starlingqcd.simulator.workload.ChainWorkload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code starling bench}: random contractions through MemHC on a device. */
@Command(
    description = {
      "Runs random contractions with a given repetition and memory pressure through MemHC: the"
          + " workload of the paper's Tables 1 to 3.",
      "Each contraction multiplies two meson nodes (64 products of N x N), or with --rank 3 a leg"
          + " of a baryon node and a quark line (4 products of N*N x N for each spin component).",
      "Counts are per iteration; time and flops are totals of all iterations."
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int MOST_EIGENVECTORS = 1 << 14;

  /** The workload may take any memory beside the device. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 4;

  /** Spin components of a nucleon node: four of a diquark times two. */
  private static final int STANDARD_SPINS = 8;

  @Option(
      names = "--tensor-size",
      paramLabel = "N",
      description = "Eigenvectors N (${DEFAULT-VALUE}).")
  private int tensorSize = 384;

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      description =
          "contractions, or chain for C = AB, D = BC, E = CD of real matrices (--size, --protocol)"
              + " (${DEFAULT-VALUE}).")
  private String workload = "contractions";

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "With --workload chain: rows and columns of a matrix (1024).")
  private @Nullable Integer size;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      description =
          "With --workload chain: when results come back: none, write-back or write-through"
              + " (${DEFAULT-VALUE}).")
  private String protocol = "write-back";

  @Option(
      names = "--rank",
      paramLabel = "R",
      description = "Indices of a node: 2 for mesons, 3 for baryons (${DEFAULT-VALUE}).")
  private int rank = 2;

  @Option(
      names = "--spins",
      paramLabel = "S",
      description = "With --rank 3: spin components of a node, 4 to 64, a multiple of 4 (8).")
  private @Nullable Integer spins;

  @Option(
      names = "--vector-size",
      paramLabel = "V",
      description = "Contractions of a vector (${DEFAULT-VALUE}).")
  private int vectorSize = 16;

  @Option(
      names = "--repeated-rate",
      paramLabel = "R",
      description =
          "Share of a vector's inputs that repeat from the previous vector, 0 to 1 (${DEFAULT-VALUE}).")
  private double repeatedRate = 0.5;

  @Option(
      names = "--distribution",
      paramLabel = "NAME",
      description = "How repeated inputs are drawn: uniform or gaussian (${DEFAULT-VALUE}).")
  private VectorWorkload.Distribution distribution = VectorWorkload.Distribution.UNIFORM;

  @Option(names = "--seed", paramLabel = "K", description = "Seed of the draws (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--vectors",
      paramLabel = "COUNT",
      description = "Number of vectors, with all the device's memory (100).")
  private @Nullable Integer vectors;

  @Option(
      names = "--oversubscription",
      paramLabel = "O",
      description =
          "Instead of --vectors: 2·O + 1 vectors in a capacity of 2·V nodes; a multiple of 0.5.")
  private @Nullable Double oversubscription;

  @Option(
      names = "--eviction",
      paramLabel = "POLICY",
      completionCandidates = KnownNames.OfPolicies.class,
      description = "Eviction policy (${DEFAULT-VALUE}).")
  private String eviction = MemHCOptions.DEFAULT_POLICY;

  @Option(
      names = "--organization",
      paramLabel = "NAME",
      description =
          "Which lines of device memory an element may take: full, 5-way for any 5, or direct"
              + " (${DEFAULT-VALUE}).")
  private String organization = "full";

  @Option(
      names = "--lines",
      paramLabel = "COUNT",
      description =
          "Number of lines, each for one element (as many as the memory has room for; full: any).")
  private @Nullable Integer lines;

  @Option(
      names = "--write",
      paramLabel = "NAME",
      description = "When results are copied to the host: back or through (${DEFAULT-VALUE}).")
  private String write = "back";

  @Mixin private OneDeviceOptionGroup one = new OneDeviceOptionGroup();

  @Mixin private TierSettings tiers = new TierSettings();

  @Option(
      names = "--iterations",
      paramLabel = "COUNT",
      description = "Number of runs, each drawn anew (${DEFAULT-VALUE}).")
  private int iterations = 10;

  @Option(names = "--no-reuse", description = "Allocate, upload and free at every contraction.")
  private boolean noReuse;

  @Option(names = "--no-packing", description = "Allocate and copy each spin separately.")
  private boolean noPacking;

  @Option(names = "--no-gpu-only", description = "Copy every intermediate back immediately.")
  private boolean noGpuOnly;

  @Mixin private Output output = new Output();

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Append a row to FILE, with a header if it is new.")
  private @Nullable Path csv;

  @Override
  public Integer call() {
    if (workload.equals("chain")) {
      return chain();
    }
    if (!workload.equals("contractions")) {
      throw new InputException(
          "no workload is called '" + workload + "'; there are: contractions, chain");
    }
    if (size != null) {
      throw new InputException(
          "--size belongs to --workload chain; --tensor-size is that of contractions");
    }
    BenchSettings settings = settings();
    BackendProvider provider = one.provider();
    BenchResult result = run(settings, provider);
    output.write(() -> result.describe(provider.name()), out -> result.print(provider.name(), out));
    if (csv != null) {
      result.append(csv, provider.name());
    }
    return ErrorReport.SUCCESS;
  }

  private int chain() {
    int size = this.size == null ? 1024 : this.size;
    if (size < 1 || size > MOST_EIGENVECTORS) {
      throw new InputException(
          "--size must be between 1 and " + MOST_EIGENVECTORS + ", not " + size);
    }
    CoherenceProtocol when;
    try {
      when = CoherenceProtocol.parse(protocol);
    } catch (IllegalArgumentException unknown) {
      throw new InputException("--protocol: " + unknown.getMessage(), unknown);
    }
    BackendProvider provider = one.provider();
    long asked = one.askedBytes(provider);
    try (Device device = one.open(provider, asked, TierOptions.none())) {
      long budget = OneDeviceOptionGroup.budget(provider, device, asked);
      ChainWorkload.Result result =
          ChainWorkload.run(device, MemHCOptions.ofBudget(budget).withPolicy(eviction), when, size);
      Map<String, Object> numbers = result.describe(provider.name());
      output.write(
          () -> numbers,
          out ->
              out.printf(
                  Locale.US,
                  "chain of N = %d on %s, %s: %.3f s, %.1f GFLOP/s, %d bytes to the device, %d to the"
                      + " host%n",
                  size,
                  provider.name(),
                  when.label(),
                  result.seconds(),
                  1e-9 * result.flops() / result.seconds(),
                  result.statistics().memory().bytesToDevice(),
                  result.statistics().memory().bytesToHost()));
      return ErrorReport.SUCCESS;
    } catch (MemoryBudgetException tooSmall) {
      throw new ComputationException(
          "the chain does not fit: " + tooSmall.getMessage() + "; try a smaller --size", tooSmall);
    }
  }

  private BenchSettings settings() {
    if (vectors != null && oversubscription != null) {
      throw new InputException(
          "--vectors and --oversubscription exclude each other: an oversubscription fixes the"
              + " number of vectors");
    }
    if (!EvictionPolicies.names().contains(eviction)) {
      throw new InputException(
          "no eviction policy is called '"
              + eviction
              + "'; there are: "
              + String.join(", ", EvictionPolicies.names()));
    }
    try {
      return new BenchSettings(
          contraction(),
          vectorSize,
          repeatedRate,
          distribution,
          seed,
          vectors == null ? 100 : vectors,
          oversubscription,
          iterations,
          eviction,
          CacheSettings.parse(organization, lines, write, tiers.checked()),
          !noReuse,
          !noPacking,
          !noGpuOnly);
    } catch (IllegalArgumentException wrong) {
      throw new InputException(String.valueOf(wrong.getMessage()));
    }
  }

  private SyntheticContraction contraction() {
    if (rank != 2 && rank != 3) {
      throw new InputException("--rank must be 2 or 3, not " + rank);
    }
    if (tensorSize < 1 || tensorSize > MOST_EIGENVECTORS) {
      throw new InputException(
          "--tensor-size must be between 1 and " + MOST_EIGENVECTORS + ", not " + tensorSize);
    }
    if (rank == 2 && spins != null) {
      throw new InputException("--spins goes with --rank 3: a meson node has 16 spin components");
    }
    return rank == 2
        ? SyntheticContraction.mesons(tensorSize)
        : SyntheticContraction.baryon(tensorSize, spins == null ? STANDARD_SPINS : spins);
  }

  private BenchResult run(BenchSettings settings, BackendProvider provider) {
    long asked =
        settings.oversubscription() != null
            ? SyntheticBenchmark.budgetBytes(settings, 0)
            : one.askedBytes(provider);
    TierSettings wanted = settings.cache().tiers();
    TierOptions placement =
        TwoTiers.of(wanted, provider, asked > 0 ? asked : UNBOUNDED, UNBOUNDED).placement();
    try (Device device = one.open(provider, asked, placement)) {
      long budget = OneDeviceOptionGroup.budget(provider, device, asked);
      TwoTiers two = TwoTiers.of(wanted, provider, budget, UNBOUNDED);
      two.announce();
      return new SyntheticBenchmark(settings, device).run(two);
    } catch (MemoryBudgetException tooSmall) {
      throw new ComputationException(
          "the workload does not fit: " + tooSmall.getMessage() + "; try a smaller --tensor-size",
          tooSmall);
    }
  }
}
