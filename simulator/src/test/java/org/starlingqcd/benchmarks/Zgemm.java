package org.starlingqcd.benchmarks;

import java.util.Arrays;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * The reference of {@link Ratios}: the 64 products of a hadron contraction by zgemm of the same
 * BLAS, on interleaved matrices; Java threads share the contractions.
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
   * @param seconds approximate duration of a measurement, at 100 GFLOP/s and thread
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

  private void run() throws InterruptedException {
    RateSample.onThreads(threads, this::contract);
  }

  private void contract(int first) {
    Address left = new Address();
    Address right = new Address();
    Address destination = new Address();
    long matrix = 16L * extent * extent;
    boolean[] written = new boolean[16];
    for (int k = first; k < contractions; k += threads) {
      Arrays.fill(written, false);
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
  private static final class Address extends Pointer {
    Address at(long newAddress) {
      address = newAddress;
      return this;
    }
  }
}
