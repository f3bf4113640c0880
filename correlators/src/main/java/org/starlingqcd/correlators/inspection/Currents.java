package org.starlingqcd.correlators.inspection;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.starlingqcd.correlators.run.NumberSelection;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DistillationData;

/** Generalized perambulators and loops that were found. */
final class Currents {
  /** Insertion times by current, sink and source time. */
  private final SortedMap<CurrentName, SortedMap<CurrentName.Ends, BitSet>> blocks =
      new TreeMap<>();

  private final SortedMap<CurrentName, BitSet> loops = new TreeMap<>();

  /** Adds those of a configuration. */
  void add(DistillationData data) {
    for (CurrentName name : data.generalizedPerambulators()) {
      addBlocks(name, data.storedGeneralized(name));
    }
    for (CurrentName name : data.loops()) {
      addLoop(name, data.loopTimes(name));
    }
  }

  /** Adds those of a source. */
  void add(BlockCatalog catalog) {
    catalog.generalized().forEach(this::addBlocks);
    catalog.loops().forEach(this::addLoop);
  }

  /** Adds others. */
  void add(Currents other) {
    other.blocks.forEach(this::addBlocks);
    other.loops.forEach(this::addLoop);
  }

  private void addBlocks(CurrentName name, Map<CurrentName.Ends, BitSet> its) {
    SortedMap<CurrentName.Ends, BitSet> all = blocks.computeIfAbsent(name, n -> new TreeMap<>());
    its.forEach((ends, times) -> all.computeIfAbsent(ends, e -> new BitSet()).or(times));
  }

  private void addLoop(CurrentName name, BitSet times) {
    loops.computeIfAbsent(name, n -> new BitSet()).or(times);
  }

  /** Says what these lack of others, current by current. */
  List<String> lacking(Currents all) {
    List<String> lacking = new ArrayList<>();
    all.blocks.forEach(
        (name, others) -> {
          Map<CurrentName.Ends, BitSet> own = blocks.getOrDefault(name, new TreeMap<>());
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
                "generalized_perambulators/"
                    + name
                    + " at (sink, source) = "
                    + String.join(", ", ends.stream().map(CurrentName.Ends::toString).toList())
                    + ", insertion times "
                    + NumberSelection.text(Report.set(times)));
          }
        });
    all.loops.forEach(
        (name, others) -> {
          BitSet rest = lacking(loops.getOrDefault(name, new BitSet()), others);
          if (!rest.isEmpty()) {
            lacking.add(
                "loops/"
                    + name.bar()
                    + "/"
                    + name.vertex()
                    + " at times "
                    + NumberSelection.text(Report.set(rest)));
          }
        });
    return lacking;
  }

  private static BitSet lacking(BitSet found, BitSet all) {
    BitSet rest = (BitSet) all.clone();
    rest.andNot(found);
    return rest;
  }

  /** Adds them to a report. */
  void report(Report report) {
    List<Map<String, Object>> described = new ArrayList<>();
    blocks.forEach((name, its) -> described.add(describe(name, its)));
    List<Map<String, Object>> describedLoops = new ArrayList<>();
    loops.forEach(
        (name, times) -> {
          Map<String, Object> map = vertex(name);
          map.put("label", name.bar());
          map.put("times", Report.set(times));
          describedLoops.add(map);
        });
    report.put("generalized_perambulators", described).put("loops", describedLoops);
    line(
        report,
        "currents",
        blocks.keySet(),
        name ->
            (name.quark().isEmpty() ? name.bar() : name.bar() + "-" + name.quark())
                + described(name)
                + times(blocks.getOrDefault(name, new TreeMap<>())));
    line(report, "loops", loops.keySet(), name -> name.bar() + described(name));
  }

  private static String described(CurrentName name) {
    return " " + name.vertex().gamma() + " " + name.vertex().displacement();
  }

  /** A line for all momenta of currents that are otherwise described alike. */
  private static void line(
      Report report, String key, Set<CurrentName> names, Function<CurrentName, String> text) {
    SortedMap<String, SortedSet<Momentum>> momenta = new TreeMap<>();
    for (CurrentName name : names) {
      momenta
          .computeIfAbsent(text.apply(name), described -> new TreeSet<>())
          .add(name.vertex().momentum());
    }
    momenta.forEach(
        (described, q) -> report.line(key, described + ": q = " + MomentumShells.text(q)));
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
    return ", sink times "
        + NumberSelection.text(sinks)
        + ", insertion times "
        + NumberSelection.text(Report.set(insertions))
        + ", source times "
        + NumberSelection.text(sources)
        + (count == complete ? "" : " (" + count + " of " + complete + " blocks)");
  }
}
