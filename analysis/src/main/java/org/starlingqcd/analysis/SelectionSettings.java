package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.text.Wildcards;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The part of the results to analyse. picocli fills the fields; nobody changes them afterwards. */
public final class SelectionSettings {
  private static final double LARGEST = 1e150;

  /** A comma outside of quotes. */
  private static final String SEPARATOR = ",(?=(?:[^'\"]|'[^']*'|\"[^\"]*\")*$)";

  /** Everything. */
  public static final SelectionSettings ALL = new SelectionSettings();

  @Option(
      names = "--configurations",
      paramLabel = "LIST",
      description = "Configurations to use, such as 1,3,10-20 (default: all).")
  public NumberSelection configurations = NumberSelection.ALL;

  @Option(
      names = "--sources",
      paramLabel = "LIST",
      description = "Source times to use (default: all).")
  public NumberSelection sources = NumberSelection.ALL;

  /** As the user writes them, quoted with ' or "; empty for all. */
  @Option(
      names = "--operators",
      paramLabel = "NAME",
      description =
          "Operators of the matrix to use, in this order: names, separated by commas; a name with"
              + " commas whole or in quotes; places counted from 0; or patterns with * and ?"
              + " (default: all).")
  public List<String> operators = new ArrayList<>();

  @Option(
      names = "--temporal-extent",
      paramLabel = "T",
      description = "Temporal extent of the lattice, if the files do not contain it.")
  public @Nullable Integer temporalExtent;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  /** This selection, whose temporal extent can be one. */
  public SelectionSettings checked() {
    Integer extent = temporalExtent;
    if (extent != null && (extent < 1 || extent > DistillationHeader.MAX_EXTENT)) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "--temporal-extent must be between 1 and %s, not %s"
              .formatted(DistillationHeader.MAX_EXTENT, extent));
    }
    return this;
  }

  /** Other units and operators of a lattice of the same extent. */
  public SelectionSettings with(
      NumberSelection otherConfigurations,
      NumberSelection otherSources,
      List<String> otherOperators) {
    SelectionSettings other = new SelectionSettings();
    other.configurations = otherConfigurations;
    other.sources = otherSources;
    other.operators = otherOperators;
    other.temporalExtent = temporalExtent;
    return other;
  }

  /**
   * The places of the chosen operators among those of a file.
   *
   * @throws InputException when one is not there or chosen twice
   */
  int[] indices(Object file, List<String> all) {
    return chosen(file, all, "only " + listed(all)).stream().mapToInt(all::indexOf).toArray();
  }

  /**
   * The names of the chosen operators.
   *
   * @param known what there is, for the message
   * @throws InputException when one is not there or chosen twice
   */
  List<String> chosen(Object file, List<String> all, String known) {
    List<String> chosen = new ArrayList<>();
    for (String text : operators) {
      // Names that the program makes contain commas: the longest name from a place on counts.
      List<String> parts = List.of(text.split(SEPARATOR, -1));
      for (int k = 0, next; k < parts.size(); k = next) {
        next = parts.size();
        while (next > k + 1 && matches(joined(parts, k, next), all).isEmpty()) {
          next--;
        }
        String item = joined(parts, k, next);
        List<String> found = matches(item, all);
        if (found.isEmpty()) {
          throw new InputException(file + ": has no operator '" + item + "', " + known);
        }
        for (String name : found) {
          boolean pattern = found.size() > 1 || !name.equals(item);
          if (!chosen.contains(name)) {
            chosen.add(name);
          } else if (!pattern) {
            throw new InputException("operator '" + name + "' is given twice");
          }
        }
      }
    }
    return operators.isEmpty() ? all : chosen;
  }

  private static String joined(List<String> parts, int first, int end) {
    return String.join(",", parts.subList(first, end)).strip();
  }

  private static List<String> matches(String item, List<String> all) {
    boolean quoted = item.length() > 1 && item.matches("(?s)'.*'|\".*\"");
    String name = quoted ? item.substring(1, item.length() - 1) : item;
    if (quoted || all.contains(name)) {
      return all.contains(name) ? List.of(name) : List.of();
    }
    if (item.matches("\\d{1,9}")) {
      int place = Integer.parseInt(item);
      return place < all.size() ? List.of(all.get(place)) : List.of();
    }
    if (!item.matches("(?s).*[*?].*")) {
      return List.of();
    }
    return all.stream().filter(Wildcards.pattern(item, ".").asMatchPredicate()).toList();
  }

  /** Names as {@code --operators} takes them, quoted where they contain a comma. */
  static String listed(List<String> names) {
    return names.stream()
        .map(name -> name.contains(",") ? "'" + name + "'" : name)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  /**
   * The user's temporal extent or that of a file.
   *
   * @throws InputException when they differ
   */
  OptionalInt extent(Object file, OptionalInt known) {
    if (temporalExtent == null) {
      return known;
    }
    if (known.orElse(temporalExtent) != temporalExtent) {
      throw InputException.of(
          "%s: has the temporal extent %d, not %d", file, known.getAsInt(), temporalExtent);
    }
    return OptionalInt.of(temporalExtent);
  }

  /**
   * The part of matrices, interleaved complex […][i][j], that belongs to operators.
   *
   * @param where the file, the data set and the source, for messages
   * @param sinks places of the chosen operators among {@code rows}
   * @param columns among {@code sources}
   * @param separation of a matrix by its number
   * @throws InputException when a number cannot be analysed
   */
  static double[] matrices(
      String where,
      double[] all,
      int[] sinks,
      int[] columns,
      List<String> rows,
      List<String> sources,
      IntUnaryOperator separation) {
    int matrices = all.length / (2 * rows.size() * sources.size());
    double[] part = new double[2 * matrices * sinks.length * columns.length];
    for (int k = 0; k < part.length; k++) {
      int j = columns[k / 2 % columns.length];
      int i = sinks[k / 2 / columns.length % sinks.length];
      int matrix = k / 2 / columns.length / sinks.length;
      part[k] = all[2 * ((matrix * rows.size() + i) * sources.size() + j) + k % 2];
      if (!isUsable(part[k])) {
        throw InputException.of(
            "%s, separation %d, sink '%s', source '%s': found %s, expected a number below 1e150, whose"
                + " square is one too; --configurations, --operators or --insertions leaves it out",
            where, separation.applyAsInt(matrix), rows.get(i), sources.get(j), part[k]);
      }
    }
    return part;
  }

  /** Whether a number and its square are finite, so that errors and determinants are. */
  static boolean isUsable(double value) {
    return Math.abs(value) < LARGEST;
  }

  /** The part of one-point functions, interleaved complex [time][i], that belongs to operators. */
  static double[] rows(double[] all, int[] indices, int operators) {
    int n = indices.length;
    return IntStream.range(0, all.length / operators * n)
        .mapToDouble(k -> all[2 * (k / 2 / n * operators + indices[k / 2 % n]) + k % 2])
        .toArray();
  }
}
