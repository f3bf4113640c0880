package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * What a mapping file says.
 *
 * @param file the file, or the name of one that comes with the program
 * @param folder the folder of the file; null for one that comes with the program
 * @param header what it says about all data
 * @param labels labels in the data to labels of definitions
 * @param basis the gamma matrices of perambulators
 * @param sourceG4 whether sources were multiplied by g4
 * @param entries the arrays
 */
record Mapping(
    Path file,
    @Nullable Path folder,
    PartialHeader header,
    Map<String, String> labels,
    GammaBasis basis,
    boolean sourceG4,
    List<Entry> entries) {
  /** Indices of perambulators, and of elementals. */
  private static final String LINE =
      "the source time: t_src {t0}; the sink spin: alpha_snk {alpha}; the source spin: beta_src"
          + " {beta}; the sink vector: i_snk; the source vector: j_src";

  private static final String MATRIX = "the time: t {t}; the first vector: i; the second vector: j";

  /** What arrays hold, the meanings of their axes and the indices that they must have. */
  enum Kind {
    PERAMBULATOR(
        "perambulators",
        "t_src t_snk dt alpha_snk beta_src i_snk j_src",
        "the sink time: t_snk dt {t} {dt}",
        LINE),
    GENERALIZED(
        "generalized_perambulators",
        "gamma momentum t_src t t_snk alpha_snk beta_src i_snk j_src",
        "the insertion time: t {t}; the sink time: t_snk {tf}",
        LINE),
    LOOP("loops", "gamma momentum t", "the insertion time: t {t}", ""),
    MESON("meson", "momentum t i j alpha beta", MATRIX, ""),
    BARYON("baryon", "momentum t i j k", MATRIX, "the third vector: k");

    /** The key of its entries. */
    final String key;

    private final String axes;
    private final String indices;

    Kind(String key, String axes, String first, String others) {
      this.key = key;
      this.axes = axes;
      this.indices = first + "; " + others;
    }

    /** Indices that an entry must have once: what they are, and the axes and placeholders. */
    Map<String, String[]> indices() {
      Map<String, String[]> all = new LinkedHashMap<>();
      for (String index : indices.split("; ")) {
        all.put(index.split(": ")[0], index.split(": ")[1].split(" "));
      }
      return all;
    }

    boolean isElemental() {
      return this == MESON || this == BARYON;
    }

    boolean isCurrent() {
      return this == GENERALIZED || this == LOOP;
    }

    List<String> meanings() {
      return List.of(axes.split(" "));
    }
  }

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
   * @param parts the names of the parts {@code {part}}, real and imaginary; empty without parts
   * @param type the type of raw numbers, as {@code <c16}; null if nothing is said
   * @param shape the shape of raw numbers; empty if nothing is said
   * @param offset where raw numbers begin, in bytes
   */
  record Storage(
      Complex complex, List<String> parts, @Nullable String type, List<Long> shape, long offset) {}

  /**
   * Arrays of one label or one displacement.
   *
   * @param mapping the mapping file
   * @param name the label or the displacement; {@code *} is taken from a name
   * @param line where it stands in the mapping file
   * @param file the files
   * @param dataset the datasets in them, or null for files without names inside
   * @param axes the axes of an array, the slowest first
   * @param factor what the numbers are multiplied with, real and imaginary part
   * @param momentumSign -1 where the file has e^{+ip·x}, so that its momenta are turned round
   * @param momenta the momenta along the axis "momentum"; null without this axis
   * @param zyx whether components of momenta stand in the order z, y, x
   * @param only momenta, as in the file, that are taken; empty for all
   * @param sourceTimes times along {@code t_src}; empty for 0, 1, 2, …
   * @param times times along {@code t_snk} of perambulators, else {@code t}; empty for 0, 1, 2, …
   * @param sinkTimes times along {@code t_snk} of generalized perambulators; empty for 0, 1, 2, …
   * @param gamma5Hermitian whether γ5-hermiticity may be used
   * @param gammas Γ along its axis, or the only one, of currents; else empty
   * @param displacement of currents
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Entry(
      Path mapping,
      Kind kind,
      String name,
      int line,
      NameTemplate file,
      @Nullable NameTemplate dataset,
      List<Axis> axes,
      Storage storage,
      double[] factor,
      int momentumSign,
      @Nullable MomentumList momenta,
      boolean zyx,
      List<List<Long>> only,
      List<Long> sourceTimes,
      List<Long> times,
      List<Long> sinkTimes,
      boolean gamma5Hermitian,
      List<Gamma> gammas,
      String displacement) {
    /** Whether some axis has an index. */
    boolean hasAxis(String name) {
      return axes.stream().anyMatch(axis -> axis.parts().stream().anyMatch(p -> p.is(name)));
    }

    /** Whether names have a placeholder. */
    boolean hasPlaceholder(String name) {
      return file.placeholders().contains(name)
          || (dataset != null && dataset.placeholders().contains(name));
    }

    /** A message about these arrays. */
    @SuppressWarnings("AnnotateFormatMethod")
    DistillationException fault(String what, @Nullable Object... values) {
      String end = what.formatted(values);
      return DistillationException.of("%s: line %s: '%s' in %s %s", mapping, line, name, file, end);
    }
  }
}
