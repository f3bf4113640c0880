package org.starlingqcd.correlators.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.InputException;
import org.starlingqcd.correlators.plan.PlanSettings;
import org.starlingqcd.memhc.MemHCOptions;

/**
 * What a run is to do: everything a user sets.
 *
 * @param definitions paths or names of definitions
 * @param data files, folders, globs of distillation data
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
 * @param readAhead host memory for data read ahead, or null for the program's choice
 * @param planning how the contractions are planned
 */
public record RunSettings(
    List<String> definitions,
    List<String> data,
    NumberSelection configurations,
    NumberSelection sources,
    int sourcesAtOnce,
    NumberSelection separations,
    Path out,
    DeviceSettings device,
    @Nullable Shard shard,
    boolean overwrite,
    boolean keepGoing,
    @Nullable MemorySize readAhead,
    PlanSettings planning) {
  private static final String DATA_OPTION = SettingName.DATA.option();

  /** Copies the lists. */
  public RunSettings {
    definitions = List.copyOf(definitions);
    data = List.copyOf(data);
  }

  /**
   * Settings from texts; what is not given has its default.
   *
   * @throws InputException when a text does not say what it has to say, or nothing says what to
   *     compute and from what
   */
  public static RunSettings of(Map<SettingName, List<String>> values) {
    return new RunSettings(
        required(values, SettingName.DEFINITIONS, "name at least one definition"),
        required(values, SettingName.DATA, "name files, folders or globs with " + DATA_OPTION),
        selection(values, SettingName.CONFIGURATIONS, "all"),
        selection(values, SettingName.SOURCES, "0"),
        values.containsKey(SettingName.SOURCES_AT_ONCE)
            ? number(values, SettingName.SOURCES_AT_ONCE, 1)
            : 1,
        selection(values, SettingName.SEPARATIONS, "all"),
        Path.of(single(values, SettingName.OUT, "results")),
        new DeviceSettings(
            single(values, SettingName.BACKEND, Backends.AUTO),
            number(values, SettingName.DEVICE),
            memory(values, SettingName.DEVICE_MEMORY),
            single(values, SettingName.EVICTION, MemHCOptions.DEFAULT_POLICY),
            number(values, SettingName.THREADS),
            new MemoryTiers(
                memory(values, SettingName.HOST_MEMORY),
                path(values, SettingName.SPILL_DIRECTORY),
                memory(values, SettingName.SPILL_LIMIT),
                values.containsKey(SettingName.RECOMPUTE)
                    ? number(values, SettingName.RECOMPUTE)
                    : null),
            path(values, SettingName.TRACE),
            flag(values, SettingName.EXACT)),
        values.containsKey(SettingName.SHARD)
            ? Shard.parse(single(values, SettingName.SHARD, ""))
            : null,
        flag(values, SettingName.OVERWRITE),
        flag(values, SettingName.KEEP_GOING),
        memory(values, SettingName.READ_AHEAD),
        PlanSettings.of(values));
  }

  private static List<String> required(
      Map<SettingName, List<String>> values, SettingName name, String remedy) {
    List<String> texts = values.getOrDefault(name, List.of());
    if (texts.isEmpty()) {
      throw new InputException("no " + name.key() + " given; " + remedy);
    }
    return texts;
  }

  private static NumberSelection selection(
      Map<SettingName, List<String>> values, SettingName name, String standard) {
    return NumberSelection.parse(
        name.option(), String.join(",", values.getOrDefault(name, List.of(standard))));
  }

  public static String single(
      Map<SettingName, List<String>> values, SettingName name, String standard) {
    List<String> texts = values.getOrDefault(name, List.of(standard));
    if (texts.size() != 1) {
      throw new InputException(name.option() + ": expected one value, found " + texts);
    }
    return texts.get(0);
  }

  private static int number(Map<SettingName, List<String>> values, SettingName name) {
    return values.containsKey(name) ? number(values, name, 0) : 0;
  }

  private static int number(Map<SettingName, List<String>> values, SettingName name, int least) {
    String text = single(values, name, "");
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new InputException(
        name.option() + " " + text + ": expected a number from " + least + " on");
  }

  private static @Nullable Path path(Map<SettingName, List<String>> values, SettingName name) {
    return values.containsKey(name) ? Path.of(single(values, name, "")) : null;
  }

  private static @Nullable MemorySize memory(
      Map<SettingName, List<String>> values, SettingName name) {
    return values.containsKey(name) ? MemorySize.parse(single(values, name, "")) : null;
  }

  private static boolean flag(Map<SettingName, List<String>> values, SettingName name) {
    String text = single(values, name, "false");
    if (!text.equals("true") && !text.equals("false")) {
      throw new InputException(name.option() + " " + text + ": expected true or false");
    }
    return text.equals("true");
  }

  /** The settings as they are written in a settings file, in its order. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("definitions", definitions);
    map.put("data", data);
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
    if (readAhead != null) {
      map.put("read_ahead", readAhead.toString());
    }
    map.putAll(planning.describe());
    return map;
  }
}
