package org.starlingqcd.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * The machine's dgemm: large real products, one for each thread at a time, by single-threaded BLAS.
 */
final class Dgemm implements AutoCloseable {
  private static final int EXTENT = 768;
  private static final int REPEATS = 12;

  private final List<DoublePointer> matrices = new ArrayList<>();
  private final int threads;

  Dgemm(int threads) {
    this.threads = threads;
    openblas_nolapack.blas_set_num_threads(1);
    for (int k = 0; k < 3 * threads; k++) {
      DoublePointer matrix = new DoublePointer((long) EXTENT * EXTENT);
      for (long i = 0; i < (long) EXTENT * EXTENT; i++) {
        matrix.put(i, Math.sin((double) i + k));
      }
      matrices.add(matrix);
    }
  }

  /** Runs for some tenths of a second and answers with the flops done. */
  double run() throws InterruptedException {
    Thread[] workers = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int first = 3 * t;
      workers[t] =
          new Thread(
              () -> {
                for (int k = 0; k < REPEATS; k++) {
                  multiply(matrices.get(first), matrices.get(first + 1), matrices.get(first + 2));
                }
              },
              "dgemm-" + t);
      workers[t].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    return 2.0 * EXTENT * EXTENT * EXTENT * REPEATS * threads;
  }

  private static void multiply(DoublePointer a, DoublePointer b, DoublePointer c) {
    openblas_nolapack.cblas_dgemm(
        openblas_nolapack.CblasRowMajor,
        openblas_nolapack.CblasNoTrans,
        openblas_nolapack.CblasNoTrans,
        EXTENT,
        EXTENT,
        EXTENT,
        1,
        a,
        EXTENT,
        b,
        EXTENT,
        0,
        c,
        EXTENT);
  }

  @Override
  public void close() {
    matrices.forEach(DoublePointer::close);
  }
}
