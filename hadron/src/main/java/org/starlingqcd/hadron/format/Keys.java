package org.starlingqcd.hadron.format;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.text.Quoted;
import org.starlingqcd.hadron.yaml.YamlNode;

/**
 * The keys of one mapping in YAML, read by name. What is not asked for is an error in the end, so
 * that a typing error is not taken for an absent key.
 */
final class Keys {
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}");
  private static final Pattern REAL =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,3})?");

  private final String file;
  private final String what;
  private final YamlNode.Mapping mapping;
  private final Set<String> asked = new LinkedHashSet<>();

  private Keys(String file, String what, YamlNode.Mapping mapping) {
    this.file = file;
    this.what = what;
    this.mapping = mapping;
    YamlNode.Repeated repeated = mapping.repeated();
    if (repeated != null) {
      throw fault(
          file,
          repeated.line(),
          "the key %s stands in line %s already"
              .formatted(Quoted.of(repeated.key()), repeated.firstLine()));
    }
  }

  /**
   * The keys of a node.
   *
   * @param file the file, for messages
   * @param what what the mapping describes, for messages
   * @throws DistillationException when it is no mapping, or a key occurs twice
   */
  static Keys of(String file, String what, YamlNode node) {
    if (node instanceof YamlNode.Mapping mapping) {
      return new Keys(file, what, mapping);
    }
    throw fault(file, node.line(), what + ": expected keys with values, found " + node.kind());
  }

  static DistillationException fault(String file, int line, String message) {
    return new DistillationException(file + ": line " + line + ": " + message);
  }

  /** A message about this mapping. */
  DistillationException fault(String message) {
    return fault(file, mapping.line(), what + ": " + message);
  }

  /** A message about the value of a key. */
  DistillationException fault(String key, String message) {
    YamlNode.Entry entry = mapping.entries().get(key);
    return fault(
        file, entry == null ? mapping.line() : entry.line(), what + ": " + key + ": " + message);
  }

  /** The keys, in the order written; whoever asks for them has read them. */
  List<String> names() {
    asked.addAll(mapping.entries().keySet());
    return List.copyOf(mapping.entries().keySet());
  }

  /** Where the mapping begins. */
  int line() {
    return mapping.line();
  }

  /** The value of a key. */
  Optional<YamlNode> node(String key) {
    asked.add(key);
    return Optional.ofNullable(mapping.entries().get(key)).map(YamlNode.Entry::value);
  }

  /** The mapping under a key. */
  Optional<Keys> keys(String key) {
    return node(key).map(value -> of(file, what + ": " + key, value));
  }

  /** A text. */
  Optional<String> text(String key) {
    return node(key).map(value -> text(key, value));
  }

  private String text(String key, YamlNode value) {
    if (value instanceof YamlNode.Scalar scalar && !scalar.text().isEmpty()) {
      return scalar.text();
    }
    throw fault(key, "expected a single value, found " + value.kind());
  }

  /** One of some words. */
  Optional<String> word(String key, List<String> words) {
    Optional<String> found = text(key);
    if (found.isPresent() && !words.contains(found.get())) {
      throw fault(
          key, "expected " + String.join(" or ", words) + ", found " + Quoted.of(found.get()));
    }
    return found;
  }

  /** A whole number in a range. */
  Optional<Long> integer(String key, long least, long most) {
    return node(key).map(value -> integer(key, value, least, most));
  }

  private long integer(String key, YamlNode value, long least, long most) {
    String found = text(key, value);
    if (INTEGER.matcher(found).matches()) {
      long number = Long.parseLong(found);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw fault(
        key,
        "expected a whole number from " + least + " to " + most + ", found " + Quoted.of(found));
  }

  /** A real number. */
  private double real(String key, YamlNode value) {
    String found = text(key, value);
    if (!REAL.matcher(found).matches()) {
      throw fault(key, "expected a number, found " + Quoted.of(found));
    }
    return Double.parseDouble(found);
  }

  /** A real number, or a list of real and imaginary part. */
  double[] complex(String key, double otherwise) {
    Optional<YamlNode> value = node(key);
    if (value.isEmpty()) {
      return new double[] {otherwise, 0};
    }
    if (!(value.get() instanceof YamlNode.Sequence list)) {
      return new double[] {real(key, value.get()), 0};
    }
    if (list.items().size() != 2) {
      throw fault(key, "expected a number or [real part, imaginary part]");
    }
    return new double[] {real(key, list.items().get(0)), real(key, list.items().get(1))};
  }

  /** A list of texts. */
  Optional<List<String>> texts(String key) {
    return items(key).map(items -> items.stream().map(item -> text(key, item)).toList());
  }

  private Optional<List<YamlNode>> items(String key) {
    Optional<YamlNode> value = node(key);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (value.get() instanceof YamlNode.Sequence list) {
      return Optional.of(list.items());
    }
    throw fault(key, "expected a list, found " + value.get().kind());
  }

  /** A list of whole numbers. */
  Optional<List<Long>> integers(String key, long least, long most) {
    return items(key)
        .map(items -> items.stream().map(item -> integer(key, item, least, most)).toList());
  }

  /** A list of lists of three whole numbers. */
  Optional<List<long[]>> triples(String key, long most) {
    Optional<List<YamlNode>> items = items(key);
    if (items.isEmpty()) {
      return Optional.empty();
    }
    List<long[]> triples = new ArrayList<>();
    for (YamlNode item : items.get()) {
      if (!(item instanceof YamlNode.Sequence list) || list.items().size() != 3) {
        throw fault(key, "expected momenta such as [0, 0, 1]");
      }
      triples.add(
          list.items().stream().mapToLong(number -> integer(key, number, -most, most)).toArray());
    }
    return Optional.of(triples);
  }

  /** Refuses keys that nobody asked for. */
  void finish() {
    mapping
        .entries()
        .forEach(
            (key, entry) -> {
              if (!asked.contains(key)) {
                throw fault(
                    file,
                    entry.line(),
                    "%s: the key %s is not known here; expected %s"
                        .formatted(what, Quoted.of(key), String.join(", ", asked)));
              }
            });
  }
}
