package org.starlingqcd.correlators.definition.symmetry;

import org.starlingqcd.graph.Complex;

/**
 * An element of SU(2), {@code U = w - i (x σ_1 + y σ_2 + z σ_3)} with {@code w² + x² + y² + z² =
 * 1}: for a rotation by θ about n̂, {@code exp(-iθ n̂·σ/2)}.
 */
public record SpinRotation(double w, double x, double y, double z) {
  /**
   * One of the two elements with {@code U σ_j U† = Σ_i S_ij σ_i}, S the proper part of a group
   * element. The sign is free, and always the same for one group element.
   */
  static SpinRotation of(CubicRotation rotation) {
    int det = rotation.determinant();
    int[] diagonal = new int[3];
    int trace = 0;
    for (int k = 0; k < 3; k++) {
      diagonal[k] = det * rotation.element(k, k);
      trace += diagonal[k];
    }
    if (trace > -1) {
      double w = Math.sqrt(1 + trace) / 2;
      return new SpinRotation(
          w,
          antisymmetric(rotation, 2, 1) / (4 * w),
          antisymmetric(rotation, 0, 2) / (4 * w),
          antisymmetric(rotation, 1, 0) / (4 * w));
    }
    // A half turn: S = 2 n nᵀ - 1. One component of the axis is chosen positive.
    int first = 0;
    while (diagonal[first] < 0) {
      first++;
    }
    double[] axis = new double[3];
    axis[first] = Math.sqrt((1 + diagonal[first]) / 2.0);
    for (int k = first + 1; k < 3; k++) {
      axis[k] = det * rotation.element(k, first) / (2 * axis[first]);
    }
    return new SpinRotation(0, axis[0], axis[1], axis[2]);
  }

  private static double antisymmetric(CubicRotation rotation, int a, int b) {
    return rotation.determinant() * (double) (rotation.element(a, b) - rotation.element(b, a));
  }

  /** {@code exp(-iθ σ_k/2)} for axis k = 0, 1, 2. */
  static SpinRotation about(int axis, double angle) {
    double s = Math.sin(angle / 2);
    return new SpinRotation(
        Math.cos(angle / 2), axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0);
  }

  /** The product {@code this · other}. */
  public SpinRotation times(SpinRotation b) {
    return new SpinRotation(
        w * b.w - x * b.x - y * b.y - z * b.z,
        w * b.x + x * b.w + y * b.z - z * b.y,
        w * b.y + y * b.w + z * b.x - x * b.z,
        w * b.z + z * b.w + x * b.y - y * b.x);
  }

  /** The inverse, U†. */
  public SpinRotation inverse() {
    return new SpinRotation(w, -x, -y, -z);
  }

  /** The 2 × 2 matrix U. */
  public Complex[][] matrix() {
    return wigner(1);
  }

  /**
   * The Wigner matrix {@code D^J_m'm(U)}, rows and columns m = J … -J:
   *
   * <p>{@code (U_11 x + U_21 y)^{J+m} (U_12 x + U_22 y)^{J-m} / √((J+m)!(J-m)!) = Σ_m' D^J_m'm
   * x^{J+m'} y^{J-m'} / √((J+m')!(J-m')!)}
   *
   * @param twiceSpin 2J
   * @return {@code [2J+1][2J+1]}
   */
  public Complex[][] wigner(int twiceSpin) {
    Complex[] first = {new Complex(w, -z), new Complex(y, -x)};
    Complex[] second = {new Complex(-y, -x), new Complex(w, z)};
    Complex[][] matrix = new Complex[twiceSpin + 1][twiceSpin + 1];
    for (int column = 0; column <= twiceSpin; column++) {
      // Coefficients of x^(2J-k) y^k; m = J - column.
      Complex[] polynomial = {Complex.ONE};
      for (int k = 0; k < twiceSpin; k++) {
        polynomial = times(polynomial, k < twiceSpin - column ? first : second);
      }
      for (int row = 0; row <= twiceSpin; row++) {
        matrix[row][column] =
            polynomial[row].times(Math.sqrt(norm(twiceSpin, row) / norm(twiceSpin, column)));
      }
    }
    return matrix;
  }

  /** {@code (J+m)! (J-m)!} with m = J - k. */
  private static double norm(int twiceSpin, int k) {
    double product = 1;
    for (int j = 2; j <= twiceSpin - k; j++) {
      product *= j;
    }
    for (int j = 2; j <= k; j++) {
      product *= j;
    }
    return product;
  }

  private static Complex[] times(Complex[] polynomial, Complex[] linear) {
    Complex[] product = new Complex[polynomial.length + 1];
    for (int k = 0; k < product.length; k++) {
      Complex term = k < polynomial.length ? polynomial[k].times(linear[0]) : Complex.ZERO;
      product[k] = k > 0 ? term.plus(polynomial[k - 1].times(linear[1])) : term;
    }
    return product;
  }
}
