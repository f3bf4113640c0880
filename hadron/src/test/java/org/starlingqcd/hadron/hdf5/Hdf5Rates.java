package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.bytedeco.hdf5.global.hdf5;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.hdf5.Hdf5Library.Handle;

/**
 * Processor time of reading perambulators of N = 64 from the page cache with {@link Hdf5Dataset},
 * and with the HDF5 library in its place: the best of 40 rounds that alternate, on one thread.
 * Several threads read at once here; the library lets one in at a time.
 *
 * <p>{@code java -cp … org.starlingqcd.hadron.hdf5.Hdf5Rates}
 */
final class Hdf5Rates {
  private static final int ROUNDS = 40;
  private static final int BLOCKS = 4;
  private static final long[] EXTENTS = {BLOCKS, BLOCKS, 4, 4, 64, 64};
  private static final long[] BLOCK = {1, 1, 4, 4, 64, 64};
  private static final int BLOCK_BYTES = 1 << 20;

  private Hdf5Rates() {}

  /** Prints a line for each kind of storage. */
  public static void main(String[] args) throws IOException {
    Map<String, DatasetOptions> kinds = new LinkedHashMap<>();
    kinds.put("contiguous", DatasetOptions.CONTIGUOUS);
    kinds.put("chunks", DatasetOptions.chunked(0, false, BLOCK));
    kinds.put("deflated", DatasetOptions.chunked(4, false, BLOCK));
    kinds.put("shuffled and deflated", DatasetOptions.chunked(4, true, BLOCK));
    double[] numbers = new double[BLOCKS * BLOCKS * BLOCK_BYTES / Double.BYTES];
    SplittableRandom random = new SplittableRandom(1);
    Arrays.setAll(numbers, k -> random.nextDouble());
    for (Map.Entry<String, DatasetOptions> kind : kinds.entrySet()) {
      Path path = Files.createTempFile("rates", ".h5");
      try {
        write(path, kind.getValue(), numbers);
        compare(kind.getKey(), path);
      } finally {
        Files.delete(path);
      }
    }
  }

  private static void write(Path path, DatasetOptions options, double[] numbers) {
    try (Hdf5File file = Hdf5File.create(path);
        Hdf5Dataset x = file.createDataset("x", ElementType.COMPLEX, EXTENTS, options)) {
      x.writeAll(numbers);
    }
  }

  private static void compare(String kind, Path path) {
    double library = Double.POSITIVE_INFINITY;
    double here = Double.POSITIVE_INFINITY;
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset x = file.dataset("x", 0);
        HostMemory target = HostMemory.allocate(BLOCK_BYTES);
        Handle other =
            new Handle(
                hdf5.H5Fopen(Hdf5Library.text(path.toString()), hdf5.H5F_ACC_RDONLY, 0),
                "H5Fopen",
                hdf5::H5Fclose);
        Handle access = Handle.properties(hdf5.H5P_CLS_DATASET_ACCESS_ID_g())) {
      hdf5.H5Pset_chunk_cache(access.id(), 521, 0, 1);
      try (Handle dataset =
          new Handle(
              hdf5.H5Dopen2(other.id(), Hdf5Library.text("x"), access.id()),
              "H5Dopen2",
              hdf5::H5Dclose)) {
        for (int round = 0; round < ROUNDS; round++) {
          library = Math.min(library, seconds(start -> read(dataset.id(), start, target)));
          here = Math.min(here, seconds(start -> x.read(start, BLOCK, target, 0)));
        }
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%s: library %.2f ms, here %.2f ms, ratio %.2f%n",
        kind,
        1e3 * library,
        1e3 * here,
        here / library);
  }

  private interface Reader {
    void read(long[] start);
  }

  private static double seconds(Reader reader) {
    long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int k = 0; k < BLOCKS * BLOCKS; k++) {
      reader.read(new long[] {k / BLOCKS, k % BLOCKS, 0, 0, 0, 0});
    }
    return 1e-9 * (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin);
  }

  private static void read(long dataset, long[] start, HostMemory target) {
    try (Handle space = Handle.space(EXTENTS);
        Handle block = Handle.space(BLOCK)) {
      hdf5.H5Sselect_hyperslab(space.id(), hdf5.H5S_SELECT_SET, start, null, BLOCK, (long[]) null);
      Hdf5Library.check(
          hdf5.H5Dread(dataset, Hdf5Library.COMPLEX, block.id(), space.id(), 0, target.pointer()),
          "H5Dread");
    }
  }
}
