package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.text.Printable;

/** What the XML and the name of a file of Chroma say about its data. */
final class ChromaMetadata {
  /** Numbers of configurations, as in {@code x.sdb1000} and {@code x_cfg_1000.sdb}. */
  private static final List<Pattern> NUMBERS =
      List.of(
          Pattern.compile("\\.sdb(\\d{1,9})$"),
          Pattern.compile(
              "(?:^|[^A-Za-z])(?:cfg|conf|config|configuration)[_.-]?(\\d{1,9})(?!\\d)"));

  private ChromaMetadata() {}

  /**
   * The header of a file.
   *
   * @param times T if the file tells it otherwise, or null
   * @param eigenvectors N, or null
   * @param perambulators whether the file holds perambulators
   */
  static PartialHeader header(
      Path path,
      XmlTree metadata,
      @Nullable Integer times,
      @Nullable Integer eigenvectors,
      boolean perambulators) {
    int[] lattice = lattice(path, metadata);
    return new PartialHeader(
        null,
        configuration(path),
        lattice == null ? null : lattice[0],
        lattice == null || times != null ? times : Integer.valueOf(lattice[3]),
        eigenvectors,
        perambulators ? DistillationHeader.DEGRAND_ROSSI : null,
        null);
  }

  private static @Nullable Long configuration(Path path) {
    String name = path.getFileName().toString();
    for (Pattern pattern : NUMBERS) {
      Matcher matcher = pattern.matcher(name);
      if (matcher.find()) {
        return Long.valueOf(matcher.group(1));
      }
    }
    return null;
  }

  /** The four extents of the lattice, x first; null when the metadata do not say. */
  private static int @Nullable [] lattice(Path path, XmlTree metadata) {
    String text = metadata.text("lattSize");
    if (text == null) {
      return null;
    }
    try {
      int[] extents = Arrays.stream(text.split("\\s+", -1)).mapToInt(Integer::parseInt).toArray();
      if (extents.length != 4
          || Arrays.stream(extents).anyMatch(extent -> extent < 1)
          || extents[1] != extents[0]
          || extents[2] != extents[0]) {
        throw new DistillationException(
            "%s: lattSize must be L L L T, found '%s'; other lattices cannot be read"
                .formatted(path, Printable.of(text)));
      }
      String direction = metadata.text("decay_dir");
      if (direction != null && !direction.equals("3")) {
        throw new DistillationException(
            path + ": decay_dir must be 3, found " + Printable.of(direction));
      }
      return extents;
    } catch (NumberFormatException e) {
      throw new DistillationException(
          path + ": lattSize must be four numbers, found '" + Printable.of(text) + "'", e);
    }
  }
}
