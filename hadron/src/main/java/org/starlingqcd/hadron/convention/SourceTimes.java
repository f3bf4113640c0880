package org.starlingqcd.hadron.convention;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Source times against sink times: solving costs as much as there are sources, and every solution
 * gives all sinks, so the time with fewer values is the source's.
 */
final class SourceTimes implements Measurement {
  static final String TEST = "source-times";

  private static final String EXPECTED = "no more source times than sink times";

  private final TreeMap<String, TreeSet<Integer>> sources = new TreeMap<>();
  private final TreeMap<String, TreeSet<Integer>> sinks = new TreeMap<>();

  @Override
  public void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      TreeSet<Integer> found = sinks.computeIfAbsent(label, key -> new TreeSet<>());
      TreeSet<Integer> starts = sources.computeIfAbsent(label, key -> new TreeSet<>());
      for (int source : blocks.data().sourceTimes(label)) {
        starts.add(source);
        for (int sink = 0; sink < blocks.temporalExtent(); sink++) {
          if (blocks.hasPerambulator(label, sink, source)) {
            found.add(sink);
          }
        }
      }
    }
  }

  @Override
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    sources.forEach(
        (label, starts) -> {
          Map<String, Double> measured = new LinkedHashMap<>();
          int ends = sinks.getOrDefault(label, new TreeSet<>()).size();
          measured.put("source_times", (double) starts.size());
          measured.put("sink_times", (double) ends);
          boolean passed = starts.size() <= ends;
          findings.add(
              new Finding(
                  TEST,
                  label,
                  measured,
                  EXPECTED,
                  passed ? Verdict.PASSED : Verdict.FAILED,
                  passed
                      ? ""
                      : "Sink and source time are exchanged: who has fewer values is the source."));
        });
    return findings;
  }
}
