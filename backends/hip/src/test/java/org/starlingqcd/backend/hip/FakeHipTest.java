package org.starlingqcd.backend.hip;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.starlingqcd.backend.BackendException;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.ProductShape;
import org.starlingqcd.backend.Scalar;
import org.starlingqcd.backend.Strides;
import org.starlingqcd.backend.gpu.library.CopyDirection;
import org.starlingqcd.backend.gpu.library.GpuLibrary;
import org.starlingqcd.backend.gpu.library.MatrixProduct;
import org.starlingqcd.backend.gpu.library.Operands;

/** The fake library detects the mistakes that it is meant to detect. */
class FakeHipTest {
  private static final MatrixProduct TWO = new MatrixProduct(false, 2, 2, 2, 2, 2, 2, 1, 0, 0);
  private static final long MATRIX = 64;

  private GpuLibrary hip;
  private long stream;
  private long other;

  @BeforeEach
  void open() {
    HipProvider provider = FakeHip.provider();
    FakeHip.reset(8 << 20, 2, 11);
    hip = new GpuLibrary(provider.load(), 0);
    hip.makeCurrent();
    stream = hip.createStream();
    other = hip.createStream();
  }

  @AfterEach
  void reset() {
    if (hip != null) {
      FakeHip.reset(8 << 20, 1, 11);
    }
  }

  private static void assertReports(String words) {
    String report = FakeHip.report();
    assertTrue(report.contains(words), report);
  }

  @Test
  void report_orderedWork_isAboutLeaksAlone() {
    long a = hip.allocate(MATRIX);
    long b = hip.allocate(MATRIX);
    hip.clear(a, MATRIX, stream);
    long event = hip.createEvent(false);
    hip.recordEvent(event, stream);
    hip.waitForEvent(other, event);
    hip.copy(b, a, MATRIX, CopyDirection.WITHIN, other);
    hip.synchronizeStream(other);
    hip.free(a);
    assertEquals(
        "not freed: device memory, bytes=64\nnot destroyed: streams=2\nnot destroyed: events=1\n",
        FakeHip.report());
  }

  @Test
  void handle_ofAnotherDevice_isReported() {
    long blas = hip.createBlas(stream);
    long a = hip.allocate(MATRIX);
    try (GpuLibrary second = new GpuLibrary(FakeHip.provider().load(), 1)) {
      second.makeCurrent();
      assertThrows(BackendException.class, () -> second.multiply(blas, TWO, Operands.one(a, a, a)));
      assertReports("a BLAS handle of device 0 is used while device 1 is current");
    }
  }

  @Test
  void copy_whatAnotherStreamWrites_isReported() {
    long a = hip.allocate(MATRIX);
    long b = hip.allocate(MATRIX);
    hip.clear(a, MATRIX, stream);
    hip.copy(b, a + MATRIX / 2, MATRIX / 2, CopyDirection.WITHIN, other);
    assertReports("is not ordered against");
  }

  @Test
  void free_beforeTheHostHasWaited_isReported() {
    long a = hip.allocate(MATRIX);
    hip.clear(a, MATRIX, stream);
    hip.free(a);
    assertReports("is freed while the host has not waited");
  }

  @Test
  void recordEvent_beforeTheWork_doesNotOrderIt() {
    long a = hip.allocate(MATRIX);
    long b = hip.allocate(MATRIX);
    long event = hip.createEvent(false);
    hip.recordEvent(event, stream);
    hip.clear(a, MATRIX, stream);
    hip.waitForEvent(other, event);
    hip.copy(b, a, MATRIX, CopyDirection.WITHIN, other);
    assertReports("is not ordered against");
  }

  @Test
  void clear_beyondTheEnd_isReported() {
    long a = hip.allocate(MATRIX);
    hip.clear(a, MATRIX + 1, stream);
    assertReports("beyond an allocation's end");
    BackendException failure =
        assertThrows(BackendException.class, () -> hip.synchronizeStream(stream));
    assertTrue(String.valueOf(failure.getMessage()).contains("hipErrorIllegalAddress"));
  }

  @Test
  void clear_afterFree_isReported() {
    long a = hip.allocate(MATRIX);
    hip.free(a);
    hip.clear(a, MATRIX, stream);
    assertReports("after free");
  }

  @Test
  void free_twice_isReported() {
    long a = hip.allocate(MATRIX);
    hip.free(a);
    assertThrows(BackendException.class, () -> hip.free(a));
    assertReports("free of what is not an allocation");
  }

  @Test
  void copy_acrossTheEndOfHostMemory_isReported() {
    long device = hip.allocate(1 << 16);
    long host = hip.allocateHost(1 << 16);
    hip.copy(device, host + (1 << 16) - 32, 64, CopyDirection.UP, stream);
    assertReports("host side of a copy");
  }

  @Test
  void multiply_ofHostMemory_isReported() {
    long a = hip.allocateHost(MATRIX);
    long c = hip.allocate(MATRIX);
    long blas = hip.createBlas(stream);
    hip.multiply(blas, TWO, Operands.one(a, c, c));
    assertReports("of host memory by the device");
  }

  @Test
  void productsIntoOneResult_areReported() {
    long a = hip.allocate(MATRIX);
    long c = hip.allocate(MATRIX);
    long blas = hip.createBlas(stream);
    ProductShape product =
        ProductShape.dense(NumberKind.COMPLEX, Form.PLAIN, Form.PLAIN, 2, 2, 2)
            .scaled(Scalar.ONE, Scalar.ONE);
    hip.matrixCalls().orElseThrow().gemm(blas, product, new Strides(2, 0, 0, 0), a, a, c);
    assertReports("writes twice");
  }

  @Test
  void multiply_inPlace_isReported() {
    long a = hip.allocate(MATRIX);
    long b = hip.allocate(MATRIX);
    long blas = hip.createBlas(stream);
    hip.multiply(blas, TWO, Operands.one(a, b, a));
    assertReports("reads what it writes");
  }

  @Test
  void clear_inAStreamOfAnotherDevice_isReported() {
    long a = hip.allocate(MATRIX);
    HipPlatform.setDevice(1);
    assertThrows(BackendException.class, () -> hip.clear(a, MATRIX, stream));
    assertReports("while device 1 is current");
  }

  @Test
  void allocate_beyondTheMemory_namesCallSizeAndWords() {
    OutOfDeviceMemoryException full =
        assertThrows(OutOfDeviceMemoryException.class, () -> hip.allocate(9 << 20));
    assertEquals(
        "hipMalloc(bytes=9437184): 2 hipErrorOutOfMemory, out of memory", full.getMessage());
    assertEquals(9 << 20, full.requestedBytes());
  }
}
