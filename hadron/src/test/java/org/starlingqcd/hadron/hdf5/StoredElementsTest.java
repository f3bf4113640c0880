package org.starlingqcd.hadron.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.hdf5.Hdf5Library.Handle;

/** Numbers that the HDF5 library has written are read from their places in the file. */
final class StoredElementsTest {
  private static final long SEED = 20261123;
  private static final int FILES = 120;

  @TempDir Path folder;

  private static double[] random(SplittableRandom random, long[] extents) {
    double[] numbers = new double[(int) (2 * Arrays.stream(extents).reduce(1, (a, b) -> a * b))];
    // Some bits only, so that deflation has something to do.
    Arrays.setAll(numbers, k -> random.nextInt(64) * 0.25);
    return numbers;
  }

  private static double[] read(Hdf5Dataset dataset, long[] start, long[] count) {
    int doubles = (int) (2 * Arrays.stream(count).reduce(1, (a, b) -> a * b));
    try (HostMemory target = HostMemory.allocate(8L * doubles + 32)) {
      dataset.read(start, count, target, 16);
      double[] result = new double[doubles];
      target.get(2, result, 0, doubles);
      assertArrayEquals(result, dataset.read(start, count));
      return result;
    }
  }

  /** The selection as it should be; missing numbers are zero. */
  private static double[] selection(double[] all, long[] extents, long[] start, long[] count) {
    double[] selected = new double[(int) (2 * Arrays.stream(count).reduce(1, (a, b) -> a * b))];
    for (int k = 0; k < selected.length / 2; k++) {
      long rest = k;
      long at = 0;
      long factor = 1;
      for (int a = extents.length - 1; a >= 0; a--) {
        at += factor * (start[a] + rest % count[a]);
        rest /= count[a];
        factor *= extents[a];
      }
      System.arraycopy(all, (int) (2 * at), selected, 2 * k, 2);
    }
    return selected;
  }

  /** A dataset with a checksum as the last filter, which the program itself does not write. */
  private static void createSummed(
      Hdf5File file, long[] extents, DatasetOptions options, double[] numbers) {
    synchronized (Hdf5Library.LOCK) {
      try (Handle space = Handle.space(extents);
          Handle creation = Handle.properties(hdf5.H5P_CLS_DATASET_CREATE_ID_g());
          BytePointer name = Hdf5Library.text("x");
          DoublePointer values = new DoublePointer(numbers)) {
        long[] chunks = options.chunks().stream().mapToLong(Long::longValue).toArray();
        hdf5.H5Pset_chunk(creation.id(), chunks.length, chunks);
        if (options.shuffle()) {
          hdf5.H5Pset_shuffle(creation.id());
        }
        if (options.deflate() > 0) {
          hdf5.H5Pset_deflate(creation.id(), options.deflate());
        }
        hdf5.H5Pset_fletcher32(creation.id());
        long id =
            hdf5.H5Dcreate2(
                file.idToWrite(), name, Hdf5Library.COMPLEX, space.id(), 0, creation.id(), 0);
        assertEquals(0, hdf5.H5Dwrite(id, Hdf5Library.COMPLEX, 0, 0, 0, values));
        hdf5.H5Dclose(id);
      }
    }
  }

  /** A tetraquark of 130 eigenvectors has more numbers than are read at once. */
  @Test
  void chunks_tooLargeForReadersAreHalved() {
    assertEquals(
        List.of(1L, 4193L, 8385L), DatasetOptions.chunked(0, false, 1, 8385, 8385).chunks());
    assertEquals(
        List.of(1L, 8192L, 8192L), DatasetOptions.chunked(0, false, 1, 8192, 8192).chunks());
  }

