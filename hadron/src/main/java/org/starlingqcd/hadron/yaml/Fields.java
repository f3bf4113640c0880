package org.starlingqcd.hadron.yaml;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.text.Suggestion;

/**
 * The keys of one mapping, read by name. Every value is text until the reader of its key says what
 * it means, so that {@code gamma: 1}, {@code row: y} and {@code name: no} need no quotes. A reader
 * is a function that refuses a text with an {@link IllegalArgumentException}.
 */
public final class Fields {
  /** Larger numbers are typing errors; sums of products of these stay far from overflow. */
  private static final double LARGEST = 1e100;

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,4})?");

  private final YamlNode.Mapping mapping;
  private final String what;
  private final Place place;

  private Fields(YamlNode.Mapping mapping, String what, Place place) {
    this.mapping = mapping;
    this.what = what;
    this.place = place;
  }

  /**
   * The keys of a node that must be a mapping.
   *
   * @param what what it describes, with an article
   */
  public static Fields of(YamlNode node, String what, Place place) {
    Place here = place.at(node.line());
    if (node instanceof YamlNode.Mapping mapping) {
      return new Fields(mapping, what, here);
    }
    throw here.error("expected %s as key: value pairs, found %s", what, node.kind());
  }

  /** The keys of a file. */
  public static Fields parse(String text, String what, Place start) {
    try {
      return of(YamlDocument.parse(text), what, start);
    } catch (YamlException e) {
      throw start.at(e.line()).error(e);
    }
  }

  /** The same keys in another part of the file. */
  public Fields in(String part) {
    return new Fields(mapping, what, place.in(part));
  }

  /** Refuses every key but these, and each of these twice. */
  public Fields allow(List<String> known) {
    for (String key : names()) {
      if (!known.contains(key)) {
        throw error(
            key,
            "unknown key %s in %s: expected one of %s%s",
            Quoted.of(key),
            what,
            String.join(", ", known),
            Suggestion.text(key, known));
      }
    }
    return this;
  }

  /** The keys in the order written; refuses one that is given twice. */
  public Set<String> names() {
    YamlNode.Repeated repeated = mapping.repeated();
    if (repeated != null) {
      throw place
          .at(repeated.line())
          .error(
              "duplicate key %s in %s, first given in line %d",
              Quoted.of(repeated.key()), what, repeated.firstLine());
    }
    return mapping.entries().keySet();
  }

  public boolean has(String key) {
    return mapping.entries().containsKey(key);
  }

  /** Where the mapping begins. */
  public Place place() {
    return place;
  }

  /** Where a key stands; the beginning of the mapping if it is missing. */
  public Place place(String key) {
    YamlNode.Entry entry = mapping.entries().get(key);
    return entry == null ? place : place.at(entry.line());
  }

  /** What is wrong with the mapping as a whole. */
  public RuntimeException error(String message) {
    return place.error("%s", message);
  }

  /** What is wrong with a key, in the form of {@link String#format}. */
  public RuntimeException error(String key, String format, @Nullable Object... values) {
    return place(key).error(format, values);
  }

  /** The node of a required key. */
  public YamlNode node(String key) {
    YamlNode.Entry entry = mapping.entries().get(key);
    if (entry == null) {
      throw place.error("%s needs the key '%s'", what, key);
    }
    return entry.value();
  }

  /** The mapping under a required key. */
  public Fields fields(String key, String description) {
    return of(node(key), description, place);
  }

  /** The text of a required key. */
  public String text(String key) {
    return text(node(key), key);
  }

  public String text(String key, String otherwise) {
    return has(key) ? text(key) : otherwise;
  }

  /** The value of a required key. */
  public <T> T value(String key, Function<String, T> reader) {
    return value(node(key), key, reader);
  }

  public <T> T value(String key, T otherwise, Function<String, T> reader) {
    return has(key) ? value(key, reader) : otherwise;
  }

  /** The nodes of a required list. */
  public List<YamlNode> list(String key) {
    return list(node(key), key);
  }

  /** The nodes of a list under a key. */
  public List<YamlNode> list(YamlNode node, String key) {
    if (node instanceof YamlNode.Sequence sequence) {
      return sequence.items();
    }
    throw place.at(node.line()).error("expected %s to be a list, found %s", key, node.kind());
  }

  /** The nodes of a required list that is not empty. */
  public List<YamlNode> filledList(String key) {
    List<YamlNode> items = list(key);
    if (items.isEmpty()) {
      throw error(key, "%s is an empty list", key);
    }
    return items;
  }

  /** The values of a required list. */
  public <T> List<T> values(String key, Function<String, T> reader) {
    return values(node(key), key, reader);
  }

  /** The values of a list under a key. */
  public <T> List<T> values(YamlNode node, String key, Function<String, T> reader) {
    return list(node, key).stream().map(item -> value(item, key, reader)).toList();
  }

  /** A single value, or a list of them; empty if the key is missing. */
  public <T> List<T> oneOrMore(String key, Function<String, T> reader) {
    if (!has(key)) {
      return List.of();
    }
    return node(key) instanceof YamlNode.Sequence
        ? values(key, reader)
        : List.of(value(key, reader));
  }

  private <T> T value(YamlNode node, String key, Function<String, T> reader) {
    try {
      return reader.apply(text(node, key));
    } catch (IllegalArgumentException e) {
      throw place
          .at(node.line())
          .error(new IllegalArgumentException(key + ": " + e.getMessage(), e));
    }
  }

  /** The text of a node under a key. */
  public String text(YamlNode node, String key) {
    if (node instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
      return scalar.text();
    }
    String found =
        node instanceof YamlNode.Scalar scalar && !scalar.plain() ? "an empty text" : node.kind();
    throw place.at(node.line()).error("expected %s to be a single value, found %s", key, found);
  }

  /** Reads an integer in a range. */
  public static long integer(String text, long least, long greatest) {
    if (INTEGER.matcher(text).matches()) {
      long value = Long.parseLong(text);
      if (value >= least && value <= greatest) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "expected an integer from %d to %d, found %s".formatted(least, greatest, Quoted.of(text)));
  }

  /** Reads a number. */
  public static double real(String text) {
    if (REAL.matcher(text).matches()) {
      double value = Double.parseDouble(text);
      if (Math.abs(value) <= LARGEST) {
        return value + 0.0; // -0 is 0
      }
    }
    throw new IllegalArgumentException(
        "expected a number (at most 1e100), found " + Quoted.of(text));
  }

  /** Reads {@code true} or {@code false}. */
  public static boolean truth(String text) {
    boolean known = text.matches("True|TRUE|False|FALSE");
    return word(known ? text.toLowerCase(Locale.ROOT) : text, "true", "false").equals("true");
  }

  /** Reads one of some words. */
  public static String word(String text, String... words) {
    if (Arrays.asList(words).contains(text)) {
      return text;
    }
    throw new IllegalArgumentException(
        "expected %s, found %s".formatted(String.join(" or ", words), Quoted.of(text)));
  }
}
