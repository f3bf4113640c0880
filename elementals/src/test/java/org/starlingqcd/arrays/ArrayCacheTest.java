package org.starlingqcd.arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceOptions;
import org.starlingqcd.backend.Form;
import org.starlingqcd.backend.NumberKind;
import org.starlingqcd.backend.cpu.CpuBackend;
import org.starlingqcd.memhc.MemHCOptions;

class ArrayCacheTest {
  private static final int N = 32;
  private static final long MATRIX = 8L * N * N;

  private Device device;

  @BeforeEach
  void open() {
    device = new CpuBackend().open(new DeviceOptions(0, 1, 1 << 22, false));
  }

  @AfterEach
  void close() {
    device.close();
  }

  private ArrayCache cache(CoherenceProtocol protocol, boolean guards, long granularity) {
    return ArrayCache.open(
        device, MemHCOptions.ofBudget(1 << 20).withPolicy("lfu"), protocol, guards, granularity);
  }

  private static HostArray matrix(ArrayCache cache, String name) {
    HostArray array = cache.array(name, NumberKind.REAL, (long) N * N);
    Random random = new Random(name.hashCode());
    array.put(0, random.doubles((long) N * N).toArray(), N * N);
    return array;
  }

  private static void product(ArrayBlas blas, HostArray a, HostArray b, HostArray c) {
    blas.dgemm(Form.PLAIN, Form.PLAIN, N, N, N, 1, a, 0, N, b, 0, N, 0, c, 0, N);
  }

  /** The bytes of figures 2, 7 and 13 of the paper, in matrices. */
  @ParameterizedTest
  @CsvSource({"NONE, 6, 3", "WRITE_BACK, 2, 1", "WRITE_THROUGH, 2, 3"})
  void chain_ofThreeProducts_movesTheMatricesOfThePaper(
      CoherenceProtocol protocol, int sent, int received) {
    try (ArrayCache cache = cache(protocol, false, 0)) {
      ArrayBlas blas = new ArrayBlas(cache);
      HostArray a = matrix(cache, "A");
      HostArray b = matrix(cache, "B");
      HostArray c = matrix(cache, "C");
      HostArray d = matrix(cache, "D");
      HostArray e = matrix(cache, "E");
      product(blas, a, b, c);
      product(blas, b, c, d);
      product(blas, c, d, e);
      e.reading();
      assertEquals(sent * MATRIX, cache.statistics().memory().bytesToDevice());
      assertEquals(received * MATRIX, cache.statistics().memory().bytesToHost());
      assertEquals(9, cache.statistics().lookups());
      cache.audit();
    }
  }

  @Test
  void granularity_ofPages_movesTheSameBytesInMoreMessages() {
    try (ArrayCache cache = cache(CoherenceProtocol.WRITE_BACK, false, 4096)) {
      ArrayBlas blas = new ArrayBlas(cache);
      HostArray a = matrix(cache, "A");
      HostArray b = matrix(cache, "B");
      HostArray c = matrix(cache, "C");
      product(blas, a, b, c);
      c.reading();
      assertEquals(3 * MATRIX / 4096, cache.statistics().messages());
      assertEquals(
          3 * MATRIX,
          cache.statistics().memory().bytesToDevice() + cache.statistics().memory().bytesToHost());
    }
  }

  @Test
  void guards_whenAnArrayIsWrittenWithoutOne_nameIt() {
    try (ArrayCache cache = cache(CoherenceProtocol.WRITE_BACK, true, 0)) {
      ArrayBlas blas = new ArrayBlas(cache);
      HostArray a = matrix(cache, "the vectors");
      HostArray b = matrix(cache, "B");
      HostArray c = matrix(cache, "C");
      product(blas, a, b, c);
      a.put(3, 1.5);
      product(blas, a, b, c);
      double[] numbers = {2.5};
      a.reading().put(7, numbers, 0, 1);
      GuardException found = assertThrows(GuardException.class, () -> product(blas, a, b, c));
      assertTrue(found.getMessage().contains("the vectors"), found.getMessage());
      a.home().put(7, new double[] {matrixNumber("the vectors", 7)}, 0, 1);
    }
  }

  private static double matrixNumber(String name, int index) {
    return new Random(name.hashCode()).doubles((long) N * N).toArray()[index];
  }

  @Test
  void listen_letsFactorsServeUntilTheirMatrixIsWritten() {
    int sides = 5;
    try (ArrayCache cache = cache(CoherenceProtocol.WRITE_BACK, false, 0)) {
      ArrayBlas blas = new ArrayBlas(cache);
      MemoizedSolver solver = new MemoizedSolver(cache);
      HostArray a = matrix(cache, "A");
      HostArray x = matrix(cache, "X");
      HostArray b = matrix(cache, "B");
      for (int i = 0; i < N; i++) {
        a.put(i * N + i, 2 * N);
      }
      for (int round = 0; round < 3; round++) {
        blas.dgemm(Form.PLAIN, Form.PLAIN, N, sides, N, 1, a, 0, N, x, 0, sides, 0, b, 0, sides);
        solver.solve(N, sides, a, b);
        double[] expected = new double[N * sides];
        x.get(0, expected, N * sides);
        double[] found = new double[N * sides];
        b.get(0, found, N * sides);
        assertArrayEquals(expected, found, 1e-10);
      }
      assertEquals(1, solver.factorizations());
      a.put(0, 3.0 * N);
      solver.solve(N, sides, a, b);
      blas.daxpy(N, 1, x, 0, 1, a, 0, 1);
      solver.solve(N, sides, a, b);
      assertEquals(3, solver.factorizations());
      assertEquals(3 * 3 + 5 * 2 + 2, cache.statistics().lookups());
      cache.audit();
    }
  }

  @Test
  void calls_outsideAnArray_areRefusedByName() {
    try (ArrayCache cache = cache(CoherenceProtocol.WRITE_BACK, false, 0)) {
      ArrayBlas blas = new ArrayBlas(cache);
      HostArray a = matrix(cache, "A");
      HostArray b = matrix(cache, "too short");
      IndexOutOfBoundsException refused =
          assertThrows(
              IndexOutOfBoundsException.class, () -> blas.daxpy(N * N, 1, a, 0, 1, b, 1, 1));
      assertTrue(refused.getMessage().contains("too short"), refused.getMessage());
    }
  }
}
