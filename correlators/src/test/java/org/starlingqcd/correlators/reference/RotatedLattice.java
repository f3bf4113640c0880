package org.starlingqcd.correlators.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.starlingqcd.correlators.definition.symmetry.CubicRotation;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Distillation data as they would come from the gauge field turned by an element of the cubic
 * group, in the DeGrand-Rossi basis.
 *
 * <p>With {@code q(x) → Λ⁻¹ q(Rx)}, {@code Φ'(n) = Φ(Rn)}, {@code B'(n) = B(Rn)} and {@code τ' =
 * Λ⁻¹ τ Λ}: a correlator of O on these data is that of {@code R · O} on the data they were made of.
 * The file must hold whole orbits of momenta, without displacement.
 */
final class RotatedLattice {
  private RotatedLattice() {}

  /** A copy of a file with its numbers turned. */
  static Path write(Path file, CubicRotation rotation, List<Momentum> momenta, Path target) {
    try {
      Files.copy(file, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(target)) {
      for (String kind : List.of("meson", "baryon")) {
        TreeMap<Momentum, double[]> numbers = new TreeMap<>();
        for (Momentum n : momenta) {
          String name = name(kind, n);
          if (hdf5.exists(name)) {
            try (Hdf5Dataset dataset = hdf5.dataset(name)) {
              numbers.put(n, dataset.readAll());
            }
          }
        }
        for (Momentum n : numbers.keySet()) {
          try (Hdf5Dataset dataset = hdf5.dataset(name(kind, n))) {
            dataset.writeAll(numbers.get(rotation.apply(n)));
          }
        }
      }
      for (String label : List.of("light", "strange")) {
        String name = "perambulators/" + label;
        if (hdf5.exists(name)) {
          try (Hdf5Dataset dataset = hdf5.dataset(name)) {
            dataset.writeAll(turned(dataset.readAll(), dataset.extents(), lambda(rotation)));
          }
        }
      }
    }
    return target;
  }

  private static String name(String kind, Momentum n) {
    return "elementals/" + kind + "/none/" + n.fileName();
  }

  /** {@code Λ⁻¹ τ Λ} of every [4, 4, N, N], Λ unitary. */
  static double[] turned(double[] tau, long[] shape, Complex[][] lambda) {
    int block = (int) (2 * shape[4] * shape[5]);
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

  /**
   * {@code Λ = exp(-θ n̂·s/2)}, {@code s_k = ½ Σ ε_kij g_i g_j}, times g4 for improper elements,
   * from the gammas: {@code w - (x g2g3 + y g3g1 + z g1g2)}.
   */
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
}
