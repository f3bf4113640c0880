package org.starlingqcd.correlators.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starlingqcd.correlators.JsonText;
import org.starlingqcd.correlators.Version;

/** What a result keeps of a run: who computed it, how and where. */
final class RunRecord {
  private final RunSettings settings;
  private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  /** The record of a run that starts now. */
  RunRecord(RunSettings settings) {
    this.settings = settings;
  }

  /**
   * The record as JSON.
   *
   * @param runId the run in the result that keeps it
   * @param summary what the run has done, empty while it is at work
   */
  String json(String runId, Map<String, Object> summary) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", runId);
    map.put("program", "starling " + Version.text());
    map.put("started", started.toString());
    map.put("host", host());
    map.put("java", Runtime.version().toString());
    map.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    map.put("settings", settings.describe());
    map.putAll(summary);
    return JsonText.of(map);
  }

  /** The name of the machine, as Linux keeps it: asking Java for it asks name servers too. */
  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
