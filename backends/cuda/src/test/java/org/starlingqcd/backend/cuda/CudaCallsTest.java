package org.starlingqcd.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jcuda.runtime.JCuda;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.LongPointer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.DeviceInfo;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuCalls;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.GpuPlatform;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;
import org.starlingqcd.backend.gpu.library.VectorProduct;

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
    try (GpuLibrary cuda = new GpuLibrary(new Undriven(), 3)) {
      assertMessage("cudaMalloc(bytes=64): " + words, () -> cuda.allocate(64));
      assertMessage("cudaSetDevice(device=3): " + words, cuda::makeCurrent);
      assertMessage("cudaFreeHost(address=0x40): " + words, () -> cuda.freeHost(64));
    }
  }

  /** The fake GPU has the compute capability 9.0. */
  @Test
  void kernels_areMachineCodeWhereThereIsSome_andElsePtx() {
    FakeCuda.use(1, 3);
    for (boolean refused : new boolean[] {false, true}) {
      try (GpuLibrary cuda = new GpuLibrary(FakeCuda.provider().load(), 0)) {
        cuda.makeCurrent();
        int load = 2 + (int) FakeCuda.calls();
        if (refused) {
          FakeCuda.failAt(load, 209, false);
        }
        assertTrue(cuda.loadKernels());
        assertEquals("cuModuleLoadData", FakeCuda.callName(load));
        assertEquals(
            refused ? "PTX, compiled by the driver" : "cubin for sm_90",
            cuda.info().details().get("kernels"));
      }
    }
    assertEquals("", FakeCuda.report());
    assertEquals("sm_80", CudaCalls.cubin(8, 6));
    assertEquals("sm_100", CudaCalls.cubin(10, 3));
    assertEquals("", CudaCalls.cubin(7, 5));
    assertEquals("", CudaCalls.cubin(12, 0));
  }

  /** CUDA without a driver. */
  private record Undriven() implements GpuPlatform {
    @Override
    public int deviceCount() {
      return 0;
    }

    @Override
    public DeviceInfo describe(int device) {
      throw new AssertionError(device);
    }

    @Override
    public GpuCalls calls(int device) {
      return new CudaCalls(device);
    }
  }

  @AfterEach
  void leaveFake() {
    FakeCuda.leave();
  }

  @Test
  void product_withWrongLeadingDimension_isNamedWithItsArguments() {
    FakeCuda.use(1, 3);
    MatrixProduct wrong = new MatrixProduct(false, 4, 4, 4, 3, 4, 4, 1, 0, 0);
    try (GpuLibrary cuda = new GpuLibrary(FakeCuda.provider().load(), 0)) {
      long stream = cuda.createStream();
      long blas = cuda.createBlas(stream);
      assertMessage(
          "cublasZgemm(product="
              + wrong
              + ", A=0x10, B=0x20, C=0x30, count=1): 7 CUBLAS_STATUS_INVALID_VALUE",
          () -> cuda.multiply(blas, wrong, new Operands(16, 32, 48, 1)));
      cuda.destroyBlas(blas);
      cuda.destroyStream(stream);
      assertThrows(IllegalStateException.class, () -> cuda.destroyBlas(blas));
    }
  }

  /** Every call on numbers in single precision, against sums by hand. */
  @Test
  void productsInSinglePrecision_areThoseOfFloats() {
    FakeCuda.use(1, 3);
    int n = 2;
    long matrix = 2L * n * n * Float.BYTES;
    try (GpuLibrary cuda = new GpuLibrary(FakeCuda.provider().load(), 0)) {
      long stream = cuda.createStream();
      long blas = cuda.createBlas(stream);
      long at = cuda.allocate(6 * matrix);
      long pointers = cuda.allocate(6L * Long.BYTES);
      long host = cuda.allocateHost(6 * matrix);
      long[] addresses = new long[6];
      for (int k = 0; k < 6; k++) {
        addresses[k] = at + k * matrix;
      }
      new LongPointer(new At(host, 12)).put(addresses);
      cuda.copy(pointers, host, 6L * Long.BYTES, CopyDirection.UP, stream);
      cuda.synchronizeStream(stream);
      Numbers numbers = new Numbers(cuda, stream, at, host);
      Operands byPointers = new Operands(pointers, pointers + 16, pointers + 32, 2);
      MatrixProduct product =
          new MatrixProduct(true, n, n, n, n, n, n, 0.5, -2, 1).in(Precision.SINGLE);
      VectorProduct vector = new VectorProduct(true, n, n, n, 1, 1, 0.5, -2, 1, Precision.SINGLE);
      check(
          numbers,
          n,
          1,
          n,
          () -> cuda.multiply(blas, product, Operands.one(at, at + 2 * matrix, at + 4 * matrix)));
      check(numbers, n, 2, n, () -> cuda.multiplyPointers(blas, product, byPointers));
      check(numbers, n, 2, 1, () -> cuda.applyPointers(blas, vector, byPointers));
      cuda.destroyBlas(blas);
      cuda.freeHost(host);
      cuda.free(pointers);
      cuda.free(at);
      cuda.destroyStream(stream);
    }
    assertEquals("", FakeCuda.report());
  }

  /** Numbers in device memory, reached through page-locked memory. */
  private record Numbers(GpuLibrary cuda, long stream, long device, long host) {
    void put(float[] numbers) {
      new At(host, numbers.length).put(numbers);
      copy(device, host, numbers.length, CopyDirection.UP);
    }

    void get(float[] numbers) {
      copy(host, device, numbers.length, CopyDirection.DOWN);
      new At(host, numbers.length).get(numbers);
    }

    private void copy(long target, long source, int count, CopyDirection direction) {
      cuda.copy(target, source, (long) count * Float.BYTES, direction, stream);
      cuda.synchronizeStream(stream);
    }
  }

  /** Numbers at an address that JavaCPP neither owns nor frees. */
  private static final class At extends FloatPointer {
    At(long address, int count) {
      this.address = address;
      this.limit = count;
      this.capacity = count;
    }
  }

  /** {@code C += (0.5 - 2i) Aᵀ B} for {@code count} products with {@code columns} columns. */
  private static void check(Numbers numbers, int n, int count, int columns, Runnable call) {
    float[] before = new float[12 * n * n];
    for (int k = 0; k < before.length; k++) {
      before[k] = 0.25f * (k % 7) - 0.5f * (k % 3);
    }
    numbers.put(before);
    call.run();
    float[] expected = before.clone();
    for (int p = 0; p < count; p++) {
      int a = 2 * p * n * n;
      int b = a + 4 * n * n;
      int c = a + 8 * n * n;
      for (int j = 0; j < columns; j++) {
        for (int i = 0; i < n; i++) {
          double re = 0;
          double im = 0;
          for (int l = 0; l < n; l++) {
            int x = a + 2 * (l + i * n);
            int y = b + 2 * (l + j * n);
            re += before[x] * before[y] - before[x + 1] * before[y + 1];
            im += before[x] * before[y + 1] + before[x + 1] * before[y];
          }
          expected[c + 2 * (i + j * n)] += (float) (0.5 * re + 2 * im);
          expected[c + 2 * (i + j * n) + 1] += (float) (0.5 * im - 2 * re);
        }
      }
    }
    float[] actual = new float[before.length];
    numbers.get(actual);
    assertArrayEquals(expected, actual, 1e-5f);
  }

  private static void assertMessage(String message, Runnable call) {
    assertEquals(message, assertThrows(BackendException.class, call::run).getMessage());
  }
}
