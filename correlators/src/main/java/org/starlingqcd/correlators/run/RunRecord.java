package org.starlingqcd.correlators.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
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
    try {
      return new ObjectMapper().writeValueAsString(map);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not representable as JSON: " + map, e);
    }
  }

  /** The name of the machine. */
  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
