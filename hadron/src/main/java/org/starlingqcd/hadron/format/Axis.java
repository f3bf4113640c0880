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
  }

  /** Copies the list. */
  Axis {
    parts = List.copyOf(parts);
  }

  boolean hasVector() {
    return parts.stream().anyMatch(Part::isVector);
  }

  /**
   * Reads the axes of an array.
   *
   * @param texts one for each axis, as {@code t_snk}, {@code noise=0}, {@code i*spin=0/4}
   * @param fixed further indices that are always the same
   * @param meanings names that are allowed for indices that are not fixed
   * @throws IllegalArgumentException when one is not known or occurs twice
   */
  static List<Axis> read(List<String> texts, Map<String, Long> fixed, Set<String> meanings) {
    List<Axis> axes = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Set<String> unused = new LinkedHashSet<>(fixed.keySet());
    for (String text : texts) {
      List<Part> parts = new ArrayList<>();
      for (String part : text.split("\\*", -1)) {
        Matcher matcher = PART.matcher(part.strip());
        if (!matcher.matches()) {
          throw new IllegalArgumentException(
              "'" + text + "' is not an axis such as t_snk, noise=0 or i*j");
        }
        String name = matcher.group(1);
        unused.remove(name);
        Long given = fixed.get(name);
        long value =
            matcher.group(2) != null
                ? Long.parseLong(matcher.group(2))
                : given == null ? -1 : given;
        if (value < 0 && !meanings.contains(name)) {
          throw new IllegalArgumentException(
              "the axis '"
                  + name
                  + "' is not known; expected one of "
                  + String.join(", ", meanings)
                  + ", or an index that is always the same, as "
                  + name
                  + "=0");
        }
        if (value < 0 && !seen.add(name)) {
          throw new IllegalArgumentException("the axis '" + name + "' occurs twice");
        }
        parts.add(
            new Part(
                name, value, matcher.group(3) == null ? -1 : Long.parseLong(matcher.group(3))));
      }
      axes.add(new Axis(parts));
    }
    if (!unused.isEmpty()) {
      throw new IllegalArgumentException(
          "fixed: there is no axis '" + unused.iterator().next() + "'");
    }
    return axes;
  }

  /**
   * The extents of the parts of an axis.
   *
   * @param extent the extent of the axis
   * @param eigenvectors N, or 0 while it is not known
   * @return the extents; empty when they do not follow from what is known
   * @throws IllegalArgumentException when they contradict the extent
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
      } else if (unknown >= 0) {
        throw new IllegalArgumentException(
            "the extents of "
                + parts.get(unknown).name()
                + " and "
                + part.name()
                + " in one axis do not follow from the file; write one of them, as "
                + part.name()
                + "=0/4");
      } else {
        unknown = k;
      }
    }
    if (vectors > 0 && unknown >= 0) {
      throw new IllegalArgumentException(
          "the extent of "
              + parts.get(unknown).name()
              + " in an axis with eigenvectors does not follow from the file; write it, as "
              + parts.get(unknown).name()
              + "=0/4, or write num_eigenvectors");
    }
    long rest = extent / known;
    if (vectors > 0) {
      long n = Math.round(Math.pow((double) rest, 1.0 / vectors));
      Arrays.setAll(extents, k -> extents[k] > 0 ? extents[k] : n);
    } else if (unknown >= 0) {
      extents[unknown] = rest;
    }
    long product = 1;
    for (long part : extents) {
      product *= part;
    }
    if (product != extent) {
      throw new IllegalArgumentException(
          "the axis "
              + this
              + " has extent "
              + extent
              + ", expected a multiple or power of "
              + (vectors > 0 ? known : product));
    }
    for (int k = 0; k < extents.length; k++) {
      if (parts.get(k).fixed() >= extents[k]) {
        throw new IllegalArgumentException(
            "the index "
                + parts.get(k).name()
                + "="
                + parts.get(k).fixed()
                + " is outside of an axis of extent "
                + extents[k]);
      }
    }
    return extents;
  }

  @Override
  public String toString() {
    return String.join("*", parts.stream().map(Part::name).toList());
  }
}
