package org.starlingqcd.hadron.data;

import static org.starlingqcd.hadron.data.DistillationFile.BARYON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.MESON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.PERAMBULATORS;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Which of the sources of a configuration holds which block. */
final class BlockIndex {
  /**
   * A source with its labels translated.
   *
   * @param source the source
   * @param label from its labels to those of definitions
   */
  record Member(BlockSource source, UnaryOperator<String> label) {}

  /**
   * Blocks of one kind and name in one source.
   *
   * @param source the source
   * @param label the label there; empty for elementals
   * @param times times that are there
   */
  record Holding(BlockSource source, String label, BitSet times) {}

  /**
   * The perambulators of a label.
   *
   * @param columns by source time; the times of a holding are sink times
   * @param gamma5Hermitian whether γ5-hermiticity may be used
   * @param first the first source that has the label
   */
  record Label(
      SortedMap<Integer, List<Holding>> columns, boolean gamma5Hermitian, BlockSource first) {}

  private final Map<String, Label> labels = new TreeMap<>();
  private final Map<ElementalName, List<Holding>> mesons = new TreeMap<>();
  private final Map<ElementalName, List<Holding>> baryons = new TreeMap<>();

  /**
   * Joins the contents of sources.
   *
   * @throws DistillationException when two do not belong together or hold the same block
   */
  BlockIndex(List<Member> members) {
    BlockSource first = members.get(0).source();
    for (Member member : members) {
      BlockSource source = member.source();
      first.header().checkSameEnsemble(first.path(), source.header(), source.path());
      Long one = first.header().configuration();
      Long other = source.header().configuration();
      if (one != null && other != null && !one.equals(other)) {
        throw new IllegalArgumentException(
            "files of two configurations: " + first.path() + " and " + source.path());
      }
      BlockCatalog blocks = source.blocks();
      for (String label : blocks.labels()) {
        mergeLabel(source, label, member.label().apply(label));
      }
      blocks
          .mesons()
          .forEach((name, times) -> merge(source, name, times, mesons, MESON_ELEMENTALS));
      blocks
          .baryons()
          .forEach((name, times) -> merge(source, name, times, baryons, BARYON_ELEMENTALS));
    }
  }

  private void mergeLabel(BlockSource source, String there, String name) {
    boolean hermitian = source.blocks().gamma5Hermitian(there);
    Label label =
        labels.computeIfAbsent(name, key -> new Label(new TreeMap<>(), hermitian, source));
    if (label.gamma5Hermitian() != hermitian) {
      throw new DistillationException(
          label.first().path()
              + " and "
              + source.path()
              + " contradict each other: gamma5_hermitian of '"
              + PERAMBULATORS
              + "/"
              + name
              + "' is 0 in one and 1 in the other");
    }
    source
        .blocks()
        .sinkTimes(there)
        .forEach(
            (time, sinks) ->
                add(
                    label.columns().computeIfAbsent(time, t -> new ArrayList<>(1)),
                    new Holding(source, there, sinks),
                    "'" + PERAMBULATORS + "/" + name + "' at source time " + time));
  }

  private static void merge(
      BlockSource source,
      ElementalName name,
      BitSet times,
      Map<ElementalName, List<Holding>> all,
      String group) {
    add(
        all.computeIfAbsent(name, key -> new ArrayList<>(1)),
        new Holding(source, "", times),
        "'" + group + "/" + name + "'");
  }

  private static void add(List<Holding> holdings, Holding added, String what) {
    for (Holding other : holdings) {
      if (other.times().intersects(added.times())) {
        throw new DistillationException(
            other.source().path()
                + " and "
                + added.source().path()
                + " both hold "
                + what
                + "; leave one of them out");
      }
    }
    holdings.add(added);
  }

  /** The one of some holdings that has a time; null when none has. */
  static @Nullable Holding at(@Nullable List<Holding> holdings, int time) {
    if (holdings != null) {
      for (Holding holding : holdings) {
        if (holding.times().get(time)) {
          return holding;
        }
      }
    }
    return null;
  }

  /** The times that some holdings have together. */
  static BitSet times(@Nullable List<Holding> holdings) {
    BitSet times = new BitSet();
    if (holdings != null) {
      holdings.forEach(holding -> times.or(holding.times()));
    }
    return times;
  }

  /** Perambulators by label, in ascending order. */
  Map<String, Label> labels() {
    return Collections.unmodifiableMap(labels);
  }

  /** Holdings of meson elementals, in ascending order of their names. */
  Map<ElementalName, List<Holding>> mesons() {
    return Collections.unmodifiableMap(mesons);
  }

  /** Holdings of baryon elementals, in ascending order of their names. */
  Map<ElementalName, List<Holding>> baryons() {
    return Collections.unmodifiableMap(baryons);
  }
}
