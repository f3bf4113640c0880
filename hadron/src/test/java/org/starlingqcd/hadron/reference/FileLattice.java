package org.starlingqcd.hadron.reference;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.PairColour;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * The numbers of a complete distillation file: every perambulator and elemental is there as such,
 * no symmetry is used. Small files only; datasets are read whole and kept.
 */
final class FileLattice implements AutoCloseable {
  /** DeGrand-Rossi, as printed in the conventions: place of the one entry of each row. */
  private static final int[][] COLUMNS = {{3, 2, 1, 0}, {3, 2, 1, 0}, {2, 3, 0, 1}, {2, 3, 0, 1}};

  /** Its value: a power of i. */
  private static final int[][] POWERS = {{1, 1, 3, 3}, {2, 0, 0, 2}, {1, 3, 3, 1}, {0, 0, 0, 0}};

  private static final List<Complex> POWERS_OF_I =
      List.of(Complex.ONE, new Complex(0, 1), new Complex(-1, 0), new Complex(0, -1));

  private final Hdf5File file;
  private final int extent;
  private final int eigenvectors;
  private final Map<String, double[]> datasets = new HashMap<>();
  private final Complex[][][] gammas = new Complex[4][4][4];

  FileLattice(Path path) {
    file = Hdf5File.open(path);
    extent = (int) file.attributes("/").integer("temporal_extent");
    eigenvectors = (int) file.attributes("/").integer("num_eigenvectors");
    boolean explicit = file.exists("gamma/g1");
    for (int mu = 0; mu < 4; mu++) {
      for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
          gammas[mu][row][column] =
              explicit
                  ? number("gamma/g" + (mu + 1), 4 * row + column)
                  : COLUMNS[mu][row] == column ? POWERS_OF_I.get(POWERS[mu][row]) : Complex.ZERO;
        }
      }
    }
  }

  int temporalExtent() {
    return extent;
  }

  int eigenvectors() {
    return eigenvectors;
  }

  /** The matrix of a structure in the basis of the data. */
  Complex[][] matrix(Gamma gamma) {
    Complex[][] product = new Complex[4][4];
    for (int row = 0; row < 4; row++) {
      for (int column = 0; column < 4; column++) {
        product[row][column] = row == column ? new Complex(gamma.sign(), 0) : Complex.ZERO;
      }
    }
    for (int mu = 0; mu < 4; mu++) {
      if ((gamma.mask() >> mu & 1) != 0) {
        product = product(product, gammas[mu]);
      }
    }
    return product;
  }

  static Complex[][] product(Complex[][] a, Complex[][] b) {
    Complex[][] product = new Complex[4][4];
    for (int row = 0; row < 4; row++) {
      for (int column = 0; column < 4; column++) {
        Complex sum = Complex.ZERO;
        for (int k = 0; k < 4; k++) {
          sum = sum.plus(a[row][k].times(b[k][column]));
        }
        product[row][column] = sum;
      }
    }
    return product;
  }

  /** {@code τ(sink, source)[α, β, i, j]}. */
  Complex perambulator(String label, int sink, int source, int alpha, int beta, int i, int j) {
    int block = sink * extent + source;
    return number(
        "perambulators/" + label,
        (((block * 4 + alpha) * 4 + beta) * eigenvectors + i) * eigenvectors + j);
  }

  /** {@code Φ_D(n, t)[i, j]}. */
  Complex meson(String displacement, Momentum n, int t, int i, int j) {
    return number(
        "elementals/meson/" + displacement + "/" + n.fileName(),
        (t * eigenvectors + i) * eigenvectors + j);
  }

  /** {@code B(n, t)[i, j, k]}. */
  Complex baryon(String displacement, Momentum n, int t, int i, int j, int k) {
    return number(
        "elementals/baryon/" + displacement + "/" + n.fileName(),
        ((t * eigenvectors + i) * eigenvectors + j) * eigenvectors + k);
  }

  /** {@code K(n, t)} at places of packed pairs. */
  Complex tetraquark(PairColour colour, Momentum n, int t, int row, int column) {
    int pairs = colour.pairs(eigenvectors);
    return number(
        "elementals/tetraquark/" + colour + "/" + n.fileName(), (t * pairs + row) * pairs + column);
  }

  Complex number(String object, int place) {
    double[] numbers =
        datasets.computeIfAbsent(
            object,
            key -> {
              try (Hdf5Dataset dataset = file.dataset(object)) {
                return dataset.readAll();
              }
            });
    return new Complex(numbers[2 * place], numbers[2 * place + 1]);
  }

  @Override
  public void close() {
    file.close();
  }
}
