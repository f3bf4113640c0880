package org.starlingqcd.benchmarks;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.HostMemory;

/**
 * What the machine does at best on some threads: bytes a second of a plain sum of products over
 * arrays that no cache holds, and flops a second of large real matrix products.
 */
final class MachineRates implements AutoCloseable {
  /** Doubles of each of the two arrays of a thread. */
  private static final int NUMBERS = 1 << 23;

  private static final int EXTENT = 512;
  private static final int PRODUCTS = 16;

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
    double seconds =
        time(
            base ->
                openblas_nolapack.cblas_ddot(
                    NUMBERS, new Place(base), 1, new Place(base + 8L * NUMBERS), 1));
    return 16.0 * NUMBERS * threads / seconds;
  }

  /** Flops of all threads in a second. */
  double flopsPerSecond() throws InterruptedException {
    long matrix = 8L * EXTENT * EXTENT;
    double seconds =
        time(
            base -> {
              for (int k = 0; k < PRODUCTS; k++) {
                openblas_nolapack.cblas_dgemm(
                    openblas_nolapack.CblasRowMajor,
                    openblas_nolapack.CblasNoTrans,
                    openblas_nolapack.CblasNoTrans,
                    EXTENT,
                    EXTENT,
                    EXTENT,
                    1,
                    new Place(base),
                    EXTENT,
                    new Place(base + matrix),
                    EXTENT,
                    0,
                    new Place(base + 2 * matrix),
                    EXTENT);
              }
            });
    return 2.0 * EXTENT * EXTENT * EXTENT * PRODUCTS * threads / seconds;
  }

  private interface Work {
    void run(long base);
  }

  private double time(Work work) throws InterruptedException {
    Thread[] workers = new Thread[threads];
    long start = System.nanoTime();
    for (int t = 0; t < threads; t++) {
      long base = numbers[t].address();
      workers[t] = new Thread(() -> work.run(base), "machine-" + t);
      workers[t].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    return (System.nanoTime() - start) * 1e-9;
  }

  @Override
  public void close() {
    for (HostMemory memory : numbers) {
      memory.close();
    }
  }

  /** A native address. */
  private static final class Place extends DoublePointer {
    Place(long address) {
      super((Pointer) null);
      this.address = address;
    }
  }
}
