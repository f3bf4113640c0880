package org.starlingqcd.hadron.format;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a file or a dataset with placeholders, as {@code peram/{label}_t{t0:03}.npy}. A
 * placeholder may subtract a number, as {@code {alpha+1}} where names count spins from 1. A star
 * stands for any characters but the slash.
 */
final class NameTemplate {
  /** Placeholders of text; all others stand for whole numbers. */
  private static final Set<String> TEXTS = Set.of("label", "part");

  private static final Set<String> SIGNED = Set.of("nx", "ny", "nz");
  private static final Set<String> NUMBERS =
      Set.of("cfg", "t0", "t", "dt", "alpha", "beta", "nx", "ny", "nz");
  private static final Pattern TOKEN =
      Pattern.compile("\\{([A-Za-z0-9]+)([+-]\\d{1,4})?(?::0?(\\d{1,2})d?)?\\}|\\*|[^*{}]+");

  /** A part of a name between slashes: one literal text, or a pattern with groups. */
  private record Segment(String text, @Nullable Pattern pattern, List<Placeholder> placeholders) {}

  private record Placeholder(String name, int shift, int width) {}

  private final String text;
  private final List<Segment> segments = new ArrayList<>();

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException when a placeholder is not known
   */
  NameTemplate(String text) {
    this.text = text;
    for (String segment : text.split("/+")) {
      if (!segment.isEmpty()) {
        segments.add(segment(segment));
      }
    }
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("an empty name");
    }
  }

  private static Segment segment(String text) {
    StringBuilder regex = new StringBuilder();
    List<Placeholder> placeholders = new ArrayList<>();
    boolean literal = true;
    int end = 0;
    Matcher token = TOKEN.matcher(text);
    while (token.find() && token.start() == end) {
      end = token.end();
      String name = token.group(1);
      if (name != null) {
        if (!NUMBERS.contains(name) && !TEXTS.contains(name)) {
          throw new IllegalArgumentException(
              "the placeholder {"
                  + name
                  + "} is not known; expected one of "
                  + String.join(", ", new TreeSet<>(NUMBERS))
                  + ", label, part");
        }
        int shift = token.group(2) == null ? 0 : Integer.parseInt(token.group(2));
        int width = token.group(3) == null ? 0 : Integer.parseInt(token.group(3));
        placeholders.add(new Placeholder(name, shift, width));
        regex.append(
            TEXTS.contains(name)
                ? "([^/]+?)"
                : SIGNED.contains(name) ? "(-?\\d{1,9})" : "(\\d{1,9})");
        literal = false;
      } else if (token.group().equals("*")) {
        regex.append("[^/]*?");
        literal = false;
      } else {
        regex.append(Pattern.quote(token.group()));
      }
    }
    if (end != text.length()) {
      throw new IllegalArgumentException(
          "expected a placeholder such as {t0} or {t0:03} at '" + text.substring(end) + "'");
    }
    return new Segment(text, literal ? null : Pattern.compile(regex.toString()), placeholders);
  }

  /** Whether it begins at the root of all folders. */
  boolean isAbsolute() {
    return text.startsWith("/");
  }

  /** Number of parts between slashes. */
  int depth() {
    return segments.size();
  }

  /** The text of a part without placeholders; empty for a part with some. */
  Optional<String> literal(int segment) {
    Segment wanted = segments.get(segment);
    return wanted.pattern() == null ? Optional.of(wanted.text()) : Optional.empty();
  }

  /** Names of the placeholders. */
  Set<String> placeholders() {
    Set<String> names = new LinkedHashSet<>();
    segments.forEach(s -> s.placeholders().forEach(p -> names.add(p.name())));
    return names;
  }

  /**
   * Compares a part with a name.
   *
   * @param known what placeholders stand for so far
   * @return the same with what this name says; empty when it does not fit
   */
  Optional<Map<String, String>> match(int segment, String name, Map<String, String> known) {
    Segment wanted = segments.get(segment);
    Pattern pattern = wanted.pattern();
    if (pattern == null) {
      return wanted.text().equals(name) ? Optional.of(known) : Optional.empty();
    }
    Matcher matcher = pattern.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Map<String, String> values = new LinkedHashMap<>(known);
    for (int k = 0; k < wanted.placeholders().size(); k++) {
      Placeholder placeholder = wanted.placeholders().get(k);
      String value = matcher.group(k + 1);
      if (!TEXTS.contains(placeholder.name())) {
        String digits = value.startsWith("-") ? value.substring(1) : value;
        boolean padded = digits.length() > 1 && digits.startsWith("0");
        if (placeholder.width() > 0
            && value.length() != placeholder.width()
            && (padded || value.length() < placeholder.width())) {
          return Optional.empty();
        }
        value = String.valueOf(Long.parseLong(value) - placeholder.shift());
      }
      String other = values.put(placeholder.name(), value);
      if (other != null && !other.equals(value)) {
        return Optional.empty();
      }
    }
    return Optional.of(values);
  }

  @Override
  public String toString() {
    return text;
  }
}
