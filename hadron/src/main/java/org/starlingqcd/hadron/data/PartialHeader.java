package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.text.Printable;

/**
 * What a source says about its data; null where it says nothing.
 *
 * @param ensemble name of the ensemble
 * @param configuration number of the configuration
 * @param spatialExtent L
 * @param temporalExtent T
 * @param eigenvectors N
 * @param gammaBasis {@code DeGrand-Rossi} or {@code explicit}; null without perambulators
 * @param temporalBoundary {@code antiperiodic} or {@code periodic}
 */
public record PartialHeader(
    @Nullable String ensemble,
    @Nullable Long configuration,
    @Nullable Integer spatialExtent,
    @Nullable Integer temporalExtent,
    @Nullable Integer eigenvectors,
    @Nullable String gammaBasis,
    @Nullable String temporalBoundary) {
  /** Nothing at all. */
  public static final PartialHeader UNKNOWN =
      new PartialHeader(null, null, null, null, null, null, null);

  /** The ensemble of data that nobody names. */
  public static final String UNNAMED = "unnamed";

  /** The configuration of data that nobody numbers. */
  public static final long UNNUMBERED = 1;

  /** What a complete header says. */
  public static PartialHeader of(DistillationHeader header) {
    return new PartialHeader(
        header.ensemble(),
        header.configuration(),
        header.spatialExtent(),
        header.temporalExtent(),
        header.eigenvectors(),
        header.gammaBasis().isEmpty() ? null : header.gammaBasis(),
        header.temporalBoundary());
  }

  /** This, and what {@code other} says where this says nothing. */
  public PartialHeader or(PartialHeader other) {
    return new PartialHeader(
        first(ensemble, other.ensemble),
        first(configuration, other.configuration),
        first(spatialExtent, other.spatialExtent),
        first(temporalExtent, other.temporalExtent),
        first(eigenvectors, other.eigenvectors),
        first(gammaBasis, other.gammaBasis),
        first(temporalBoundary, other.temporalBoundary));
  }

  private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
    return one == null ? other : one;
  }

  /** The same with another configuration. */
  public PartialHeader withConfiguration(@Nullable Long number) {
    return new PartialHeader(
        ensemble,
        number,
        spatialExtent,
        temporalExtent,
        eigenvectors,
        gammaBasis,
        temporalBoundary);
  }

  /**
   * The complete header. What no one says is {@value #UNNAMED}, configuration {@value #UNNUMBERED},
   * DeGrand-Rossi.
   *
   * @param path for messages
   * @throws DistillationException when an extent is unknown
   */
  public DistillationHeader complete(Path path) {
    List<String> unknown = new ArrayList<>();
    if (spatialExtent == null) {
      unknown.add("spatial_extent");
    }
    if (temporalExtent == null) {
      unknown.add("temporal_extent");
    }
    if (eigenvectors == null) {
      unknown.add("num_eigenvectors");
    }
    if (spatialExtent == null || temporalExtent == null || eigenvectors == null) {
      throw DistillationException.of(
          "%s: the data do not say %s; write %s into a mapping file, such as `%s: 24`, and name that"
              + " file with --mapping",
          path, String.join(" and ", unknown), unknown.size() == 1 ? "it" : "them", unknown.get(0));
    }
    long number = Objects.requireNonNullElse(configuration, UNNUMBERED);
    check(path, "configuration", number, 0, Integer.MAX_VALUE);
    check(path, "spatial_extent", spatialExtent, 0, DistillationHeader.MAX_EXTENT);
    check(path, "temporal_extent", temporalExtent, 1, DistillationHeader.MAX_EXTENT);
    check(path, "num_eigenvectors", eigenvectors, 1, DistillationHeader.MAX_EIGENVECTORS);
    return new DistillationHeader(
        Objects.requireNonNullElse(ensemble, UNNAMED),
        number,
        spatialExtent,
        temporalExtent,
        eigenvectors,
        Objects.requireNonNullElse(gammaBasis, DistillationHeader.DEGRAND_ROSSI),
        Objects.requireNonNullElse(temporalBoundary, ""));
  }

  private static void check(Path path, String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new DistillationException(
          path + ": the data have " + what + " " + value + ", expected " + least + " to " + most);
    }
  }

  /**
   * Checks that another source belongs to the same ensemble and has the same shapes, as far as both
   * say.
   *
   * @throws DistillationException naming both and what differs
   */
  void checkSameEnsemble(Path path, PartialHeader other, Path otherPath) {
    if (ensemble != null && other.ensemble != null && !ensemble.equals(other.ensemble)) {
      throw DistillationException.of(
          "%s and %s are of two ensembles, '%s' and '%s'; run them separately",
          path, otherPath, Printable.of(ensemble), Printable.of(other.ensemble));
    }
    checkEqual("spatial_extent", spatialExtent, other.spatialExtent, path, otherPath);
    checkEqual("temporal_extent", temporalExtent, other.temporalExtent, path, otherPath);
    checkEqual("num_eigenvectors", eigenvectors, other.eigenvectors, path, otherPath);
    checkEqual("gamma_basis", gammaBasis, other.gammaBasis, path, otherPath);
    checkEqual("temporal_boundary", temporalBoundary, other.temporalBoundary, path, otherPath);
  }

  private static void checkEqual(
      String name, @Nullable Object value, @Nullable Object other, Path path, Path otherPath) {
    if (value != null && other != null && !value.equals(other)) {
      throw DistillationException.of(
          "%s and %s do not belong together: %s is %s in one and %s in the other",
          path, otherPath, name, value, other);
    }
  }
}
