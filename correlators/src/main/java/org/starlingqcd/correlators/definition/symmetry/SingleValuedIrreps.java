package org.starlingqcd.correlators.definition.symmetry;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

/**
 * The single-valued irreps, which are real.
 *
 * <p>Every irrep but the one-dimensional ones is a restriction of the vector representation (of the
 * signed matrices R or of their absolute values |R|) to a subspace with an orthonormal basis {@code
 * b_r}, {@code D_rs(R) = b_rᵀ R b_s}, times a sign.
 */
final class SingleValuedIrreps {
  private static final double[][] AXES = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  private static final List<String> VECTOR_ROWS = List.of("x", "y", "z");
  private static final List<String> PAIR_ROWS = List.of("1", "2");
  private static final List<String> SINGLE_ROW = List.of("1");

  private SingleValuedIrreps() {}

  /** The irrep of a name, as {@link Irrep#of}. */
  static Irrep of(String name, LittleGroup group) {
    if (group.kind() == LittleGroup.Kind.OH) {
      return atRest(name, group);
    }
    return switch (name) {
      case "A1" -> single(name, group, r -> 1);
      case "A2" -> single(name, group, CubicRotation::determinant);
      default ->
          switch (group.kind()) {
            case C4V -> axis(name, group);
            case C2V -> faceDiagonal(name, group);
            case C3V -> bodyDiagonal(name, group);
            default -> throw Irrep.unknown(group);
          };
    };
  }

  private static Irrep atRest(String name, LittleGroup group) {
    boolean even = name.endsWith("+");
    if (!even && !name.endsWith("-")) {
      throw Irrep.unknown(group);
    }
    // R = S · inversion for improper R; the sign of the permutation is that of |S| = |R|.
    return switch (name.substring(0, name.length() - 1)) {
      case "A1" -> single(name, group, r -> parity(r, even));
      case "A2" -> single(name, group, r -> parity(r, even) * r.permutationSign());
      case "E" -> {
        double[][] basis = {
          scaled(1 / Math.sqrt(6), -1, -1, 2), scaled(1 / Math.sqrt(2), 1, -1, 0)
        };
        yield irrep(name, group, PAIR_ROWS, r -> restricted(r, true, basis, parity(r, even)));
      }
      // S = det(R) R.
      case "T1" ->
          irrep(
              name,
              group,
              VECTOR_ROWS,
              r -> restricted(r, false, AXES, parity(r, even) * r.determinant()));
      case "T2" ->
          irrep(
              name,
              group,
              VECTOR_ROWS,
              r ->
                  restricted(
                      r, false, AXES, parity(r, even) * r.determinant() * r.permutationSign()));
      default -> throw Irrep.unknown(group);
    };
  }

  private static int parity(CubicRotation r, boolean even) {
    return even ? 1 : r.determinant();
  }

  private static Irrep axis(String name, LittleGroup group) {
    Momentum p = group.momentum();
    int axis = p.x() != 0 ? 0 : p.y() != 0 ? 1 : 2;
    int a = axis == 0 ? 1 : 0;
    int b = axis == 2 ? 1 : 2;
    return switch (name) {
      case "B1" ->
          single(
              name,
              group,
              r -> r.element(a, a) * r.element(a, a) - r.element(b, a) * r.element(b, a));
      case "B2" ->
          single(
              name,
              group,
              r -> r.element(a, a) * r.element(b, b) + r.element(a, b) * r.element(b, a));
      case "E" -> {
        double[][] basis = {AXES[a], AXES[b]};
        yield irrep(name, group, PAIR_ROWS, r -> restricted(r, false, basis, 1));
      }
      default -> throw Irrep.unknown(group);
    };
  }

  private static Irrep faceDiagonal(String name, LittleGroup group) {
    Momentum p = group.momentum();
    double[] e = AXES[p.x() == 0 ? 0 : p.y() == 0 ? 1 : 2];
    double[][] basis = {
      switch (name) {
        case "B1" -> e;
        case "B2" -> cross(direction(p), e);
        default -> throw Irrep.unknown(group);
      }
    };
    return irrep(name, group, SINGLE_ROW, r -> restricted(r, false, basis, 1));
  }

  private static Irrep bodyDiagonal(String name, LittleGroup group) {
    if (!name.equals("E")) {
      throw Irrep.unknown(group);
    }
    Momentum p = group.momentum();
    double[] v1 = scaled(1 / Math.sqrt(2), Integer.signum(p.x()), -Integer.signum(p.y()), 0);
    double[][] basis = {v1, cross(direction(p), v1)};
    return irrep(name, group, PAIR_ROWS, r -> restricted(r, false, basis, 1));
  }

  private static Irrep single(
      String name, LittleGroup group, ToIntFunction<CubicRotation> character) {
    return irrep(name, group, SINGLE_ROW, r -> new double[][] {{character.applyAsInt(r)}});
  }

  /** {@code sign · b_rᵀ R b_s}, with |R| in place of R if so asked. */
  private static double[][] restricted(
      CubicRotation rotation, boolean absolute, double[][] basis, int sign) {
    int n = basis.length;
    double[][] matrix = new double[n][n];
    for (int r = 0; r < n; r++) {
      for (int s = 0; s < n; s++) {
        double sum = 0;
        for (int column = 0; column < 3; column++) {
          int row = rotation.axes().get(column);
          int element = absolute ? 1 : rotation.signs().get(column);
          sum += basis[r][row] * element * basis[s][column];
        }
        matrix[r][s] = sign * sum;
      }
    }
    return matrix;
  }

  private static double[] direction(Momentum p) {
    double norm =
        Math.sqrt((double) p.x() * p.x() + (double) p.y() * p.y() + (double) p.z() * p.z());
    return scaled(1 / norm, p.x(), p.y(), p.z());
  }

  private static double[] scaled(double factor, double x, double y, double z) {
    return new double[] {factor * x, factor * y, factor * z};
  }

  private static double[] cross(double[] a, double[] b) {
    return new double[] {
      a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    };
  }

  private static Irrep irrep(
      String name,
      LittleGroup group,
      List<String> rows,
      Function<CubicRotation, double[][]> matrix) {
    return new Irrep(name, group, rows, false, r -> complex(matrix.apply(r)));
  }

  private static Complex[][] complex(double[][] real) {
    Complex[][] matrix = new Complex[real.length][real.length];
    for (int r = 0; r < real.length; r++) {
      for (int s = 0; s < real.length; s++) {
        matrix[r][s] = new Complex(real[r][s], 0);
      }
    }
    return matrix;
  }
}
