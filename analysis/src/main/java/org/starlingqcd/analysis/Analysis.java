package org.starlingqcd.analysis;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What tables, plots, pages and files show of an analysis. */
public interface Analysis {
  /** The name of the result. */
  String name();

  /** The name of the ensemble. */
  String ensemble();

  /** Limitations of the numbers, in words. */
  List<String> warnings();

  /** One line: name, ensemble, statistics. */
  String heading();

  /** One line about configurations and bins. */
  String statistics();

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
}
