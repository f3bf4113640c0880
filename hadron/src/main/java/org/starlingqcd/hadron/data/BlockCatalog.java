package org.starlingqcd.hadron.data;

import java.util.BitSet;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which blocks a source holds: sink times by label and source time, times by elemental. A source
 * fills it when it is opened; nobody changes it afterwards.
 */
public final class BlockCatalog {
  private final NavigableMap<String, NavigableMap<Integer, BitSet>> perambulators = new TreeMap<>();
  private final Set<String> withoutGamma5 = new TreeSet<>();
  private final NavigableMap<ElementalName, BitSet> mesons = new TreeMap<>();
  private final NavigableMap<ElementalName, BitSet> baryons = new TreeMap<>();

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

  /** The largest time of any block plus one; 0 without blocks. */
  public int timesUsed() {
    int used = 0;
    for (Map<Integer, BitSet> columns : perambulators.values()) {
      for (Map.Entry<Integer, BitSet> column : columns.entrySet()) {
        used = Math.max(used, Math.max(column.getKey() + 1, column.getValue().length()));
      }
    }
    for (BitSet times : mesons.values()) {
      used = Math.max(used, times.length());
    }
    for (BitSet times : baryons.values()) {
      used = Math.max(used, times.length());
    }
    return used;
  }
}
