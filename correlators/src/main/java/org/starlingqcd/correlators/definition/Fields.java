package org.starlingqcd.correlators.definition;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.starlingqcd.correlators.Suggestion;
import org.starlingqcd.correlators.definition.symmetry.HalfInteger;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * The keys of one mapping of a definition, read by name. Every value is text until the reader of
 * its key says what it means, so that {@code gamma: 1}, {@code row: y} and {@code name: no} need no
 * quotes.
 */
final class Fields {
  /**
   * Larger components of momenta are typing errors; sums of smaller ones stay far from overflow.
   */
  private static final int LARGEST_MOMENTUM = 1_000_000;

  /** Larger coefficients are typing errors; sums of products of these stay far from overflow. */
  private static final double LARGEST_NUMBER = 1e100;

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,9}");
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,4})?");

  private final YamlNode.Mapping mapping;
  private final String what;
  private final SourceLocation place;

  private Fields(YamlNode.Mapping mapping, String what, SourceLocation place) {
    this.mapping = mapping;
    this.what = what;
    this.place = place;
  }

  /**
   * The keys of a node that must be a mapping.
   *
   * @param what what it describes, with an article
   */
  static Fields of(YamlNode node, String what, SourceLocation place) {
    SourceLocation here = place.at(node.line());
    if (node instanceof YamlNode.Mapping mapping) {
      return new Fields(mapping, what, here);
    }
    throw here.error("expected " + what + " as key: value pairs, found " + node.kind());
  }

  /** The same keys, with messages that name another location. */
  Fields in(String operator) {
    return new Fields(mapping, what, place.in(operator));
  }

  /** Refuses a key that is given twice. */
  void refuseRepeated() {
    YamlNode.Repeated repeated = mapping.repeated();
    if (repeated != null) {
      throw place
          .at(repeated.line())
          .error(
              "duplicate key "
                  + Quoted.of(repeated.key())
                  + " in "
                  + what
                  + ", first given in line "
                  + repeated.firstLine());
    }
  }

  /** Refuses every key but these, and each of these twice. */
  void allow(String... known) {
    refuseRepeated();
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              if (!Arrays.asList(known).contains(key)) {
                throw place
                    .at(entry.line())
                    .error(
                        "unknown key "
                            + Quoted.of(key)
                            + " in "
                            + what
                            + ": expected one of "
                            + String.join(", ", known)
                            + Suggestion.text(key, Arrays.asList(known)));
              }
            });
  }

  SourceLocation place() {
    return place;
  }

  boolean has(String key) {
    return mapping.entries().containsKey(key);
  }

  /** The location of a key; the beginning of the mapping if the key is missing. */
  SourceLocation place(String key) {
    YamlNode.Entry entry = mapping.entries().get(key);
    return entry == null ? place : place.at(entry.line());
  }

  YamlNode node(String key) {
    YamlNode.Entry entry = mapping.entries().get(key);
    if (entry == null) {
      throw place.error(what + " needs the key '" + key + "'");
    }
    return entry.value();
  }

  /** The text of a required key. */
  String text(String key) {
    return text(node(key), key);
  }

  Optional<String> optionalText(String key) {
    return has(key) ? Optional.of(text(key)) : Optional.empty();
  }

  /** A required key read by a function that refuses texts with IllegalArgumentException. */
  <T> T value(String key, Function<String, T> reader) {
    return value(node(key), key, reader);
  }

  /** The nodes of a required list. */
  List<YamlNode> list(String key) {
    return list(node(key), key);
  }

  private List<YamlNode> list(YamlNode node, String key) {
    if (node instanceof YamlNode.Sequence sequence) {
      return sequence.items();
    }
    throw place.at(node.line()).error("expected " + key + " to be a list, found " + node.kind());
  }

  /** The nodes of a required list that is not empty. */
  List<YamlNode> filledList(String key) {
    List<YamlNode> items = list(key);
    if (items.isEmpty()) {
      throw place(key).error(key + " is an empty list");
    }
    return items;
  }

  /** A list of values, each read by a function as in {@link #value(String, Function)}. */
  <T> List<T> values(String key, Function<String, T> reader) {
    return list(key).stream().map(item -> value(item, key, reader)).toList();
  }

  /** A required momentum. */
  Momentum momentum(String key) {
    return momentum(node(key), key);
  }

  /** A momentum in a list under a key. */
  Momentum momentum(YamlNode node, String key) {
    List<Integer> n =
        list(node, key).stream()
            .map(
                item ->
                    value(item, key, text -> integer(text, -LARGEST_MOMENTUM, LARGEST_MOMENTUM)))
            .toList();
    if (n.size() != 3) {
      throw place.at(node.line()).error(key + " has three components, found " + n.size());
    }
    return new Momentum(n.get(0), n.get(1), n.get(2));
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

  private String text(YamlNode node, String key) {
    if (node instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
      return scalar.text();
    }
    String found =
        node instanceof YamlNode.Scalar scalar && !scalar.plain() ? "an empty text" : node.kind();
    throw place.at(node.line()).error("expected " + key + " to be a single value, found " + found);
  }

  static int integer(String text, int least, int greatest) {
    if (INTEGER.matcher(text).matches()) {
      int value = Integer.parseInt(text);
      if (value >= least && value <= greatest) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "expected an integer from " + least + " to " + greatest + ", found " + Quoted.of(text));
  }

  static HalfInteger halfInteger(String text) {
    return HalfInteger.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected an integer or a half such as 1/2 or 0.5, found " + Quoted.of(text)));
  }

  static double real(String text) {
    if (REAL.matcher(text).matches()) {
      double value = Double.parseDouble(text);
      if (Math.abs(value) <= LARGEST_NUMBER) {
        return value + 0.0; // -0 is 0
      }
    }
    throw new IllegalArgumentException(
        "expected a number (at most 1e100), found " + Quoted.of(text));
  }

  static boolean truth(String text) {
    return switch (text) {
      case "true", "True", "TRUE" -> true;
      case "false", "False", "FALSE" -> false;
      default ->
          throw new IllegalArgumentException("expected true or false, found " + Quoted.of(text));
    };
  }
}
