package org.starlingqcd.hadron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.function.Executable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;
import org.starlingqcd.hadron.synthetic.SyntheticData;
import org.starlingqcd.hadron.synthetic.SyntheticEnsemble;

/** Small data files and what can be done to them. */
public final class TestData {
  public static final List<Momentum> MOMENTA =
      List.of(Momentum.ZERO, new Momentum(0, 0, 1), new Momentum(0, 0, -1));

  private TestData() {}

  public static SyntheticEnsemble ensemble(int t, int n, long seed) {
    return new SyntheticEnsemble(
        "test",
        4,
        t,
        n,
        List.of("light", "strange"),
        List.of(),
        MOMENTA,
        List.of("nabla_z"),
        false,
        0,
        seed);
  }

  /** A file of configuration 1. */
  public static Path write(Path folder, int t, int n, long seed) {
    return SyntheticData.write(ensemble(t, n, seed), 1, folder, bytes -> {});
  }

  /** The message of the exception with which something fails. */
  public static String refusal(Executable use) {
    return String.valueOf(assertThrows(DistillationException.class, use).getMessage());
  }

  /** An input, which is loaded at an offset, so that offsets are tested too. */
  public static double[] load(InputBlocks data, Input input, int eigenvectors) {
    double[] numbers = new double[(int) (input.bytes(eigenvectors) / Double.BYTES)];
    try (HostMemory memory = HostMemory.allocate(input.bytes(eigenvectors) + 64)) {
      data.load(input, memory, 64);
      memory.get(8, numbers, 0, numbers.length);
    }
    return numbers;
  }

  /** An input of data, as {@link #load(InputBlocks, Input, int)}. */
  public static double[] load(DistillationData data, Input input) {
    return load(data, input, data.header().eigenvectors());
  }

  /** The part of a dataset that has some first indices. */
  public static double[] part(Path path, String object, long... first) {
    try (Hdf5File file = Hdf5File.open(path);
        Hdf5Dataset dataset = file.dataset(object)) {
      long[] start = new long[dataset.extents().length];
      long[] count = dataset.extents();
      for (int k = 0; k < first.length; k++) {
        start[k] = first[k];
        count[k] = 1;
      }
      return dataset.read(start, count);
    }
  }

