package org.starlingqcd.backend.cpu.blas;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;

import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.HostMemory;

/** Products of square matrices of interleaved complex numbers by one thread's BLAS. */
public final class ComplexProducts implements AutoCloseable {
  /** Factor of the product, then that of the previous result: BLAS takes both by address. */
  private final HostMemory factors = HostMemory.allocateForDevice(4L * Double.BYTES);

  private final double[] numbers = new double[4];
  private final Address alpha = new Address();
  private final Address beta = new Address();
  private final Address a = new Address();
  private final Address b = new Address();
  private final Address c = new Address();

  /**
   * {@code C = factor·A·B} or {@code C += factor·A·B} for n × n matrices at these addresses; {@code
   * 8n³} flops.
   */
  public void run(
      int n, double factorRe, double factorIm, long left, long right, boolean add, long result) {
    numbers[0] = factorRe;
    numbers[1] = factorIm;
    numbers[2] = add ? 1 : 0;
    factors.put(0, numbers, 0, numbers.length);
    openblas_nolapack.cblas_zgemm(
        CblasRowMajor,
        CblasNoTrans,
        CblasNoTrans,
        n,
        n,
        n,
        alpha.at(factors.address()),
        a.at(left),
        n,
        b.at(right),
        n,
        beta.at(factors.address() + 2 * Double.BYTES),
        c.at(result),
        n);
  }

  @Override
  public void close() {
    factors.close();
  }
}
