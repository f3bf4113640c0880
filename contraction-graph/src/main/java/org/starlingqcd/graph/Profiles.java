package org.starlingqcd.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Distillation profiles in names of displacements: {@code none/gaussian 0.5,weights 1.0 0.5} is
 * {@code Φ[i,j]} times a weight for i and one for j. In the same way a quark line has them in its
 * label. A block with profiles is another one to contractions; the data make it of the plain one.
 * No displacement or label of a definition or a file has a slash in its name.
 *
 * <p>A profile is {@code gaussian σ}, {@code weights} with a number for each eigenvector, those of
 * different times separated by semicolons, or empty, which weights nothing.
 */
public final class Profiles {
  private Profiles() {}

  /**
   * A displacement with profiles.
   *
   * @param profiles by index of the elemental; none, or empty ones alone, leave the name as it is
   */
  public static String of(String displacement, List<String> profiles) {
    String joined = String.join(",", profiles);
    return joined.length() < Math.max(1, profiles.size())
        ? displacement
        : displacement + "/" + joined;
  }

  /** The displacement without profiles. */
  public static String plain(String displacement) {
    int slash = displacement.indexOf('/');
    return slash < 0 || slash == displacement.length() - 1
        ? displacement
        : displacement.substring(0, slash);
  }

  /** The profiles by index of the elemental; no entries where there are none. */
  public static List<String> in(String displacement) {
    int slash = displacement.indexOf('/');
    return slash < 0 || slash == displacement.length() - 1
        ? List.of()
        : List.of(displacement.substring(slash + 1).split(",", -1));
  }

  /** The profiles in opposite order, as the adjoint has them. */
  public static List<String> reversed(String displacement) {
    List<String> profiles = new ArrayList<>(in(displacement));
    Collections.reverse(profiles);
    return profiles;
  }

  /** Whether a baryon elemental is totally antisymmetric: undisplaced with one profile for all. */
  public static boolean isAntisymmetric(String displacement) {
    return displacement.equals(ElementalRef.NO_DISPLACEMENT)
        || (plain(displacement).equals(ElementalRef.NO_DISPLACEMENT)
            && Set.copyOf(in(displacement)).size() < 2);
  }
}
