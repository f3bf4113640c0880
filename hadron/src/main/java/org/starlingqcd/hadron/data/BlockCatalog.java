package org.starlingqcd.hadron.data;

import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Gluonic;

/**
 * Which blocks a source holds: the times of each series. A source fills it when it is opened;
 * nobody changes it afterwards.
 */
public final class BlockCatalog {
  /** Characters of a mass that is a name. */
  private static final int MOST_OF_MASS = 80;

  private final Map<DataBlock, BitSet> series = new LinkedHashMap<>();

  /** The same in order, once somebody asks; null after a change. */
  private @Nullable NavigableMap<DataBlock, BitSet> sorted;

  private final Set<String> withoutGamma5 = new TreeSet<>();

  private final Map<String, String> masses = new LinkedHashMap<>();

  /** The set of all times {@code 0 … count - 1}. */
  public static BitSet all(int count) {
    BitSet times = new BitSet(count);
    times.set(0, count);
    return times;
  }

  /** Adds the blocks of a series at some times; the time of {@code block} does not matter. */
  public void add(DataBlock block, BitSet times) {
    series.computeIfAbsent(block.at(0), key -> new BitSet()).or(times);
    sorted = null;
  }

  private synchronized NavigableMap<DataBlock, BitSet> sorted() {
    NavigableMap<DataBlock, BitSet> known = sorted;
    if (known == null) {
      known = new TreeMap<>(series);
      sorted = known;
    }
    return known;
  }

  /** Says that γ5-hermiticity does not hold for a label. */
  public void forbidGamma5(String label) {
    withoutGamma5.add(label);
  }

  /** Adds the blocks of another source. */
  public void addAll(BlockCatalog other) {
    other.series.forEach(this::add);
    withoutGamma5.addAll(other.withoutGamma5);
  }

  /** Hands over all series with their times, in the order in which they were added. */
  void forEach(BiConsumer<DataBlock, BitSet> use) {
    series.forEach(use);
  }

  /** All series with their times: sink times, insertion times or times. */
  public SortedMap<DataBlock, BitSet> series() {
    return Collections.unmodifiableSortedMap(sorted());
  }

  /** The times of the series of a block; none for one that is not there. */
  public BitSet times(DataBlock block) {
    BitSet times = series.get(block.at(0));
    return times == null ? new BitSet() : times;
  }

  /** Blocks of those series that are wanted, series by series, in ascending order of time. */
  public Stream<DataBlock> blocks(Predicate<DataBlock> wanted) {
    return sorted().entrySet().stream()
        .filter(one -> wanted.test(one.getKey()))
        .flatMap(one -> one.getValue().stream().mapToObj(one.getKey()::at));
  }

  /** Labels of perambulators, in ascending order. */
  public Set<String> labels() {
    return of(DataBlock.Perambulator.class, DataBlock.Perambulator::label).navigableKeySet();
  }

  /** The sink times of a label by source time; empty for an unknown label. */
  public SortedMap<Integer, BitSet> sinkTimes(String label) {
    return of(
        sorted()
            .subMap(
                new DataBlock.Perambulator(label, 0, Integer.MIN_VALUE),
                new DataBlock.Perambulator(label, 0, Integer.MAX_VALUE)),
        DataBlock.Perambulator.class,
        DataBlock.Perambulator::sourceTime);
  }

  /** Whether γ5-hermiticity may be used for a label. */
  public boolean gamma5Hermitian(String label) {
    return !withoutGamma5.contains(label);
  }

  /** Notes what a source says of the mass of the quarks of a label: a number or a name. */
  public void setMass(String label, String text) {
    String mass = text.strip().replace(':', ' ');
    try {
      mass = Double.toString(Double.parseDouble(mass));
    } catch (NumberFormatException e) {
      mass = mass.substring(0, Math.min(MOST_OF_MASS, mass.length()));
    }
    masses.put(label, mass);
  }

