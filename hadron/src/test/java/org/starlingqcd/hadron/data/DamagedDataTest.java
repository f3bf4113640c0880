package org.starlingqcd.hadron.data;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.conversion.Hdf5Conversion;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.Mutants;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/**
 * Bytes of small data files changed: each mutant is read or refused, and nothing crashes or hangs.
 */
@Tag("slow")
final class DamagedDataTest {
  @TempDir Path folder;

  /** The process that reads mutants. */
  static final class Worker {
    public static void main(String[] args) throws Exception {
      Mutants.work(args, Worker::readAll, List.of("DistillationException", "Hdf5Exception"));
    }

    private static void readAll(Path path) {
      DistillationFiles.discover(List.of(path.toString()));
      DistillationData.open(List.of(path)).close();
      try (Hdf5File file = Hdf5File.open(path)) {
        for (String name : file.attributes("/").names()) {
          if (file.attributes("/").type(name) == ElementType.STRING) {
            file.attributes("/").strings(name);
          } else if (file.attributes("/").type(name) == ElementType.INTEGER) {
            file.attributes("/").integers(name);
          }
        }
        if (file.exists("many")) {
          file.children("many").forEach(name -> readNumbers(file, "many/" + name));
        }
        if (file.exists("perambulators")) {
          read(file, "perambulators/light");
          read(file, "elementals/meson/none/0_0_0");
        }
      }
    }

    private static void readNumbers(Hdf5File file, String object) {
      try (Hdf5Dataset dataset = file.dataset(object)) {
        if (dataset.type() == ElementType.INTEGER) {
          dataset.readIntegers();
        }
      }
    }

    private static long product(long[] extents) {
      return Arrays.stream(extents).reduce(1, Math::multiplyExact);
    }

    private static void read(Hdf5File file, String object) {
      try (Hdf5Dataset dataset = file.dataset(object)) {
        if (dataset.type() == ElementType.COMPLEX) {
          dataset.readAll();
          long[] extents = dataset.extents();
          try (HostMemory whole = HostMemory.allocate(2 * Double.BYTES * product(extents))) {
            dataset.read(new long[extents.length], extents, whole, 0);
          }
        }
      }
    }
  }

  private static void dataset(Hdf5File file, String object, DatasetOptions options, long... e) {
    double[] numbers = new double[(int) (2 * Arrays.stream(e).reduce(1, (a, b) -> a * b))];
    Arrays.setAll(numbers, k -> 1 + k);
    TestData.replace(file, object, e, numbers, options);
  }

  /** A file of T = 2, N = 1, packed and not. */
  private static void fill(Path path) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      new DistillationHeader(
              "ensemble", 1, 4, 2, 1, DistillationHeader.DEGRAND_ROSSI, "antiperiodic")
          .write(file);
      dataset(
          file,
          "perambulators/light",
          DatasetOptions.chunked(4, true, 1, 1, 4, 4, 1, 1),
          2,
          2,
          4,
          4,
          1,
          1);
      dataset(file, "elementals/meson/none/0_0_0", DatasetOptions.CONTIGUOUS, 2, 1, 1);
    }
  }

  @Test
  void metadataWithoutChecksums() throws Exception {
    Path path = Mutants.createWithoutChecksums(folder.resolve("old.h5"));
    fill(path);
    Mutants.assertSurvived(Worker.class, path, folder, 3);
  }

  /** A file of h5py, made by the Python script beside it. */
  private Path shipped(String name) throws Exception {
    Path path = folder.resolve(name);
    try (InputStream in = DamagedDataTest.class.getResourceAsStream(name)) {
      Files.copy(in, path);
    }
    Worker.readAll(path);
    return path;
  }

  @Test
  void heapsOfLinksAndAttributes() throws Exception {
    Mutants.assertSurvived(Worker.class, shipped("dense.h5"), folder, 16);
  }

  @Test
  void indexesOfChunks() throws Exception {
    Mutants.assertSurvived(Worker.class, shipped("latest.h5"), folder, 61);
  }

  @Test
  void metadataWithChecksums() throws Exception {
    Path path = folder.resolve("new.h5");
    Hdf5File.create(path).close();
    fill(path);
    Mutants.assertSurvived(Worker.class, path, folder, 8);
  }

  /** Flips bits, and says all that is read then. */
  static final class BitWorker {
    public static void main(String[] args) throws Exception {
      Mutants.flipBits(args, BitWorker::all, List.of("DistillationException", "Hdf5Exception"));
    }

    private static String all(Path path) {
      try (DistillationData data = DistillationData.open(List.of(path));
          Hdf5File file = Hdf5File.open(path)) {
        StringBuilder text = new StringBuilder();
        text.append(data.header()).append(data.labels()).append(data.mesonElementals());
        for (String name : List.of("perambulators/light", "elementals/meson/none/0_0_0")) {
          try (Hdf5Dataset dataset = file.dataset(name)) {
            text.append(Arrays.toString(dataset.readAll()));
          }
        }
        return text.toString();
      }
    }
  }

  /** Of the data that Starling writes; a soak flips all bits. */
  @Test
  void flippedBitsAreToldOrChangeNothing() throws Exception {
    SyntheticEnsemble least =
        new SyntheticEnsemble(
            "x",
            1,
            1,
            1,
            List.of("light"),
            List.of(),
            List.of(Momentum.ZERO),
            List.of(),
            false,
            0,
            1);
    Path synthetic = SyntheticData.write(least, 1, folder, bytes -> {});
    Path copy = folder.resolve("copy.h5");
    try (DistillationData data = DistillationData.open(List.of(synthetic))) {
      Hdf5Conversion.write(data, copy, "copy", name -> true, bytes -> {});
    }
    Mutants.assertFlipsAreTold(BitWorker.class, synthetic, folder, 7);
    Mutants.assertFlipsAreTold(BitWorker.class, copy, folder, 7);
  }
}
