package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.plan.BaryonPart.Legs;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Rows of the open leg of a baryon elemental, loaded without the others. */
class BaryonRowsTest {
  private static final int T = 4;
  private static final int N = 5;
  private static final int MATRIX = 2 * N * N;
  private static final int ZERO_ROW = 3;
  private static final int UNWRITTEN = 1;
  private static final int FLAWED = 2;

  @TempDir Path folder;
  private Path path = Path.of("");

  @BeforeEach
  void write() {
    path = TestData.write(folder, T, N, 1);
    double[] numbers = new Random(5).doubles((long) T * N * MATRIX, -1, 1).toArray();
    Arrays.fill(numbers, ZERO_ROW * MATRIX, (ZERO_ROW + 1) * MATRIX, 0);
    Arrays.fill(numbers, UNWRITTEN * N * MATRIX, (UNWRITTEN + 1) * N * MATRIX, 0);
    numbers[FLAWED * N * MATRIX + 7] = Double.NaN;
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      TestData.replace(file, "elementals/baryon/none/0_0_0", new long[] {T, N, N, N}, numbers);
    }
  }

  private static Input.BaryonElemental elemental(int time, boolean conjugate, Legs legs) {
    return new Input.BaryonElemental("none", new Momentum(0, 0, 0), time, conjugate, legs);
  }

  private static double[] rows(
      DistillationData data, Input.BaryonElemental elemental, int firstRow, int rows) {
    double[] values = new double[rows * MATRIX];
    // At an offset, so that offsets are tested too.
    try (HostMemory memory = HostMemory.allocate(64 + 8L * values.length)) {
      data.load(elemental, new Rows(firstRow, rows), memory, 64);
      memory.get(8, values, 0, values.length);
    }
    return values;
  }

  @Test
  void rows_areThoseOfTheWhole() {
    try (DistillationData data = DistillationData.open(List.of(path));
        HostMemory memory = HostMemory.allocate(8L * N * MATRIX)) {
      for (Legs legs : List.of(Legs.NATURAL, new Legs(2, 0, 1), new Legs(1, 0, 2))) {
        for (boolean conjugate : new boolean[] {false, true}) {
          Input.BaryonElemental elemental = elemental(0, conjugate, legs);
          double[] whole = new double[N * MATRIX];
          data.load(elemental, memory, 0);
          memory.get(0, whole, 0, whole.length);
          for (int first = 0; first < N; first++) {
            for (int count = 1; count <= N - first; count++) {
              assertArrayEquals(
                  Arrays.copyOfRange(whole, first * MATRIX, (first + count) * MATRIX),
                  rows(data, elemental, first, count),
                  elemental + " from " + first);
            }
          }
        }
      }
    }
  }

  @Test
  void rowsOfZeros_areRefusedOnlyWhereAllIsZero() {
    try (DistillationData data = DistillationData.open(List.of(path))) {
      double[] zeros = rows(data, elemental(0, false, Legs.NATURAL), ZERO_ROW, 1);
      assertEquals(0, Arrays.stream(zeros).map(Math::abs).max().orElseThrow());
      String message =
          TestData.refusal(() -> rows(data, elemental(UNWRITTEN, false, Legs.NATURAL), 0, 2));
      assertTrue(message.contains("block [time]=[1] holds nothing but zeros"), message);
    }
  }

  @Test
  void rowsWithNaN_areRefused() {
    try (DistillationData data = DistillationData.open(List.of(path))) {
      String message =
          TestData.refusal(() -> rows(data, elemental(FLAWED, false, Legs.NATURAL), 0, 1));
      assertTrue(message.contains("block [time]=[2] holds NaN"), message);
    }
  }
}
