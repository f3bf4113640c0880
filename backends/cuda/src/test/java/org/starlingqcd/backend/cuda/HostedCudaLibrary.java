package org.starlingqcd.backend.cuda;

import java.util.Optional;
import org.starlingqcd.backend.gpu.HostGpu;
import org.starlingqcd.backend.gpu.library.MatrixCalls;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

/**
 * A library with memory, copies and streams on the host and with products through JCublas, whose
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
  public void multiply(long blas, MatrixProduct product, Operands operands) {
    cuda.multiply(blas, product, operands);
  }

  @Override
  public void multiplyStrided(long blas, MatrixProduct product, Operands operands) {
    cuda.multiplyStrided(blas, product, operands);
  }

  @Override
  public void multiplyPointers(long blas, MatrixProduct product, Operands operands) {
    cuda.multiplyPointers(blas, product, operands);
  }

  @Override
  public void applyStrided(long blas, VectorProduct product, Operands operands) {
    cuda.applyStrided(blas, product, operands);
  }

  @Override
  public void applyPointers(long blas, VectorProduct product, Operands operands) {
    cuda.applyPointers(blas, product, operands);
  }

  @Override
  public void transpose(long blas, int rows, int columns, long a, int lda, long c, int ldc) {
    cuda.transpose(blas, rows, columns, a, lda, c, ldc);
  }

  @Override
  public Optional<MatrixCalls> matrixCalls() {
    return cuda.matrixCalls();
  }

  @Override
  public void close() {
    cuda.close();
    super.close();
  }
}
