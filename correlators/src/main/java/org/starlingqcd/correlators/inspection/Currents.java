package org.starlingqcd.correlators.inspection;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.TreeMultimap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.CurrentName;

/**
 * Generalized perambulators, loops and gluonic factors that were found, in words and for a report.
 */
final class Currents {
  private Currents() {}

  /** Says what some blocks lack of all, current by current. */
  static void lacking(BlockCatalog found, BlockCatalog all, List<String> lacking) {
    all.generalized()
        .forEach(
            (name, others) -> {
              Map<CurrentName.Ends, BitSet> own = found.generalized(name);
              SortedSet<CurrentName.Ends> ends = new TreeSet<>();
              BitSet times = new BitSet();
              others.forEach(
                  (at, there) -> {
                    BitSet rest = Report.rest(own.get(at), there);
                    if (!rest.isEmpty()) {
                      ends.add(at);
                      times.or(rest);
                    }
                  });
              if (!ends.isEmpty()) {
                lacking.add(
                    "generalized_perambulators/%s at (sink, source) = %s, insertion times %s"
                        .formatted(name, Joiner.on(", ").join(ends), Report.text(times)));
              }
            });
    all.loops()
        .forEach(
            (name, times) ->
                Report.addGap(
                    "loops/" + name.bar() + "/" + name.vertex(),
                    found.loops().get(name),
                    times,
                    lacking));
    all.gluonic()
        .forEach(
            (factor, times) ->
                Report.addGap("gluonic/" + factor, found.gluonic().get(factor), times, lacking));
  }

  /** Adds the currents of some blocks to a report; a line has all momenta of alike ones. */
  static void report(BlockCatalog blocks, Report report) {
    List<Map<String, Object>> currents = new ArrayList<>();
    TreeMultimap<String, Momentum> lines = TreeMultimap.create();
    blocks
        .generalized()
        .forEach(
            (name, its) -> {
              currents.add(describe(name, its));
              String labels = name.quark().isEmpty() ? name.bar() : name.bar() + "-" + name.quark();
              lines.put(text(labels, name) + times(its) + ": q = ", name.vertex().momentum());
            });
    report.put("generalized_perambulators", currents).lines("currents", lines);
    List<Map<String, Object>> loops = new ArrayList<>();
    lines.clear();
    blocks
        .loops()
        .forEach(
            (name, times) -> {
              Map<String, Object> map = vertex(name.vertex());
              map.put("label", name.bar());
              map.put("times", Report.set(times));
              loops.add(map);
              lines.put(text(name.bar(), name) + ": q = ", name.vertex().momentum());
            });
    report.put("loops", loops).lines("loops", lines);
    List<Map<String, Object>> factors = new ArrayList<>();
    lines.clear();
    blocks
        .gluonic()
        .forEach(
            (factor, times) -> {
              factors.add(
                  ImmutableMap.of(
                      "name", factor.name(),
                      "row", factor.row(),
                      "momentum", Report.numbers(factor.momentum()),
                      "times", Report.set(times)));
              lines.put((factor.name() + " " + factor.row()).strip() + ": ", factor.momentum());
            });
    report.put("gluonic", factors).lines("gluonic", lines);
  }

  private static String text(String labels, CurrentName name) {
    return labels + " " + name.vertex().gamma() + " " + name.vertex().displacement();
  }

  private static Map<String, Object> vertex(CurrentVertex vertex) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("gamma", vertex.gamma().toString());
    map.put("displacement", vertex.displacement());
    map.put("momentum", Report.numbers(vertex.momentum()));
    return map;
  }

  private static Map<String, Object> describe(
      CurrentName name, SortedMap<CurrentName.Ends, BitSet> its) {
    Map<String, Object> map = vertex(name.vertex());
    map.put("bar", name.bar());
    map.put("quark", name.quark());
    List<Map<String, Object>> times = new ArrayList<>();
    its.forEach(
        (ends, insertions) ->
            times.add(
                Map.of(
                    "sink_time", ends.sinkTime(),
                    "source_time", ends.sourceTime(),
                    "insertion_times", Report.set(insertions))));
    map.put("times", times);
    return map;
  }

  private static String times(SortedMap<CurrentName.Ends, BitSet> its) {
    SortedSet<Integer> sinks = new TreeSet<>();
    SortedSet<Integer> sources = new TreeSet<>();
    its.keySet().forEach(ends -> sinks.add(ends.sinkTime()));
    its.keySet().forEach(ends -> sources.add(ends.sourceTime()));
    BitSet insertions = Report.union(its.values());
    int count = its.values().stream().mapToInt(BitSet::cardinality).sum();
    int complete = sinks.size() * sources.size() * insertions.cardinality();
    return ", sink times %s, insertion times %s, source times %s%s"
        .formatted(
            NumberSelection.text(sinks),
            Report.text(insertions),
            NumberSelection.text(sources),
            count == complete ? "" : " (" + count + " of " + complete + " blocks)");
  }
}
