package org.starlingqcd.hadron.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

class DistillationDataTest {
  private static final int T = 4;
  private static final int N = 3;
  private static final Momentum UP = new Momentum(0, 0, 1);

  @TempDir Path folder;

  private static double[] adjoint(double[] matrix) {
    double[] adjoint = new double[matrix.length];
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        adjoint[2 * (j * N + i)] = matrix[2 * (i * N + j)];
        adjoint[2 * (j * N + i) + 1] = -matrix[2 * (i * N + j) + 1];
      }
    }
    return adjoint;
  }

  @Test
  void open_indexesWithoutReadingNumbers() {
    Path path = TestData.write(folder, T, N, 1);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertEquals(
          new DistillationHeader("test", 1, 4, T, N, "DeGrand-Rossi", "antiperiodic"),
          data.header());
      assertEquals(Set.of("light", "strange"), data.labels());
      assertEquals(Set.of(0, 1, 2, 3), data.sourceTimes("light"));
      assertEquals(6, data.mesonElementals().size());
      assertTrue(data.baryonElementals().isEmpty());
      assertTrue(data.gamma5Hermitian("light"));
      assertEquals(0, data.blocksRead());
    }
  }

  @Test
  void loadPerambulator_blockOfTheFile() {
    Path path = TestData.write(folder, T, N, 1);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertArrayEquals(
          TestData.part(path, "perambulators/light", 3, 1),
          TestData.load(data, new Input.Perambulator("light", 3, 1), N));
      assertEquals(1, data.blocksRead());
      assertEquals(TensorShape.mesonNode(N).bytes(), data.bytesRead());
    }
  }

  @Test
  void loadPerambulator_missingOneByGamma5Hermiticity() {
    Path whole = TestData.write(folder.resolve("whole"), T, N, 1);
    Path part = TestData.write(folder.resolve("part"), T, N, 1);
    TestData.keepSources(part, "light", 2, 0);
    try (DistillationData all = DistillationData.open(List.of(whole));
        DistillationData some = DistillationData.open(List.of(part))) {
      for (int sink = 0; sink < T; sink++) {
        for (int source = 0; source < T; source++) {
          boolean supplied = sink % 2 == 0 || source % 2 == 0;
          assertEquals(supplied, some.hasPerambulator("light", sink, source));
          if (supplied) {
            TestData.assertSame(all, some, new Input.Perambulator("light", sink, source), 0);
          }
        }
      }
    }
  }

  @Test
  void loadPerambulator_noFallbackForLabelsThatForbidIt() {
    Path path = TestData.write(folder, T, N, 1);
    TestData.keepSources(path, "light", 0);
    TestData.change(
        path, file -> file.attributes("perambulators/light").put("gamma5_hermitian", 0));
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertFalse(data.gamma5Hermitian("light"));
      assertTrue(data.hasPerambulator("light", 3, 0));
      assertFalse(data.hasPerambulator("light", 0, 3));
      assertTrue(data.hasPerambulator("strange", 0, 3));
    }
  }

  /** In another basis everything but rounding is the same, the fallback included. */
  @Test
  void loadPerambulator_explicitBasis() {
    Path plain = TestData.write(folder.resolve("plain"), T, N, 1);
    Path rotated = TestData.write(folder.resolve("rotated"), T, N, 1);
    TestData.changeBasis(rotated, 5);
    TestData.keepSources(rotated, "light", 1);
    try (DistillationData one = DistillationData.open(List.of(plain));
        DistillationData other = DistillationData.open(List.of(rotated))) {
      // The rotation is unique up to a phase, which drops out of S† τ S.
      for (int sink = 0; sink < T; sink++) {
        TestData.assertSame(one, other, new Input.Perambulator("light", sink, 1), 1e-14);
        TestData.assertSame(one, other, new Input.Perambulator("light", 1, sink), 1e-14);
      }
    }
  }

  @Test
  void loadElemental_plainAdjointAndOpposite() {
    Path path = TestData.write(folder, T, N, 1);
    double[] up = TestData.part(path, "elementals/meson/none/0_0_1", 2);
    double[] nabla = TestData.part(path, "elementals/meson/nabla_z/0_0_1", 2);
    try (DistillationData data = DistillationData.open(List.of(path))) {
      assertArrayEquals(
          up, TestData.load(data, new Input.Elemental(ElementalRef.of("none", UP, false), 2), N));
      assertArrayEquals(
          adjoint(up),
          TestData.load(data, new Input.Elemental(ElementalRef.of("none", UP, true), 2), N));
      assertArrayEquals(
          nabla,
          TestData.load(data, new Input.Elemental(ElementalRef.of("nabla_z", UP, false), 2), N));
      assertArrayEquals(
          adjoint(nabla),
          TestData.load(data, new Input.Elemental(ElementalRef.of("nabla_z", UP, true), 2), N));
    }
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.delete("elementals/meson/none/0_0_-1");
      file.delete("elementals/meson/nabla_z/0_0_-1");
    }
    try (DistillationData data = DistillationData.open(List.of(path))) {
      ElementalRef down = ElementalRef.of("none", UP.negate(), false);
      assertTrue(data.hasElemental(down, 0));
      assertArrayEquals(adjoint(up), TestData.load(data, new Input.Elemental(down, 2), N));
      assertFalse(data.hasElemental(ElementalRef.of("nabla_z", UP.negate(), false), 0));
      assertTrue(data.hasElemental(ElementalRef.of("nabla_z", UP, true), 0));
    }
  }

  @Test
  void open_severalFilesOfOneConfiguration() {
    Path whole = TestData.write(folder.resolve("whole"), T, N, 1);
    Path perambulators = TestData.write(folder.resolve("a"), T, N, 1);
    Path more = TestData.write(folder.resolve("b"), T, N, 1);
    Path elementals = TestData.write(folder.resolve("c"), T, N, 1);
    TestData.keepSources(perambulators, "light", 0, 3);
    TestData.keepSources(more, "light", 2, 1);
    TestData.change(perambulators, file -> file.delete("elementals"));
    try (Hdf5File file = Hdf5File.openForUpdate(more)) {
      file.delete("elementals");
      file.delete("perambulators/strange");
    }
    TestData.change(elementals, file -> file.delete("perambulators"));
    try (DistillationData one = DistillationData.open(List.of(whole));
        DistillationData parts = DistillationData.open(List.of(perambulators, more, elementals))) {
      assertEquals(one.labels(), parts.labels());
      assertEquals(one.sourceTimes("light"), parts.sourceTimes("light"));
      assertEquals(one.mesonElementals(), parts.mesonElementals());
      for (int source = 0; source < T; source++) {
        TestData.assertSame(one, parts, new Input.Perambulator("light", 3, source), 0);
      }
      ElementalRef up = ElementalRef.of("none", UP, false);
      TestData.assertSame(one, parts, new Input.Elemental(up, 1), 0);
    }
  }

  /** Compressed data in chunks that cut and join blocks. */
  @Test
  void load_awkwardChunks() {
    Path plain = TestData.write(folder.resolve("plain"), T, N, 1);
    Path chunked = TestData.write(folder.resolve("chunked"), T, N, 1);
    try (Hdf5File file = Hdf5File.openForUpdate(chunked)) {
      rewrite(file, "perambulators/light", 3, 2, 1, 4, 2, 3);
      rewrite(file, "elementals/meson/none/0_0_1", 4, 2, 2);
    }
    try (DistillationData one = DistillationData.open(List.of(plain));
        DistillationData other = DistillationData.open(List.of(chunked))) {
      for (int k = 0; k < T * T; k++) {
        TestData.assertSame(one, other, new Input.Perambulator("light", k / T, k % T), 0);
      }
      ElementalRef up = ElementalRef.of("none", UP, false);
      TestData.assertSame(one, other, new Input.Elemental(up, 1), 0);
    }
  }

  private static void rewrite(Hdf5File file, String object, long... chunks) {
    long[] extents;
    double[] all;
    try (Hdf5Dataset dataset = file.dataset(object)) {
      extents = dataset.extents();
      all = dataset.readAll();
    }
    TestData.replace(file, object, extents, all, DatasetOptions.chunked(3, true, chunks));
  }

  /**
   * A quarter of a TiB of perambulators, of which one block was written: only what is asked for is
   * touched.
   */
  @Test
  void load_oneBlockOfAHugeFile() throws IOException {
    int t = 128;
    int n = 256;
    Path path = folder.resolve("huge.h5");
    TestData.writeHeader(path, "huge", 1, t, n);
    long bytes = TensorShape.mesonNode(n).bytes();
    try (Hdf5File file = Hdf5File.openForUpdate(path);
        Hdf5Dataset dataset =
            file.createDataset(
                "perambulators/light",
                ElementType.COMPLEX,
                new long[] {t, t, 4, 4, n, n},
                DatasetOptions.chunked(0, false, 1, 1, 1, 1, n, n));
        HostMemory memory = HostMemory.allocate(bytes / 16)) {
      memory.clear();
      memory.put(2, new double[] {7, 8}, 0, 2);
      dataset.write(new long[] {100, 3, 2, 1, 0, 0}, new long[] {1, 1, 1, 1, n, n}, memory, 0);
    }
    assertTrue(Files.size(path) < 2 * bytes / 16);
    try (DistillationData data = DistillationData.open(List.of(path));
        HostMemory memory = HostMemory.allocate(bytes)) {
      data.load(new Input.Perambulator("light", 100, 3), memory, 0);
      double[] number = new double[2];
      memory.get(2L * (9L * n * n + 1), number, 0, 2);
      assertArrayEquals(new double[] {7, 8}, number);
      // τ(3, 100) was never written, whatever τ(100, 3) could supply: the file says that it is
      // there.
      assertThrows(
          DistillationException.class,
          () -> data.load(new Input.Perambulator("light", 3, 100), memory, 0));
      assertEquals(1, data.blocksRead());
    }
  }
}
