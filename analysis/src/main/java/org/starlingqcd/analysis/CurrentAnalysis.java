package org.starlingqcd.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;

/**
 * The analysis of three-point functions: ratios that tend to matrix elements.
 *
 * @param data the data
 * @param part which Wick contractions of the current
 * @param head what it was made of and how
 * @param ratios by insertion, sink, source, t where it depends on it, and dt
 * @param fits to the two-point functions of both sides
 * @param warnings limitations of the numbers, in words
 */
public record CurrentAnalysis(
    CurrentData data,
    CurrentSettings.Part part,
    Head head,
    Map<Kind, Table> ratios,
    Table fits,
    List<String> warnings)
    implements Analysis {
  /** What is formed of a three-point function C(t) with the two-point functions of both sides. */
  enum Kind {
    /** C(t) / C_f(dt) times the root of two-point functions. */
    PLATEAU("plateau ratio", true),
    /** C(t) / C₂(dt), the same operator at both ends. */
    FORWARD("forward ratio", true),
    /** The sum of the ratio over t strictly between the ends. */
    SUM("sum", false),
    /** Its difference between neighbouring separations, by dt. */
    SLOPE("slope", false),
    /** The sum of the forward ratio over all t. */
    FEYNMAN_HELLMANN("FH sum", false),
    /** Its difference likewise. */
    FEYNMAN_HELLMANN_SLOPE("FH slope", false),
    /** C(t) without the overlaps and exponentials of fits to the two-point functions. */
    OPTIMIZED("optimized operators", true);

    /** In tables. */
    final String title;

    /** Whether it depends on t. */
    final boolean byTime;

    Kind(String title, boolean byTime) {
      this.title = title;
      this.byTime = byTime;
    }

    /** The name in files. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The table of it, without rows. */
    Table table() {
      String keys = "insertion sink source " + (byTime ? Table.TIME + " " : "") + Table.SEPARATION;
      return new Table(label(), title, 3, keys, Table.COMPLEX, new ArrayList<>());
    }
  }

  /**
   * Analyses three-point functions.
   *
   * @param sink two-point functions of the sink's operators, in their order; null where those of
   *     the result or of the source serve
   * @param source likewise of the source
   * @param options resampling, subtraction of the vacuum, the generalized eigenvalue problem of
   *     both sides, and how the two-point functions are fitted
   * @throws InputException if two-point functions are missing, or the options do not fit the data
   */
  public static CurrentAnalysis of(
      CurrentData data,
      @Nullable CorrelatorData sink,
      @Nullable CorrelatorData source,
      AnalysisSettings options,
      CurrentSettings currents) {
    if (!data.hasEqualSides() && (sink == null || source == null)) {
      throw InputException.of(
          "%s: sink %s and source %s have operators of their own, and ratios need the two-point"
              + " functions of both: %s is missing",
          data.name(),
          data.sinkOperators(),
          data.sourceOperators(),
          sink == null ? "--sink-two-point FILE" : "--source-two-point FILE");
    }
    CorrelatorData ofSink = sink != null ? sink : source != null ? source : data.twoPoint();
    CorrelatorData ofSource = source != null ? source : ofSink;
    CurrentSide f =
        CurrentSide.of(data, ofSink, options, currents.sinkState, currents.window(true));
    CurrentSide i =
        CurrentSide.of(data, ofSource, options, currents.sourceState, currents.window(false));
    return new CurrentRatios(data, options, currents, f, i).analysis();
  }

  @Override
  public List<Table> tables() {
    List<Table> all = new ArrayList<>(ratios.values());
    if (!fits.rows().isEmpty()) {
      all.add(fits);
    }
    return all;
  }

  /**
   * Ratios over t with a series for each dt, and differences of sums over dt; each the part that is
   * larger.
   */
  @Override
  public Map<String, AnalysisPlot> plots() {
    Set<List<Object>> blocks = new LinkedHashSet<>();
    ratios.values().forEach(table -> blocks.addAll(table.parts().keySet()));
    Map<String, AnalysisPlot> plots = new LinkedHashMap<>();
    Map<String, Integer> parts = new HashMap<>();
    for (List<Object> block : blocks) {
      for (Kind kind : ratios.keySet()) {
        Table table = ratios.getOrDefault(kind, fits).part(block);
        if (kind == Kind.SUM || kind == Kind.FEYNMAN_HELLMANN || table.rows().isEmpty()) {
          continue;
        }
        String what = String.join("_", block.stream().map(String::valueOf).toList());
        String name = AnalysisOutput.fileName(what + "_" + (kind.byTime ? kind.label() : "slopes"));
        int part = parts.computeIfAbsent(name, x -> table.size(0) >= table.size(1) ? 0 : 1);
        plots
            .computeIfAbsent(
                name,
                x ->
                    new AnalysisPlot(
                        "%s: %s, %s <- %s on %s"
                            .formatted(
                                data.name(),
                                block.get(0),
                                block.get(1),
                                block.get(2),
                                data.ensemble()),
                        (kind.byTime ? kind.title : "difference of sums")
                            + (part == 0 ? ", real part" : ", imaginary part"),
                        kind.byTime ? "t - ti (lattice units)" : AnalysisPlot.SEPARATION,
                        false))
            .addAll(kind.byTime ? table.curves(part) : List.of(table.curve(kind.title, part)));
      }
    }
    return plots;
  }

  @Override
  public Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("format", "current_analysis");
    facts.put("sink_operators", data.sinkOperators());
    facts.put("source_operators", data.sourceOperators());
    facts.put("insertions", data.insertions());
    facts.put("separations", data.separations());
    facts.put("insertion_separations", data.insertionSeparations());
    facts.put("part", part.toString());
    return facts;
  }
}
