package org.starlingqcd.simulator.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;

/**
 * Runs of the shipped definitions on the bundled configurations, compared with correlators that
 * were computed by brute force: every permutation on its own, by two independent programs, which
 * agree to 1e-14.
 */
public final class ReferenceCorrelators {
  /**
   * Bound on an error, relative to the largest number of a matrix at one separation; N = 8 keeps
   * rounding far below.
   */
  private static final double TOLERANCE = 1e-11;

  private static final String ENDING = ".h5";
  private static final double[] NONE = {};

  private final Path data;
  private final Path references;

  /**
   * References of the folder {@code examples} that comes with the program.
   *
   * @throws InputException when it does not hold data and references
   */
  public ReferenceCorrelators(Path examples) {
    data = examples.resolve("data");
    references = examples.resolve("reference");
    if (!Files.isDirectory(data) || !Files.isDirectory(references)) {
      throw new InputException(
          examples + ": not the examples of starling, which hold the folders data and reference");
    }
  }

  /** Names of the definitions for which there is a reference, sorted. */
  public List<String> names() {
    try (Stream<Path> files = Files.list(references)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new InputException(references + ": cannot be listed: " + e, e);
    }
  }

  /**
   * Runs a definition and compares every number of its reference.
   *
   * @param name one of {@link #names}
   */
  public CheckOutcome check(String name, DeviceSettings device) {
    String title = device.memory() == null ? name : name + " in " + device.memory() + " bytes";
    return CheckOutcome.of(title, () -> compare(name, device));
  }

  private String compare(String name, DeviceSettings device) {
    Path out = temporaryFolder();
    try (ResultReader reference = ResultReader.open(references.resolve(name + ENDING))) {
      SortedMap<Integer, SortedSet<Integer>> units = reference.finished();
      new CorrelatorRun(settings(name, reference, units, device, out), RunListener.NONE).execute();
      double largest = 0;
      try (ResultReader result = ResultReader.open(out.resolve(name + ENDING))) {
        for (int configuration : units.keySet()) {
          ResultReader.Configuration expected = reference.read(configuration);
          ResultReader.Configuration actual = result.read(configuration);
          String where = "configuration " + configuration;
          largest =
              Math.max(
                  largest,
                  compare(
                      expected.correlators(),
                      actual.correlators(),
                      reference.header().separations().size(),
                      where + " source "));
          largest =
              Math.max(
                  largest,
                  compare(expected.onePoint(), actual.onePoint(), 1, where + " one-point time "));
        }
      }
      return String.format(Locale.ROOT, "largest error %.1g, bound %.0e", largest, TOLERANCE);
    } finally {
      delete(out);
    }
  }

  private RunSettings settings(
      String name,
      ResultReader reference,
      SortedMap<Integer, SortedSet<Integer>> units,
      DeviceSettings device,
      Path out) {
    return new RunSettings(
        List.of(name),
        List.of(data.toString()),
        selection(units.keySet()),
        selection(
            units.values().stream().flatMap(times -> times.stream()).distinct().toList()),
        1,
        selection(reference.header().separations()),
        out,
        device,
        null,
        false,
        false,
        null,
        PlanSettings.defaults());
  }

  private static NumberSelection selection(Iterable<Integer> numbers) {
    StringBuilder text = new StringBuilder();
    numbers.forEach(number -> text.append(text.isEmpty() ? "" : ",").append(number));
    return NumberSelection.parse(text.toString());
  }

  /**
   * Compares matrices of the same place, {@code parts} of them in a row.
   *
   * @return the largest error relative to the largest number of its matrix
   */
  private static double compare(
      SortedMap<Integer, double[]> expected,
      SortedMap<Integer, double[]> actual,
      int parts,
      String where) {
    if (!expected.keySet().equals(actual.keySet())) {
      throw new IllegalStateException(
          where + ": " + actual.keySet() + " instead of " + expected.keySet());
    }
    double largest = 0;
    for (Map.Entry<Integer, double[]> entry : expected.entrySet()) {
      int time = entry.getKey();
      double[] a = entry.getValue();
      double[] b = actual.getOrDefault(time, NONE);
      if (a.length != b.length) {
        throw new IllegalStateException(
            where + time + ": " + b.length + " numbers instead of " + a.length);
      }
      int size = a.length / parts;
      for (int part = 0; part < parts; part++) {
        double scale = 0;
        for (int k = part * size; k < (part + 1) * size; k += 2) {
          scale = Math.max(scale, Math.hypot(a[k], a[k + 1]));
        }
        for (int k = part * size; k < (part + 1) * size; k++) {
          double error = Math.abs(a[k] - b[k]);
          if (!(error <= TOLERANCE * scale)) {
            throw new IllegalStateException(
                where + time + " number " + k + ": " + b[k] + " instead of " + a[k]);
          }
          largest = Math.max(largest, scale > 0 ? error / scale : 0);
        }
      }
    }
    return largest;
  }

  /** A new folder for results, to be given to {@link #delete}. */
  static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("starling-check");
    } catch (IOException e) {
      throw new InputException(
          "no folder for temporary files can be made (java.io.tmpdir): " + e, e);
    }
  }

  /** Deletes a folder and what it holds. */
  static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
