package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.hdf5.ObjectKind;
import org.starlingqcd.hadron.hdf5.PlainFile;

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
      Set.of("cfg", "t0", "t", "tf", "dt", "alpha", "beta", "nx", "ny", "nz");
  private static final Pattern TOKEN =
      Pattern.compile("\\{([A-Za-z0-9]+)([+-]\\d{1,4})?(?::0?(\\d{1,2})d?)?\\}|\\*|[^*{}]+");

  private static final int MOST_DIGITS = 9;

  /** A part of a name between slashes: one literal text, or several tokens. */
  private record Segment(String text, boolean literal, List<Placeholder> tokens) {
    List<Placeholder> placeholders() {
      return tokens.stream().filter(token -> !token.name().isEmpty()).toList();
    }
  }

  /**
   * A placeholder, a literal text, or a star.
   *
   * @param name of the placeholder; empty for the others
   * @param literal the text of a literal; empty for the others
   */
  private record Placeholder(String name, String literal, int shift, int width) {
    boolean isNumber() {
      return NUMBERS.contains(name);
    }
  }

  /** A file or a dataset that fits, and what the placeholders stand for. */
  record Match<T>(T name, Map<String, String> values) {}

  /** Folders with files, or groups with datasets. */
  private record Tree<T>(
      BiFunction<T, String, T> child, Function<T, List<String>> children, Predicate<T> isLeaf) {}

  private static final Tree<Path> FOLDERS =
      new Tree<>(Path::resolve, NameTemplate::children, Files::isRegularFile);

  private final String text;
  private final List<Segment> segments;

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException when a placeholder is not known
   */
  NameTemplate(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the character U+0000 cannot stand in a name");
    }
    this.text = text;
    this.segments =
        Stream.of(text.split("/+"))
            .filter(segment -> !segment.isEmpty())
            .map(NameTemplate::segment)
            .toList();
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("an empty name");
    }
  }

  private static Segment segment(String text) {
    List<Placeholder> placeholders = new ArrayList<>();
    boolean literal = true;
    int end = 0;
    Matcher token = TOKEN.matcher(text);
    while (token.find() && token.start() == end) {
      end = token.end();
      String name = token.group(1);
      literal &= name == null && !token.group().equals("*");
      if (name == null) {
        String plain = token.group().equals("*") ? "" : token.group();
        placeholders.add(new Placeholder("", plain, 0, 0));
        continue;
      }
      if (!NUMBERS.contains(name) && !TEXTS.contains(name)) {
        throw new IllegalArgumentException(
            "the placeholder {%s} is not known; expected one of %s, label, part"
                .formatted(name, String.join(", ", new TreeSet<>(NUMBERS))));
      }
      int shift = token.group(2) == null ? 0 : Integer.parseInt(token.group(2));
      int width = token.group(3) == null ? 0 : Integer.parseInt(token.group(3));
      placeholders.add(new Placeholder(name, "", shift, width));
    }
    if (end != text.length()) {
      throw new IllegalArgumentException(
          "expected a placeholder such as {t0} or {t0:03} at '" + text.substring(end) + "'");
    }
    return new Segment(text, literal, placeholders);
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
    if (wanted.literal()) {
      return wanted.text().equals(name) ? Optional.of(known) : Optional.empty();
    }
    List<Placeholder> tokens = wanted.tokens();
    int[] ends = new int[tokens.size()];
    if (!fits(tokens, 0, name, 0, ends, new BitSet())) {
      return Optional.empty();
    }
    Map<String, String> values = new LinkedHashMap<>(known);
    for (int k = 0; k < tokens.size(); k++) {
      Placeholder placeholder = tokens.get(k);
      if (placeholder.name().isEmpty()) {
        continue;
      }
      String value = name.substring(k == 0 ? 0 : ends[k - 1], ends[k]);
      if (!TEXTS.contains(placeholder.name())) {
        boolean padded = value.matches("-?0\\d+");
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

  /**
   * Whether tokens fit the rest of a name: texts as short as possible, numbers as long as possible.
   * Each token is tried once at each place.
   *
   * @param ends gets where each token ends
   * @param failed what was tried in vain, by token and place
   */
  private static boolean fits(
      List<Placeholder> tokens, int token, String name, int from, int[] ends, BitSet failed) {
    if (token == tokens.size()) {
      return from == name.length();
    }
    int tried = token * (name.length() + 1) + from;
    if (failed.get(tried)) {
      return false;
    }
    Placeholder wanted = tokens.get(token);
    int shortest = from + (TEXTS.contains(wanted.name()) ? 1 : 0);
    int longest = name.length();
    if (!wanted.literal().isEmpty()) {
      shortest = from + wanted.literal().length();
      longest = name.startsWith(wanted.literal(), from) ? shortest : -1;
    } else if (wanted.isNumber()) {
      boolean minus = SIGNED.contains(wanted.name()) && name.startsWith("-", from);
      int first = minus ? from + 1 : from;
      shortest = first + 1;
      longest = first;
      while (longest < name.length()
          && longest < first + MOST_DIGITS
          && name.charAt(longest) >= '0'
          && name.charAt(longest) <= '9') {
        longest++;
      }
    }
    for (int k = 0; k <= longest - shortest; k++) {
      ends[token] = wanted.isNumber() ? longest - k : shortest + k;
      if (fits(tokens, token + 1, name, ends[token], ends, failed)) {
        return true;
      }
    }
    failed.set(tried);
    return false;
  }

  /** The files below a folder that fit. Folders are listed, files are not opened. */
  List<Match<Path>> files(Path folder) {
    List<Match<Path>> found = new ArrayList<>();
    descend(FOLDERS, text.startsWith("/") ? Path.of("/") : folder, 0, Map.of(), found);
    return found;
  }

  private static List<String> children(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(folder)) {
      return children.map(child -> child.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new DistillationException(folder + ": cannot be listed: " + PlainFile.reason(e), e);
    }
  }

  /** What this says about a file whose last names fit it. */
  Optional<Match<Path>> file(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    int first = whole.getNameCount() - segments.size();
    Optional<Map<String, String>> values = first < 0 ? Optional.empty() : Optional.of(Map.of());
    for (int k = 0; k < segments.size() && values.isPresent(); k++) {
      values = match(k, whole.getName(first + k).toString(), values.get());
    }
    return values.map(known -> new Match<>(file, known));
  }

  /** The datasets of a file that fit; {@code known} is what its name tells. */
  List<Match<String>> datasets(Hdf5File file, Map<String, String> known) {
    Tree<String> groups =
        new Tree<>(
            (group, name) -> group.isEmpty() ? name : group + "/" + name,
            group -> {
              String path = group.isEmpty() ? "/" : group;
              return file.kind(path) == ObjectKind.GROUP ? file.children(path) : List.of();
            },
            name -> file.kind(name) == ObjectKind.DATASET);
    List<Match<String>> found = new ArrayList<>();
    descend(groups, "", 0, known, found);
    return found;
  }

  private <T> void descend(
      Tree<T> tree, T at, int segment, Map<String, String> known, List<Match<T>> found) {
    if (segment == segments.size()) {
      if (tree.isLeaf().test(at)) {
        found.add(new Match<>(at, known));
      }
      return;
    }
    Segment wanted = segments.get(segment);
    List<String> names = wanted.literal() ? List.of(wanted.text()) : tree.children().apply(at);
    for (String name : names) {
      match(segment, name, known)
          .ifPresent(
              values -> descend(tree, tree.child().apply(at, name), segment + 1, values, found));
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
