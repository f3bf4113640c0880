package org.starlingqcd.hadron.format;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.PartialHeader;

/** What the XML and the name of a file of Chroma say about its data. */
final class ChromaMetadata {
  /** Numbers of configurations, as in {@code x.sdb1000} and {@code x_cfg_1000.sdb}. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "\\.sdb(\\d{1,9})$"
              + "|(?:^|[^A-Za-z])(?:cfg|conf|config|configuration)[_.-]?(\\d{1,9})(?!\\d)");

  private ChromaMetadata() {}

  /**
   * The header of a file.
   *
   * @param times T if the file tells it otherwise, or null
   * @param eigenvectors N, or null
   * @param perambulators whether the file holds perambulators
   */
  static PartialHeader header(
      FileFaults file,
      XmlTree metadata,
      @Nullable Integer times,
      @Nullable Integer eigenvectors,
      boolean perambulators) {
    Matcher number = NUMBER.matcher(file.path().getFileName().toString());
    Long configuration = null;
    while (number.find()) {
      boolean atEnd = number.group(1) != null;
      if (atEnd || configuration == null) {
        configuration = Long.valueOf(number.group(atEnd ? 1 : 2));
      }
    }
    List<Integer> lattice = lattice(file, metadata);
    return new PartialHeader(
        null,
        configuration,
        lattice.isEmpty() ? null : lattice.get(0),
        lattice.isEmpty() || times != null ? times : lattice.get(3),
        eigenvectors,
        perambulators ? DistillationHeader.DEGRAND_ROSSI : null,
        null);
  }

  /** What the metadata say of the mass of the quarks; null when they do not. */
  static @Nullable String mass(XmlTree metadata) {
    return Stream.of("Mass", "Kappa", "mass_label")
        .map(metadata::text)
        .filter(text -> text != null && !text.isEmpty())
        .findFirst()
        .orElse(null);
  }

  /** The four extents of the lattice, x first; empty when the metadata do not say. */
  private static List<Integer> lattice(FileFaults file, XmlTree metadata) {
    XmlTree.Element found = metadata.find("lattSize");
    if (found == null) {
      return List.of();
    }
    String text = found.text().toString().strip();
    try {
      List<Integer> e = found.integers();
      file.check(
          e.size() == 4
              && e.stream().allMatch(extent -> extent > 0)
              && e.get(1).equals(e.get(0))
              && e.get(2).equals(e.get(0)),
          "lattSize must be L L L T, found '%s'; other lattices cannot be read",
          text);
      String direction = metadata.text("decay_dir");
      file.check(
          direction == null || direction.equals("3"), "decay_dir must be 3, found %s", direction);
      return e;
    } catch (NumberFormatException e) {
      throw file.fault(e, "lattSize must be four numbers, found '%s'", text);
    }
  }
}