  /** Changes a file. */
  public static void change(Path path, Consumer<Hdf5File> change) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      change.accept(file);
    }
  }

  /** Asserts that two have the same numbers of an input. */
  public static void assertSame(
      DistillationData expected, DistillationData found, Input input, double tolerance) {
    assertArrayEquals(load(expected, input), load(found, input), tolerance, input.toString());
  }

  /** Replaces a dataset by one in contiguous storage. */
  public static void replace(Hdf5File file, String object, long[] extents, double[] numbers) {
    replace(file, object, extents, numbers, DatasetOptions.CONTIGUOUS);
  }

  /** Replaces a dataset. */
  public static void replace(
      Hdf5File file, String object, long[] extents, double[] numbers, DatasetOptions options) {
    if (file.exists(object)) {
      file.delete(object);
    }
    try (Hdf5Dataset dataset = file.createDataset(object, ElementType.COMPLEX, extents, options)) {
      dataset.writeAll(numbers);
    }
  }

  /** Says which blocks of a dataset are there: 0 or 1 by their number. */
  public static void writeMask(
      Path path, String object, long[] extents, LongUnaryOperator present) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      long blocks = Arrays.stream(extents).reduce(1, (one, other) -> one * other);
      long[] values = LongStream.range(0, blocks).map(present).toArray();
      writeIntegers(file, "present/" + object, extents, values);
    }
  }

  /** Writes a dataset of integers. */
  public static void writeIntegers(Hdf5File file, String object, long[] extents, long... values) {
    try (Hdf5Dataset dataset = file.createDataset(object, ElementType.INTEGER, extents)) {
      dataset.writeIntegers(values);
    }
  }

  /** Keeps only some source times of a label, in the order given. */
  public static void keepSources(Path path, String label, int... times) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      String object = "perambulators/" + label;
      long[] extents;
      double[] all;
      try (Hdf5Dataset dataset = file.dataset(object)) {
        extents = dataset.extents();
        all = dataset.readAll();
      }
      int t = (int) extents[0];
      int block = (int) (2 * 16 * extents[4] * extents[5]);
      double[] kept = new double[t * times.length * block];
      for (int sink = 0; sink < t; sink++) {
        for (int k = 0; k < times.length; k++) {
          System.arraycopy(
              all, (sink * t + times[k]) * block, kept, (sink * times.length + k) * block, block);
        }
      }
      extents[1] = times.length;
      replace(file, object, extents, kept);
      file.attributes(object).put("source_times", times);
    }
  }

  /**
   * Writes the perambulators of a file in the basis {@code g' = S g S†} with a random unitary S.
   */
  public static void changeBasis(Path path, long seed) {
    SpinMatrix s = randomUnitary(seed);
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      rotate(file, "perambulators", s);
      rotate(file, "generalized_perambulators", s);
      file.attributes("/").put("gamma_basis", "explicit");
      for (int mu = 1; mu <= 4; mu++) {
        writeGamma(file, mu, s.times(SpinMatrix.deGrandRossi(mu)).times(s.adjoint()));
      }
    }
  }

  /** Replaces τ by {@code S τ S†} in all datasets of a group, [...][4][4][n][n]. */
  private static void rotate(Hdf5File file, String object, SpinMatrix s) {
    if (file.kind(object) == ObjectKind.GROUP) {
      file.children(object).forEach(child -> rotate(file, object + "/" + child, s));
    }
    if (file.kind(object) != ObjectKind.DATASET) {
      return;
    }
    try (Hdf5Dataset dataset = file.dataset(object)) {
      long[] extents = dataset.extents();
      double[] all = dataset.readAll();
      int numbers = (int) (extents[extents.length - 1] * extents[extents.length - 2]);
      for (int block = 0; block < all.length / (32 * numbers); block++) {
        for (int number = 0; number < numbers; number++) {
          double[] spins = new double[32];
          for (int spin = 0; spin < 16; spin++) {
            System.arraycopy(all, 2 * ((block * 16 + spin) * numbers + number), spins, 2 * spin, 2);
          }
          SpinMatrix rotated = s.times(SpinMatrix.of(spins)).times(s.adjoint());
          for (int spin = 0; spin < 16; spin++) {
            int k = 2 * ((block * 16 + spin) * numbers + number);
            all[k] = rotated.re(spin / 4, spin % 4);
            all[k + 1] = rotated.im(spin / 4, spin % 4);
          }
        }
      }
      dataset.writeAll(all);
    }
  }

  public static void writeGamma(Hdf5File file, int mu, SpinMatrix gamma) {
    double[] numbers = new double[32];
    for (int k = 0; k < 16; k++) {
      numbers[2 * k] = gamma.re(k / 4, k % 4);
      numbers[2 * k + 1] = gamma.im(k / 4, k % 4);
    }
    replace(file, "gamma/g" + mu, new long[] {4, 4}, numbers);
  }

  /** A random unitary matrix by Gram-Schmidt, twice for orthogonality to the last bits. */
  public static SpinMatrix randomUnitary(long seed) {
    Random random = new Random(seed);
    double[][] rows = new double[4][8];
    for (double[] row : rows) {
      for (int k = 0; k < 8; k++) {
        row[k] = random.nextGaussian();
      }
    }
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++) {
          double re = 0;
          double im = 0;
          for (int k = 0; k < 4; k++) {
            re += rows[j][2 * k] * rows[i][2 * k] + rows[j][2 * k + 1] * rows[i][2 * k + 1];
            im += rows[j][2 * k] * rows[i][2 * k + 1] - rows[j][2 * k + 1] * rows[i][2 * k];
          }
          for (int k = 0; k < 4; k++) {
            rows[i][2 * k] -= re * rows[j][2 * k] - im * rows[j][2 * k + 1];
            rows[i][2 * k + 1] -= re * rows[j][2 * k + 1] + im * rows[j][2 * k];
          }
        }
        double norm = 0;
        for (double value : rows[i]) {
          norm += value * value;
        }
        for (int k = 0; k < 8; k++) {
          rows[i][k] /= Math.sqrt(norm);
        }
      }
    }
    double[] values = new double[32];
    for (int i = 0; i < 4; i++) {
      System.arraycopy(rows[i], 0, values, 8 * i, 8);
    }
    return SpinMatrix.of(values);
  }

  /** A file with a header and nothing else. */
  public static void writeHeader(Path path, String ensemble, long configuration, int t, int n) {
    try (Hdf5File file = Hdf5File.create(path)) {
      new DistillationHeader(ensemble, configuration, 4, t, n, "DeGrand-Rossi", "antiperiodic")
          .write(file);
    }
  }
}
