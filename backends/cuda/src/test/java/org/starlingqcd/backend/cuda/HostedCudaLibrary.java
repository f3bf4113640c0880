package org.starlingqcd.backend.cuda;

import org.starlingqcd.backend.gpu.HostGpu;
import org.starlingqcd.backend.gpu.MatrixProduct;

/**
 * The seam with memory, copies and streams on the host and with products through JCublas, whose
 * native code finds {@link FakeCublas}.
 */
final class HostedCudaLibrary extends HostGpu {
  private final CudaCalls calls = new CudaCalls();
  private final CudaLibrary cuda = new CudaLibrary(null, calls, 0);
  private final long noStream;

  HostedCudaLibrary() {
    super(1L << 30, true);
    long[] stream = new long[1];
    calls.createStream(stream); // fails without a driver and leaves the null stream, which will do
    noStream = stream[0];
  }

  @Override
  public long createBlas(long stream) {
    return cuda.createBlas(noStream);
  }

  @Override
  public void destroyBlas(long blas) {
    cuda.destroyBlas(blas);
  }

  @Override
  public void multiply(long blas, MatrixProduct product, long a, long b, long c) {
    cuda.multiply(blas, product, a, b, c);
  }

  @Override
  public void multiplyStrided(
      long blas,
      MatrixProduct product,
      long a,
      long strideA,
      long b,
      long strideB,
      long c,
      long strideC,
      int count) {
    cuda.multiplyStrided(blas, product, a, strideA, b, strideB, c, strideC, count);
  }

  @Override
  public void multiplyPointers(
      long blas, MatrixProduct product, long a, long b, long c, int count) {
    cuda.multiplyPointers(blas, product, a, b, c, count);
  }

  @Override
  public void transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    cuda.transpose(blas, rows, columns, a, lda, c, ldc);
  }

  @Override
  public void close() {
    cuda.close();
    super.close();
  }
}
