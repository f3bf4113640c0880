package org.starlingqcd.correlators.run;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationFiles.Configuration;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.text.Printable;

/**
 * The configurations of a run: those found, of which the user selected some.
 *
 * @param configurations by number
 */
record Ensemble(SortedMap<Integer, Configuration> configurations) {
  /**
   * Looks for the data.
   *
   * @param onFailure what is told of files and configurations that are left out; null when nothing
   *     may be left out
   */
  static Ensemble find(RunSettings settings, BiConsumer<String, RuntimeException> onFailure) {
    SortedMap<Integer, Configuration> found = new TreeMap<>();
    List<Configuration> all =
        settings.keepGoing()
            ? DistillationFiles.discover(
                settings.data(), fault -> onFailure.accept(firstWord(fault), fault))
            : DistillationFiles.discover(settings.data());
    for (Configuration configuration : all) {
      found.put(Math.toIntExact(configuration.number()), configuration);
    }
    SortedMap<Integer, Configuration> selected = new TreeMap<>(found);
    selected.keySet().removeIf(number -> !settings.configurations().contains(number));
    for (NumberSelection.Range range : settings.configurations().ranges()) {
      if (range.first() == range.last() && !found.containsKey(range.first())) {
        InputException missing =
            new InputException(
                "--configurations "
                    + settings.configurations()
                    + ": there are no data of configuration "
                    + range.first()
                    + "; "
                    + describe(found));
        if (!settings.keepGoing()) {
          throw missing;
        }
        onFailure.accept(Integer.toString(range.first()), missing);
      }
    }
    if (selected.isEmpty()) {
      throw new InputException(
          "no configuration to compute: --configurations "
              + settings.configurations()
              + "; "
              + describe(found));
    }
    return new Ensemble(selected);
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
    List<String> names = new ArrayList<>();
    for (int number : found.keySet()) {
      if (names.size() == 8) {
        names.add("… " + found.lastKey());
        break;
      }
      names.add(Integer.toString(number));
    }
    return "the data have " + String.join(", ", names);
  }

  /** The files of a configuration of the run. */
  Configuration configuration(int number) {
    Configuration configuration = configurations.get(number);
    if (configuration == null) {
      throw new IllegalArgumentException("no configuration of the run: number=" + number);
    }
    return configuration;
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
