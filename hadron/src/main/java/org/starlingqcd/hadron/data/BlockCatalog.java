package org.starlingqcd.hadron.data;

import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starlingqcd.graph.Gluonic;

/**
 * Which blocks a source holds: sink times by label and source time, times by elemental, insertion
 * times by current, sink and source time. A source fills it when it is opened; nobody changes it
 * afterwards.
 */
public final class BlockCatalog {
  private final NavigableMap<String, NavigableMap<Integer, BitSet>> perambulators = new TreeMap<>();
  private final Set<String> withoutGamma5 = new TreeSet<>();
  private final NavigableMap<ElementalName, BitSet> mesons = new TreeMap<>();
  private final NavigableMap<ElementalName, BitSet> baryons = new TreeMap<>();
  private final NavigableMap<ElementalName, BitSet> tetraquarks = new TreeMap<>();
  private final NavigableMap<CurrentName, NavigableMap<CurrentName.Ends, BitSet>> generalized =
      new TreeMap<>();
  private final NavigableMap<CurrentName, BitSet> loops = new TreeMap<>();
  private final NavigableMap<Gluonic, BitSet> gluonic = new TreeMap<>();

  /** The set of all times {@code 0 … count - 1}. */
  public static BitSet all(int count) {
    BitSet times = new BitSet(count);
    times.set(0, count);
    return times;
  }

  /** Adds a block. */
  public void add(DataBlock block) {
    if (block instanceof DataBlock.Perambulator tau) {
      column(tau.label(), tau.sourceTime()).set(tau.sinkTime());
    } else if (block instanceof DataBlock.Meson phi) {
      mesons.computeIfAbsent(phi.name(), key -> new BitSet()).set(phi.time());
    } else if (block instanceof DataBlock.Baryon b) {
      baryons.computeIfAbsent(b.name(), key -> new BitSet()).set(b.time());
    } else if (block instanceof DataBlock.Tetraquark k) {
      tetraquarks.computeIfAbsent(k.name(), key -> new BitSet()).set(k.time());
    } else if (block instanceof DataBlock.Generalized tau) {
      insertionTimes(tau.name(), tau.ends()).set(tau.insertionTime());
    } else if (block instanceof DataBlock.Loop loop) {
      loops.computeIfAbsent(loop.name(), key -> new BitSet()).set(loop.time());
    }
  }

  /** Adds τ(t, sourceTime) for the sink times t of a set. */
  public void addPerambulators(String label, int sourceTime, BitSet sinkTimes) {
    column(label, sourceTime).or(sinkTimes);
  }

  private BitSet column(String label, int sourceTime) {
    return perambulators
        .computeIfAbsent(label, l -> new TreeMap<>())
        .computeIfAbsent(sourceTime, t -> new BitSet());
  }

  /** Says that γ5-hermiticity does not hold for a label. */
  public void forbidGamma5(String label) {
    withoutGamma5.add(label);
  }

  /** Adds Φ(n, t) for a set of times. */
  public void addMeson(ElementalName name, BitSet times) {
    mesons.computeIfAbsent(name, key -> new BitSet()).or(times);
  }

  /** Adds B(n, t) for a set of times. */
  public void addBaryon(ElementalName name, BitSet times) {
    baryons.computeIfAbsent(name, key -> new BitSet()).or(times);
  }

  /** Adds K(n, t) for a set of times. */
  public void addTetraquark(ElementalName name, BitSet times) {
    tetraquarks.computeIfAbsent(name, key -> new BitSet()).or(times);
  }

  /** Adds τ_Γ(t_f, t, t_i) for a set of insertion times t. */
  public void addGeneralized(CurrentName name, CurrentName.Ends ends, BitSet insertionTimes) {
    insertionTimes(name, ends).or(insertionTimes);
  }

  private BitSet insertionTimes(CurrentName name, CurrentName.Ends ends) {
    return generalized
        .computeIfAbsent(name, key -> new TreeMap<>())
        .computeIfAbsent(ends, key -> new BitSet());
  }

  /** Adds L(t) of a current with one label for a set of times. */
  public void addLoop(CurrentName name, BitSet times) {
    loops.computeIfAbsent(name, key -> new BitSet()).or(times);
  }

