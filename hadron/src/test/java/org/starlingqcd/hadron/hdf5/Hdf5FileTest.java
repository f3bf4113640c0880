package org.starlingqcd.hadron.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;

class Hdf5FileTest {
  @TempDir Path folder;

  /** The numbers 0, 1, 2 … */
  private static double[] count(int n) {
    return IntStream.range(0, n).asDoubleStream().toArray();
  }

  @Test
  void read_hyperslabOfComplex() {
    Path path = folder.resolve("a.h5");
    try (Hdf5File file = Hdf5File.create(path);
        Hdf5Dataset dataset = file.createDataset("one/two/three", ElementType.COMPLEX, 3, 4, 5)) {
      dataset.writeAll(count(120));
    }
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset dataset = file.dataset("one/two/three");
        HostMemory memory = HostMemory.allocate(2 * 16 + 16)) {
      assertEquals(ElementType.COMPLEX, dataset.type());
      assertArrayEquals(new long[] {3, 4, 5}, dataset.extents());
      assertEquals(0, dataset.chunks().length);
      // Element (1, 2, 3) is complex number 1 * 20 + 2 * 5 + 3 = 33.
      assertArrayEquals(
          new double[] {66, 67, 68, 69}, dataset.read(new long[] {1, 2, 3}, new long[] {1, 1, 2}));
      memory.clear();
      dataset.read(new long[] {1, 2, 3}, new long[] {1, 1, 2}, memory, 16);
      double[] read = new double[6];
      memory.get(0, read, 0, 6);
      assertArrayEquals(new double[] {0, 0, 66, 67, 68, 69}, read);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> dataset.read(new long[] {1, 2, 4}, new long[] {1, 1, 2}));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> dataset.read(new long[] {0, 0, 0}, new long[] {1, 1, 3}, memory, 16));
    }
  }

  @Test
  void equalNumbers_giveEqualFilesInAnotherSecond() throws Exception {
    byte[] first = Files.readAllBytes(three("first.h5"));
    long second = System.currentTimeMillis() / 1000;
    while (System.currentTimeMillis() / 1000 == second) {
      Thread.sleep(10);
    }
    assertArrayEquals(first, Files.readAllBytes(three("second.h5")));
  }

  private Path three(String name) {
    Path path = folder.resolve(name);
    try (Hdf5File file = Hdf5File.create(path);
        Hdf5Dataset dataset = file.createDataset("a/b", ElementType.COMPLEX, 3)) {
      dataset.writeAll(count(6));
      dataset.attributes().put("n", 3);
    }
    return path;
  }

  @Test
  void write_chunkedCompressedFromHostMemory() {
    Path path = folder.resolve("a.h5");
    try (Hdf5File file = Hdf5File.create(path);
        HostMemory memory = HostMemory.allocate(20 * 8)) {
      memory.put(0, count(20), 0, 20);
      try (Hdf5Dataset dataset =
          file.createDataset(
              "x", ElementType.REAL, new long[] {6, 10}, DatasetOptions.chunked(4, true, 2, 10))) {
        dataset.write(new long[] {2, 0}, new long[] {2, 10}, memory, 0);
      }
    }
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset dataset = file.dataset("x", 1 << 20)) {
      assertArrayEquals(new long[] {2, 10}, dataset.chunks());
      assertTrue(dataset.isFiltered());
      double[] all = dataset.readAll();
      for (int k = 0; k < 60; k++) {
        assertEquals(k < 20 || k >= 40 ? 0 : k - 20, all[k]);
      }
    }
  }

  @Test
  void attributes_roundTrip() {
    Path path = folder.resolve("a.h5");
    try (Hdf5File file = Hdf5File.create(path)) {
      file.createGroup("cfg_0001");
      Hdf5Attributes root = file.attributes("/");
      root.put("name", "first");
      root.put("name", "π⁺ν and \"quotes\"");
      root.put("operators", List.of("pi", "", "ρ"));
      root.put("none", List.of());
      root.put("format_version", 1);
      root.put("beta", 5.9);
      file.attributes("cfg_0001").put("source_times", new int[] {0, 3});
      file.attributes("cfg_0001").put("gone", 1);
      file.attributes("cfg_0001").delete("gone");
    }
    try (Hdf5File file = Hdf5File.open(path)) {
      Hdf5Attributes root = file.attributes("/");
      assertEquals("π⁺ν and \"quotes\"", root.string("name"));
      assertEquals(List.of("pi", "", "ρ"), root.strings("operators"));
      assertEquals(List.of(), root.strings("none"));
      assertEquals(1, root.integer("format_version"));
      assertArrayEquals(new double[] {5.9}, root.reals("beta"));
      assertEquals(List.of("beta", "format_version", "name", "none", "operators"), root.names());
      Hdf5Attributes group = file.attributes("cfg_0001");
      assertArrayEquals(new long[] {0, 3}, group.integers("source_times"));
      assertFalse(group.has("gone"));
      assertEquals(
          path + ": 'cfg_0001': has no attribute 'gone'",
          assertThrows(Hdf5Exception.class, () -> group.integer("gone")).getMessage());
      assertEquals(
          path + ": 'cfg_0001': attribute 'source_times': expected a string, found another type",
          assertThrows(Hdf5Exception.class, () -> group.string("source_times")).getMessage());
      assertEquals(
          path + ": 'cfg_0001': attribute 'source_times': expected one integer, found 2 integers",
          assertThrows(Hdf5Exception.class, () -> group.integer("source_times")).getMessage());
    }
  }

  @Test
  void structure_kindsChildrenMoveDelete() {
    try (Hdf5File file = Hdf5File.create(folder.resolve("a.h5"))) {
      file.createGroup("b/c");
      file.createGroup("b/c");
      file.createDataset("b/a", ElementType.INTEGER, 2)
          .writeIntegers(new long[] {-7, Long.MAX_VALUE});
      file.createDataset("s", ElementType.COMPLEX).writeAll(new double[] {1, 2});
      file.flush();
      assertEquals(ObjectKind.GROUP, file.kind("/"));
      assertEquals(ObjectKind.GROUP, file.kind("b/c"));
      assertEquals(ObjectKind.DATASET, file.kind("b/a"));
      assertEquals(ObjectKind.NONE, file.kind("b/x/y"));
      assertEquals(List.of("a", "c"), file.children("b"));
      file.move("b/a", "new/place");
      assertFalse(file.exists("b/a"));
      try (Hdf5Dataset dataset = file.dataset("new/place")) {
        assertArrayEquals(new long[] {-7, Long.MAX_VALUE}, dataset.readIntegers());
      }
      try (Hdf5Dataset dataset = file.dataset("s")) {
        assertArrayEquals(new double[] {1, 2}, dataset.readAll());
      }
      file.delete("new");
      assertEquals(List.of("b", "s"), file.children("/"));
      assertEquals(
          file.path() + ": 'b': no such dataset",
          assertThrows(Hdf5Exception.class, () -> file.dataset("b")).getMessage());
    }
  }

  @Test
  void open_whatIsNotHdf5() throws IOException {
    Path text = Files.writeString(folder.resolve("text.h5"), "not HDF5");
    Path absent = folder.resolve("absent.h5");
    assertMessage(folder + ": is a directory, expected an HDF5 file", folder);
    assertMessage(absent + ": no such file", absent);
    assertMessage(text + ": is not an HDF5 file", text);
    Path cut = folder.resolve("cut.h5");
    try (Hdf5File file = Hdf5File.create(cut);
        Hdf5Dataset dataset = file.createDataset("x", ElementType.REAL, 1000)) {
      dataset.writeAll(count(1000));
    }
    byte[] bytes = Files.readAllBytes(cut);
    Files.write(
        cut,
        java.util.Arrays.copyOf(bytes, bytes.length - 3000),
        StandardOpenOption.TRUNCATE_EXISTING);
    String message =
        String.valueOf(
            assertThrows(Hdf5Exception.class, () -> Hdf5File.open(cut).close()).getMessage());
    assertTrue(
        message.startsWith(
            cut
                + ": is truncated; copy or write it again: truncated file: eof = "
                + (bytes.length - 3000)),
        message);
  }

  private static void assertMessage(String message, Path path) {
    assertEquals(
        message, assertThrows(Hdf5Exception.class, () -> Hdf5File.open(path).close()).getMessage());
  }

  @Test
  void create_whereNothingCanBeWritten() {
    Path path = folder.resolve("no/such/folder.h5");
    String message =
        String.valueOf(
            assertThrows(Hdf5Exception.class, () -> Hdf5File.create(path).close()).getMessage());
    assertTrue(message.startsWith(path + ": cannot be created: "), message);
    assertTrue(message.contains("No such file or directory"), message);
  }

  @Test
  void failures_printNothing() {
    PrintStream terminal = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (Hdf5File file = Hdf5File.create(folder.resolve("a.h5"))) {
      assertThrows(Hdf5Exception.class, () -> file.children("nowhere"));
      assertThrows(Hdf5Exception.class, () -> file.delete("nowhere"));
    } finally {
      System.setErr(terminal);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void use_afterClose() {
    Hdf5File file = Hdf5File.create(folder.resolve("a.h5"));
    Hdf5Dataset dataset = file.createDataset("x", ElementType.REAL, 1);
    file.close();
    file.close();
    dataset.close();
    assertThrows(IllegalStateException.class, () -> file.kind("x"));
    assertThrows(IllegalStateException.class, dataset::readAll);
  }

  /** HDF5's own program reads what this layer writes, when it is installed. */
  @Test
  void write_h5dumpReadsIt() throws IOException, InterruptedException {
    Path path = folder.resolve("a.h5");
    try (Hdf5File file = Hdf5File.create(path);
        Hdf5Dataset dataset = file.createDataset("c", ElementType.COMPLEX, 1)) {
      dataset.writeAll(new double[] {1.5, -2});
      file.attributes("/").put("name", "x");
    }
    Process process;
    try {
      process = new ProcessBuilder("h5dump", path.toString()).redirectErrorStream(true).start();
    } catch (IOException e) {
      Assumptions.abort("h5dump is not installed: " + e.getMessage());
      return;
    }
    String output;
    try (InputStream stream = process.getInputStream()) {
      output = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertTrue(process.waitFor(10, TimeUnit.SECONDS));
    assertTrue(output.contains("H5T_IEEE_F64LE \"r\";"), output);
    assertTrue(output.contains("STRSIZE H5T_VARIABLE;"), output);
    assertTrue(output.contains("CSET H5T_CSET_UTF8;"), output);
    assertTrue(output.contains("1.5"), output);
  }
}
