package org.starlingqcd.hadron.chroma;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.Printable;

/** The XML that a Chroma file carries, as a tree of names and texts. */
final class ChromaMetadata {
  /** Deeper nesting than any writer makes. */
  private static final int MOST_DEPTH = 64;

  /** An element: its name, its text without that of its children, its children. */
  record Element(String name, StringBuilder text, List<Element> children) {
    private Element(String name) {
      this(name, new StringBuilder(), new ArrayList<>());
    }

    /** The integers in its text, separated by blanks. */
    List<Integer> integers() {
      String all = text.toString().strip();
      return all.isEmpty()
          ? List.of()
          : Arrays.stream(all.split("\\s+", -1)).map(Integer::valueOf).toList();
    }
  }

  private final Path path;
  private final Element root;

  private ChromaMetadata(Path path, Element root) {
    this.path = path;
    this.root = root;
  }

  /**
   * Parses a text. Document types and external entities are refused, since files are not trusted.
   *
   * @throws DistillationException when it is no XML
   */
  static ChromaMetadata parse(Path path, String text) {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    Element top = new Element("");
    Deque<Element> open = new ArrayDeque<>(List.of(top));
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
      while (reader.hasNext()) {
        int event = reader.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          Element element = new Element(reader.getLocalName());
          open.element().children().add(element);
          open.push(element);
          if (open.size() > MOST_DEPTH) {
            throw new DistillationException(path + ": the metadata nest too deeply");
          }
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          open.pop();
        } else if (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA) {
          open.element().text().append(reader.getText());
        } else if (event == XMLStreamConstants.DTD
            || event == XMLStreamConstants.ENTITY_REFERENCE) {
          throw new DistillationException(
              path + ": the metadata have a document type or entities, which Starling refuses");
        }
      }
    } catch (XMLStreamException e) {
      String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new DistillationException(
          path + ": the metadata are not XML: " + Printable.of(first), e);
    }
    return new ChromaMetadata(path, top);
  }

  /** The first element of a name anywhere; null when there is none. */
  @Nullable Element find(String name) {
    Deque<Element> left = new ArrayDeque<>(List.of(root));
    while (!left.isEmpty()) {
      Element element = left.pop();
      if (element.name().equals(name)) {
        return element;
      }
      for (int k = element.children().size() - 1; k >= 0; k--) {
        left.push(element.children().get(k));
      }
    }
    return null;
  }

  /** The text of the first element of a name; null when there is none. */
  @Nullable String text(String name) {
    Element element = find(name);
    return element == null ? null : element.text().toString().strip();
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
