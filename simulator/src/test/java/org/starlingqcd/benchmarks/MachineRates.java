package org.starlingqcd.benchmarks;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.cpu.blas.VectorLoops;

/**
 * The best rates of the machine on some threads: bytes per second of a plain sum of products over
 * arrays larger than any cache, and flops per second of large real matrix products, by
 * single-threaded BLAS on every thread.
 */
final class MachineRates implements AutoCloseable {
  /** Doubles of each of the two arrays of a thread. */
  private static final int NUMBERS = 1 << 23;

  /** How often they are read: processor times are multiples of 10 ms. */
  private static final int SUMS = 32;

  private final int threads;
  private final HostMemory[] numbers;

  MachineRates(int threads) {
    this.threads = threads;
    openblas_nolapack.blas_set_num_threads(1);
    numbers = new HostMemory[threads];
    double[] some = new double[1 << 12];
    for (int k = 0; k < some.length; k++) {
      some[k] = Math.sin(k);
    }
    for (int t = 0; t < threads; t++) {
      numbers[t] = HostMemory.allocate(2L * NUMBERS * Double.BYTES);
      for (long done = 0; done < 2L * NUMBERS; done += some.length) {
        numbers[t].put(done, some, 0, some.length);
      }
    }
  }

  /** Bytes that all threads read in a second. */
  double bytesPerSecond() throws InterruptedException {
    return Double.BYTES * sum().flopsPerSecond();
  }

  /** Adds up products of two arrays on every thread: two flops for 16 bytes. */
  RateSample sum() throws InterruptedException {
    return measure(
        2.0 * NUMBERS * SUMS,
        base -> {
          for (int k = 0; k < SUMS; k++) {
            openblas_nolapack.cblas_ddot(
                NUMBERS, new Address(base), 1, new Address(base + 8L * NUMBERS), 1);
          }
        });
  }

  /** Computes products of real matrices, {@code extent} squared, on every thread. */
  RateSample dgemm(int extent, int products) throws InterruptedException {
    long matrix = 8L * extent * extent;
    return measure(
        2.0 * extent * extent * extent * products,
        base -> {
          for (int k = 0; k < products; k++) {
            openblas_nolapack.cblas_dgemm(
                openblas_nolapack.CblasRowMajor,
                openblas_nolapack.CblasNoTrans,
                openblas_nolapack.CblasNoTrans,
                extent,
                extent,
                extent,
                1,
                new Address(base),
                extent,
                new Address(base + matrix),
                extent,
                0,
                new Address(base + 2 * matrix),
                extent);
          }
        });
  }

  /** Multiplies and adds in registers alone on every thread. */
  RateSample registers() throws InterruptedException {
    long turns = 1 << 27;
    double flops = (double) turns * VectorLoops.multiplyAdds(1, 1e-9, new double[1]);
    return measure(flops, base -> VectorLoops.multiplyAdds(turns, 1e-9, new double[1]));
  }

  private interface Work {
    void run(long base);
  }

  private RateSample measure(double flopsOfAThread, Work work) throws InterruptedException {
    return RateSample.of(
        flopsOfAThread * threads,
        1,
        () -> RateSample.onThreads(threads, t -> work.run(numbers[t].address())));
  }

  @Override
  public void close() {
    for (HostMemory memory : numbers) {
      memory.close();
    }
  }

  /** A native address. */
  private static final class Address extends DoublePointer {
    Address(long address) {
      super((Pointer) null);
      this.address = address;
    }
  }
}
