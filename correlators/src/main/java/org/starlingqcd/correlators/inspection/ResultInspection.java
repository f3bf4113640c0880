package org.starlingqcd.correlators.inspection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.Listing;
import org.starlingqcd.correlators.result.ResultHeader;
import org.starlingqcd.correlators.result.ResultReader;
import org.starlingqcd.correlators.run.NumberSelection;

/**
 * The contents of a result file and what is missing from it.
 *
 * @param file the file
 * @param header the header of the file
 * @param finished the configurations of the file, with their sources
 * @param missing configurations with the sources they lack, among those that runs requested; if the
 *     file does not name these, among those that other configurations have
 * @param journal whether a journal beside the file has units that are not merged yet
 * @param runs settings and environment of the runs that contributed
 * @param verified whether the numbers were checked
 * @param faults descriptions of faults; only with {@code verified}
 */
public record ResultInspection(
    Path file,
    ResultHeader header,
    SortedMap<Integer, SortedSet<Integer>> finished,
    SortedMap<Integer, SortedSet<Integer>> missing,
    boolean journal,
    List<JsonNode> runs,
    boolean verified,
    List<String> faults) {

  /** Copies the lists. */
  public ResultInspection {
    runs = List.copyOf(runs);
    faults = List.copyOf(faults);
  }

  /**
   * Inspects a file.
   *
   * @param verify whether the numbers are checked, configuration by configuration
   * @throws org.starlingqcd.correlators.InputException when it is not a result file or is cut short
   */
  public static ResultInspection of(Path file, boolean verify) {
    try (ResultReader reader = ResultReader.open(file)) {
      return new ResultInspection(
          file,
          reader.header(),
          reader.finished(),
          missing(reader),
          reader.hasJournal(),
          reader.runs().stream().map(ResultInspection::parsed).toList(),
          verify,
          verify ? new ResultVerification(reader).faults() : List.of());
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
      SortedSet<Integer> lacking = new TreeSet<>(sources);
      lacking.removeAll(reader.finished().getOrDefault(configuration, new TreeSet<>()));
      if (!lacking.isEmpty()) {
        missing.put(configuration, lacking);
      }
    }
    return missing;
  }

  /** The record that {@code starling inspect --json} prints. */
  public Map<String, @Nullable Object> describe() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("kind", "result");
    map.put("file", file.toString());
    map.put("name", header.name());
    map.put("ensemble", header.ensemble());
    map.put(
        "temporal_extent",
        header.temporalExtent().isPresent() ? header.temporalExtent().getAsInt() : null);
    map.put("precision", header.precision().label());
    map.put("operators", header.operators());
    map.put("separations", header.separations());
    map.put("one_point_functions", header.onePoint());
    map.put("configurations", units(finished));
    map.put("missing", units(missing));
    map.put("journal", journal);
    map.put("runs", runs);
    if (verified) {
      map.put("faults", faults);
    }
    return map;
  }

  private static List<Map<String, Object>> units(SortedMap<Integer, SortedSet<Integer>> units) {
    List<Map<String, Object>> list = new ArrayList<>();
    units.forEach(
        (configuration, sources) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("configuration", configuration);
          entry.put("sources", sources);
          list.add(entry);
        });
    return list;
  }

  /** The same as text. */
  public String text() {
    Listing text = new Listing(Inspection.COLUMN);
    text.heading(file + ": result '" + header.name() + "'");
    text.line("  ensemble", header.ensemble());
    if (header.temporalExtent().isPresent()) {
      text.line("  temporal extent", Integer.toString(header.temporalExtent().getAsInt()));
    }
    text.line("  precision", header.precision().label());
    text.line(
        "  operators", header.operators().size() + ": " + String.join(", ", header.operators()));
    text.line("  separations", NumberSelection.text(header.separations()));
    text.line("  one-point functions", header.onePoint() ? "yes" : "no");
    if (!runs.isEmpty()) {
      text.line("  runs", runs.size() + " (settings and environment: --json)");
    }
    text.line("  configurations", NumberSelection.text(finished.keySet()));
    bySources("sources", finished, text);
    if (missing.isEmpty()) {
      text.line("  missing", "nothing");
    } else {
      bySources("missing", missing, text);
    }
    if (journal) {
      text.line(
          "  journal",
          "finished units wait beside the file or a run is at work; the next run merges them, and"
              + " completes those that lack operators or separations");
    }
    if (verified) {
      Inspection.addFaults(faults, text);
    }
    return text.toString();
  }

  /** One line for all configurations that share the same sources. */
  private static void bySources(
      String key, SortedMap<Integer, SortedSet<Integer>> units, Listing text) {
    Map<SortedSet<Integer>, List<Integer>> grouped = new LinkedHashMap<>();
    units.forEach(
        (configuration, sources) ->
            grouped.computeIfAbsent(sources, s -> new ArrayList<>()).add(configuration));
    grouped.forEach(
        (sources, configurations) ->
            text.line(
                "  " + key,
                String.format(
                    Locale.ROOT,
                    "%s of configuration%s %s",
                    sources.size() == 1
                        ? "source " + NumberSelection.text(sources)
                        : "sources " + NumberSelection.text(sources),
                    configurations.size() == 1 ? "" : "s",
                    NumberSelection.text(configurations))));
  }
}
