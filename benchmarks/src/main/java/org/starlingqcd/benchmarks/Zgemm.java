package org.starlingqcd.benchmarks;

import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * The yardstick: the 64 products of a hadron contraction, one zgemm of the same BLAS for each, on
 * interleaved matrices, contractions divided over Java threads.
 */
final class Zgemm implements AutoCloseable {
  private final int extent;
  private final int contractions;
  private final int threads;
  private final BatchSpinMapping mapping = CpuNodes.contraction();
  private final HostMemory numbers;
  private final DoublePointer zero = new DoublePointer(0, 0);
  private final DoublePointer plus = new DoublePointer(1, 0);
  private final DoublePointer minus = new DoublePointer(-1, 0);

  private final int repeats;

  /**
   * Prepares contractions.
   *
   * @param seconds what a measurement should take about, at 100 GFLOP/s and thread
   */
  Zgemm(int extent, int contractions, int threads, double seconds) {
    this.extent = extent;
    this.contractions = contractions;
    this.threads = threads;
    repeats = RateSample.repeats(CpuNodes.flops(extent) * contractions, threads, seconds);
    openblas_nolapack.blas_set_num_threads(1);
    long node = TensorShape.mesonNode(extent).bytes();
    numbers = HostMemory.allocate(3 * node * contractions);
    double[] some = new double[1 << 12];
    for (int k = 0; k < some.length; k++) {
      some[k] = Math.sin(k);
    }
    long doubles = numbers.bytes() / Double.BYTES;
    for (long done = 0; done < doubles; done += some.length) {
      numbers.put(done, some, 0, (int) Math.min(some.length, doubles - done));
    }
  }

  RateSample measure() throws InterruptedException {
    return RateSample.of(CpuNodes.flops(extent) * contractions, repeats, this::run);
  }

  void run() throws InterruptedException {
    Thread[] workers = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int first = t;
      workers[t] = new Thread(() -> contract(first), "zgemm-" + t);
      workers[t].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private void contract(int first) {
    Place left = new Place();
    Place right = new Place();
    Place destination = new Place();
    long matrix = 16L * extent * extent;
    boolean[] written = new boolean[16];
    for (int k = first; k < contractions; k += threads) {
      java.util.Arrays.fill(written, false);
      long node = numbers.address() + 3 * 16 * matrix * k;
      for (int b = 0; b < mapping.size(); b++) {
        int d = mapping.destination(b);
        openblas_nolapack.cblas_zgemm(
            openblas_nolapack.CblasRowMajor,
            openblas_nolapack.CblasNoTrans,
            openblas_nolapack.CblasNoTrans,
            extent,
            extent,
            extent,
            mapping.factorRe(b) > 0 ? plus : minus,
            left.at(node + matrix * mapping.left(b)),
            extent,
            right.at(node + matrix * (16 + mapping.right(b))),
            extent,
            written[d] ? plus : zero,
            destination.at(node + matrix * (32 + d)),
            extent);
        written[d] = true;
      }
    }
  }

  @Override
  public void close() {
    numbers.close();
    zero.deallocate();
    plus.deallocate();
    minus.deallocate();
  }

  /** A native address that moves. */
  private static final class Place extends Pointer {
    Place at(long newAddress) {
      address = newAddress;
      return this;
    }
  }
}
