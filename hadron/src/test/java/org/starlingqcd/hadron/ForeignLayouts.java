package org.starlingqcd.hadron;

import static org.starlingqcd.hadron.ExampleArrays.N;
import static org.starlingqcd.hadron.ExampleArrays.T;
import static org.starlingqcd.hadron.ExampleArrays.permuted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.format.NpyWriter;
import org.starlingqcd.hadron.format.SpinBases;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.GridHdf5;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Writes the bundled data as other programs would. */
public final class ForeignLayouts {
  /** Axes of perambulators in {@link ExampleArrays#tau}. */
  private static final int[] TAU = {T, T, 4, 4, N, N};

  private ForeignLayouts() {}

  private static long[] longs(int... extents) {
    return Arrays.stream(extents).asLongStream().toArray();
  }

  /** Momenta as a mapping file lists them. */
  public static String lines(List<Momentum> momenta) {
    StringBuilder text = new StringBuilder("# px py pz\n");
    momenta.forEach(n -> text.append("%d %d %d\n".formatted(n.x(), n.y(), n.z())));
    return text.toString();
  }

  /**
   * Perambulators of Hadrons, a file for each source time.
   *
   * @param folder takes {@code iDT_<t0>.1.h5}
   * @param noises number of noises; more than one make the data diluted
   */
  public static void hadronsPerambulators(
      ExampleArrays example, Path folder, int noises, int everySource) {
    // [t0][t][i][j][noise][beta][alpha]
    double[] ordered = permuted(example.tau("light"), TAU, 1, 0, 4, 5, 3, 2);
    int column = ordered.length / T;
    for (int source = 0; source < T; source += everySource) {
      long[] extents = {T, N, N / noises, noises, 4, 4};
      GridHdf5.write(
          folder.resolve("iDT_" + source + ".1.h5"),
          file -> {
            file.createGroup("MetaData");
            file.attributes("MetaData").put("Version", "0.1");
          },
          "Perambulator",
          extents,
          Arrays.copyOfRange(ordered, source * column, (source + 1) * column),
          false,
          extents);
    }
  }

  /**
   * A meson field of Hadrons, rho† e^{ip·x} rho: the elemental of -n times 1 in spin, in single
   * precision.
   *
   * @param folder takes {@code Identity_p<x>_<y>_<z>.h5}
   * @param lastSpin instead of 1 for the last spin
   */
  public static void hadronsField(ExampleArrays example, Path folder, Momentum n, double lastSpin) {
    double[] phi = example.meson("none", n.negate());
    String name = "Identity_p%d_%d_%d.h5".formatted(n.x(), n.y(), n.z());
    try (Hdf5File file = Hdf5File.create(folder.resolve(name))) {
      file.createGroup("DistilMesonField/Metadata");
      for (int t = 0; t < T; t++) {
        double[] matrix = new double[2 * 16 * N * N];
        for (int i = 0; i < N; i++) {
          for (int j = 0; j < N; j++) {
            for (int s = 0; s < 4; s++) {
              int at = 2 * ((4 * i + s) * 4 * N + 4 * j + s);
              double factor = s == 3 ? lastSpin : 1;
              matrix[at] = factor * phi[2 * ((t * N + i) * N + j)];
              matrix[at + 1] = factor * phi[2 * ((t * N + i) * N + j) + 1];
            }
          }
        }
        GridHdf5.write(
            file,
            "DistilMesonField/" + t + "/" + t + "-" + t,
            new long[] {4 * N, 4 * N},
            matrix,
            true,
            new long[] {N, N});
      }
    }
  }

  /** Perambulators of a label and elementals of PerambulatorContractions.jl. */
  public static void perambulatorContractions(
      ExampleArrays example, Path folder, List<String> labels, int everySource) {
    for (String label : labels) {
      double[] tau = example.tau(label, SpinBases.known("openQCD"), false);
      // [t0][t][j][beta][i][alpha]
      double[] ordered = permuted(tau, TAU, 1, 0, 5, 3, 4, 2);
      int column = ordered.length / T;
      for (int source = 0; source < T; source += everySource) {
        Path path = folder.resolve("perambulator_" + label + "_tsrc" + source + "_run1n1");
        try (Hdf5File file = Hdf5File.create(path);
            Hdf5Dataset dataset =
                file.createDataset(
                    "perambulator",
                    ElementType.COMPLEX,
                    longs(1, T, N, 4, N, 4),
                    DatasetOptions.chunked(0, false, 1, 1, N, 4, N, 4))) {
          dataset.writeAll(Arrays.copyOfRange(ordered, source * column, (source + 1) * column));
        }
      }
    }
    List<Momentum> momenta = example.mesonMomenta();
    try (Hdf5File file = Hdf5File.create(folder.resolve("mode_doublets_run1n1"))) {
      try (Hdf5Dataset dataset =
          file.createDataset(
              "mode_doublets",
              ElementType.COMPLEX,
              longs(momenta.size(), T, N, N, 1),
              DatasetOptions.chunked(0, false, 1, 1, N, N, 1))) {
        dataset.writeAll(mesons(example, false));
      }
      try (Hdf5Dataset dataset =
          file.createDataset("axes/momenta", ElementType.INTEGER, longs(momenta.size(), 3))) {
        dataset.writeIntegers(
            momenta.stream()
                .flatMapToLong(n -> LongStream.range(0, 3).map(k -> n.component((int) k)))
                .toArray());
      }
    }
  }

  /**
   * Perambulators and meson elementals of EasyDistillation: {@code lattice_cfg_0001.peram.npy},
   * {@code lattice_cfg_0001.mom.npy} and its {@code momenta.txt}.
   *
   * @param type of the numbers, as {@code <c16}
   */
  public static void easyDistillation(ExampleArrays example, Path folder, String type)
      throws IOException {
    NpyWriter.write(
        folder.resolve("lattice_cfg_0001.peram.npy"),
        type,
        longs(TAU),
        ExampleArrays.relative(example.tau("light")));
    List<Momentum> momenta = example.mesonMomenta();
    double[] zero = new double[2 * T * N * N];
    List<double[]> blocks = new ArrayList<>(List.of(mesons(example, true)));
    for (String nabla : List.of("nabla_x", "nabla_y", "nabla_z")) {
      for (Momentum n : momenta) {
        blocks.add(
            n.equals(Momentum.ZERO) ? ExampleArrays.times(example.meson(nabla, n), -4) : zero);
      }
    }
    NpyWriter.write(
        folder.resolve("lattice_cfg_0001.mom.npy"),
        type,
        longs(4, momenta.size(), T, N, N),
        ExampleArrays.joined(blocks));
    Files.writeString(folder.resolve("momenta.txt"), lines(momenta));
  }

  /** The mapping file for {@link #easyDistillation}. */
  public static String easyDistillationMapping() {
    String nabla = "{file: '*{cfg}.mom.npy', momenta: momenta.txt}";
    return """
        like: EasyDistillation
        ensemble: quenched_4x8
        spatial_extent: 4
        elementals:
          meson:
            none: %s
            nabla_x: %s
            nabla_y: %s
            nabla_z: %s
        """
        .formatted(nabla, nabla, nabla, nabla);
  }

  /** Meson elementals without displacement, [momentum][T][N][N]. */
  public static double[] mesons(ExampleArrays example, boolean plus) {
    return ExampleArrays.joined(
        example.mesonMomenta().stream()
            .map(n -> example.meson("none", plus ? n.negate() : n))
            .toList());
  }
}
