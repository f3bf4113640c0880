package org.starlingqcd.backend.cpu.blas;

import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;

import org.bytedeco.openblas.global.openblas_nolapack;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;

/** Products of square matrices of interleaved complex numbers by one thread's BLAS. */
public final class ComplexProducts implements AutoCloseable {
  /** Factor of the product, then that of the previous result: BLAS takes both by address. */
  private final HostMemory factors = HostMemory.allocateForDevice(4L * Double.BYTES);

  private final double[] numbers = new double[4];
  private final Blas put;
  private final Address alpha = new Address();
  private final Address beta = new Address();
  private final Address a = new Address();
  private final Address b = new Address();
  private final Address c = new Address();

  /** Products of numbers of this precision. */
  ComplexProducts(Precision precision) {
    put = new Blas(false, precision);
  }

  /**
   * {@code C = factor·A·B} or {@code C += factor·A·B} for n × n matrices at these addresses; {@code
   * 8n³} flops.
   */
  public void run(
      int n, double factorRe, double factorIm, long left, long right, boolean add, long result) {
    numbers[0] = factorRe;
    numbers[1] = factorIm;
    numbers[2] = add ? 1 : 0;
    put.put(numbers, numbers.length, factors.address());
    long previous = factors.address() + 2L * put.bytes();
    if (put.bytes() == Float.BYTES) {
      openblas_nolapack.cblas_cgemm(
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
          beta.at(previous),
          c.at(result),
          n);
      return;
    }
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
        beta.at(previous),
        c.at(result),
        n);
  }

  @Override
  public void close() {
    factors.close();
  }
}
