package org.starlingqcd.hadron.hdf5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import java.util.concurrent.CountDownLatch;
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

/** Numbers read from their places in the file are those that the library reads. */
final class RawDatasetTest {
  private static final long SEED = 20261123;
  private static final int FILES = 120;

  @TempDir Path folder;

  private static double[] random(SplittableRandom random, long[] extents) {
    double[] numbers = new double[(int) (2 * Arrays.stream(extents).reduce(1, (a, b) -> a * b))];
    // Some bits only, so that deflation has something to do.
    Arrays.setAll(numbers, k -> random.nextInt(64) * 0.25);
    return numbers;
  }

  private static byte[] read(Hdf5Dataset dataset, long[] start, long[] count, boolean raw) {
    int bytes = (int) (16 * Arrays.stream(count).reduce(1, (a, b) -> a * b));
    try (HostMemory target = HostMemory.allocate(bytes + 32)) {
      if (raw) {
        dataset.read(start, count, target, 16);
      } else {
        dataset.readByLibrary(start, count, target, 16);
      }
      byte[] result = new byte[bytes];
      target.bytes(16, bytes).get(result);
      return result;
    }
  }

  /** A dataset with a checksum as the last filter, which the program itself does not write. */
  private static void createSummed(
      Hdf5File file, long[] extents, DatasetOptions options, double[] numbers) {
    synchronized (Hdf5Library.LOCK) {
      long space = hdf5.H5Screate_simple(extents.length, extents, (long[]) null);
      long creation = hdf5.H5Pcreate(hdf5.H5P_CLS_DATASET_CREATE_ID_g());
      long[] chunks = options.chunks().stream().mapToLong(Long::longValue).toArray();
      hdf5.H5Pset_chunk(creation, chunks.length, chunks);
      if (options.shuffle()) {
        hdf5.H5Pset_shuffle(creation);
      }
      if (options.deflate() > 0) {
        hdf5.H5Pset_deflate(creation, options.deflate());
      }
      hdf5.H5Pset_fletcher32(creation);
      try (BytePointer name = Hdf5Library.text("x");
          DoublePointer values = new DoublePointer(numbers)) {
        long id = hdf5.H5Dcreate2(file.id(), name, Hdf5Library.COMPLEX, space, 0, creation, 0);
        assertEquals(0, hdf5.H5Dwrite(id, Hdf5Library.COMPLEX, 0, 0, 0, values));
        hdf5.H5Dclose(id);
      }
      hdf5.H5Pclose(creation);
      hdf5.H5Sclose(space);
    }
  }

  /** Random shapes, chunks, filters and selections; every bit is the library's. */
  @Test
  void everySelection_hasTheBitsOfTheLibrary() {
    SplittableRandom random = new SplittableRandom(SEED);
    int direct = 0;
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
          Hdf5Dataset x = file.dataset("x")) {
        RawDataset raw = x.raw();
        assertNotNull(raw);
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
              read(x, start, count, false),
              read(x, start, count, true),
              "seed " + SEED + " file " + f + " " + options + " summed " + summed);
          int bytes = (int) (16 * Arrays.stream(count).reduce(1, (a, b) -> a * b));
          try (HostMemory target = HostMemory.allocate(bytes)) {
            direct += raw.read(start, count, target, 0) ? 1 : 0;
          }
        }
      }
    }
    assertTrue(direct > 6 * FILES, "read in place: " + direct);
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

  /** A thread that holds the library's lock does not keep others from reading. */
  @Test
  void contiguousNumbers_areReadWhileTheLibraryIsBusy() throws Exception {
    Path path = folder.resolve("contiguous.h5");
    long[] extents = {4, 8, 8};
    try (Hdf5File file = Hdf5File.create(path);
        Hdf5Dataset x =
            file.createDataset("x", ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      x.writeAll(random(new SplittableRandom(5), extents));
    }
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x");
        HostMemory target = HostMemory.allocate(16 * 64)) {
      RawDataset raw = x.raw();
      assertNotNull(raw);
      CountDownLatch done = new CountDownLatch(1);
      synchronized (Hdf5Library.LOCK) {
        Future<Boolean> reading =
            reader.submit(
                () -> {
                  boolean read = raw.read(new long[] {1, 0, 0}, new long[] {1, 8, 8}, target, 0);
                  done.countDown();
                  return read;
                });
        assertTrue(done.await(20, TimeUnit.SECONDS));
        assertTrue(reading.get());
      }
    } finally {
      reader.shutdownNow();
    }
  }

  @Test
  void severalThreads_readTheSame() throws Exception {
    long[] extents = {16, 64, 64};
    Path path = deflated("threads.h5", extents);
    ExecutorService readers = Executors.newFixedThreadPool(3);
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      List<Future<byte[]>> slices = new ArrayList<>();
      long[] count = {1, 64, 64};
      for (long t = 0; t < 16; t++) {
        long[] start = {t, 0, 0};
        slices.add(readers.submit(() -> read(x, start, count, true)));
      }
      for (int t = 0; t < 16; t++) {
        assertArrayEquals(
            read(x, new long[] {t, 0, 0}, count, false), slices.get(t).get(20, TimeUnit.SECONDS));
      }
    } finally {
      readers.shutdownNow();
    }
  }

  /** Damage is the library's to report. */
  @Test
  void damagedChunk_isReportedByTheLibrary() throws IOException {
    long[] extents = {2, 64, 64};
    Path path = deflated("damaged.h5", extents);
    long position;
    try (Hdf5File file = Hdf5File.open(path)) {
      long[] found = new long[1];
      synchronized (Hdf5Library.LOCK) {
        hdf5.H5Dget_chunk_info_by_coord(
            hdf5.H5Dopen2(file.id(), Hdf5Library.text("x"), 0),
            new long[] {1, 0, 0},
            new int[1],
            found,
            new long[1]);
      }
      position = found[0];
    }
    try (RandomAccessFile bytes = new RandomAccessFile(path.toFile(), "rw")) {
      bytes.seek(position + 100);
      bytes.write(new byte[200]);
    }
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      long[] count = {1, 64, 64};
      assertEquals(16 * 64 * 64, read(x, new long[3], count, true).length);
      Hdf5Exception fault =
          assertThrows(Hdf5Exception.class, () -> read(x, new long[] {1, 0, 0}, count, true));
      assertTrue(String.valueOf(fault.getMessage()).contains("reading block [1, 0, 0]"));
    }
  }

  /** Another file of the same name does not matter; a file that is being written is not read so. */
  @Test
  void fileIsTheOneThatWasOpened() throws IOException {
    long[] extents = {2, 64, 64};
    Path path = deflated("first.h5", extents);
    long[] count = {1, 64, 64};
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x")) {
      byte[] expected = read(x, new long[3], count, false);
      Files.write(folder.resolve("other"), new byte[100]);
      Files.move(folder.resolve("other"), path, StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(expected, read(x, new long[3], count, true));
    }
    Path written = deflated("second.h5", extents);
    try (Hdf5File file = Hdf5File.openForUpdate(written);
        Hdf5Dataset x = file.dataset("x")) {
      assertNull(x.raw());
      assertFalse(read(x, new long[3], count, true).length == 0);
    }
  }
}
