package org.starlingqcd.correlators.reference;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.Displacement;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Distillation data as they would come from the complex conjugate gauge field, in the DeGrand-Rossi
 * basis. The files must hold all source times.
 */
final class ConjugatedLattice {
  private static final int SPINS = 4;

  private ConjugatedLattice() {}

  /**
   * Charge conjugation, U → U*: {@code Φ_D(n) → ± Φ_D(n)ᵀ} with the derivatives in reverse order
   * and a sign each, {@code τ(t', t) → C⁻¹ τ(t, t')ᵀ C}.
   */
  static Path chargeConjugated(Path file, Path target) {
    return write(
        file,
        target,
        (displacement) -> {
          List<Integer> axes = new ArrayList<>(displacement.axes());
          Collections.reverse(axes);
          return axes;
        },
        true);
  }

  /**
   * U → U* with parity: {@code Φ_D(n) → ± Φ_D(n)*} with a sign for each derivative, {@code B → B*},
   * {@code τ → K τ* K⁻¹} with {@code K = γ4 C⁻¹ γ5ᵀ}.
   */
  static Path conjugatedWithParity(Path file, Path target) {
    return write(file, target, Displacement::axes, false);
  }

  private static Path write(
      Path file, Path target, Function<Displacement, List<Integer>> axes, boolean charge) {
    try {
      Files.copy(file, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (Hdf5File hdf5 = Hdf5File.openForUpdate(target)) {
      Map<String, double[]> all = new LinkedHashMap<>();
      for (String kind : charge ? List.of("meson") : List.of("meson", "baryon")) {
        for (String displacement : hdf5.children("elementals/" + kind)) {
          String folder = "elementals/" + kind + "/" + displacement;
          for (String momentum : hdf5.children(folder)) {
            Displacement d = Displacement.of(displacement);
            String from = "elementals/" + kind + "/" + d.withAxes(axes.apply(d)) + "/" + momentum;
            int sign = d.axes().size() % 2 == 0 ? 1 : -1;
            double[] numbers = read(hdf5, from);
            all.put(
                folder + "/" + momentum,
                charge ? transposed(numbers, shape(hdf5, from), sign) : conjugated(numbers, sign));
          }
        }
      }
      for (String label : hdf5.children("perambulators")) {
        String name = "perambulators/" + label;
        double[] tau = read(hdf5, name);
        all.put(
            name,
            charge
                ? chargeConjugated(tau, shape(hdf5, name))
                : conjugatedWithParity(tau, shape(hdf5, name)));
      }
      all.forEach(
          (name, numbers) -> {
            try (Hdf5Dataset dataset = hdf5.dataset(name)) {
              dataset.writeAll(numbers);
            }
          });
    }
    return target;
  }

  private static double[] read(Hdf5File file, String name) {
    try (Hdf5Dataset dataset = file.dataset(name)) {
      return dataset.readAll();
    }
  }

  private static long[] shape(Hdf5File file, String name) {
    try (Hdf5Dataset dataset = file.dataset(name)) {
      return dataset.extents();
    }
  }

  private static double[] conjugated(double[] numbers, int sign) {
    double[] result = new double[numbers.length];
    for (int k = 0; k < numbers.length; k++) {
      result[k] = (k % 2 == 0 ? sign : -sign) * numbers[k];
    }
    return result;
  }

  /** Transposes every [N, N]. */
  private static double[] transposed(double[] numbers, long[] shape, int sign) {
    int n = (int) shape[1];
    double[] result = new double[numbers.length];
    for (int k = 0; k < numbers.length / 2; k++) {
      int from = k - k % (n * n) + k % n * n + k / n % n;
      result[2 * k] = sign * numbers[2 * from];
      result[2 * k + 1] = sign * numbers[2 * from + 1];
    }
    return result;
  }

  /** Entries of a matrix with one real entry of modulus 1 in each row: column and sign by row. */
  private static int[][] entries(Gamma gamma) {
    SpinMatrix matrix = SpinMatrix.deGrandRossi(gamma);
    int[][] entries = new int[SPINS][2];
    for (int a = 0; a < SPINS; a++) {
      for (int b = 0; b < SPINS; b++) {
        if (matrix.re(a, b) != 0) {
          entries[a] = new int[] {b, (int) matrix.re(a, b)};
        }
        if (matrix.im(a, b) != 0) {
          throw new IllegalStateException(gamma + " is not real");
        }
      }
    }
    return entries;
  }

  /** {@code τ'(t', t)[α, β, i, j] = (C⁻¹)_αα' τ(t, t')[β', α', j, i] C_β'β}; C⁻¹ = Cᵀ. */
  private static double[] chargeConjugated(double[] tau, long[] shape) {
    int[][] c = entries(Gamma.g(2).times(Gamma.g(4)));
    int times = (int) shape[0];
    int n = (int) shape[4];
    if (shape[1] != times) {
      throw new IllegalStateException("not all source times: " + Arrays.toString(shape));
    }
    double[] result = new double[tau.length];
    for (int k = 0; k < tau.length / 2; k++) {
      int j = k % n;
      int i = k / n % n;
      int beta = k / (n * n) % SPINS;
      int alpha = k / (n * n * SPINS) % SPINS;
      int source = k / (n * n * SPINS * SPINS) % times;
      int sink = k / (n * n * SPINS * SPINS * times);
      // Entry [row, column] of τ(t, t') goes to [C column of column, C column of row].
      int to = ((sink * times + source) * SPINS + alpha) * SPINS + beta;
      int image = (source * times + sink) * SPINS * SPINS + SPINS * c[beta][0] + c[alpha][0];
      int sign = c[alpha][1] * c[beta][1];
      result[2 * (image * n * n + j * n + i)] = sign * tau[2 * (to * n * n + i * n + j)];
      result[2 * (image * n * n + j * n + i) + 1] = sign * tau[2 * (to * n * n + i * n + j) + 1];
    }
    return result;
  }

  /** {@code K τ* K⁻¹}; K is real and orthogonal, up to its sign g4 g2 g4 g5. */
  private static double[] conjugatedWithParity(double[] tau, long[] shape) {
    int[][] k = entries(Gamma.G4.times(Gamma.g(2)).times(Gamma.G4).times(Gamma.G5));
    int block = (int) (2 * shape[4] * shape[5]);
    double[] result = new double[tau.length];
    for (int first = 0; first < tau.length; first += SPINS * SPINS * block) {
      for (int a = 0; a < SPINS; a++) {
        for (int b = 0; b < SPINS; b++) {
          int sign = k[a][1] * k[b][1];
          int from = first + (SPINS * k[a][0] + k[b][0]) * block;
          int to = first + (SPINS * a + b) * block;
          for (int m = 0; m < block; m++) {
            result[to + m] = (m % 2 == 0 ? sign : -sign) * tau[from + m];
          }
        }
      }
    }
    return result;
  }
}
