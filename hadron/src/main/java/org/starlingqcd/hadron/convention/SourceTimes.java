package org.starlingqcd.hadron.convention;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Source times against sink times: solving costs as much as there are sources, and every solution
 * gives all sinks, so the time with fewer values is the source's.
 */
final class SourceTimes extends Measurement {
  static final String TEST = "source-times";

  private static final String EXPECTED = "no more source times than sink times";

  private static final String SOURCES = "source_times";
  private static final String SINKS = "sink_times";

  private final Map<String, Set<Integer>> sources = new HashMap<>();
  private final Map<String, Set<Integer>> sinks = new HashMap<>();

  SourceTimes() {
    super(TEST, EXPECTED, "perambulators", List.of(SOURCES, SINKS));
  }

  @Override
  void add(Blocks blocks) {
    for (String label : blocks.data().labels()) {
      Set<Integer> found = sinks.computeIfAbsent(label, key -> new HashSet<>());
      Set<Integer> starts = sources.computeIfAbsent(label, key -> new HashSet<>());
      for (int source : blocks.data().sourceTimes(label)) {
        starts.add(source);
        for (int sink = 0; sink < blocks.temporalExtent(); sink++) {
          if (blocks.hasPerambulator(label, sink, source)) {
            found.add(sink);
          }
        }
      }
      of(label).get(SOURCES).raise(starts.size());
      of(label).get(SINKS).raise(found.size());
    }
  }

  @Override
  List<Row> table(Values values) {
    return List.of(
        passed(values.get(SOURCES).mean() <= values.get(SINKS).mean()),
        failed(true, "Sink and source time are exchanged: who has fewer values is the source."));
  }
}
