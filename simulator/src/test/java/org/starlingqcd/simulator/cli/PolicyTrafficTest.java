package org.starlingqcd.simulator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starlingqcd.correlators.MemorySize;
import org.starlingqcd.correlators.cli.Cli;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.cache.Organization;
import org.starlingqcd.memhc.cache.WritePolicy;
import org.starlingqcd.memhc.policy.EvictionPolicies;
import org.starlingqcd.simulator.ReplayComparison;

/** Eviction on the queues of real correlators: traffic against the bound and other policies. */
final class PolicyTrafficTest {
  private static final String DATA = "../examples/data/quenched_4x8_cfg0001.h5";

  @TempDir private Path folder = Path.of("");

  private String run(String definition, String name, String... more) {
    String[] args = {
      "run",
      definition,
      "--data",
      DATA,
      "--separations",
      "1",
      "--backend",
      "cpu",
      "--threads",
      "1",
      "--json",
      "--out",
      folder.resolve(name).toString()
    };
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    Cli cli = Cli.run(all);
    assertEquals(0, cli.status(), cli.err());
    return cli.out();
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"f0d2", "f0d4"})
  void defaultPolicy_quarterToThreeQuartersOfThePeak_nearTheBoundAndBest(String definition)
      throws IOException {
    String whole = run(definition, "whole");
    long peak = new ObjectMapper().readTree(whole).get("memory").get("peak_device_bytes").asLong();
    for (int percent : new int[] {25, 50, 75}) {
      long budget = peak * percent / 100;
      Path trace = folder.resolve(percent + ".trace");
      run(
          definition,
          "part" + percent,
          "--device-memory",
          Long.toString(budget),
          "--trace",
          trace.toString());
      ReplayComparison comparison =
          ReplayComparison.of(
              AccessTrace.read(trace),
              new ReplayComparison.Choices(
                  List.of(Organization.FULL),
                  List.of(),
                  EvictionPolicies.names(),
                  List.of(WritePolicy.BACK)),
              List.of(new MemorySize(budget, 0)),
              List.of("given"),
              MemHCOptions.ofBudget(budget),
              null);
      ReplayComparison.Capacity capacity = comparison.orders().get(0).capacities().get(0);
      MemoryStatistics best = policy(capacity, MemHCOptions.DEFAULT_POLICY);
      String where = definition + " at " + percent + " %";
      assertTrue(capacity.gap(best) <= 1.15, where + ": " + capacity.gap(best));
      for (MemoryStatistics other : counts(capacity)) {
        assertTrue(best.trafficBytes() <= other.trafficBytes(), where + ": " + other.policy());
      }
    }
  }

  private static List<MemoryStatistics> counts(ReplayComparison.Capacity capacity) {
    return capacity.combinations().stream().map(ReplayComparison.Combination::counts).toList();
  }

  private static MemoryStatistics policy(ReplayComparison.Capacity capacity, String name) {
    return counts(capacity).stream()
        .filter(statistics -> statistics.policy().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
