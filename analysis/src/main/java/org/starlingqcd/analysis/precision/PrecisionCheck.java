package org.starlingqcd.analysis.precision;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.CorrelatorRun;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.correlators.run.RunListener;
import org.starlingqcd.correlators.run.RunSettings;
import org.starlingqcd.hadron.data.DistillationFiles;

/**
 * One unit of a run in double and in single precision.
 *
 * @param comparisons one for each definition
 */
public record PrecisionCheck(List<PrecisionComparison> comparisons) {

  /** Copies the list. */
  public PrecisionCheck {
    comparisons = List.copyOf(comparisons);
  }

  /**
   * Computes the first configuration and source of a run in both precisions. Results go to a
   * temporary folder; those in the run's own folder are only read, for their statistical errors.
   *
   * @throws InputException when something the user gave is wrong
   */
  public static PrecisionCheck of(RunSettings settings, RunListener listener) {
    int configuration =
        DistillationFiles.discover(settings.data()).stream()
            .mapToInt(found -> Math.toIntExact(found.number()))
            .filter(settings.configurations()::contains)
            .min()
            .orElseThrow(
                () ->
                    new InputException(
                        "--configurations " + settings.configurations() + ": the data have none"));
    List<NumberSelection.Range> sources = settings.sources().ranges();
    int source = sources.isEmpty() ? 0 : sources.get(0).first();
    try {
      Path folder = Files.createTempDirectory("starling-precision-");
      try {
        for (Precision precision : Precision.values()) {
          RunSettings one =
              settings.unit(configuration, source, folder.resolve(precision.label()), precision);
          new CorrelatorRun(one, listener).execute();
        }
        return compared(folder, settings.out());
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder: " + e.getMessage(), e);
    }
  }

  private static PrecisionCheck compared(Path folder, Path results) throws IOException {
    List<PrecisionComparison> comparisons = new ArrayList<>();
    for (Path file : sorted(folder.resolve(Precision.DOUBLE.label()))) {
      Path other = folder.resolve(Precision.SINGLE.label()).resolve(file.getFileName());
      try (ResultReader exact = ResultReader.open(file);
          ResultReader rounded = ResultReader.open(other)) {
        comparisons.add(
            PrecisionComparison.of(
                exact,
                rounded,
                StatisticalErrors.of(
                    results.resolve(file.getFileName()), exact.header().ensemble())));
      }
    }
    return new PrecisionCheck(comparisons);
  }

  private static List<Path> sorted(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".h5")).sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The object of JSON. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("definitions", comparisons.stream().map(PrecisionComparison::describe).toList());
    return map;
  }

  /** The same as text. */
  public String text() {
    return comparisons.stream()
        .map(PrecisionComparison::text)
        .collect(Collectors.joining(System.lineSeparator()));
  }
}
