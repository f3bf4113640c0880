package org.starlingqcd.correlators.definition.symmetry;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Momentum;

/**
 * The matrices of all irreps.
 *
 * <p>Single-valued irreps are real. Every one but the one-dimensional ones is a restriction of the
 * vector representation (of the signed matrices R or of their absolute values |R|) to a subspace
 * with an orthonormal basis {@code b_r}, {@code D_rs(R) = b_rᵀ R b_s}, times a sign.
 *
 * <p>Double-valued irreps are made of the matrices {@link CubicRotation#spinor} of spin 1/2. In
 * flight, rows refer to helicity: {@code V† U V} with V the rotation that takes the z axis to the
 * direction of the momentum, made of the reference rotation and the polar angles of the reference
 * momentum.
 */
final class Representations {
  private static final double[][] AXES = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  private static final double[][] E_AT_REST = {
    scaled(1 / Math.sqrt(6), -1, -1, 2), scaled(1 / Math.sqrt(2), 1, -1, 0)
  };

  /** Rounding error of scalar products of unit vectors. */
  private static final double ROUNDING = 1e-9;

  private Representations() {}

  /** The matrices of an irrep that the group has. */
  static Function<CubicRotation, Complex[][]> of(String name, LittleGroup group) {
    if (group.kind() == LittleGroup.Kind.OH) {
      return atRest(name.substring(0, name.length() - 1), name.endsWith("+") || name.endsWith("g"));
    }
    Momentum p = group.momentum();
    return switch (name) {
      case "A1" -> number(r -> 1);
      case "A2" -> number(CubicRotation::determinant);
      case "F1" -> spinAlongNormals(group, -1);
      case "F2" -> spinAlongNormals(group, 1);
      case "G", "G1" -> {
        SpinRotation v = helicity(p);
        yield r -> conjugated(v, r.spinor()).matrix();
      }
      case "G2" -> {
        SpinRotation v = helicity(p);
        Function<CubicRotation, Complex[][]> b1 = of("B1", group);
        yield r -> times(b1.apply(r)[0][0].re(), conjugated(v, r.spinor()).matrix());
      }
      default ->
          switch (group.kind()) {
            case C4V -> axis(name, p);
            case C2V -> {
              double[] e = AXES[p.x() == 0 ? 0 : p.y() == 0 ? 1 : 2];
              yield restricted(false, r -> 1, name.equals("B1") ? e : cross(direction(p), e));
            }
            default -> {
              double[] v =
                  scaled(1 / Math.sqrt(2), Integer.signum(p.x()), -Integer.signum(p.y()), 0);
              yield restricted(false, r -> 1, v, cross(direction(p), v));
            }
          };
    };
  }

  private static Function<CubicRotation, Complex[][]> atRest(String name, boolean even) {
    // R = S · inversion for improper R; the sign of the permutation is that of |S| = |R|.
    ToIntFunction<CubicRotation> parity = r -> even ? 1 : r.determinant();
    ToIntFunction<CubicRotation> permuted = r -> parity.applyAsInt(r) * r.permutationSign();
    return switch (name) {
      case "A1" -> number(parity);
      case "A2" -> number(permuted);
      case "E" -> restricted(true, parity, E_AT_REST);
      // S = det(R) R.
      case "T1" -> restricted(false, r -> parity.applyAsInt(r) * r.determinant(), AXES);
      case "T2" -> restricted(false, r -> permuted.applyAsInt(r) * r.determinant(), AXES);
      case "G1" -> r -> times(parity.applyAsInt(r), r.spinor().matrix());
      case "G2" -> r -> times(permuted.applyAsInt(r), r.spinor().matrix());
      default -> r -> times(parity.applyAsInt(r), r.spinor().wigner(3));
    };
  }

  private static Function<CubicRotation, Complex[][]> axis(String name, Momentum p) {
    int axis = p.x() != 0 ? 0 : p.y() != 0 ? 1 : 2;
    int a = axis == 0 ? 1 : 0;
    int b = axis == 2 ? 1 : 2;
    return switch (name) {
      case "B1" ->
          number(r -> r.element(a, a) * r.element(a, a) - r.element(b, a) * r.element(b, a));
      case "B2" ->
          number(r -> r.element(a, a) * r.element(b, b) + r.element(a, b) * r.element(b, a));
      default -> restricted(false, r -> 1, AXES[a], AXES[b]);
    };
  }

