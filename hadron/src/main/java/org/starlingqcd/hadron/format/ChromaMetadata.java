package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.text.Printable;

/** The XML that a Chroma file carries. */
final class ChromaMetadata {
  private final Path path;
  private final XmlTree tree;

  private ChromaMetadata(Path path, XmlTree tree) {
    this.path = path;
    this.tree = tree;
  }

  /**
   * Parses a text.
   *
   * @throws DistillationException when it is no XML, or has a document type or entities
   */
  static ChromaMetadata parse(Path path, String text) {
    return new ChromaMetadata(path, XmlTree.parse(path, text));
  }

  /** The first element of a name anywhere; null when there is none. */
  XmlTree.@Nullable Element find(String name) {
    return tree.find(name);
  }

  /** The text of the first element of a name; null when there is none. */
  @Nullable String text(String name) {
    return tree.text(name);
  }

  /** The four extents of the lattice, x first; null when the metadata do not say. */
  int @Nullable [] lattice() {
    String text = text("lattSize");
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
            path
                + ": lattSize must be L L L T, found '"
                + Printable.of(text)
                + "'; other lattices cannot be read");
      }
      String direction = text("decay_dir");
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
