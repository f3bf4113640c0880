package org.starlingqcd.benchmarks;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.starlingqcd.backend.ContractionBatch;

/**
 * A vector pair of four meson contractions against its 256 zgemm products; {@code 8·N³·64} flops a
 * contraction.
 *
 * <pre>
 * mvn -q -P '!checks' -pl benchmarks -am package -DskipTests
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" org.openjdk.jmh.Main \
 *   ContractionBenchmark -p extent=128,256,384 -p threads=1,2
 * </pre>
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the fields and calls open() first.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ContractionBenchmark {
  private static final int CONTRACTIONS = 4;

  /** Eigenvectors. */
  @Param({"64", "128", "256"})
  public int extent;

  /** Java threads; BLAS runs on one. */
  @Param("1")
  public int threads;

  /** What runs: zgemm itself, the backend, or the backend with conventional products. */
  @Param({"zgemm", "kernel", "exact"})
  public String what;

  private CpuNodes nodes;
  private ContractionBatch batch;
  private @Nullable Zgemm zgemm;

  /** Allocates. */
  @Setup
  public void open() {
    if (what.equals("zgemm")) {
      zgemm = new Zgemm(extent, CONTRACTIONS, threads);
    } else {
      nodes = new CpuNodes(threads, what.equals("exact"));
      batch = nodes.vectorPair(extent, CONTRACTIONS);
    }
  }

  /** One vector pair. */
  @Benchmark
  public void vectorPair() throws InterruptedException {
    if (zgemm != null) {
      zgemm.run();
    } else {
      nodes.device().contract(batch, nodes.device().computeStream());
      nodes.synchronize();
    }
  }

  /** Frees. */
  @TearDown
  public void close() {
    if (zgemm != null) {
      zgemm.close();
    } else {
      nodes.close();
    }
  }
}
