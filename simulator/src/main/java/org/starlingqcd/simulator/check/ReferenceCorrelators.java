package org.starlingqcd.simulator.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.DeviceSettings;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.data.DistillationFiles;
import org.starlingqcd.hadron.data.DistillationHeader;

/**
 * Runs shipped definitions on the bundled configurations and compares the results with reference
 * correlators. Two independent programs computed these by brute force, every permutation on its
 * own, and agree to 1e-14.
 */
public final class ReferenceCorrelators {
  /**
   * Bound on the error of C_ij, relative to √|C_ii C_jj| at the same separation, and of a one-point
   * function, relative to the largest at its time; with N = 8 rounding errors are far smaller.
   */
  private static final double TOLERANCE = 1e-11;

  private static final String ENDING = ".h5";
  private static final double[] NONE = {};

  /** What errors of complex number k of a block are relative to. */
  private interface Scale {
    double of(double[] block, int k);
  }

  private final Path examples;
  private final Path references;

  /**
   * References in the folder {@code examples} that is shipped with the program.
   *
   * @throws InputException when the folder does not hold data and references
   */
  public ReferenceCorrelators(Path examples) {
    this.examples = examples;
    Path data = examples.resolve("data");
    references = examples.resolve("reference");
    if (!Files.isDirectory(data) || !Files.isDirectory(references)) {
      throw new InputException(
          examples + ": not the examples of starling, which hold the folders data and reference");
    }
  }

  /** Names of the definitions for which there is a reference, sorted. */
  public List<String> names() {
    return list(references).stream()
        .map(file -> String.valueOf(file.getFileName()))
        .filter(name -> name.endsWith(ENDING))
        .map(name -> name.substring(0, name.length() - ENDING.length()))
        .sorted()
        .toList();
  }

  private static List<Path> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new InputException(folder + ": cannot be listed: " + e, e);
    }
  }

  /**
   * Runs a definition and compares every number of its reference.
   *
   * @param name one of {@link #names}
   */
  public CheckOutcome check(String name, DeviceSettings device) {
    String title = device.memory == null ? name : name + " in " + device.memory + " bytes";
    return CheckOutcome.of(title, () -> compare(name, device));
  }

  private String compare(String name, DeviceSettings device) {
    try (TemporaryFolder out = new TemporaryFolder();
        ResultReader reference = ResultReader.open(references.resolve(name + ENDING))) {
      SortedMap<Integer, SortedSet<Integer>> units = reference.finished();
      new CorrelatorRun(
              settings(name, reference, units, device, out.resolve("results")), RunListener.NONE)
          .execute();
      double largest = 0;
      try (ResultReader result = ResultReader.open(out.resolve("results").resolve(name + ENDING))) {
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
                      ReferenceCorrelators::ofDiagonals,
                      where + " source "));
          largest =
              Math.max(
                  largest,
                  compare(
                      expected.onePoint(),
                      actual.onePoint(),
                      1,
                      (vector, k) -> largest(vector),
                      where + " one-point time "));
        }
      }
      return String.format(Locale.US, "largest error %.1g, bound %.0e", largest, TOLERANCE);
    }
  }

  private RunSettings settings(
      String name,
      ResultReader reference,
      SortedMap<Integer, SortedSet<Integer>> units,
      DeviceSettings device,
      Path out) {
    RunSettings settings =
        RunSettings.of(List.of(name), List.of(data(reference.header().ensemble()).toString()), out);
    settings.configurations = NumberSelection.of(units.keySet());
    settings.sources =
        NumberSelection.of(units.values().stream().flatMap(times -> times.stream()).toList());
    settings.separations = NumberSelection.of(reference.header().separations());
    settings.device = device;
    return settings;
  }

  /** The folder of an ensemble's data: one of those whose names begin with {@code data}. */
  private Path data(String ensemble) {
    for (Path folder : list(examples)) {
      if (!String.valueOf(folder.getFileName()).startsWith("data")) {
        continue;
      }
      DistillationHeader header =
          DistillationFiles.discover(List.of(folder.toString())).get(0).header();
      if (header.ensemble().equals(ensemble)) {
        return folder;
      }
    }
    throw new InputException(examples + ": no folder data… holds the ensemble '" + ensemble + "'");
  }

  /**
   * Compares corresponding arrays of {@code parts} matrices or vectors each.
   *
   * @return the largest error relative to its scale
   */
  private static double compare(
      SortedMap<Integer, double[]> expected,
      SortedMap<Integer, double[]> actual,
      int parts,
      Scale rule,
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
        double[] matrix = Arrays.copyOfRange(a, part * size, (part + 1) * size);
        for (int k = 0; k < size; k++) {
          int number = part * size + k;
          double scale = rule.of(matrix, k / 2);
          double error = Math.abs(matrix[k] - b[number]);
          if (!(error <= TOLERANCE * scale)) {
            throw new IllegalStateException(
                where + time + " number " + number + ": " + b[number] + " instead of " + a[number]);
          }
          largest = Math.max(largest, scale > 0 ? error / scale : 0);
        }
      }
    }
    return largest;
  }

  /** √|C_ii C_jj| of complex number k of a matrix [i][j], from its own diagonal. */
  private static double ofDiagonals(double[] matrix, int k) {
    int n = (int) Math.round(Math.sqrt(matrix.length / 2.0));
    return Math.sqrt(modulus(matrix, k / n * (n + 1)) * modulus(matrix, k % n * (n + 1)));
  }

  private static double largest(double[] vector) {
    double largest = 0;
    for (int k = 0; k < vector.length / 2; k++) {
      largest = Math.max(largest, modulus(vector, k));
    }
    return largest;
  }

  private static double modulus(double[] numbers, int k) {
    return Math.hypot(numbers[2 * k], numbers[2 * k + 1]);
  }
}
