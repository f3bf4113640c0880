package org.starlingqcd.hadron.format;

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
import org.starlingqcd.hadron.text.Printable;

/** XML that a file of data carries, as a tree of names and texts. */
public final class XmlTree {
  /** Deeper nesting than any writer makes. */
  private static final int MOST_DEPTH = 64;

  /** An element: its name, its text without that of its children, its children. */
  public record Element(String name, StringBuilder text, List<Element> children) {
    private Element(String name) {
      this(name, new StringBuilder(), new ArrayList<>());
    }

    /** The integers in its text, separated by blanks. */
    public List<Integer> integers() {
      String all = text.toString().strip();
      return all.isEmpty()
          ? List.of()
          : Arrays.stream(all.split("\\s+", -1)).map(Integer::valueOf).toList();
    }
  }

  private final Element root;

  private XmlTree(Element root) {
    this.root = root;
  }

  /**
   * Parses a text. Document types and external entities are refused, since files are not trusted.
   *
   * @throws DistillationException when it is no XML
   */
  public static XmlTree parse(Path path, String text) {
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
    return new XmlTree(top);
  }

  /** The first element of a name anywhere; null when there is none. */
  public @Nullable Element find(String name) {
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
  public @Nullable String text(String name) {
    Element element = find(name);
    return element == null ? null : element.text().toString().strip();
  }
}
