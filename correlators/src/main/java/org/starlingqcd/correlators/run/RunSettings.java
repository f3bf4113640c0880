package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.hadron.data.DataRequest;

/**
 * What a run is to do: everything a user sets.
 *
 * @param definitions paths or names of definitions
 * @param data the distillation data
 * @param configurations configurations
 * @param sources source times
 * @param sourcesAtOnce most sources of a configuration that are computed together, so that what
 *     lives on the sink alone is made once for all of them
 * @param separations separations
 * @param out folder of the results
 * @param device where the contractions run
 * @param shard the part of the work to do, or null for all of it
 * @param overwrite whether existing results are thrown away
 * @param keepGoing whether a bad configuration is skipped
 * @param input how data are read and kept
 * @param planning how the contractions are planned
 */
public record RunSettings(
    List<String> definitions,
    DataRequest data,
    NumberSelection configurations,
    NumberSelection sources,
    int sourcesAtOnce,
    NumberSelection separations,
    Path out,
    DeviceSettings device,
    @Nullable Shard shard,
    boolean overwrite,
    boolean keepGoing,
    InputSettings input,
    PlanSettings planning) {
  /**
   * Copies the lists.
   *
   * @throws InputException when there is no definition or no data
   */
  public RunSettings {
    definitions = List.copyOf(definitions);
    if (definitions.isEmpty()) {
      throw new InputException(
          "no definitions given; name at least one, such as rho_pipi (`starling definitions` lists those"
              + " that come with the program)");
    }
    if (data.paths().isEmpty()) {
      throw new InputException("no data given; name files, folders or globs with --data");
    }
  }

  /**
   * One unit of it in a given precision, with its results in another folder.
   *
   * @param folder of the results
   */
  public RunSettings unit(int configuration, int source, Path folder, Precision precision) {
    return new RunSettings(
        definitions,
        data,
        NumberSelection.of(List.of(configuration)),
        NumberSelection.of(List.of(source)),
        1,
        separations,
        folder,
        device.in(precision),
        null,
        false,
        false,
        input,
        planning);
  }

  /** The settings as they are written in a settings file, in its order. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("definitions", definitions);
    map.put("data", data.paths());
    if (!data.labels().isEmpty()) {
      map.put(
          "labels",
          String.join(
              ",",
              new TreeMap<>(data.labels())
                  .entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList()));
    }
    if (data.mapping() != null) {
      map.put("mapping", data.mapping().toString());
    }
    map.put("configurations", configurations.toString());
    map.put("sources", sources.toString());
    if (sourcesAtOnce > 1) {
      map.put("sources_at_once", sourcesAtOnce);
    }
    map.put("separations", separations.toString());
    map.put("out", out.toString());
    map.putAll(device.describe());
    if (shard != null) {
      map.put("shard", shard.toString());
    }
    map.put("keep_going", keepGoing);
    map.putAll(input.describe());
    map.putAll(planning.describe());
    return map;
  }
}
