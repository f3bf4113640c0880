package org.starlingqcd.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntConsumer;

/**
 * One measurement of a rate.
 *
 * @param flops operations computed
 * @param wallSeconds how long it took
 * @param processorSeconds processor time of this process meanwhile
 * @param compilerSeconds what the JVM's compilers had of it, which ends as a run goes on
 */
record RateSample(
    double flops, double wallSeconds, double processorSeconds, double compilerSeconds) {
  /** Nanoseconds of the unit in which Linux tells a thread's time. */
  private static final long TICK = 10_000_000;

  /** Work to be measured. */
  interface Work {
    void run() throws InterruptedException;
  }

  /** Runs {@code work}, which takes {@code flops}, a number of times. */
  static RateSample of(double flops, int repeats, Work work) throws InterruptedException {
    long compiler = compilerNanos();
    long processor = processorNanos();
    long start = System.nanoTime();
    for (int k = 0; k < repeats; k++) {
      work.run();
    }
    long nanos = System.nanoTime() - start;
    return new RateSample(
        flops * repeats,
        1e-9 * nanos,
        1e-9 * (processorNanos() - processor),
        1e-9 * (compilerNanos() - compiler));
  }

  /** Runs {@code work} once on each of some threads, which it gets the number of. */
  static void onThreads(int threads, IntConsumer work) throws InterruptedException {
    Thread[] workers = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int number = t;
      workers[t] = new Thread(() -> work.accept(number), "benchmark-" + t);
      workers[t].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  /** How often to run work so that it takes about {@code seconds} at 100 GFLOP/s and thread. */
  static int repeats(double flops, int threads, double seconds) {
    return (int) Math.max(1, Math.round(seconds * 1e11 * threads / flops));
  }

  /** Nanoseconds that the threads of this process have run. */
  private static long processorNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Nanoseconds that the JVM's compilers have run, as Linux counts them. */
  private static long compilerNanos() {
    long nanos = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        String its = Files.readString(thread.resolve("stat"));
        if (its.contains("(C1 Compiler") || its.contains("(C2 Compiler")) {
          String[] fields = its.substring(its.lastIndexOf(')') + 2).split(" ");
          nanos += TICK * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return nanos;
  }

  /** Both measurements as one. */
  RateSample and(RateSample other) {
    return new RateSample(
        flops + other.flops,
        wallSeconds + other.wallSeconds,
        processorSeconds + other.processorSeconds,
        compilerSeconds + other.compilerSeconds);
  }

  double flopsPerSecond() {
    return flops / wallSeconds;
  }

  /** Processor time of the program itself. */
  double computingSeconds() {
    return processorSeconds - compilerSeconds;
  }

  double flopsPerProcessorSecond() {
    return flops / processorSeconds;
  }
}
