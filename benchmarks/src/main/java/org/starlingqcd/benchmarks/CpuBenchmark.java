package org.starlingqcd.benchmarks;

import java.util.concurrent.TimeUnit;
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

/**
 * What benchmarks of the CPU backend have in common: extents, threads, and random elements on a
 * device. Milliseconds for each operation.
 *
 * <pre>
 * mvn -q -P '!checks' -pl benchmarks -am package -DskipTests
 * java -cp "benchmarks/target/classes:$(cat benchmarks/target/classpath)" org.openjdk.jmh.Main \
 *   'ContractionBenchmark|TraceBenchmark|NodeBenchmark' -p extent=128,256 -p threads=1,2
 * </pre>
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the fields and calls open() first.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public abstract class CpuBenchmark {
  /** Eigenvectors. */
  @Param({"64", "128", "256"})
  public int extent;

  /** Java threads; BLAS runs on one. */
  @Param("1")
  public int threads;

  CpuNodes nodes;

  /** Opens the device and prepares the operation. */
  @Setup
  public void open() {
    nodes = new CpuNodes(threads, isExact());
    prepare();
    nodes.synchronize();
  }

  /** Whether the device keeps to conventional products. */
  boolean isExact() {
    return false;
  }

  /** Makes what the operation needs. */
  abstract void prepare();

  /** Frees what {@link #prepare} made outside of the device. */
  void free() {}

  /** Frees everything. */
  @TearDown
  public void close() {
    free();
    nodes.close();
  }
}
