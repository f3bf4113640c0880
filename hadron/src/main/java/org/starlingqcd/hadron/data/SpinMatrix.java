package org.starlingqcd.hadron.data;

import org.starlingqcd.graph.Gamma;

/** A complex 4 × 4 matrix in spin space; immutable. */
public final class SpinMatrix extends SquareMatrix<SpinMatrix> {
  /** Rows and columns. */
  public static final int SPINS = 4;

  private static final int ENTRIES = SPINS * SPINS;

  /** The unit matrix. */
  public static final SpinMatrix ONE = diagonal(1, 1, 1, 1);

  /** g1 … g4 of the DeGrand-Rossi basis as in Chroma and QDP++. */
  private static final SpinMatrix[] DEGRAND_ROSSI = {
    antidiagonalBlocks(new double[] {0, 0, 0, 1, 0, 1, 0, 0}),
    antidiagonalBlocks(new double[] {0, 0, -1, 0, 1, 0, 0, 0}),
    antidiagonalBlocks(new double[] {0, 1, 0, 0, 0, 0, 0, -1}),
    antidiagonalBlocks(new double[] {1, 0, 0, 0, 0, 0, 1, 0})
  };

  private SpinMatrix(double[] values) {
    super(SPINS, values);
  }

  @Override
  SpinMatrix with(double[] numbers) {
    return new SpinMatrix(numbers);
  }

  /**
   * A matrix from 32 numbers, row-major, interleaved complex; they are copied.
   *
   * @throws IllegalArgumentException when there are not 32
   */
  public static SpinMatrix of(double[] values) {
    if (values.length != 2 * ENTRIES) {
      throw new IllegalArgumentException("must be " + 2 * ENTRIES + ": values=" + values.length);
    }
    return new SpinMatrix(values.clone());
  }

  /** A real diagonal matrix. */
  public static SpinMatrix diagonal(double... entries) {
    double[] values = new double[2 * ENTRIES];
    for (int k = 0; k < SPINS; k++) {
      values[2 * (SPINS * k + k)] = entries[k];
    }
    return new SpinMatrix(values);
  }

  /** The Hermitian matrix [[0, B], [B†, 0]] with the complex 2 × 2 block B. */
  private static SpinMatrix antidiagonalBlocks(double[] block) {
    double[] values = new double[2 * ENTRIES];
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 2; column++) {
        double re = block[2 * (2 * row + column)];
        double im = block[2 * (2 * row + column) + 1];
        int upper = SPINS * row + 2 + column;
        int lower = SPINS * (2 + column) + row;
        values[2 * upper] = re;
        values[2 * upper + 1] = im;
        values[2 * lower] = re;
        values[2 * lower + 1] = -im;
      }
    }
    return new SpinMatrix(values);
  }

  /** gμ of the DeGrand-Rossi basis, μ = 1 … 4. */
  public static SpinMatrix deGrandRossi(int mu) {
    if (mu < 1 || mu > SPINS) {
      throw new IllegalArgumentException("must be >= 1 && <= 4: mu=" + mu);
    }
    return DEGRAND_ROSSI[mu - 1];
  }

  /** A product of gammas in the DeGrand-Rossi basis, sign included. */
  public static SpinMatrix deGrandRossi(Gamma gamma) {
    return GammaBasis.DEGRAND_ROSSI.matrix(gamma);
  }

  /**
   * Multiplies [4][length] numbers, interleaved complex, by the matrix from the left.
   *
   * @param at their first double
   * @param length complex numbers of each spin
   */
  public void applyTo(double[] numbers, int at, int length) {
    double[] result = new double[2 * SPINS * length];
    for (int entry = 0; entry < ENTRIES; entry++) {
      double re = re(entry / SPINS, entry % SPINS);
      double im = im(entry / SPINS, entry % SPINS);
      int to = entry / SPINS * 2 * length;
      int from = at + entry % SPINS * 2 * length;
      for (int k = 0; k < 2 * length && (re != 0 || im != 0); k += 2) {
        double x = numbers[from + k];
        double y = numbers[from + k + 1];
        result[to + k] += re * x - im * y;
        result[to + k + 1] += re * y + im * x;
      }
    }
    System.arraycopy(result, 0, numbers, at, result.length);
  }
}