  /** The mass of the quarks of a label, or what stands for it; null where nothing says it. */
  public @Nullable String mass(String label) {
    return masses.get(label);
  }

  /** Elementals of a kind with their times. */
  public SortedMap<ElementalName, BitSet> elementals(DataBlock.Kind kind) {
    Map<DataBlock, BitSet> its = new LinkedHashMap<>(series);
    its.keySet().removeIf(block -> !(block instanceof DataBlock.Elemental e && e.kind() == kind));
    return of(its, DataBlock.Elemental.class, DataBlock.Elemental::name);
  }

  /**
   * Insertion times of generalized perambulators by current and ends. Where a source cannot tell
   * the two labels of a group apart, the first is the whole name of the group and the second is
   * empty.
   */
  public SortedMap<CurrentName, SortedMap<CurrentName.Ends, BitSet>> generalized() {
    SortedMap<CurrentName, SortedMap<CurrentName.Ends, BitSet>> all = new TreeMap<>();
    series.forEach(
        (block, times) -> {
          if (block instanceof DataBlock.Generalized tau) {
            all.computeIfAbsent(tau.name(), key -> new TreeMap<>()).put(tau.ends(), times);
          }
        });
    return all;
  }

  /** The same of one current. */
  public SortedMap<CurrentName.Ends, BitSet> generalized(CurrentName name) {
    int last = Integer.MAX_VALUE;
    return of(
        sorted()
            .subMap(
                new DataBlock.Generalized(name, new CurrentName.Ends(-last, -last), 0),
                new DataBlock.Generalized(name, new CurrentName.Ends(last, last), 0)),
        DataBlock.Generalized.class,
        DataBlock.Generalized::ends);
  }

  /** Loops with their times; both labels of a name are the same. */
  public SortedMap<CurrentName, BitSet> loops() {
    return of(DataBlock.Loop.class, DataBlock.Loop::name);
  }

  /** Gluonic factors with their times. */
  public SortedMap<Gluonic, BitSet> gluonic() {
    return of(DataBlock.GluonicValue.class, DataBlock.GluonicValue::factor);
  }

  private <B extends DataBlock, K> NavigableMap<K, BitSet> of(Class<B> kind, Function<B, K> name) {
    return of(series, kind, name);
  }

  private static <B extends DataBlock, K> NavigableMap<K, BitSet> of(
      Map<DataBlock, BitSet> among, Class<B> kind, Function<B, K> name) {
    NavigableMap<K, BitSet> its = new TreeMap<>();
    among.forEach(
        (block, times) -> {
          if (kind.isInstance(block)) {
            its.put(name.apply(kind.cast(block)), times);
          }
        });
    return its;
  }

  /** Labels of objects of any kind, in ascending order. */
  Set<String> allLabels() {
    Set<String> all = new TreeSet<>();
    for (DataBlock block : series.keySet()) {
      if (block instanceof DataBlock.Perambulator tau) {
        all.add(tau.label());
      } else if (block instanceof DataBlock.Loop loop) {
        all.add(loop.label());
      } else if (block instanceof DataBlock.Sink sink) {
        all.add(sink.set());
      } else if (block instanceof DataBlock.Generalized tau
          && (!tau.name().quark().isEmpty() || tau.name().bar().isEmpty())) {
        all.add(tau.name().bar());
        all.add(tau.name().quark());
      }
    }
    return all;
  }

  /** The largest time of any block plus one; 0 without blocks. */
  public int timesUsed() {
    int used = 0;
    for (Map.Entry<DataBlock, BitSet> one : series.entrySet()) {
      used = Math.max(used, one.getValue().length());
      if (one.getKey() instanceof DataBlock.Perambulator tau) {
        used = Math.max(used, tau.sourceTime() + 1);
      } else if (one.getKey() instanceof DataBlock.Generalized tau) {
        CurrentName.Ends ends = tau.ends();
        used = Math.max(used, Math.max(ends.sinkTime(), ends.sourceTime()) + 1);
      }
    }
    return used;
  }
}