  /** Adds the blocks of another source. */
  public void addAll(BlockCatalog other) {
    other.perambulators.forEach(
        (label, its) -> its.forEach((source, sinks) -> addPerambulators(label, source, sinks)));
    withoutGamma5.addAll(other.withoutGamma5);
    other.mesons.forEach(this::addMeson);
    other.baryons.forEach(this::addBaryon);
    other.tetraquarks.forEach(this::addTetraquark);
    other.generalized.forEach(
        (name, its) -> its.forEach((ends, times) -> addGeneralized(name, ends, times)));
    other.loops.forEach(this::addLoop);
    other.gluonic.forEach(this::addGluonic);
  }

  /** Adds a gluonic factor for a set of times. */
  public void addGluonic(Gluonic factor, BitSet times) {
    gluonic.computeIfAbsent(factor, key -> new BitSet()).or(times);
  }

  /** Gluonic factors with their times. */
  public SortedMap<Gluonic, BitSet> gluonic() {
    return Collections.unmodifiableSortedMap(gluonic);
  }

  /** Labels of perambulators, in ascending order. */
  public Set<String> labels() {
    return Collections.unmodifiableSet(perambulators.keySet());
  }

  /** The sink times of a label by source time; empty for an unknown label. */
  public SortedMap<Integer, BitSet> sinkTimes(String label) {
    return Collections.unmodifiableSortedMap(
        perambulators.getOrDefault(label, Collections.emptyNavigableMap()));
  }

  /** Whether γ5-hermiticity may be used for a label. */
  public boolean gamma5Hermitian(String label) {
    return !withoutGamma5.contains(label);
  }

  /** Meson elementals with their times. */
  public SortedMap<ElementalName, BitSet> mesons() {
    return Collections.unmodifiableSortedMap(mesons);
  }

  /** Baryon elementals with their times. */
  public SortedMap<ElementalName, BitSet> baryons() {
    return Collections.unmodifiableSortedMap(baryons);
  }

  /** Elementals of tetraquarks with their times. */
  public SortedMap<ElementalName, BitSet> tetraquarks() {
    return Collections.unmodifiableSortedMap(tetraquarks);
  }

  /**
   * Insertion times of generalized perambulators by current and ends. Where a source cannot tell
   * the two labels of a group apart, the first is the whole name of the group and the second is
   * empty.
   */
  public SortedMap<CurrentName, NavigableMap<CurrentName.Ends, BitSet>> generalized() {
    return Collections.unmodifiableSortedMap(generalized);
  }

  /** Loops with their times; both labels of a name are the same. */
  public SortedMap<CurrentName, BitSet> loops() {
    return Collections.unmodifiableSortedMap(loops);
  }

  /** Labels of objects of any kind, in ascending order. */
  Set<String> allLabels() {
    Set<String> all = new TreeSet<>(perambulators.keySet());
    loops.keySet().forEach(name -> all.add(name.bar()));
    for (CurrentName name : generalized.keySet()) {
      if (!name.quark().isEmpty() || name.bar().isEmpty()) {
        all.add(name.bar());
        all.add(name.quark());
      }
    }
    return all;
  }

  /** The largest time of any block plus one; 0 without blocks. */
  public int timesUsed() {
    int used = 0;
    for (Map<Integer, BitSet> columns : perambulators.values()) {
      for (Map.Entry<Integer, BitSet> column : columns.entrySet()) {
        used = Math.max(used, Math.max(column.getKey() + 1, column.getValue().length()));
      }
    }
    for (Map<?, BitSet> kind : List.of(mesons, baryons, tetraquarks, loops)) {
      for (BitSet times : kind.values()) {
        used = Math.max(used, times.length());
      }
    }
    for (Map<CurrentName.Ends, BitSet> blocks : generalized.values()) {
      for (Map.Entry<CurrentName.Ends, BitSet> entry : blocks.entrySet()) {
        CurrentName.Ends ends = entry.getKey();
        int last = Math.max(ends.sinkTime(), ends.sourceTime()) + 1;
        used = Math.max(used, Math.max(last, entry.getValue().length()));
      }
    }
    return used;
  }
}