  /** Random shapes, chunks, filters and selections. */
  @Test
  void everySelection_hasTheNumbersThatWereWritten() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int f = 0; f < FILES; f++) {
      int rank = 1 + random.nextInt(4);
      long[] extents = random.longs(rank, 1, 9).toArray();
      long[] chunk = Arrays.stream(extents).map(e -> 1 + random.nextLong(e)).toArray();
      boolean chunked = random.nextInt(4) > 0;
      boolean summed = chunked && random.nextInt(3) == 0;
      DatasetOptions options =
          chunked
              ? DatasetOptions.chunked(random.nextInt(3), random.nextBoolean(), chunk)
              : DatasetOptions.CONTIGUOUS;
      double[] numbers = random(random, extents);
      Path path = folder.resolve(f + ".h5");
      try (Hdf5File file = Hdf5File.create(path)) {
        if (summed) {
          createSummed(file, extents, options, numbers);
        } else {
          try (Hdf5Dataset x = file.createDataset("x", ElementType.COMPLEX, extents, options)) {
            x.writeAll(numbers);
          }
        }
      }
      try (Hdf5File file = Hdf5File.open(path);
          Hdf5Dataset x = file.dataset("x", random.nextInt(3) * 400L)) {
        for (int k = 0; k < 12; k++) {
          long[] start = new long[rank];
          long[] count = new long[rank];
          for (int a = 0; a < rank; a++) {
            // Whole chunks in two cases of three, so that most are read in place.
            long unit = chunked && k % 3 > 0 ? chunk[a] : 1;
            start[a] = random.nextLong((extents[a] + unit - 1) / unit) * unit;
            long most = extents[a] - start[a];
            count[a] = Math.min(most, (1 + random.nextLong((most + unit - 1) / unit)) * unit);
          }
          assertArrayEquals(
              selection(numbers, extents, start, count),
              read(x, start, count),
              "seed " + SEED + " file " + f + " " + options + " summed " + summed);
        }
      }
    }
  }

  private Path deflated(String name, long[] extents) {
    Path path = folder.resolve(name);
    try (Hdf5File file = Hdf5File.create(path);
        Hdf5Dataset x =
            file.createDataset(
                "x", ElementType.COMPLEX, extents, DatasetOptions.chunked(6, true, 1, 64, 64))) {
      x.writeAll(random(new SplittableRandom(3), extents));
    }
    return path;
  }

  /** The library stores a chunk as it is when deflation makes it larger. */
  @Test
  void numbersThatDeflationDoesNotShorten() {
    Path path = folder.resolve("noise.h5");
    long[] extents = {2, 2};
    double[] noise = new SplittableRandom(7).doubles(8).toArray();
    try (Hdf5File file = Hdf5File.create(path);
        Hdf5Dataset x =
            file.createDataset(
                "x", ElementType.COMPLEX, extents, DatasetOptions.chunked(9, true, 1, 2))) {
      x.writeAll(noise);
    }
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      assertArrayEquals(noise, x.readAll());
    }
  }

  /** Nobody waits for a thread that holds the library's lock. */
  @Test
  void severalThreads_readWhileTheLibraryIsBusy() throws Exception {
    long[] extents = {16, 64, 64};
    double[] numbers = random(new SplittableRandom(3), extents);
    Path path = deflated("threads.h5", extents);
    ExecutorService readers = Executors.newFixedThreadPool(3);
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      List<Future<double[]>> slices = new ArrayList<>();
      long[] count = {1, 64, 64};
      synchronized (Hdf5Library.LOCK) {
        for (long t = 0; t < 16; t++) {
          long[] start = {t, 0, 0};
          slices.add(readers.submit(() -> read(x, start, count)));
        }
        for (int t = 0; t < 16; t++) {
          assertArrayEquals(
              selection(numbers, extents, new long[] {t, 0, 0}, count),
              slices.get(t).get(20, TimeUnit.SECONDS));
        }
      }
    } finally {
      readers.shutdownNow();
    }
  }

  @Test
  void damagedChunk_isReportedWithItsPlace() throws IOException {
    long[] extents = {2, 64, 64};
    Path path = deflated("damaged.h5", extents);
    try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "rw")) {
      // The second chunk lies behind the first one.
      bytes.seek(bytes.length() * 3 / 4);
      bytes.write(new byte[200]);
    }
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      long[] count = {1, 64, 64};
      assertEquals(2 * 64 * 64, read(x, new long[3], count).length);
      Hdf5Exception fault =
          assertThrows(Hdf5Exception.class, () -> read(x, new long[] {1, 0, 0}, count));
      assertTrue(
          String.valueOf(fault.getMessage()).contains("'x': reading block [1, 0, 0]"),
          fault.getMessage());
    }
  }

  /** Another file of the same name does not matter. */
  @Test
  void fileIsTheOneThatWasOpened() throws IOException {
    long[] extents = {2, 64, 64};
    Path path = deflated("first.h5", extents);
    long[] count = {1, 64, 64};
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      double[] expected = read(x, new long[3], count);
      Files.write(folder.resolve("other"), new byte[100]);
      Files.move(folder.resolve("other"), path, StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(expected, read(x, new long[3], count));
    }
  }

  @Test
  void fileThatIsWritten_isReadAsItIs() {
    try (Hdf5File file = Hdf5File.create(folder.resolve("written.h5"));
        Hdf5Dataset x =
            file.createDataset(
                "x", ElementType.REAL, new long[] {2}, DatasetOptions.chunked(0, false, 1))) {
      assertArrayEquals(new double[2], x.readAll());
      x.writeAll(new double[] {1, 2});
      assertArrayEquals(new double[] {1, 2}, x.readAll());
      x.write(new long[] {1}, new long[] {1}, new double[] {3});
      assertArrayEquals(new double[] {1, 3}, x.readAll());
    }
  }
}
