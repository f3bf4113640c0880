package org.starlingqcd.hadron.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Root attributes of a distillation file.
 *
 * @param ensemble name of the ensemble
 * @param configuration number of the configuration
 * @param spatialExtent L
 * @param temporalExtent T
 * @param eigenvectors N
 * @param gammaBasis {@code DeGrand-Rossi} or {@code explicit}; empty for a file without anything
 *     that depends on it
 * @param temporalBoundary informative: {@code antiperiodic} or {@code periodic}; empty when absent
 */
public record DistillationHeader(
    String ensemble,
    long configuration,
    int spatialExtent,
    int temporalExtent,
    int eigenvectors,
    String gammaBasis,
    String temporalBoundary) {
  /** Value of the root attribute {@code format}. */
  public static final String FORMAT = "distillation";

  /** The version of the format. */
  public static final int FORMAT_VERSION = 1;

  /** The basis of physics conventions. */
  public static final String DEGRAND_ROSSI = "DeGrand-Rossi";

  /** The basis whose matrices are in the file. */
  public static final String EXPLICIT = "explicit";

  /** The largest L and T: far more than any lattice has, and lists of times still fit anywhere. */
  public static final int MAX_EXTENT = 1 << 16;

  /** The largest N: its blocks have sizes that 64 bits hold, whatever is multiplied with them. */
  public static final int MAX_EIGENVECTORS = 1 << 14;

  private static final Set<String> BASES = Set.of(DEGRAND_ROSSI, EXPLICIT);

  /** Groups whose numbers depend on the spin basis. */
  private static final List<String> WITH_SPINS =
      List.of(
          DistillationFile.PERAMBULATORS,
          DistillationFile.GENERALIZED,
          DistillationFile.NOISES,
          DistillationFile.QUARK_SINKS);

  /**
   * Reads and checks the header of an open file.
   *
   * @throws DistillationException when it is of another format, version or basis, or an attribute
   *     is missing or out of range
   */
  static DistillationHeader read(Hdf5File file) {
    Hdf5Attributes root = file.attributes("/");
    Path path = file.path();
    try {
      checkFormat(root, path, "a distillation file", FORMAT, FORMAT_VERSION);
      String basis = root.string("gamma_basis");
      if (!BASES.contains(basis)) {
        throw DistillationException.of(
            "%s: gamma_basis '%s' is not known: expected '%s', or '%s' with the matrices in"
                + " gamma/g1 … gamma/g4",
            path, basis, DEGRAND_ROSSI, EXPLICIT);
      }
      boolean spins = WITH_SPINS.stream().anyMatch(file::exists);
      return new DistillationHeader(
          root.string("ensemble"),
          configuration(root, path),
          extent(root, path, "spatial_extent", MAX_EXTENT),
          extent(root, path, "temporal_extent", MAX_EXTENT),
          extent(root, path, "num_eigenvectors", MAX_EIGENVECTORS),
          spins || basis.equals(EXPLICIT) ? basis : "",
          root.has("temporal_boundary") ? root.string("temporal_boundary") : "");
    } catch (Hdf5Exception e) {
      throw new DistillationException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Checks what a file says that it is.
   *
   * @param kind what it should be, for messages
   * @throws DistillationException when it is something else or of another version
   */
  public static void checkFormat(
      Hdf5Attributes root, Path path, String kind, String expected, long version) {
    String format = root.has("format") ? root.string("format") : "";
    if (!format.equals(expected)) {
      throw DistillationException.of(
          "%s: is not %s: attribute 'format' is %s, expected '%s'",
          path, kind, format.isEmpty() ? "missing" : "'" + format + "'", expected);
    }
    long found = root.integer("format_version");
    if (found != version) {
      throw new DistillationException(
          path + ": format_version " + found + " is not known, expected " + version);
    }
  }

  /**
   * Reads the number of the configuration.
   *
   * @throws DistillationException when it is negative or more than 32 bits hold
   */
  public static long configuration(Hdf5Attributes root, Path path) {
    return inRange(root, path, "configuration", 0, Integer.MAX_VALUE);
  }

  /**
   * Reads a root attribute that is an extent.
   *
   * @throws DistillationException when it is less than 1 or more than {@code most}
   */
  public static int extent(Hdf5Attributes root, Path path, String name, int most) {
    return (int) inRange(root, path, name, 1, most);
  }

  private static long inRange(Hdf5Attributes root, Path path, String name, long least, long most) {
    long value = root.integer(name);
    if (value < least || value > most) {
      throw DistillationException.of(
          "%s: attribute '%s' must be >= %s && <= %s: %s=%s", path, name, least, most, name, value);
    }
    return value;
  }

  /** Writes the header into a new file. */
  public void write(Hdf5File file) {
    Hdf5Attributes root = file.attributes("/");
    root.put("format", FORMAT);
    root.put("format_version", FORMAT_VERSION);
    root.put("ensemble", ensemble);
    root.put("configuration", configuration);
    root.put("spatial_extent", spatialExtent);
    root.put("temporal_extent", temporalExtent);
    root.put("num_eigenvectors", eigenvectors);
    root.put("gamma_basis", gammaBasis);
    root.put("temporal_boundary", temporalBoundary);
  }
}
