package org.starlingqcd.hadron.format;

import java.io.StringReader;
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

/** XML that a file of data carries: its elements in the order in which they begin. */
final class XmlTree {
  /** Deeper nesting than any writer makes. */
  private static final int MOST_DEPTH = 64;

  /** An element: its name, its text without that of its children, its children. */
  record Element(String name, StringBuilder text, List<Element> children) {
    /** The text of its first child of a name; empty when there is none. */
    String text(String child) {
      return children.stream()
          .filter(one -> one.name.equals(child))
          .map(one -> one.text.toString().strip())
          .findFirst()
          .orElse("");
    }

    /** The integers in its text, separated by blanks. */
    List<Integer> integers() {
      return Arrays.stream(text.toString().strip().split("\\s+"))
          .filter(word -> !word.isEmpty())
          .map(Integer::valueOf)
          .toList();
    }
  }

  private final List<Element> elements = new ArrayList<>();

  /**
   * Parses a text. Document types and external entities are refused, since files are not trusted.
   *
   * @throws DistillationException when it is no XML
   */
  static XmlTree parse(FileFaults file, String text) {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    XmlTree tree = new XmlTree();
    Deque<Element> open = new ArrayDeque<>(List.of(element("")));
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
      while (reader.hasNext()) {
        switch (reader.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            Element element = element(reader.getLocalName());
            open.element().children().add(element);
            open.push(element);
            tree.elements.add(element);
            file.check(open.size() <= MOST_DEPTH, "the metadata nest too deeply");
          }
          case XMLStreamConstants.END_ELEMENT -> open.pop();
          case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
              open.element().text().append(reader.getText());
          case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
              throw file.fault(
                  "the metadata have a document type or entities, which Starling refuses");
          default -> {}
        }
      }
    } catch (XMLStreamException e) {
      String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw file.fault(e, "the metadata are not XML: %s", first);
    }
    return tree;
  }

  private static Element element(String name) {
    return new Element(name, new StringBuilder(), new ArrayList<>());
  }

  /** The first element of a name anywhere; null when there is none. */
  @Nullable Element find(String name) {
    return elements.stream().filter(e -> e.name().equals(name)).findFirst().orElse(null);
  }

  /** The text of the first element of a name; null when there is none. */
  @Nullable String text(String name) {
    Element element = find(name);
    return element == null ? null : element.text().toString().strip();
  }
}
