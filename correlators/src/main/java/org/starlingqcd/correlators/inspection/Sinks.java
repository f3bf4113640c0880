package org.starlingqcd.correlators.inspection;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.TreeMultimap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DilutionScheme;

/** Noises and quark sinks that were found, in words and for a report. */
final class Sinks {
  private Sinks() {}

  /** Says what some blocks lack of all, and noises that sinks need. */
  static void lacking(BlockCatalog found, BlockCatalog all, List<String> lacking) {
    TreeMultimap<String, Integer> classes = TreeMultimap.create();
    for (DataBlock block : all.series().keySet()) {
      if (block instanceof DataBlock.Sink sink) {
        if (!Report.rest(found.times(sink), all.times(sink)).isEmpty()) {
          classes.put(sink.object() + " " + sink.scheme().letters(), sink.timeClass());
        }
        DataBlock noise = new DataBlock.Noise(sink.noise(), 0);
        if (found.times(noise).isEmpty()) {
          classes.put(noise.object() + ", for sinks", sink.timeClass());
        }
      }
    }
    classes
        .asMap()
        .forEach((name, p) -> lacking.add(name + " of time classes " + NumberSelection.text(p)));
  }

  /**
   * Adds the sets of some blocks to a report.
   *
   * @return whether there are any
   */
  static boolean report(BlockCatalog blocks, Report report) {
    Map<String, DilutionScheme> schemes = new TreeMap<>();
    TreeMultimap<String, String> noises = TreeMultimap.create();
    TreeMultimap<String, Integer> classes = TreeMultimap.create();
    for (DataBlock block : blocks.series().keySet()) {
      if (block instanceof DataBlock.Sink sink) {
        schemes.put(sink.set(), sink.scheme());
        noises.put(sink.set(), sink.noise());
        classes.put(sink.set(), sink.timeClass());
      }
    }
    Map<String, Object> described = new LinkedHashMap<>();
    schemes.forEach(
        (set, scheme) -> {
          described.put(
              set,
              ImmutableMap.of(
                  "dilution", scheme.letters(),
                  "time_classes", classes.get(set),
                  "noises", noises.get(set),
                  "gamma5_hermitian", scheme.gamma5Hermitian()));
          report.line(
              "quark sinks",
              "%s: %s, D = %d, time classes %s of %d, noises %s%s"
                  .formatted(
                      set,
                      scheme.letters(),
                      scheme.size(),
                      NumberSelection.text(classes.get(set)),
                      scheme.timeClasses(),
                      String.join(", ", noises.get(set)),
                      scheme.gamma5Hermitian() ? "" : ", not gamma5-hermitian"));
        });
    report.put("quark_sinks", described);
    return !schemes.isEmpty();
  }
}
