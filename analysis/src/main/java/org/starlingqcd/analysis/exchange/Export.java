package org.starlingqcd.analysis.exchange;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.analysis.CorrelatorData;
import org.starlingqcd.analysis.CurrentData;

/**
 * What is written in the format of another program.
 *
 * @param name the name of the result
 * @param correlators one matrix; or every element of three-point functions as one of its own
 * @param currents the three-point functions; null for two-point functions
 * @param definition text of the definition; read only for sigmond
 */
public record Export(
    String name,
    List<CorrelatorData> correlators,
    @Nullable CurrentData currents,
    String definition) {
  /** Two-point functions. */
  public static Export of(CorrelatorData data, String definition) {
    return new Export(data.name(), List.of(data), null, definition);
  }

  /** Three-point functions, the numbers as they are. */
  public static Export of(CurrentData data) {
    return new Export(data.name(), data.elements(), data, data.definition());
  }

  /** Name and axes. */
  Map<String, Object> description() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    if (currents == null) {
      CorrelatorData data = correlators.get(0);
      map.put("operators", data.operators());
      // With equal signs the matrix of the real parts is the whole.
      map.put("conjugation", data.conjugation());
      map.put("separations", data.separations());
    } else {
      map.put("sink_operators", currents.sinkOperators());
      map.put("source_operators", currents.sourceOperators());
      map.put("insertions", currents.insertions());
      map.put("separations", currents.separations());
      map.put("insertion_separations", currents.insertionSeparations());
    }
    return map;
  }
}
