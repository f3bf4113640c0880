package org.starlingqcd.correlators.definition.symmetry;

import java.util.List;
import java.util.function.Function;
import org.starlingqcd.graph.Complex;

/**
 * The double-valued irreps, made of the matrices {@link CubicRotation#spinor} of spin 1/2.
 *
 * <p>In flight, rows refer to helicity: {@code V† U V} with V the rotation that takes the z axis to
 * the direction of the momentum, made of the reference rotation and the polar angles of the
 * reference momentum.
 */
final class DoubleValuedIrreps {
  private static final List<String> PAIR_ROWS = List.of("1", "2");
  private static final List<String> QUARTET_ROWS = List.of("1", "2", "3", "4");
  private static final List<String> SINGLE_ROW = List.of("1");

  /** Rounding error of scalar products of unit vectors. */
  private static final double ROUNDING = 1e-9;

  private DoubleValuedIrreps() {}

  /** Whether a name is that of a double-valued irrep of some little group. */
  static boolean isName(String name) {
    return name.matches("(G|G1|G2|H)[gu+-]?|F1|F2");
  }

  /** The irrep of a name, as {@link Irrep#of}. */
  static Irrep of(String name, LittleGroup group) {
    if (!group.kind().doubleValuedIrreps().contains(name)) {
      throw Irrep.unknown(group);
    }
    if (group.kind() == LittleGroup.Kind.OH) {
      return atRest(name, group);
    }
    if (name.startsWith("F")) {
      return single(name, group);
    }
    SpinRotation v = helicity(group);
    if (name.equals("G2")) {
      Irrep b1 = Irrep.of("B1", group.momentum());
      return irrep(
          name,
          group,
          PAIR_ROWS,
          r -> scaled(b1.matrix(r)[0][0].re(), conjugated(v, r.spinor()).matrix()));
    }
    return irrep(name, group, PAIR_ROWS, r -> conjugated(v, r.spinor()).matrix());
  }

  private static Irrep atRest(String name, LittleGroup group) {
    boolean even = name.endsWith("g");
    return switch (name.substring(0, name.length() - 1)) {
      case "G1" -> irrep(name, group, PAIR_ROWS, r -> scaled(parity(r, even), r.spinor().matrix()));
      case "G2" ->
          irrep(
              name,
              group,
              PAIR_ROWS,
              r -> scaled(parity(r, even) * r.permutationSign(), r.spinor().matrix()));
      default ->
          irrep(name, group, QUARTET_ROWS, r -> scaled(parity(r, even), r.spinor().wigner(3)));
    };
  }

  private static int parity(CubicRotation r, boolean even) {
    return even ? 1 : r.determinant();
  }

  private static Irrep single(String name, LittleGroup group) {
    List<double[]> normals = normals(group);
    // F1 is the irrep of a spin 1/2 along the normals.
    int sign = name.equals("F1") ? -1 : 1;
    return irrep(name, group, SINGLE_ROW, r -> new Complex[][] {{character(r, normals, sign)}});
  }

  private static Complex character(CubicRotation r, List<double[]> normals, int sign) {
    SpinRotation u = r.spinor();
    if (r.determinant() < 0) {
      // U = -iκ v·σ.
      for (double[] v : normals) {
        double kappa = u.x() * v[0] + u.y() * v[1] + u.z() * v[2];
        if (Math.abs(Math.abs(kappa) - 1) < ROUNDING) {
          return new Complex(0, sign * Math.signum(kappa));
        }
      }
      throw new IllegalArgumentException("no reflection of the little group: " + r);
    }
    // The unit matrix is U = κ; a rotation of order 3 has Tr U = κ.
    return new Complex(r.equals(CubicRotation.IDENTITY) ? u.w() : -2 * u.w(), 0);
  }

  /** Unit normals of the mirror planes, oriented. */
  private static List<double[]> normals(LittleGroup group) {
    int[] p = ReferenceRotation.referenceMomentum(group.momentum());
    List<int[]> normals;
    if (group.kind() == LittleGroup.Kind.C3V) {
      normals = List.of(new int[] {1, -1, 0}, new int[] {0, 1, -1}, new int[] {-1, 0, 1});
    } else if (p[0] == 0) {
      normals = List.of(new int[] {1, 0, 0});
    } else if (p[0] == p[1]) {
      normals = List.of(new int[] {1, -1, 0});
    } else {
      normals = List.of(new int[] {0, 1, -1});
    }
    CubicRotation q = ReferenceRotation.of(group.momentum());
    return normals.stream().map(v -> turned(q, v)).toList();
  }

  private static double[] turned(CubicRotation q, int[] v) {
    double norm = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double[] image = new double[3];
    for (int axis = 0; axis < 3; axis++) {
      image[q.axes().get(axis)] = q.signs().get(axis) * v[axis] / norm;
    }
    return image;
  }

  /** V(P): the rotation of the z axis to P. */
  private static SpinRotation helicity(LittleGroup group) {
    int[] p = ReferenceRotation.referenceMomentum(group.momentum());
    double theta = Math.atan2(Math.hypot(p[0], p[1]), p[2]);
    double phi = Math.atan2(p[1], p[0]);
    return ReferenceRotation.of(group.momentum())
        .spinor()
        .times(SpinRotation.about(2, phi))
        .times(SpinRotation.about(1, theta));
  }

  private static SpinRotation conjugated(SpinRotation v, SpinRotation u) {
    return v.inverse().times(u).times(v);
  }

  private static Complex[][] scaled(double factor, Complex[][] matrix) {
    Complex[][] result = new Complex[matrix.length][matrix.length];
    for (int r = 0; r < matrix.length; r++) {
      for (int s = 0; s < matrix.length; s++) {
        result[r][s] = matrix[r][s].times(factor);
      }
    }
    return result;
  }

  private static Irrep irrep(
      String name,
      LittleGroup group,
      List<String> rows,
      Function<CubicRotation, Complex[][]> matrix) {
    return new Irrep(name, group, rows, true, matrix);
  }
}
