package org.starlingqcd.correlators;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.correlators.definition.symmetry.SpinRotation;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The data of a rotated gauge field: on them a correlator of O is what the correlator of R · O is
 * on the data themselves.
 *
 * <p>Eigenvectors go with the field, so that {@code Φ(n)} becomes {@code Φ(Rn)}, likewise B; each
 * derivative {@code D_k} becomes {@code Σ_j R_jk D_j}; {@code τ} becomes {@code Λ⁻¹ τ Λ} with
 * {@code Λ = exp(-θ n̂·s/2)}, {@code s_k = ½ Σ_ij ε_kij g_i g_j}, times g4 for improper R.
 * DeGrand-Rossi data only.
 */
public final class RotatedGaugeField {
  private static final int SPINS = 4;

  private final CubicRotation rotation;
  private final Map<String, double[]> elementals = new LinkedHashMap<>();

  private RotatedGaugeField(CubicRotation rotation) {
    this.rotation = rotation;
  }

  /**
   * Replaces the numbers of a file, which holds momenta and displacements with all their images.
   */
  public static void apply(CubicRotation rotation, Path path) {
    RotatedGaugeField field = new RotatedGaugeField(rotation);
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      for (String kind : List.of("elementals/meson", "elementals/baryon")) {
        if (!file.exists(kind)) {
          continue;
        }
        for (String displacement : file.children(kind)) {
          for (String momentum : file.children(kind + "/" + displacement)) {
            String name = kind + "/" + displacement + "/" + momentum;
            field.elementals.put(name, read(file, name));
          }
        }
      }
      for (String name : field.elementals.keySet()) {
        write(file, name, field.elemental(name));
      }
      for (String label : file.children("perambulators")) {
        String name = "perambulators/" + label;
        write(file, name, field.perambulators(read(file, name), extents(file, name)));
      }
    }
  }

  private double[] elemental(String name) {
    String[] parts = name.split("/");
    String[] n = parts[3].split("_");
    Momentum image =
        rotation.apply(
            new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2])));
    String displacement = parts[2];
    int sign = 1;
    List<Integer> axes = Displacement.of(displacement).axes();
    for (int axis : axes) {
      sign *= rotation.signs().get(axis);
    }
    String rotated =
        Displacement.derivative(axes.stream().map(axis -> rotation.axes().get(axis)).toList());
    double[] from =
        elementals.get(parts[0] + "/" + parts[1] + "/" + rotated + "/" + image.fileName());
    double[] to = new double[from.length];
    for (int k = 0; k < to.length; k++) {
      to[k] = sign * from[k];
    }
    return to;
  }

  /** Re and Im of Λ, [4][4]. */
  private double[][][] lambda() {
    SpinRotation u = rotation.spinor();
    double[] weights = {u.w(), -u.x(), -u.y(), -u.z()};
    Gamma[] gammas = {
      Gamma.ONE,
      Gamma.g(2).times(Gamma.g(3)),
      Gamma.g(3).times(Gamma.g(1)),
      Gamma.g(1).times(Gamma.g(2))
    };
    double[][][] lambda = new double[2][SPINS][SPINS];
    for (int k = 0; k < weights.length; k++) {
      Gamma gamma = rotation.determinant() > 0 ? gammas[k] : gammas[k].times(Gamma.G4);
      SpinMatrix matrix = SpinMatrix.deGrandRossi(gamma);
      for (int a = 0; a < SPINS; a++) {
        for (int b = 0; b < SPINS; b++) {
          lambda[0][a][b] += weights[k] * matrix.re(a, b);
          lambda[1][a][b] += weights[k] * matrix.im(a, b);
        }
      }
    }
    return lambda;
  }

  /** Λ† τ Λ; Λ is unitary. */
  private double[] perambulators(double[] tau, long[] extents) {
    double[][][] l = lambda();
    int block = 2 * (int) (extents[4] * extents[5]);
    double[] result = new double[tau.length];
    for (int first = 0; first < tau.length; first += SPINS * SPINS * block) {
      for (int pair = 0; pair < SPINS * SPINS * SPINS * SPINS; pair++) {
        int a = pair / 64;
        int b = pair / 16 % SPINS;
        int c = pair / SPINS % SPINS;
        int d = pair % SPINS;
        // conj(Λ_ca) Λ_db
        double re = l[0][c][a] * l[0][d][b] + l[1][c][a] * l[1][d][b];
        double im = l[0][c][a] * l[1][d][b] - l[1][c][a] * l[0][d][b];
        if (re == 0 && im == 0) {
          continue;
        }
        int to = first + (SPINS * a + b) * block;
        int from = first + (SPINS * c + d) * block;
        for (int k = 0; k < block; k += 2) {
          result[to + k] += re * tau[from + k] - im * tau[from + k + 1];
          result[to + k + 1] += re * tau[from + k + 1] + im * tau[from + k];
        }
      }
    }
    return result;
  }

  private static double[] read(Hdf5File file, String name) {
    try (Hdf5Dataset dataset = file.dataset(name)) {
      return dataset.readAll();
    }
  }

  private static long[] extents(Hdf5File file, String name) {
    try (Hdf5Dataset dataset = file.dataset(name)) {
      return dataset.extents();
    }
  }

  private static void write(Hdf5File file, String name, double[] numbers) {
    long[] extents = extents(file, name);
    file.delete(name);
    try (Hdf5Dataset dataset =
        file.createDataset(name, ElementType.COMPLEX, extents, DatasetOptions.CONTIGUOUS)) {
      dataset.writeAll(numbers);
    }
  }
}
