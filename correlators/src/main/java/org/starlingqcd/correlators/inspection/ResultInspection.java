package org.starlingqcd.correlators.inspection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.common.collect.ImmutableMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.correlators.result.CurrentAxes;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;

/** Inspects a result file: its contents and what is missing from it. */
final class ResultInspection {
  private ResultInspection() {}

  /**
   * Inspects a file.
   *
   * @param verify whether the numbers are checked, configuration by configuration
   * @throws org.starlingqcd.correlators.InputException if it is not a result file or is cut short
   */
  static Report of(Path file, boolean verify) {
    try (ResultReader reader = ResultReader.open(file)) {
      ResultHeader header = reader.header();
      OptionalInt extent = header.temporalExtent();
      Integer temporalExtent = extent.isPresent() ? extent.getAsInt() : null;
      SortedMap<Integer, SortedSet<Integer>> missing = missing(reader);
      List<JsonNode> runs = reader.runs().stream().map(ResultInspection::parsed).toList();
      CurrentAxes currents = header.currents();
      Report report =
          new Report("result", file + ": result '" + header.name() + "'")
              .put("file", file.toString())
              .put("name", header.name())
              .both("ensemble", header.ensemble())
              .put("temporal_extent", temporalExtent);
      if (temporalExtent != null) {
        report.line("temporal extent", temporalExtent.toString());
      }
      report
          .both("precision", header.precision().label())
          .names("operators", header.operators())
          .put("separations", header.separations())
          .line("separations", NumberSelection.text(header.separations()));
      if (currents == null) {
        report.line("one-point functions", header.onePoint() ? "yes" : "no");
      } else {
        report
            .put("insertions", currents.insertions())
            .put("insertion_separations", currents.separations())
            .put("disconnected", !currents.disconnected().isEmpty())
            .names("source_operators", currents.sources())
            .line("insertions", String.join(", ", currents.insertions()))
            .line("insertion separations", NumberSelection.text(currents.separations()))
            .line("loops", currents.disconnected().isEmpty() ? "no" : "yes");
      }
      report
          .put("one_point_functions", header.onePoint() && currents == null)
          .put("configurations", units(reader.finished()))
          .put("missing", units(missing))
          .put("journal", reader.hasJournal())
          .put("checksums", reader.isChecksummed())
          .put("runs", runs);
      if (!runs.isEmpty()) {
        report.line("runs", runs.size() + " (settings and environment: --json)");
      }
      report.line("configurations", NumberSelection.text(reader.finished().keySet()));
      addBySources("sources", reader.finished(), report);
      addBySources("missing", missing, report);
      if (missing.isEmpty()) {
        report.line("missing", "nothing");
      }
      if (!reader.isChecksummed()) {
        report.line(
            "checksums",
            "none, so damage to the numbers may stay unseen: another program or an earlier version"
                + " wrote the file");
      }
      if (reader.hasJournal()) {
        report.line(
            "journal",
            "finished units wait beside the file or a run is at work; the next run merges them, and"
                + " completes those that lack operators or separations");
      }
      return report.faults(verify ? new ResultVerification(reader).faults() : List.of(), verify);
    }
  }

  private static JsonNode parsed(String run) {
    try {
      return new ObjectMapper().readTree(run);
    } catch (JsonProcessingException e) {
      return TextNode.valueOf(run);
    }
  }

  private static SortedMap<Integer, SortedSet<Integer>> missing(ResultReader reader) {
    SortedSet<Integer> configurations = new TreeSet<>(reader.finished().keySet());
    configurations.addAll(reader.requestedConfigurations());
    Set<Integer> sources = new TreeSet<>();
    sources.addAll(reader.requestedSources());
    if (sources.isEmpty()) {
      reader.finished().values().forEach(sources::addAll);
    }
    SortedMap<Integer, SortedSet<Integer>> missing = new TreeMap<>();
    for (int configuration : configurations) {
      SortedSet<Integer> lacking =
          Report.lacking(reader.finished().getOrDefault(configuration, new TreeSet<>()), sources);
      if (!lacking.isEmpty()) {
        missing.put(configuration, lacking);
      }
    }
    return missing;
  }

  private static List<Map<String, Object>> units(SortedMap<Integer, SortedSet<Integer>> units) {
    List<Map<String, Object>> list = new ArrayList<>();
    units.forEach(
        (configuration, sources) ->
            list.add(ImmutableMap.of("configuration", configuration, "sources", sources)));
    return list;
  }

  /** One line for all configurations that share the same sources. */
  private static void addBySources(
      String key, SortedMap<Integer, SortedSet<Integer>> units, Report report) {
    Map<SortedSet<Integer>, List<Integer>> grouped = new LinkedHashMap<>();
    units.forEach(
        (configuration, sources) ->
            grouped.computeIfAbsent(sources, s -> new ArrayList<>()).add(configuration));
    grouped.forEach(
        (sources, configurations) ->
            report.line(
                key,
                "source%s %s of configuration%s %s"
                    .formatted(
                        sources.size() == 1 ? "" : "s",
                        NumberSelection.text(sources),
                        configurations.size() == 1 ? "" : "s",
                        NumberSelection.text(configurations))));
  }
}
