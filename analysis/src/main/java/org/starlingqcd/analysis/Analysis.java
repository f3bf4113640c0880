package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;
import org.starlingqcd.hadron.text.Printable;

/** What tables, plots, pages and files show of an analysis. */
public interface Analysis {
  /** Of the layout of HDF5. */
  long FORMAT_VERSION = 2;

  /**
   * What it was made of and how.
   *
   * @param name the name of the result
   * @param configurations their numbers
   * @param units pairs of configuration and source
   * @param temporalExtent T, where it is known
   * @param binSize least number of configurations per bin
   * @param subtracted whether the vacuum was subtracted
   */
  record Head(
      String name,
      String ensemble,
      List<Integer> configurations,
      int units,
      OptionalInt temporalExtent,
      Resampling resampling,
      int binSize,
      boolean subtracted) {}

  /** What it was made of and how. */
  Head head();

  /** Limitations of the numbers, in words. */
  List<String> warnings();

  /** All tables in the order of text. */
  List<Table> tables();

  /** Plots by the end of their files' names; some may have no points. */
  Map<String, AnalysisPlot> plots();

  /** What else it was made of: operators, axes and options by name, and the {@code format}. */
  Map<String, Object> facts();

  /** Everything by name; undefined numbers are null and have a remark. */
  default Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>(description());
    map.putAll(Table.tree(tables()));
    map.put("warnings", warnings());
    return map;
  }

  private Map<String, Object> description() {
    Head head = head();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", head.name());
    map.put("ensemble", head.ensemble());
    map.putAll(facts());
    map.put("configurations", head.configurations());
    head.temporalExtent().ifPresent(extent -> map.put("temporal_extent", extent));
    map.put("resampling", head.resampling().method().toString());
    map.put("bin_size", head.binSize());
    map.put("bins", head.resampling().bins());
    map.put("samples", head.resampling().samples());
    map.put("seed", head.resampling().seed());
    map.put("vacuum_subtracted", head.subtracted());
    return map;
  }

  /** Writes everything with all samples to HDF5, replacing a file that exists. */
  default void write(Path path) {
    Resampling resampling = head().resampling();
    try (Hdf5File file = Hdf5File.create(path)) {
      Hdf5Attributes root = file.attributes("/");
      root.put("format_version", FORMAT_VERSION);
      description().forEach((key, value) -> Table.put(root, key, value));
      tables().forEach(table -> table.write(file));
      if (resampling.method() == Resampling.Method.BOOTSTRAP) {
        // The bins of every sample, which pyerrors and others need to keep correlations.
        int bins = resampling.bins();
        int samples = resampling.samples();
        try (Hdf5Dataset dataset =
            file.createDataset(
                "multiplicities",
                ElementType.INTEGER,
                new long[] {samples, bins},
                DatasetOptions.CONTIGUOUS)) {
          dataset.writeIntegers(
              IntStream.range(0, samples * bins)
                  .mapToLong(k -> resampling.multiplicity(k / bins, k % bins))
                  .toArray());
        }
      }
    }
  }

  /** The name of the result. */
  default String name() {
    return head().name();
  }

  /** One line: name, ensemble, statistics. */
  default String heading() {
    Head head = head();
    Resampling resampling = head.resampling();
    String errors = "no errors";
    if (resampling.samples() > 0) {
      errors =
          resampling.method() == Resampling.Method.JACKKNIFE
              ? "jackknife over " + resampling.bins() + " bins"
              : "bootstrap with %s samples of %s bins, seed %s"
                  .formatted(resampling.samples(), resampling.bins(), resampling.seed());
    }
    int count = head.configurations().size();
    return "%s on %s: %s configuration%s, %s source%s in all, %s"
        .formatted(
            head.name(),
            Printable.of(head.ensemble()),
            count,
            count == 1 ? "" : "s",
            head.units(),
            head.units() == 1 ? "" : "s",
            errors);
  }

  /** One line about configurations, T, bins and the vacuum. */
  default String statistics() {
    List<Integer> numbers = head().configurations();
    OptionalInt extent = head().temporalExtent();
    return "configurations: %s, from %s to %s%s; bins of %s%s"
        .formatted(
            numbers.size(),
            numbers.get(0),
            numbers.get(numbers.size() - 1),
            extent.isPresent() ? "; T = " + extent.getAsInt() : "",
            head().binSize(),
            head().subtracted() ? "; the vacuum is subtracted" : "");
  }
}
