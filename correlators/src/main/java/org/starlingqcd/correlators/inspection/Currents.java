package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.CurrentName;

/**
 * Generalized perambulators, loops and gluonic factors that were found, in words and for a report.
 */
final class Currents {
  private Currents() {}

  /** Says what some blocks lack of all, current by current. */
  static List<String> lacking(BlockCatalog found, BlockCatalog all) {
    List<String> lacking = new ArrayList<>();
    all.generalized()
        .forEach(
            (name, others) -> {
              Map<CurrentName.Ends, BitSet> own =
                  found.generalized().getOrDefault(name, Collections.emptySortedMap());
              SortedSet<CurrentName.Ends> ends = new TreeSet<>();
              BitSet times = new BitSet();
              others.forEach(
                  (at, there) -> {
                    BitSet rest = lacking(own.getOrDefault(at, new BitSet()), there);
                    if (!rest.isEmpty()) {
                      ends.add(at);
                      times.or(rest);
                    }
                  });
              if (!ends.isEmpty()) {
                lacking.add(
                    "generalized_perambulators/%s at (sink, source) = %s, insertion times %s"
                        .formatted(
                            name,
                            String.join(
                                ", ", ends.stream().map(CurrentName.Ends::toString).toList()),
                            NumberSelection.text(Report.set(times))));
              }
            });
    all.loops()
        .forEach(
            (name, others) -> {
              BitSet rest = lacking(found.loops().getOrDefault(name, new BitSet()), others);
              if (!rest.isEmpty()) {
                lacking.add(
                    "loops/%s/%s at times %s"
                        .formatted(
                            name.bar(), name.vertex(), NumberSelection.text(Report.set(rest))));
              }
            });
    all.gluonic()
        .forEach(
            (factor, others) -> {
              BitSet rest = lacking(found.gluonic().getOrDefault(factor, new BitSet()), others);
              if (!rest.isEmpty()) {
                String times = NumberSelection.text(Report.set(rest));
                lacking.add("gluonic/" + factor + " at times " + times);
              }
            });
    return lacking;
  }

  private static BitSet lacking(BitSet found, BitSet all) {
    BitSet rest = (BitSet) all.clone();
    rest.andNot(found);
    return rest;
  }

  /** Adds the currents of some blocks to a report. */
  static void report(BlockCatalog blocks, Report report) {
    List<Map<String, Object>> currents = new ArrayList<>();
    Map<CurrentName, String> texts = new TreeMap<>();
    blocks
        .generalized()
        .forEach(
            (name, its) -> {
              currents.add(describe(name, its));
              String labels = name.quark().isEmpty() ? name.bar() : name.bar() + "-" + name.quark();
              texts.put(name, labels + described(name) + times(its));
            });
    List<Map<String, Object>> loops = new ArrayList<>();
    Map<CurrentName, String> loopTexts = new TreeMap<>();
    blocks
        .loops()
        .forEach(
            (name, times) -> {
              Map<String, Object> map = vertex(name);
              map.put("label", name.bar());
              map.put("times", Report.set(times));
              loops.add(map);
              loopTexts.put(name, name.bar() + described(name));
            });
    report.put("generalized_perambulators", currents).put("loops", loops);
    line(report, "currents", texts);
    line(report, "loops", loopTexts);
    List<Map<String, Object>> factors = new ArrayList<>();
    SortedMap<String, SortedSet<Momentum>> momenta = new TreeMap<>();
    blocks
        .gluonic()
        .forEach(
            (factor, times) -> {
              Map<String, Object> map = new LinkedHashMap<>();
              map.put("name", factor.name());
              map.put("row", factor.row());
              map.put("momentum", Report.numbers(factor.momentum()));
              map.put("times", Report.set(times));
              factors.add(map);
              String name = (factor.name() + " " + factor.row()).strip();
              momenta.computeIfAbsent(name, n -> new TreeSet<>()).add(factor.momentum());
            });
    report.put("gluonic", factors);
    momenta.forEach((name, n) -> report.line("gluonic", name + ": " + MomentumShells.text(n)));
  }

  private static String described(CurrentName name) {
    return " " + name.vertex().gamma() + " " + name.vertex().displacement();
  }

  /** A line for all momenta of currents that have the same text otherwise. */
  private static void line(Report report, String key, Map<CurrentName, String> texts) {
    SortedMap<String, SortedSet<Momentum>> momenta = new TreeMap<>();
    texts.forEach(
        (name, text) ->
            momenta.computeIfAbsent(text, t -> new TreeSet<>()).add(name.vertex().momentum()));
    momenta.forEach((text, q) -> report.line(key, text + ": q = " + MomentumShells.text(q)));
  }

  private static Map<String, Object> vertex(CurrentName name) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("gamma", name.vertex().gamma().toString());
    map.put("displacement", name.vertex().displacement());
    map.put("momentum", Report.numbers(name.vertex().momentum()));
    return map;
  }

  private static Map<String, Object> describe(
      CurrentName name, SortedMap<CurrentName.Ends, BitSet> its) {
    Map<String, Object> map = vertex(name);
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
    BitSet insertions = new BitSet();
    int count = 0;
    for (Map.Entry<CurrentName.Ends, BitSet> entry : its.entrySet()) {
      sinks.add(entry.getKey().sinkTime());
      sources.add(entry.getKey().sourceTime());
      insertions.or(entry.getValue());
      count += entry.getValue().cardinality();
    }
    int complete = sinks.size() * sources.size() * insertions.cardinality();
    return ", sink times %s, insertion times %s, source times %s%s"
        .formatted(
            NumberSelection.text(sinks),
            NumberSelection.text(Report.set(insertions)),
            NumberSelection.text(sources),
            count == complete ? "" : " (" + count + " of " + complete + " blocks)");
  }
}
