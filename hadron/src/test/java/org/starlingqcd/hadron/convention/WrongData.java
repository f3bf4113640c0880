package org.starlingqcd.hadron.convention;

import java.nio.file.Path;
import java.util.Random;
import org.starlingqcd.hadron.TestData;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Changes a data file as a wrong import would: every method makes one error in all blocks. */
final class WrongData {
  private WrongData() {}

  /** Gives the meson elementals of a displacement another name. */
  static void rename(Path path, String displacement, String name) {
    TestData.change(
        path, file -> file.move("elementals/meson/" + displacement, "elementals/meson/" + name));
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
            read(file, from));
      }
    }
  }

  /** Multiplies the elementals of a displacement by a factor. */
  static void scale(Path path, String displacement, double factor) {
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
  static void otherEigenvectorPhases(Path path) {
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
    TestData.replace(file, object, extents(file, object), values);
  }
}
