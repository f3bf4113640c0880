package org.starlingqcd.correlators.definition.symmetry;

import java.util.Arrays;
import java.util.Comparator;
import org.starlingqcd.graph.Momentum;

/**
 * The proper rotation that takes the reference momentum, {@code P_ref} with the absolute values of
 * P in ascending order, to P. If there are several, it is the one with the largest trace and, among
 * these, the one whose matrix is lexicographically largest, read row by row.
 */
public final class ReferenceRotation {
  private ReferenceRotation() {}

  /** Q(P). */
  public static CubicRotation of(Momentum momentum) {
    int[] p = referenceMomentum(momentum);
    Momentum reference = new Momentum(p[0], p[1], p[2]);
    return CubicRotation.all().stream()
        .filter(r -> r.determinant() == 1 && r.apply(reference).equals(momentum))
        .max(
            Comparator.comparingInt(ReferenceRotation::trace)
                .thenComparing(ReferenceRotation::entries, Arrays::compare))
        .orElseThrow();
  }

  /** Whether a rotation takes one momentum to the other. */
  public static boolean equivalent(Momentum a, Momentum b) {
    return Arrays.equals(referenceMomentum(a), referenceMomentum(b));
  }

  /** The components of P_ref. */
  static int[] referenceMomentum(Momentum momentum) {
    int[] p = {Math.abs(momentum.x()), Math.abs(momentum.y()), Math.abs(momentum.z())};
    Arrays.sort(p);
    return p;
  }

  private static int trace(CubicRotation r) {
    return r.element(0, 0) + r.element(1, 1) + r.element(2, 2);
  }

  private static int[] entries(CubicRotation r) {
    int[] entries = new int[9];
    for (int k = 0; k < entries.length; k++) {
      entries[k] = r.element(k / 3, k % 3);
    }
    return entries;
  }
}
