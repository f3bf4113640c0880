package org.starlingqcd.benchmarks;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.MemHCOptions;
import org.starlingqcd.memhc.access.AccessQueue;
import org.starlingqcd.memhc.access.AccessTrace;
import org.starlingqcd.memhc.cache.MemoryStatistics;
import org.starlingqcd.memhc.replay.Replay;

/**
 * What MemHC itself costs for a look-up: a queue of contractions replayed without data, as for a
 * hundred configurations one after the other, so that everything is measured but kernels and
 * copies. With room for all elements every look-up but the first of an element hits; with a quarter
 * of it they miss, evict and prefetch as a run would.
 *
 * <pre>
 * mvn -pl benchmarks -am package
 * java -cp 'benchmarks/target/…' org.openjdk.jmh.Main MemHCBenchmark
 * </pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MemHCBenchmark {
  private static final int INPUTS = 1000;
  private static final int CONTRACTIONS = 2000;
  private static final int CONFIGURATIONS = 100;
  private static final int LOOK_UPS = 3 * CONTRACTIONS * CONFIGURATIONS;
  private static final int VECTOR = 16;
  private static final int REACH = 600;

  /** Name of the eviction policy. */
  @Param({"cost-aware", "furthest-next-use", "pre-protected-lru", "lru", "car", "clock-pro"})
  private String policy = "lru";

  /** Budget as a part of what all elements that are alive at once take. */
  @Param({"1.0", "0.25"})
  private double share;

  private AccessTrace trace = new AccessTrace(List.of(), new int[0], new boolean[0], List.of());
  private MemHCOptions options = MemHCOptions.ofBudget(1);

  /** Makes the queue: contractions of inputs and recent results, in vectors of sixteen. */
  @Setup
  public void makeTrace() {
    Random random = new Random(1);
    AccessQueue.Builder builder = AccessQueue.builder();
    for (int k = 0; k < CONTRACTIONS; k++) {
      int known = INPUTS + k / VECTOR * VECTOR;
      int left = random.nextBoolean() ? random.nextInt(INPUTS) : recent(random, known);
      builder.step(new int[] {left, recent(random, known)}, new int[] {INPUTS + k});
      if (k % VECTOR == VECTOR - 1) {
        builder.endVector();
      }
    }
    boolean[] input = new boolean[INPUTS + CONTRACTIONS];
    Arrays.fill(input, 0, INPUTS, true);
    trace =
        new AccessTrace(
            List.of(TensorShape.mesonNode(128)),
            new int[input.length],
            input,
            Collections.nCopies(CONFIGURATIONS, builder.build()));
    long budget = (long) (share * Replay.peakBytes(trace));
    options = MemHCOptions.ofBudget(budget).withPolicy(policy);
  }

  private static int recent(Random random, int known) {
    return known - 1 - random.nextInt(Math.min(known, REACH));
  }

  /** Nanoseconds for a look-up, three of which make a contraction. */
  @Benchmark
  @OperationsPerInvocation(LOOK_UPS)
  public MemoryStatistics lookUp() {
    return Replay.run(trace, options);
  }
}
