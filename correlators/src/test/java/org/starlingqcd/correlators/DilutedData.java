package org.starlingqcd.correlators;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Noises and quark sinks made of the exact perambulators of a file, φ = τ P ρ. */
public final class DilutedData {
  private DilutedData() {}

  /**
   * How a set is diluted.
   *
   * @param time the class of a time; all classes are stored
   * @param spin the class of a spin
   * @param vector the class of an eigenvector
   */
  public record Scheme(IntUnaryOperator time, IntUnaryOperator spin, IntUnaryOperator vector) {
    /** Every index is a class. */
    public static final Scheme FULL = new Scheme(t -> t, s -> s, j -> j);
  }

  /** Adds a set of a label with new noises, U1, to the file itself. */
  public static void add(
      Path file, String label, String set, Scheme scheme, List<String> noises, long seed) {
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(file)) {
      long[] extents;
      double[] tau;
      try (Hdf5Dataset dataset = hdf5.dataset("perambulators/" + label)) {
        extents = dataset.extents();
        tau = dataset.readAll();
      }
      int t = (int) extents[0];
      int n = (int) extents[4];
      int[] td = classes(t, scheme.time());
      int[] sd = classes(4, scheme.spin());
      int[] vd = classes(n, scheme.vector());
      int p = most(td);
      int s = most(sd);
      int v = most(vd);
      String group = "quark_sinks/" + set;
      for (String parent : List.of("noises", "quark_sinks", group)) {
        if (!hdf5.exists(parent)) {
          hdf5.createGroup(parent);
        }
      }
      Hdf5Attributes attributes = hdf5.attributes(group);
      attributes.put("time_dilution", td);
      attributes.put("spin_dilution", sd);
      attributes.put("eigenvector_dilution", vd);
      Random random = new Random(seed);
      for (String noise : noises) {
        double[] rho = new double[2 * t * 4 * n];
        for (int k = 0; k < rho.length; k += 2) {
          double angle = 2 * Math.PI * random.nextDouble();
          rho[k] = Math.cos(angle);
          rho[k + 1] = Math.sin(angle);
        }
        write(hdf5, "noises/" + noise, rho, t, 4, n);
        double[] phi = new double[2 * t * p * s * v * 4 * n];
        for (int sink = 0; sink < t; sink++) {
          for (int source = 0; source < t; source++) {
            for (int ab = 0; ab < 16; ab++) {
              for (int ij = 0; ij < n * n; ij++) {
                int b = ab % 4;
                int j = ij % n;
                int d = ((sink * p + td[source]) * s + sd[b]) * v + vd[j];
                int to = 2 * ((d * 4 + ab / 4) * n + ij / n);
                int from = 2 * (((sink * t + source) * 16 + ab) * n * n + ij);
                int at = 2 * ((source * 4 + b) * n + j);
                phi[to] += tau[from] * rho[at] - tau[from + 1] * rho[at + 1];
                phi[to + 1] += tau[from] * rho[at + 1] + tau[from + 1] * rho[at];
              }
            }
          }
        }
        write(hdf5, group + "/" + noise, phi, t, p, s, v, 4, n);
      }
    }
  }

  private static void write(Hdf5File file, String object, double[] numbers, long... extents) {
    try (Hdf5Dataset dataset =
        file.createDataset(object, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(numbers);
    }
  }

  private static int[] classes(int length, IntUnaryOperator number) {
    int[] classes = new int[length];
    java.util.Arrays.setAll(classes, number);
    return classes;
  }

  private static int most(int[] classes) {
    return java.util.Arrays.stream(classes).max().orElseThrow() + 1;
  }
}
