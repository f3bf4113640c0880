package org.starlingqcd.arrays;

import java.util.LinkedHashMap;
import java.util.Map;
import org.starlingqcd.memhc.cache.MemoryStatistics;

/**
 * What an {@link ArrayCache} has done.
 *
 * @param protocol when bytes move
 * @param lookups operands of calls that were looked up
 * @param records records there are now
 * @param merges look-ups that joined several records to one
 * @param messages copies between the host and the device
 * @param memory the counters of MemHC, bytes both ways among them
 */
public record ArrayStatistics(
    CoherenceProtocol protocol,
    long lookups,
    int records,
    long merges,
    long messages,
    MemoryStatistics memory) {
  /** The {@code memory} object of JSON output. */
  public Map<String, Object> describe() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("protocol", protocol.label());
    map.put("lookups", lookups);
    map.put("merges", merges);
    map.put("messages", messages);
    map.putAll(memory.describe());
    return map;
  }
}
