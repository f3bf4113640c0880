package org.starlingqcd.elementals;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starlingqcd.arrays.CoherenceProtocol;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/** Elementals of eigenvectors of the Laplacian of a gauge field. */
@Tag("slow")
class LaplacianEigenvectorsTest {
  private static final int L = 4;
  private static final int T = 2;
  private static final int N = 6;
  private static final double TOLERANCE = 1e-12;
  private static final ElementalsRequest REQUEST =
      new ElementalsRequest(
          List.of(new Momentum(0, 0, 0), new Momentum(0, 0, 1), new Momentum(1, -1, 2)),
          ElementalsRunTest.ALL,
          true);

  private static final RandomVectors FIELD = SmearingField.eigenvectors(L, T, N, 0.3, 21);

  @TempDir Path folder;

  private Path elementals(RandomVectors of, String name) {
    Path vectors = of.writeHdf5(folder.resolve(name + ".vectors.h5"), true);
    Path target = folder.resolve(name + ".h5");
    ElementalsRunTest.run(vectors, target, REQUEST, CoherenceProtocol.WRITE_BACK, 64L << 20);
    return target;
  }

  private static void forEach(Path path, BiConsumer<ElementalName, double[][]> meson) {
    try (Hdf5File file = Hdf5File.open(path)) {
      for (ElementalName name : names()) {
        String object = "elementals/meson/" + name;
        double[][] times = new double[T][];
        for (int time = 0; time < T; time++) {
          times[time] = file.dataset(object).read(new long[] {time, 0, 0}, new long[] {1, N, N});
        }
        meson.accept(name, times);
      }
    }
  }

  private static List<ElementalName> names() {
    return REQUEST.momenta().stream()
        .flatMap(p -> ElementalsRunTest.ALL.stream().map(d -> new ElementalName(d, p)))
        .filter(name -> !name.vanishes(L))
        .toList();
  }

  private static double[] baryon(Path path, Momentum p, int time) {
    try (Hdf5File file = Hdf5File.open(path)) {
      return file.dataset("elementals/baryon/none/" + p.fileName())
          .read(new long[] {time, 0, 0, 0}, new long[] {1, N, N, N});
    }
  }

  @Test
  void elementals_ofEigenvectors_equalTheSumsOfTheirDefinition() {
    Path file = elementals(FIELD, "phi");
    forEach(
        file,
        (name, times) -> {
          for (int time = 0; time < T; time++) {
            assertArrayEquals(
                FIELD.meson(name.displacement(), time, name.momentum()),
                times[time],
                TOLERANCE,
                name.toString());
          }
        });
    for (Momentum p : REQUEST.momenta()) {
      for (int time = 0; time < T; time++) {
        assertArrayEquals(FIELD.baryon(time, p), baryon(file, p, time), TOLERANCE, p.toString());
      }
    }
  }

  /** The vectors are what they are taken for, so that the elemental at rest is the unit matrix. */
  @Test
  void eigenvectors_areThoseOfTheLaplacian() {
    for (int time = 0; time < T; time++) {
      double last = 0;
      for (int v = 0; v < N; v++) {
        double[] vector = FIELD.field(time, v);
        double[] image = SmearingField.laplacian(FIELD, time, vector);
        double value = 0;
        for (int i = 0; i < vector.length; i++) {
          value += vector[i] * image[i];
        }
        assertTrue(value > last, "eigenvalues ascend: " + value);
        last = value;
        for (int i = 0; i < vector.length; i++) {
          assertEquals(value * vector[i], image[i], TOLERANCE);
        }
      }
    }
    Path file = elementals(FIELD, "rest");
    double[] unit = new double[2 * N * N];
    for (int i = 0; i < N; i++) {
      unit[2 * (i * N + i)] = 1;
    }
    forEach(
        file,
        (name, times) -> {
          if (name.displacement().equals("none") && name.momentum().equals(new Momentum(0, 0, 0))) {
            assertArrayEquals(unit, times[0], TOLERANCE);
          }
        });
  }

  /** v → Ωv and U_k(x) → Ω(x) U_k(x) Ω(x+k)† change no elemental, displaced or not. */
  @Test
  void elementals_doNotDependOnTheGauge() {
    Path before = elementals(FIELD, "before");
    Path after = elementals(turned(FIELD, new Random(22)), "after");
    try (Hdf5File file = Hdf5File.open(after)) {
      forEach(
          before,
          (name, times) -> {
            for (int time = 0; time < T; time++) {
              assertArrayEquals(
                  times[time],
                  file.dataset("elementals/meson/" + name)
                      .read(new long[] {time, 0, 0}, new long[] {1, N, N}),
                  TOLERANCE,
                  name.toString());
            }
          });
    }
    for (Momentum p : REQUEST.momenta()) {
      assertArrayEquals(baryon(before, p, 1), baryon(after, p, 1), TOLERANCE, p.toString());
    }
  }

  private static RandomVectors turned(RandomVectors field, Random random) {
    int sites = L * L * L;
    double[] vectors = field.vectors.clone();
    double[] links = field.links.clone();
    for (int time = 0; time < T; time++) {
      double[][] omega = new double[sites][];
      for (int site = 0; site < sites; site++) {
        omega[site] = SmearingField.su3(random, 1);
      }
      for (int site = 0; site < sites; site++) {
        for (int v = 0; v < N; v++) {
          int at = 6 * ((time * N + v) * sites + site);
          for (int a = 0; a < 3; a++) {
            double[] sum = new double[2];
            for (int b = 0; b < 3; b++) {
              add(sum, omega[site], 3 * a + b, field.vectors, at / 2 + b, 1);
            }
            vectors[at + 2 * a] = sum[0];
            vectors[at + 2 * a + 1] = sum[1];
          }
        }
        for (int k = 0; k < 3; k++) {
          int x = site % L;
          int y = site / L % L;
          int z = site / L / L;
          int next = field.site(x + (k == 0 ? 1 : 0), y + (k == 1 ? 1 : 0), z + (k == 2 ? 1 : 0));
          int at = 9 * ((time * 3 + k) * sites + site);
          double[] left = new double[18];
          for (int a = 0; a < 3; a++) {
            for (int c = 0; c < 3; c++) {
              double[] sum = new double[2];
              for (int b = 0; b < 3; b++) {
                add(sum, omega[site], 3 * a + b, field.links, at + 3 * b + c, 1);
              }
              left[2 * (3 * a + c)] = sum[0];
              left[2 * (3 * a + c) + 1] = sum[1];
            }
          }
          for (int a = 0; a < 3; a++) {
            for (int c = 0; c < 3; c++) {
              double[] sum = new double[2];
              for (int b = 0; b < 3; b++) {
                add(sum, left, 3 * a + b, omega[next], 3 * c + b, -1);
              }
              links[2 * (at + 3 * a + c)] = sum[0];
              links[2 * (at + 3 * a + c) + 1] = sum[1];
            }
          }
        }
      }
    }
    return new RandomVectors(L, T, N, vectors, links);
  }

  /** Adds a product of two numbers; a sign of -1 conjugates the second. */
  private static void add(double[] sum, double[] a, int i, double[] b, int j, int signB) {
    double x = a[2 * i + 1];
    double y = signB * b[2 * j + 1];
    sum[0] += a[2 * i] * b[2 * j] - x * y;
    sum[1] += a[2 * i] * y + x * b[2 * j];
  }
}
