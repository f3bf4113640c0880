package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jcuda.runtime.JCuda;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;

/** Statuses of the real CUDA runtime without a driver, and of cuBLAS, as exceptions. */
class CudaCallsTest {
  @Test
  void runtimeCall_withoutDriver_isNamedWithItsArgumentsAndCudasWords() {
    Assumptions.assumeFalse(new CudaProvider().probe().isPresent(), "CUDA works here");
    int[] count = new int[1];
    Assumptions.assumeTrue(JCuda.cudaGetDeviceCount(count) == 35, "there is a driver");
    String words =
        "35 cudaErrorInsufficientDriver,"
            + " CUDA driver version is insufficient for CUDA runtime version";
    try (GpuLibrary cuda = new CudaLibrary(null, new CudaCalls(), 3)) {
      assertMessage("cudaMalloc(bytes=64): " + words, () -> cuda.allocate(64));
      assertMessage("cudaSetDevice(device=3): " + words, cuda::makeCurrent);
      assertMessage("cudaFreeHost(address=0x40): " + words, () -> cuda.freeHost(64));
    }
  }

  @Test
  void product_withWrongLeadingDimension_isNamedWithItsArguments() {
    FakeCublas.load();
    MatrixProduct wrong = new MatrixProduct(false, 4, 4, 4, 3, 4, 4, 1, 0, 0);
    try (GpuLibrary cuda = new HostedCudaLibrary()) {
      long blas = cuda.createBlas(0);
      assertMessage(
          "cublasZgemm(product="
              + wrong
              + ", A=0x10, B=0x20, C=0x30, count=1): 7 CUBLAS_STATUS_INVALID_VALUE",
          () -> cuda.multiply(blas, wrong, new Operands(16, 0, 32, 0, 48, 0, 1)));
      cuda.destroyBlas(blas);
      assertThrows(IllegalStateException.class, () -> cuda.destroyBlas(blas));
    }
  }

  private static void assertMessage(String message, Runnable call) {
    assertEquals(message, assertThrows(BackendException.class, call::run).getMessage());
  }
}
