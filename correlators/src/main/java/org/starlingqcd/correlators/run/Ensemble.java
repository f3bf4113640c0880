package org.starlingqcd.correlators.run;

import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationFiles.Configuration;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.text.Printable;

/** The configurations of a run: those found, of which the user selected some. */
record Ensemble(SortedMap<Integer, Configuration> configurations) {
  private static final int MOST_TEXT = 60;

  /**
   * Looks for the data.
   *
   * @param onFailure what is told of files and configurations that are left out; null when nothing
   *     may be left out
   */
  static Ensemble find(
      RunSettings settings,
      BiConsumer<String, RuntimeException> onFailure,
      Consumer<String> onNotice) {
    SortedMap<Integer, Configuration> found = new TreeMap<>();
    List<Configuration> all =
        settings.keepGoing
            ? DistillationFiles.discover(
                settings.data(), fault -> onFailure.accept(firstWord(fault), fault))
            : DistillationFiles.discover(settings.data());
    for (Configuration configuration : all) {
      found.put(Math.toIntExact(configuration.number()), configuration);
    }
    SortedMap<Integer, Configuration> selected = new TreeMap<>(found);
    selected.keySet().removeIf(number -> !settings.configurations.contains(number));
    TreeSet<Integer> absent = new TreeSet<>();
    for (NumberSelection.Range range : settings.configurations.ranges()) {
      if (range.first() < range.last()) {
        IntStream.rangeClosed(range.first(), range.last())
            .filter(number -> !found.containsKey(number))
            .forEach(absent::add);
      } else if (!found.containsKey(range.first())) {
        InputException missing =
            InputException.of(
                "--configurations %s: there are no data of configuration %s; %s",
                settings.configurations, range.first(), describe(found));
        if (!settings.keepGoing) {
          throw missing;
        }
        onFailure.accept(Integer.toString(range.first()), missing);
      }
    }
    if (selected.isEmpty()) {
      throw InputException.of(
          "no configuration to compute: --configurations %s; %s",
          settings.configurations, describe(found));
    }
    if (!absent.isEmpty()) {
      String message =
          "--configurations %s: there are no data of configuration %s"
              .formatted(settings.configurations, shortened(absent));
      if (settings.strict) {
        throw new InputException(message + "; without --strict the others are computed");
      }
      onNotice.accept(message);
    }
    return new Ensemble(selected);
  }

  /** Numbers as a user writes them, not all of them if they are many. */
  private static String shortened(TreeSet<Integer> numbers) {
    String text = NumberSelection.text(numbers);
    int end = text.length() > MOST_TEXT ? text.lastIndexOf(", ", MOST_TEXT) : -1;
    return end < 0 ? text : text.substring(0, end) + ", … (" + numbers.size() + " in all)";
  }

  /** The file that a message begins with. */
  private static String firstWord(RuntimeException fault) {
    String message = String.valueOf(fault.getMessage());
    int colon = message.indexOf(':');
    return colon < 0 ? message : message.substring(0, colon);
  }

  private static String describe(SortedMap<Integer, Configuration> found) {
    if (found.isEmpty()) {
      return "no data were found";
    }
    String first =
        found.keySet().stream().limit(8).map(String::valueOf).collect(Collectors.joining(", "));
    return "the data have " + first + (found.size() > 8 ? ", … " + found.lastKey() : "");
  }

  /** The files of a configuration of the run. */
  Configuration configuration(int number) {
    return Objects.requireNonNull(configurations.get(number), "a configuration of the run");
  }

  /** What all configurations share. */
  DistillationHeader header() {
    return configuration(configurations.firstKey()).header();
  }

  /** Numbers of the configurations, ascending. */
  List<Integer> numbers() {
    return List.copyOf(configurations.keySet());
  }

  int temporalExtent() {
    return header().temporalExtent();
  }

  /** Why times are below T, for messages. */
  String extentReason() {
    return "T = " + temporalExtent() + " in ensemble '" + Printable.of(header().ensemble()) + "'";
  }
}
