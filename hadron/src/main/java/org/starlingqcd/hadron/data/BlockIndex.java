package org.starlingqcd.hadron.data;

import static org.starlingqcd.hadron.data.DistillationFile.BARYON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.GENERALIZED;
import static org.starlingqcd.hadron.data.DistillationFile.GLUONIC;
import static org.starlingqcd.hadron.data.DistillationFile.LOOPS;
import static org.starlingqcd.hadron.data.DistillationFile.MESON_ELEMENTALS;
import static org.starlingqcd.hadron.data.DistillationFile.PERAMBULATORS;
import static org.starlingqcd.hadron.data.DistillationFile.TETRAQUARK_ELEMENTALS;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Gluonic;

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
   * @param label the label there, that of the sink for generalized perambulators; empty for
   *     elementals
   * @param quark the label there of the source of generalized perambulators; else empty
   * @param times times that are there
   */
  record Holding(BlockSource source, String label, String quark, BitSet times) {
    Holding(BlockSource source, String label, BitSet times) {
      this(source, label, "", times);
    }
  }

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
  private final Map<ElementalName, List<Holding>> tetraquarks = new TreeMap<>();
  private final Map<CurrentName, SortedMap<CurrentName.Ends, List<Holding>>> generalized =
      new TreeMap<>();
  private final Map<CurrentName, List<Holding>> loops = new TreeMap<>();
  private final Map<Gluonic, List<Holding>> gluonic = new TreeMap<>();

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
      blocks
          .tetraquarks()
          .forEach((name, times) -> merge(source, name, times, tetraquarks, TETRAQUARK_ELEMENTALS));
      blocks.loops().forEach((name, times) -> mergeLoop(member, name, times));
      for (Map.Entry<Gluonic, BitSet> factor : blocks.gluonic().entrySet()) {
        merge(source, factor.getKey(), factor.getValue(), gluonic, GLUONIC);
      }
    }
    // The labels of all sources tell where the name of a group has its separator.
    members.forEach(
        member ->
            member
                .source()
                .blocks()
                .generalized()
                .forEach((name, times) -> mergeGeneralized(member, name, times)));
  }

  private void mergeLoop(Member member, CurrentName there, BitSet times) {
    String label = member.label().apply(there.bar());
    CurrentName name = new CurrentName(label, label, there.vertex());
    add(
        loops.computeIfAbsent(name, key -> new ArrayList<>(1)),
        new Holding(member.source(), there.bar(), times),
        "'" + LOOPS + "/" + label + "/" + there.vertex() + "'");
  }

  private void mergeGeneralized(
      Member member, CurrentName there, Map<CurrentName.Ends, BitSet> blocks) {
    CurrentName name = translated(member, there);
    SortedMap<CurrentName.Ends, List<Holding>> all =
        generalized.computeIfAbsent(name, key -> new TreeMap<>());
    blocks.forEach(
        (ends, times) ->
            add(
                all.computeIfAbsent(ends, key -> new ArrayList<>(1)),
                new Holding(member.source(), there.bar(), there.quark(), times),
                "'" + GENERALIZED + "/" + name + "' at (sink, source) = " + ends));
  }

  /** A name with the labels of definitions, and with two of them. */
  private CurrentName translated(Member member, CurrentName there) {
    String group = there.bar();
    UnaryOperator<String> translation = member.label();
    if (!there.quark().isEmpty() || group.indexOf('-') < 0) {
      String quark = there.quark().isEmpty() ? group : there.quark();
      return new CurrentName(translation.apply(group), translation.apply(quark), there.vertex());
    }
    Set<CurrentName> known = new HashSet<>();
    Set<CurrentName> alike = new HashSet<>();
    for (int at = group.indexOf('-'); at >= 0; at = group.indexOf('-', at + 1)) {
      String bar = group.substring(0, at);
      String quark = group.substring(at + 1);
      CurrentName name =
          new CurrentName(translation.apply(bar), translation.apply(quark), there.vertex());
      if (labels.containsKey(name.bar()) && labels.containsKey(name.quark())) {
        known.add(name);
      }
      if (bar.equals(quark)) {
        alike.add(name);
      }
    }
    Set<CurrentName> found = known.isEmpty() ? alike : known;
    if (found.size() != 1) {
      throw new DistillationException(
          member.source().path()
              + ": '"
              + GENERALIZED
              + "/"
              + group
              + "': "
              + (found.isEmpty()
                  ? "no '-' in it separates two labels of perambulators; the labels are "
                      + (labels.isEmpty() ? "none" : String.join(", ", labels.keySet()))
                  : "several '-' in it separate two labels of perambulators; rename labels so that"
                      + " one does"));
    }
    return found.iterator().next();
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

  private static <K> void merge(
      BlockSource source, K name, BitSet times, Map<K, List<Holding>> all, String group) {
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

  /** All blocks, whichever source has them. */
  BlockCatalog blocks() {
    BlockCatalog all = new BlockCatalog();
    labels.forEach(
        (name, label) -> {
          label.columns().forEach((time, its) -> all.addPerambulators(name, time, times(its)));
          if (!label.gamma5Hermitian()) {
            all.forbidGamma5(name);
          }
        });
    mesons.forEach((name, its) -> all.addMeson(name, times(its)));
    baryons.forEach((name, its) -> all.addBaryon(name, times(its)));
    tetraquarks.forEach((name, its) -> all.addTetraquark(name, times(its)));
    generalized.forEach(
        (name, blocks) ->
            blocks.forEach((ends, its) -> all.addGeneralized(name, ends, times(its))));
    loops.forEach((name, its) -> all.addLoop(name, times(its)));
    gluonic.forEach((factor, its) -> all.addGluonic(factor, times(its)));
    return all;
  }

  /** Perambulators by label, in ascending order. */
  Map<String, Label> labels() {
    return Collections.unmodifiableMap(labels);
  }

  /** Holdings of meson elementals, in ascending order of their names. */
  Map<ElementalName, List<Holding>> mesons() {
    return Collections.unmodifiableMap(mesons);
  }

  /** Holdings of generalized perambulators by current and ends; their times are insertion times. */
  Map<CurrentName, SortedMap<CurrentName.Ends, List<Holding>>> generalized() {
    return Collections.unmodifiableMap(generalized);
  }

  /** Holdings of loops, in ascending order of their names. */
  Map<CurrentName, List<Holding>> loops() {
    return Collections.unmodifiableMap(loops);
  }

  /** Holdings of gluonic factors, in ascending order. */
  Map<Gluonic, List<Holding>> gluonic() {
    return Collections.unmodifiableMap(gluonic);
  }

  /** Holdings of baryon elementals, in ascending order of their names. */
  Map<ElementalName, List<Holding>> baryons() {
    return Collections.unmodifiableMap(baryons);
  }

  /** Holdings of elementals of tetraquarks, in ascending order of their names. */
  Map<ElementalName, List<Holding>> tetraquarks() {
    return Collections.unmodifiableMap(tetraquarks);
  }
}
