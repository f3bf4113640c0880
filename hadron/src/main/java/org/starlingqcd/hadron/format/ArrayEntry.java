package org.starlingqcd.hadron.format;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a mapping file says about the arrays of one label or one displacement.
 *
 * @param kind what the arrays hold
 * @param name the label or the displacement; the label {@code *} is taken from a name
 * @param line where it stands in the mapping file
 * @param file the files
 * @param dataset the datasets in them, or null for files without names inside
 * @param axes the axes of an array, the slowest first
 * @param storage how numbers lie
 * @param factorRe real part of what the numbers are multiplied with
 * @param factorIm imaginary part
 * @param phaseSign +1 for e^{+ip·x} in the file, -1 for e^{-ip·x}
 * @param momenta the momenta along the axis "momentum"
 * @param momentumOrder {@code xyz} or {@code zyx}
 * @param only momenta, as in the file, that are taken; empty for all
 * @param times times along the axes by their names, where these are not 0, 1, 2 …
 * @param gamma5Hermitian whether γ5-hermiticity may be used
 */
record ArrayEntry(
    Kind kind,
    String name,
    int line,
    NameTemplate file,
    @Nullable NameTemplate dataset,
    List<Axis> axes,
    Storage storage,
    double factorRe,
    double factorIm,
    int phaseSign,
    MomentumList momenta,
    String momentumOrder,
    List<long[]> only,
    Times times,
    boolean gamma5Hermitian) {
  /** What arrays hold. */
  enum Kind {
    PERAMBULATOR,
    MESON,
    BARYON
  }

  /**
   * Times along axes; empty for 0, 1, 2 ….
   *
   * @param source along {@code t_src}
   * @param sink along {@code t_snk}, or {@code t} of elementals
   */
  record Times(List<Long> source, List<Long> sink) {}

  /** How real and imaginary parts are kept. */
  enum Complex {
    /** As one number: complex numbers of NumPy, compounds of HDF5. */
    NATIVE,
    /** Along a last axis of extent 2. */
    LAST_AXIS,
    /** In two arrays. */
    SPLIT
  }

  /**
   * How numbers lie in a file.
   *
   * @param complex how complex numbers are kept
   * @param real the name of the part {@code {part}} of real parts
   * @param imaginary that of imaginary parts
   * @param type the type of raw numbers, as {@code <c16}; null if nothing is said
   * @param shape the shape of raw numbers; empty if nothing is said
   * @param offset where raw numbers begin, in bytes
   */
  record Storage(
      Complex complex,
      String real,
      String imaginary,
      @Nullable String type,
      List<Long> shape,
      long offset) {}

  /** Whether some axis or name has an index. */
  boolean hasAxis(String name) {
    return axes.stream()
        .flatMap(axis -> axis.parts().stream())
        .anyMatch(part -> !part.isFixed() && part.name().equals(name));
  }

  /** Whether names have a placeholder. */
  boolean hasPlaceholder(String name) {
    NameTemplate inside = dataset;
    return file.placeholders().contains(name)
        || (inside != null && inside.placeholders().contains(name));
  }
}
