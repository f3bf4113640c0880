package org.starlingqcd.correlators;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The data of a rotated gauge field: on them a correlator of O is what the correlator of R · O is
 * on the data themselves.
 *
 * <p>With {@code q(x) → Λ⁻¹ q(Rx)} eigenvectors go with the field, so that {@code Φ(n)} becomes
 * {@code Φ(Rn)}, likewise B and K; each derivative {@code D_k} becomes {@code Σ_j R_jk D_j}; {@code
 * τ} becomes {@code Λ⁻¹ τ Λ} with {@code Λ = exp(-θ n̂·s/2)}, {@code s_k = ½ Σ_ij ε_kij g_i g_j},
 * times g4 for improper R; {@code τ_Γ(q)} becomes {@code Λ⁻¹ τ_Γ'(Rq) Λ} with {@code Γ' = Λ Γ Λ⁻¹},
 * in which {@code g_k} becomes {@code Σ_j R_jk g_j}. DeGrand-Rossi data only, and a file must hold
 * whole orbits of momenta, gammas and derivatives.
 */
public final class RotatedGaugeField {
  private final CubicRotation rotation;
  private final Map<String, double[]> numbers = new LinkedHashMap<>();

  private RotatedGaugeField(CubicRotation rotation) {
    this.rotation = rotation;
  }

  /** A rotated copy of a file. */
  public static Path copy(CubicRotation rotation, Path file, Path target) {
    try {
      Files.copy(file, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    apply(rotation, target);
    return target;
  }

  /** Replaces the numbers of a file. */
  public static void apply(CubicRotation rotation, Path path) {
    RotatedGaugeField field = new RotatedGaugeField(rotation);
    Complex[][] lambda = lambda(rotation);
    try (Hdf5File file = Hdf5File.openForUpdate(path)) {
      field.collect(file, "elementals/meson", 2);
      field.collect(file, "elementals/baryon", 2);
      field.collect(file, "elementals/tetraquark", 2);
      field.collect(file, "loops", 4);
      field.collect(file, "generalized_perambulators", 4);
      for (String name : field.numbers.keySet()) {
        double[] image = field.image(name);
        boolean spins = name.startsWith("generalized");
        write(file, name, spins ? turned(image, extents(file, name), lambda) : image);
      }
      for (String label : file.children("perambulators")) {
        String name = "perambulators/" + label;
        write(file, name, turned(read(file, name), extents(file, name), lambda));
      }
    }
  }

  private void collect(Hdf5File file, String name, int levels) {
    if (levels == 0) {
      numbers.put(name, read(file, name));
    } else if (file.exists(name)) {
      file.children(name).forEach(child -> collect(file, name + "/" + child, levels - 1));
    }
  }

  /** What stands under the rotated name, with the sign of the rotation. */
  private double[] image(String name) {
    List<String> parts = new ArrayList<>(Arrays.asList(name.split("/")));
    int last = parts.size() - 1;
    String[] n = parts.get(last).split("_");
    Momentum momentum =
        new Momentum(Integer.parseInt(n[0]), Integer.parseInt(n[1]), Integer.parseInt(n[2]));
    int sign = 1;
    List<Integer> axes = Displacement.of(parts.get(last - 1)).axes();
    for (int axis : axes) {
      sign *= rotation.signs().get(axis);
    }
    parts.set(last, rotation.apply(momentum).fileName());
    if (!axes.isEmpty()) {
      parts.set(
          last - 1, Displacement.derivative(axes.stream().map(rotation.axes()::get).toList()));
    }
    if (!name.startsWith("elementals")) {
      Gamma gamma = gamma(Gamma.parse(parts.get(2)));
      parts.set(2, gamma.unsigned().toString());
      sign *= gamma.sign();
    }
    int factor = sign;
    return Arrays.stream(numbers.get(String.join("/", parts))).map(x -> factor * x).toArray();
  }

  /** Λ Γ Λ⁻¹. */
  private Gamma gamma(Gamma gamma) {
    Gamma image = new Gamma(0, gamma.sign());
    for (int axis = 0; axis < 4; axis++) {
      if ((gamma.mask() >> axis & 1) != 0) {
        image =
            image.times(
                axis == 3
                    ? Gamma.G4
                    : new Gamma(1 << rotation.axes().get(axis), rotation.signs().get(axis)));
      }
    }
    return image;
  }

  /** {@code Λ⁻¹ τ Λ} of every [4, 4, N, N] at the end of a shape, Λ unitary. */
  public static double[] turned(double[] tau, long[] shape, Complex[][] lambda) {
    int block = (int) (2 * shape[shape.length - 2] * shape[shape.length - 1]);
    double[] result = new double[tau.length];
    for (int begin = 0; begin < tau.length; begin += 16 * block) {
      for (int a = 0; a < 16; a++) {
        for (int b = 0; b < 16; b++) {
          Complex factor = lambda[b / 4][a / 4].conjugate().times(lambda[b % 4][a % 4]);
          for (int k = 0; factor.abs() > 0 && k < block; k += 2) {
            Complex value =
                new Complex(tau[begin + b * block + k], tau[begin + b * block + k + 1])
                    .times(factor);
            result[begin + a * block + k] += value.re();
            result[begin + a * block + k + 1] += value.im();
          }
        }
      }
    }
    return result;
  }

  /** Λ from the gammas: {@code w - (x g2g3 + y g3g1 + z g1g2)}. */
  private static Complex[][] lambda(CubicRotation rotation) {
    double[] weights = {
      rotation.spinor().w(), -rotation.spinor().x(), -rotation.spinor().y(), -rotation.spinor().z()
    };
    List<Gamma> gammas =
        new ArrayList<>(
            Arrays.asList(
                Gamma.ONE, Gamma.parse("g2g3"), Gamma.parse("g3g1"), Gamma.parse("g1g2")));
    if (rotation.determinant() < 0) {
      gammas.replaceAll(gamma -> gamma.times(Gamma.G4));
    }
    Complex[][] lambda = new Complex[4][4];
    for (int row = 0; row < 4; row++) {
      for (int column = 0; column < 4; column++) {
        Complex sum = Complex.ZERO;
        for (int k = 0; k < 4; k++) {
          SpinMatrix gamma = SpinMatrix.deGrandRossi(gammas.get(k));
          sum =
              sum.plus(new Complex(gamma.re(row, column), gamma.im(row, column)).times(weights[k]));
        }
        lambda[row][column] = sum;
      }
    }
    return lambda;
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
    try (Hdf5Dataset dataset = file.dataset(name)) {
      dataset.writeAll(numbers);
    }
  }
}
