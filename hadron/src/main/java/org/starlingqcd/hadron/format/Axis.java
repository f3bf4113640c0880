package org.starlingqcd.hadron.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One axis of an array. Several indices may be merged in it, as {@code i*spin}, the slowest first.
 *
 * @param parts the indices
 */
record Axis(List<Part> parts) {
  /** Index of a spin, 4 values. */
  static final Set<String> SPINS = Set.of("alpha_snk", "beta_src", "alpha", "beta");

  /** Index of an eigenvector, N values. */
  static final Set<String> VECTORS = Set.of("i_snk", "j_src", "i", "j", "k");

  private static final Pattern PART =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(?:=(\\d{1,9})(?:/(\\d{1,9}))?)?");

  /**
   * One index.
   *
   * @param name what it means, or any name for an index that is fixed
   * @param fixed its value if it is always the same, or -1
   * @param extent the number of its values if the mapping file says it, or -1
   */
  record Part(String name, long fixed, long extent) {
    boolean isFixed() {
      return fixed >= 0;
    }

    boolean isSpin() {
      return !isFixed() && SPINS.contains(name);
    }

    boolean isVector() {
      return !isFixed() && VECTORS.contains(name);
    }

    /** Whether the index is not fixed and has a meaning. */
    boolean is(String meaning) {
      return !isFixed() && name.equals(meaning);
    }
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void check(boolean sound, String what, @Nullable Object... values) {
    if (!sound) {
      throw new IllegalArgumentException(what.formatted(values));
    }
  }

  /**
   * Reads the axes of an array.
   *
   * @param texts one for each axis, as {@code t_snk}, {@code noise=0}, {@code i*spin=0/4}
   * @param fixed further indices that are always the same
   * @param meanings names that are allowed for indices that are not fixed
   * @throws IllegalArgumentException when one is not known or occurs twice
   */
  static List<Axis> read(List<String> texts, Map<String, Long> fixed, List<String> meanings) {
    List<Axis> axes = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Set<String> unused = new LinkedHashSet<>(fixed.keySet());
    for (String text : texts) {
      List<Part> parts = new ArrayList<>();
      for (String part : text.split("\\*", -1)) {
        Matcher matcher = PART.matcher(part.strip());
        check(matcher.matches(), "'%s' is not an axis such as t_snk, noise=0 or i*j", text);
        String name = matcher.group(1);
        unused.remove(name);
        long value =
            matcher.group(2) != null
                ? Long.parseLong(matcher.group(2))
                : fixed.getOrDefault(name, -1L);
        check(
            value >= 0 || meanings.contains(name),
            "the axis '%s' is not known; expected one of %s, or an index that is always the same,"
                + " as %s=0",
            name,
            String.join(", ", meanings),
            name);
        check(value >= 0 || seen.add(name), "the axis '%s' occurs twice", name);
        String extent = matcher.group(3);
        parts.add(new Part(name, value, extent == null ? -1 : Long.parseLong(extent)));
      }
      axes.add(new Axis(List.copyOf(parts)));
    }
    check(unused.isEmpty(), "fixed: there is no axis '%s'", String.join("', '", unused));
    return axes;
  }

  /**
   * The extents of the parts of an axis.
   *
   * @param extent the extent of the axis
   * @param eigenvectors N, or 0 while it is not known
   * @throws IllegalArgumentException when they do not follow from what is known or contradict the
   *     extent
   */
  long[] split(long extent, long eigenvectors) {
    long[] extents = new long[parts.size()];
    long known = 1;
    int unknown = -1;
    int vectors = 0;
    for (int k = 0; k < extents.length; k++) {
      Part part = parts.get(k);
      extents[k] =
          part.extent() > 0
              ? part.extent()
              : part.isSpin() ? 4 : part.isVector() && eigenvectors > 0 ? eigenvectors : -1;
      if (extents[k] > 0) {
        known = Math.multiplyExact(known, extents[k]);
      } else if (part.isVector()) {
        vectors++;
      } else {
        check(
            unknown < 0,
            "the extents of %s and %s in one axis do not follow from the file; write one of them,"
                + " as %s=0/4",
            parts.get(Math.max(unknown, 0)).name(),
            part.name(),
            part.name());
        unknown = k;
      }
    }
    String open = parts.get(Math.max(unknown, 0)).name();
    check(
        vectors == 0 || unknown < 0,
        "the extent of %s in an axis with eigenvectors does not follow from the file; write it, as"
            + " %s=0/4, or write num_eigenvectors",
        open,
        open);
    long rest = extent / known;
    if (vectors > 0) {
      long n = Math.round(Math.pow((double) rest, 1.0 / vectors));
      Arrays.setAll(extents, k -> extents[k] > 0 ? extents[k] : n);
    } else if (unknown >= 0) {
      extents[unknown] = rest;
    }
    long product = Arrays.stream(extents).reduce(1, (one, other) -> one * other);
    check(
        product == extent,
        "the axis %s has extent %s, expected a multiple or power of %s",
        this,
        extent,
        vectors > 0 ? known : product);
    for (int k = 0; k < extents.length; k++) {
      check(
          parts.get(k).fixed() < extents[k],
          "the index %s=%s is outside of an axis of extent %s",
          parts.get(k).name(),
          parts.get(k).fixed(),
          extents[k]);
    }
    return extents;
  }

  @Override
  public String toString() {
    return String.join("*", parts.stream().map(Part::name).toList());
  }
}
