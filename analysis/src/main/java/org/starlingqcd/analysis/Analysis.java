package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.text.Printable;

/** What tables, plots, pages and files show of an analysis. */
public interface Analysis {
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

  /** Tables in the order of text. */
  List<Table> tables();

  /** Tables in the order of a page, which has the plots above them. */
  default List<Table> pageTables() {
    return tables();
  }

  /** Plots by the end of their files' names; some may have no points. */
  Map<String, AnalysisPlot> plots();

  /** Nested maps and lists of all numbers; undefined values are null and have a remark. */
  Map<String, @Nullable Object> json();

  /** One number a row. */
  String csv();

  /** Writes everything with all samples to HDF5, replacing a file that exists. */
  void write(Path path);

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
              : String.format(
                  Locale.ROOT,
                  "bootstrap with %d samples of %d bins, seed %d",
                  resampling.samples(),
                  resampling.bins(),
                  resampling.seed());
    }
    int count = head.configurations().size();
    return String.format(
        Locale.ROOT,
        "%s on %s: %d configuration%s, %d source%s in all, %s",
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
    return String.format(
        Locale.ROOT,
        "configurations: %d, from %d to %d%s; bins of %d%s",
        numbers.size(),
        numbers.get(0),
        numbers.get(numbers.size() - 1),
        extent.isPresent() ? "; T = " + extent.getAsInt() : "",
        head().binSize(),
        head().subtracted() ? "; the vacuum is subtracted" : "");
  }
}