  private static Function<CubicRotation, Complex[][]> number(
      ToIntFunction<CubicRotation> character) {
    return r -> new Complex[][] {{new Complex(character.applyAsInt(r), 0)}};
  }

  /** {@code sign · b_rᵀ R b_s}, with |R| in place of R if so asked. */
  private static Function<CubicRotation, Complex[][]> restricted(
      boolean absolute, ToIntFunction<CubicRotation> sign, double[]... basis) {
    return rotation -> {
      int n = basis.length;
      int factor = sign.applyAsInt(rotation);
      Complex[][] matrix = new Complex[n][n];
      for (int r = 0; r < n; r++) {
        for (int s = 0; s < n; s++) {
          double sum = 0;
          for (int column = 0; column < 3; column++) {
            int row = rotation.axes().get(column);
            int element = absolute ? 1 : rotation.signs().get(column);
            sum += basis[r][row] * element * basis[s][column];
          }
          matrix[r][s] = new Complex(factor * sum, 0);
        }
      }
      return matrix;
    };
  }

  private static double[] direction(Momentum p) {
    return scaled(1 / Math.sqrt((double) p.squared()), p.x(), p.y(), p.z());
  }

  private static double[] scaled(double factor, double x, double y, double z) {
    return new double[] {factor * x, factor * y, factor * z};
  }

  private static double[] cross(double[] a, double[] b) {
    return new double[] {
      a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    };
  }

  /** F1, with sign -1, is the irrep of a spin 1/2 along the normals of the mirror planes. */
  private static Function<CubicRotation, Complex[][]> spinAlongNormals(
      LittleGroup group, int sign) {
    List<double[]> normals = normals(group);
    return r -> {
      SpinRotation u = r.spinor();
      if (r.determinant() > 0) {
        // The unit matrix is U = κ; a rotation of order 3 has Tr U = κ.
        double character = r.equals(CubicRotation.IDENTITY) ? u.w() : -2 * u.w();
        return new Complex[][] {{new Complex(character, 0)}};
      }
      // U = -iκ v·σ.
      for (double[] v : normals) {
        double kappa = u.x() * v[0] + u.y() * v[1] + u.z() * v[2];
        if (Math.abs(Math.abs(kappa) - 1) < ROUNDING) {
          return new Complex[][] {{new Complex(0, sign * Math.signum(kappa))}};
        }
      }
      throw new IllegalArgumentException("no reflection of the little group: " + r);
    };
  }

  /** Unit normals of the mirror planes, oriented. */
  private static List<double[]> normals(LittleGroup group) {
    int[] p = ReferenceRotation.referenceMomentum(group.momentum());
    List<double[]> normals;
    if (group.kind() == LittleGroup.Kind.C3V) {
      normals = List.of(new double[] {1, -1, 0}, new double[] {0, 1, -1}, new double[] {-1, 0, 1});
    } else if (p[0] == 0) {
      normals = List.of(AXES[0]);
    } else {
      normals = List.of(p[0] == p[1] ? new double[] {1, -1, 0} : new double[] {0, 1, -1});
    }
    CubicRotation q = ReferenceRotation.of(group.momentum());
    return normals.stream().map(v -> turned(q, v)).toList();
  }

  private static double[] turned(CubicRotation q, double[] v) {
    double norm = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double[] image = new double[3];
    for (int axis = 0; axis < 3; axis++) {
      image[q.axes().get(axis)] = q.signs().get(axis) * v[axis] / norm;
    }
    return image;
  }

  /** V(P): the rotation of the z axis to P. */
  private static SpinRotation helicity(Momentum momentum) {
    int[] p = ReferenceRotation.referenceMomentum(momentum);
    double theta = Math.atan2(Math.hypot(p[0], p[1]), p[2]);
    double phi = Math.atan2(p[1], p[0]);
    return ReferenceRotation.of(momentum)
        .spinor()
        .times(SpinRotation.about(2, phi))
        .times(SpinRotation.about(1, theta));
  }

  private static SpinRotation conjugated(SpinRotation v, SpinRotation u) {
    return v.inverse().times(u).times(v);
  }

  private static Complex[][] times(double factor, Complex[][] matrix) {
    for (Complex[] row : matrix) {
      for (int s = 0; s < row.length; s++) {
        row[s] = row[s].times(factor);
      }
    }
    return matrix;
  }
}
