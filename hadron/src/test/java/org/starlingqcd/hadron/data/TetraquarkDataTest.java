package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** K of tetraquarks, packed or not, against loops over [i][j][k][l]. */
class TetraquarkDataTest {
  private static final int T = 3;
  private static final int N = 4;
  private static final Momentum UP = new Momentum(0, 0, 1);
  private static final Momentum DOWN = new Momentum(0, 0, -1);

  @TempDir Path folder;

  private static int at(int t, int i, int j, int k, int l) {
    return 2 * ((((t * N + i) * N + j) * N + k) * N + l);
  }

  /** Random numbers [t][i][j][k][l] with the symmetry of a colour. */
  private static double[] random(PairColour colour) {
    double[] numbers = new Random(5).doubles(2L * T * N * N * N * N, -1, 1).toArray();
    double[] symmetric = new double[numbers.length];
    int sign = colour.sign();
    for (int t = 0; t < T; t++) {
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
          for (int k = 0; k < N; k++) {
            for (int l = 0; l < N; l++) {
              for (int part = 0; part < 2; part++) {
                symmetric[at(t, i, j, k, l) + part] =
                    numbers[at(t, i, j, k, l) + part]
                        + sign * numbers[at(t, j, i, k, l) + part]
                        + sign * numbers[at(t, i, j, l, k) + part]
                        + numbers[at(t, j, i, l, k) + part];
              }
            }
          }
        }
      }
    }
    return symmetric;
  }

  /** The numbers of a time with pairs in the order of the page, or those of its K(-n). */
  private static double[] packed(PairColour colour, double[] numbers, int t, boolean opposite) {
    int pairs = colour == PairColour.TRIPLET ? N * (N - 1) / 2 : N * (N + 1) / 2;
    double[] packed = new double[2 * pairs * pairs];
    int equal = colour == PairColour.TRIPLET ? 0 : 1;
    int place = 0;
    for (int j = 0; j < N; j++) {
      for (int i = 0; i < j + equal; i++) {
        for (int l = 0; l < N; l++) {
          for (int k = 0; k < l + equal; k++) {
            int from = opposite ? at(t, k, l, i, j) : at(t, i, j, k, l);
            packed[place++] = numbers[from];
            packed[place++] = opposite ? -numbers[from + 1] : numbers[from + 1];
          }
        }
      }
    }
    assertEquals(packed.length, place);
    return packed;
  }

  private static void write(Path path, String object, double[] numbers, long... extents) {
    try (Hdf5File file = Hdf5File.openForUpdate(path);
        Hdf5Dataset dataset = file.createDataset(object, ElementType.COMPLEX, extents)) {
      dataset.writeAll(numbers);
    }
  }

  private Path file(String name) {
    return TestData.write(folder.resolve(name), T, N, 1);
  }

  private static String object(Object colour) {
    return "elementals/tetraquark/" + colour + "/0_0_1";
  }

  @ParameterizedTest
  @EnumSource(PairColour.class)
  void load_packedAndUnpacked_areTheSame(PairColour colour) {
    double[] numbers = random(colour);
    Path unpacked = file("unpacked");
    write(unpacked, object(colour), numbers, T, N, N, N, N);
    Path packed = file("packed");
    int pairs = colour.pairs(N);
    double[] all = new double[2 * T * pairs * pairs];
    for (int t = 0; t < T; t++) {
      double[] one = packed(colour, numbers, t, false);
      System.arraycopy(one, 0, all, t * one.length, one.length);
    }
    write(packed, object(colour), all, T, pairs, pairs);
    for (Path path : List.of(packed, unpacked)) {
      try (DistillationData data = DistillationData.open(List.of(path))) {
        assertEquals(Set.of(new ElementalName(colour.toString(), UP)), data.tetraquarkElementals());
        for (int t = 0; t < T; t++) {
          double[] expected = packed(colour, numbers, t, false);
          double[] opposite = packed(colour, numbers, t, true);
          assertLoads(expected, data, new Input.Tetraquark(colour, UP, t, false));
          assertLoads(opposite, data, new Input.Tetraquark(colour, DOWN, t, false));
          assertLoads(opposite, data, new Input.Tetraquark(colour, UP, t, true));
          assertLoads(expected, data, new Input.Tetraquark(colour, DOWN, t, true));
        }
      }
    }
  }

  /** As a whole, and some rows. */
  private static void assertLoads(
      double[] expected, DistillationData data, Input.Tetraquark input) {
    assertArrayEquals(expected, TestData.load(data, input, N));
    Rows rows = new Rows(2, 3);
    int length = (int) (rows.bytes(input, N) / Double.BYTES);
    double[] found = new double[length];
    try (HostMemory memory = HostMemory.allocate(8L * (length + 2))) {
      data.load(input, rows, memory, 16);
      memory.get(2, found, 0, length);
    }
    int from = 2 * rows.first() * Rows.of(input, N);
    assertArrayEquals(Arrays.copyOfRange(expected, from, from + length), found);
  }

  /** Where both are there, K(n)† is K(-n). */
  @Test
  void adjoint_isTheOppositeMomentum() {
    Path path = file("both");
    int pairs = PairColour.TRIPLET.pairs(N);
    double[] up = new Random(7).doubles(2L * T * pairs * pairs, -1, 1).toArray();
    double[] down = new Random(8).doubles(2L * T * pairs * pairs, -1, 1).toArray();
    write(path, "elementals/tetraquark/3bar3/0_0_1", up, T, pairs, pairs);
    write(path, "elementals/tetraquark/3bar3/0_0_-1", down, T, pairs, pairs);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      double[] expected = Arrays.copyOf(down, 2 * pairs * pairs);
      assertLoads(expected, data, new Input.Tetraquark(PairColour.TRIPLET, UP, 0, true));
    }
  }

  /** A matrix of pairs is larger than what is transposed at a time. */
  @Test
  void adjoint_ofALargeMatrix_exchangesRowsAndColumns() {
    int n = 150;
    double[] matrix = new Random(6).doubles(2L * n * n, -1, 1).toArray();
    double[] found = new double[matrix.length];
    try (HostMemory memory = HostMemory.allocate(8L * (matrix.length + 2))) {
      memory.put(2, matrix, 0, matrix.length);
      BlockOrder.adjoint(memory, 16, n);
      memory.get(2, found, 0, found.length);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        assertEquals(matrix[2 * (i * n + j)], found[2 * (j * n + i)]);
        assertEquals(-matrix[2 * (i * n + j) + 1], found[2 * (j * n + i) + 1]);
      }
    }
  }

  @Test
  void missingBlocks_areListed() {
    double[] numbers = random(PairColour.TRIPLET);
    Path path = file("some");
    write(path, object("3bar3"), numbers, T, N, N, N, N);
    TestData.writeMask(path, object("3bar3"), new long[] {T}, k -> k == 1 ? 0 : 1);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      Input there = new Input.Tetraquark(PairColour.TRIPLET, DOWN, 2, false);
      data.check(List.of(there));
      assertTrue(data.has(DataBlock.tetraquark(new ElementalName("3bar3", DOWN), 0)));
      assertFalse(data.has(DataBlock.tetraquark(new ElementalName("3bar3", DOWN), 1)));
      Input.Tetraquark absent = new Input.Tetraquark(PairColour.TRIPLET, UP, 1, false);
      String message =
          TestData.refusal(
              () ->
                  data.check(
                      List.of(
                          absent,
                          new Input.Tetraquark(PairColour.SEXTET, Momentum.ZERO, 1, false))));
      assertTrue(
          message.contains(
              "elementals of tetraquarks (colour/momentum): 3bar3/0_0_1 at times 1, 66bar/0_0_0; in"
                  + " their place 3bar3/0_0_-1 would do"),
          message);
      assertTrue(
          TestData.refusal(() -> TestData.load(data, absent, N))
              .contains("'elementals/tetraquark/3bar3/0_0_1' is missing at time 1"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3bar3, 1 2 0 3, antisymmetric",
    "3bar3, 2 2 0 3, antisymmetric",
    "3bar3, 0 1 3 3, antisymmetric",
    "66bar, 3 1 1 1, symmetric",
    "66bar, 2 2 1 3, symmetric"
  })
  void load_ofAnotherSymmetry_isRefusedWithThePlace(String name, String place, String word) {
    PairColour colour = PairColour.named(name).orElseThrow();
    double[] numbers = random(colour);
    int[] index = List.of(place.split(" ")).stream().mapToInt(Integer::parseInt).toArray();
    int wrong = at(1, index[0], index[1], index[2], index[3]);
    numbers[wrong] += 1e-9;
    Path path = file("wrong");
    write(path, object(colour), numbers, T, N, N, N, N);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      TestData.load(data, new Input.Tetraquark(colour, UP, 0, false), N);
      String message =
          TestData.refusal(
              () -> TestData.load(data, new Input.Tetraquark(colour, UP, 1, false), N));
      assertTrue(
          message.startsWith(path + ": '" + object(colour) + "': block [time]=[1] is not " + word),
          message);
      assertTrue(message.contains("at [i, j, k, l] = ["), message);
      numbers[wrong] -= 1e-9 * (1 - 1e-4);
    }
    double before = numbers[wrong];
    numbers[wrong] = Double.NaN;
    Path notFinite = file("nan");
    write(notFinite, object(colour), numbers, T, N, N, N, N);
    numbers[wrong] = before;
    try (DistillationData data = DistillationData.open(List.of(notFinite))) {
      assertTrue(
          TestData.refusal(() -> TestData.load(data, new Input.Tetraquark(colour, UP, 1, false), N))
              .endsWith("block [time]=[1] holds numbers that are NaN or infinite"));
    }
    Path close = file("close");
    write(close, object(colour), numbers, T, N, N, N, N);
    try (DistillationData data = DistillationData.open(List.of(close))) {
      TestData.load(data, new Input.Tetraquark(colour, UP, 1, false), N);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3bar3, 3 10 10, 'shape [3, 10, 10] contradicts'",
    "66bar, 3 6 6, 'shape [3, 6, 6] contradicts the attributes of the file, which ask for [3, 10, 10]'",
    "66bar, 3 3 3 3 3, 'or for [3, 4, 4, 4, 4], not packed'",
    "3bar3, 2 6 6, 'shape [2, 6, 6]'",
    "8, 3 6 6, '''8'' is no colour of a tetraquark; there are 3bar3 and 66bar'"
  })
  void open_ofAnotherShape_isRefused(String colour, String shape, String expected) {
    Path path = file("shape");
    long[] extents = List.of(shape.split(" ")).stream().mapToLong(Long::parseLong).toArray();
    int size = 2;
    for (long extent : extents) {
      size *= (int) extent;
    }
    write(path, object(colour), new double[size], extents);
    String message = TestData.refusal(() -> DistillationData.open(List.of(path)));
    assertTrue(message.startsWith(path + ": '"), message);
    assertTrue(message.contains(object(colour)), message);
    assertTrue(message.contains(expected), message);
  }
}
