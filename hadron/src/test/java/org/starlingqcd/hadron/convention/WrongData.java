package org.starlingqcd.hadron.convention;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Changes a data file as a wrong import would: every method makes one error in all blocks. */
public final class WrongData {
  private WrongData() {}

  /** A place {t, source, α, β, i, j} and where its number comes from. */
  private interface Place {
    int[] from(int[] to);
  }

  /** Exchanges the two spin indices of all perambulators. */
  public static void exchangeSpins(Path path) {
    permute(path, to -> new int[] {to[0], to[1], to[3], to[2], to[4], to[5]});
  }

  /** Exchanges the two eigenvector indices of all perambulators. */
  public static void exchangeVectors(Path path) {
    permute(path, to -> new int[] {to[0], to[1], to[2], to[3], to[5], to[4]});
  }

  /** Exchanges sink and source time of all perambulators, which need all source times. */
  public static void exchangeTimes(Path path) {
    permute(path, to -> new int[] {to[1], to[0], to[2], to[3], to[4], to[5]});
  }

  /** Reads times relative to the source as absolute ones. */
  public static void relativeTimes(Path path, int extent) {
    permute(path, to -> new int[] {(to[0] + to[1]) % extent, to[1], to[2], to[3], to[4], to[5]});
  }

  private static void permute(Path path, Place place) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      for (String label : file.children("perambulators")) {
        String object = "perambulators/" + label;
        double[] all = read(file, object);
        long[] extents = extents(file, object);
        double[] result = new double[all.length];
        int[] to = new int[6];
        for (int k = 0; k < all.length / 2; k++) {
          int rest = k;
          for (int axis = 5; axis >= 0; axis--) {
            to[axis] = rest % (int) extents[axis];
            rest /= (int) extents[axis];
          }
          int source = 0;
          int[] from = place.from(to);
          for (int axis = 0; axis < 6; axis++) {
            source = source * (int) extents[axis] + from[axis];
          }
          result[2 * k] = all[2 * source];
          result[2 * k + 1] = all[2 * source + 1];
        }
        write(file, object, result);
      }
    }
  }

  /** Multiplies every perambulator: τ becomes left · τ · right in spin space. */
  public static void multiplySpins(Path path, SpinMatrix left, SpinMatrix right) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      for (String label : file.children("perambulators")) {
        String object = "perambulators/" + label;
        double[] all = read(file, object);
        long[] extents = extents(file, object);
        int vectors = (int) (extents[4] * extents[5]);
        double[] spins = new double[32];
        for (int block = 0; block < all.length / 32 / vectors; block++) {
          for (int number = 0; number < vectors; number++) {
            for (int spin = 0; spin < 16; spin++) {
              System.arraycopy(
                  all, 2 * ((block * 16 + spin) * vectors + number), spins, 2 * spin, 2);
            }
            SpinMatrix product = left.times(SpinMatrix.of(spins)).times(right);
            for (int spin = 0; spin < 16; spin++) {
              int k = 2 * ((block * 16 + spin) * vectors + number);
              all[k] = product.re(spin / 4, spin % 4);
              all[k + 1] = product.im(spin / 4, spin % 4);
            }
          }
        }
        write(file, object, all);
      }
    }
  }

  /** Renames the momenta of elementals, {@code kind} being {@code meson} or {@code baryon}. */
  public static void renameMomenta(Path path, String kind, UnaryOperator<int[]> name) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      for (String displacement : file.children("elementals/" + kind)) {
        String group = "elementals/" + kind + "/" + displacement + "/";
        Map<String, double[]> renamed = new TreeMap<>();
        for (String momentum : file.children(group.substring(0, group.length() - 1))) {
          String[] parts = momentum.split("_");
          int[] n =
              name.apply(
                  new int[] {
                    Integer.parseInt(parts[0]),
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2])
                  });
          renamed.put(n[0] + "_" + n[1] + "_" + n[2], read(file, group + momentum));
        }
        renamed.forEach((momentum, values) -> write(file, group + momentum, values));
      }
    }
  }

  /** Gives the meson elementals of a displacement another name. */
  static void rename(Path path, String displacement, String name) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      file.move("elementals/meson/" + displacement, "elementals/meson/" + name);
    }
  }

  /** Copies the meson elementals of a displacement to another name. */
  static void copy(Path path, String displacement, String name) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      for (String momentum : file.children("elementals/meson/" + displacement)) {
        String from = "elementals/meson/" + displacement + "/" + momentum;
        TestData.replace(
            file,
            "elementals/meson/" + name + "/" + momentum,
            extents(file, from),
            read(file, from),
            DatasetOptions.CONTIGUOUS);
      }
    }
  }

  /** Multiplies the elementals of a displacement by a factor. */
  public static void scale(Path path, String displacement, double factor) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      String group = "elementals/meson/" + displacement;
      for (String momentum : file.children(group)) {
        double[] values = read(file, group + "/" + momentum);
        for (int k = 0; k < values.length; k++) {
          values[k] *= factor;
        }
        write(file, group + "/" + momentum, values);
      }
    }
  }

  /** Multiplies eigenvector i by e^{iφ_i(t)} in the perambulators, but not in the elementals. */
  public static void otherEigenvectorPhases(Path path) {
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      for (String label : file.children("perambulators")) {
        String object = "perambulators/" + label;
        double[] all = read(file, object);
        long[] extents = extents(file, object);
        int n = (int) extents[4];
        int blocks = (int) extents[1] * 16;
        for (int k = 0; k < all.length / 2; k++) {
          int t = k / (n * n) / blocks;
          int t0 = k / (n * n) / 16 % (int) extents[1];
          double phase = phase(t0, k % n) - phase(t, k / n % n);
          double re = all[2 * k] * Math.cos(phase) - all[2 * k + 1] * Math.sin(phase);
          all[2 * k + 1] = all[2 * k] * Math.sin(phase) + all[2 * k + 1] * Math.cos(phase);
          all[2 * k] = re;
        }
        write(file, object, all);
      }
    }
  }

  private static double phase(int t, int vector) {
    // The first numbers of neighbouring seeds are alike.
    return 2 * Math.PI * new Random(t).doubles().skip(vector + 1L).findFirst().orElseThrow();
  }

  private static double[] read(Hdf5File file, String object) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      return dataset.readAll();
    }
  }

  private static long[] extents(Hdf5File file, String object) {
    try (Hdf5Dataset dataset = file.dataset(object)) {
      return dataset.extents();
    }
  }

  /** Keeps shape and attributes of the object unless its extents change. */
  private static void write(Hdf5File file, String object, double[] values) {
    TestData.replace(file, object, extents(file, object), values, DatasetOptions.CONTIGUOUS);
  }
}
