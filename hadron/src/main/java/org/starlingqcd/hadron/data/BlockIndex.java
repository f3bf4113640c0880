package org.starlingqcd.hadron.data;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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

  /** A block in a source, with the labels that it has there. */
  record Stored(BlockSource source, DataBlock block) {}

  /** A series in a source, with the labels there, and its times. */
  private record Holding(BlockSource source, DataBlock series, BitSet times) {}

  private final Map<DataBlock, List<Holding>> holdings = new HashMap<>();
  private final Map<String, BlockSource> firstOfLabel = new HashMap<>();
  private final Map<String, Holding> firstOfSet = new HashMap<>();
  private final BlockCatalog blocks = new BlockCatalog();

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
      for (String label : source.blocks().labels()) {
        addLabel(source, label, member.label().apply(label));
      }
    }
    // The labels of all sources tell where the name of a group has its separator.
    for (Member member : members) {
      member.source().blocks().forEach((series, times) -> add(member, series, times));
    }
  }

  private void addLabel(BlockSource source, String there, String name) {
    boolean hermitian = source.blocks().gamma5Hermitian(there);
    BlockSource first = firstOfLabel.putIfAbsent(name, source);
    if (first != null && blocks.gamma5Hermitian(name) != hermitian) {
      throw DistillationException.of(
          "%s and %s contradict each other: gamma5_hermitian of 'perambulators/%s' is 0 in one and 1"
              + " in the other",
          first.path(), source.path(), name);
    }
    if (!hermitian) {
      blocks.forbidGamma5(name);
    }
    String mass = source.blocks().mass(there);
    if (mass != null) {
      String known = Objects.requireNonNullElse(blocks.mass(name), mass);
      if (first != null && !known.equals(mass)) {
        throw DistillationException.of(
            "%s and %s do not belong together: the mass of '%s' is %s in one and %s in the other",
            first.path(), source.path(), name, known, mass);
      }
      blocks.setMass(name, mass);
    }
  }

  private void add(Member member, DataBlock there, BitSet times) {
    DataBlock series = translated(member, there);
    List<Holding> its = holdings.computeIfAbsent(series, key -> new ArrayList<>(1));
    if (series instanceof DataBlock.Sink sink) {
      checkScheme(member.source(), sink);
    }
    for (Holding other : its) {
      // Sources of other programs bring a noise with each of its sinks and labels.
      if (series instanceof DataBlock.Noise && !(member.source() instanceof DistillationFile)) {
        return;
      }
      if (other.times().intersects(times)) {
        String where =
            series instanceof DataBlock.Perambulator tau
                ? " at source time " + tau.sourceTime()
                : series instanceof DataBlock.Generalized tau
                    ? " at (sink, source) = " + tau.ends()
                    : series instanceof DataBlock.Sink sink
                        ? " of time class " + sink.timeClass()
                        : "";
        throw DistillationException.of(
            "%s and %s both hold '%s'%s; leave one of them out",
            other.source().path(), member.source().path(), series.object(), where);
      }
    }
    its.add(new Holding(member.source(), there, times));
    blocks.add(series, times);
  }

  /** Checks that all sinks of a set are diluted in one way. */
  private void checkScheme(BlockSource source, DataBlock.Sink sink) {
    Holding known =
        firstOfSet.computeIfAbsent(sink.set(), set -> new Holding(source, sink, new BitSet()));
    if (!((DataBlock.Sink) known.series()).scheme().equals(sink.scheme())) {
      throw DistillationException.of(
          "%s and %s have different dilution or gamma5_hermitian of '%s/%s'; call one of them"
              + " otherwise",
          known.source().path(), source.path(), DistillationFile.QUARK_SINKS, sink.set());
    }
  }

  /** A block with the labels of definitions; a current with two of them. */
  private DataBlock translated(Member member, DataBlock there) {
    UnaryOperator<String> label = member.label();
    if (there instanceof DataBlock.Perambulator tau) {
      return new DataBlock.Perambulator(label.apply(tau.label()), tau.sinkTime(), tau.sourceTime());
    }
    if (there instanceof DataBlock.Sink sink) {
      return new DataBlock.Sink(
          label.apply(sink.set()), sink.noise(), sink.scheme(), sink.timeClass(), sink.time());
    }
    if (there instanceof DataBlock.Loop loop) {
      return new DataBlock.Loop(label.apply(loop.label()), loop.vertex(), loop.time());
    }
    return there instanceof DataBlock.Generalized tau
        ? new DataBlock.Generalized(translated(member, tau.name()), tau.ends(), tau.insertionTime())
        : there;
  }

  private CurrentName translated(Member member, CurrentName there) {
    String group = there.bar();
    UnaryOperator<String> translation = member.label();
    if (!there.quark().isEmpty() || group.indexOf('-') < 0) {
      String quark = there.quark().isEmpty() ? group : there.quark();
      return new CurrentName(translation.apply(group), translation.apply(quark), there.vertex());
    }
    Set<String> labels = firstOfLabel.keySet();
    Set<CurrentName> known = new HashSet<>();
    Set<CurrentName> alike = new HashSet<>();
    for (int at = group.indexOf('-'); at >= 0; at = group.indexOf('-', at + 1)) {
      String bar = group.substring(0, at);
      String quark = group.substring(at + 1);
      CurrentName name =
          new CurrentName(translation.apply(bar), translation.apply(quark), there.vertex());
      if (labels.contains(name.bar()) && labels.contains(name.quark())) {
        known.add(name);
      }
      if (bar.equals(quark)) {
        alike.add(name);
      }
    }
    Set<CurrentName> found = known.isEmpty() ? alike : known;
    if (found.size() != 1) {
      throw DistillationException.of(
          "%s: 'generalized_perambulators/%s': %s",
          member.source().path(),
          group,
          found.isEmpty()
              ? "no '-' in it separates two labels of perambulators; the labels are "
                  + (labels.isEmpty() ? "none" : String.join(", ", new TreeSet<>(labels)))
              : "several '-' in it separate two labels of perambulators; rename labels so that one"
                  + " does");
    }
    return found.iterator().next();
  }

  /** Where a block with labels of definitions is; null when no source has it. */
  @Nullable Stored find(DataBlock block) {
    for (Holding holding : holdings.getOrDefault(block.at(0), List.of())) {
      if (block.time() >= 0 && holding.times().get(block.time())) {
        return new Stored(holding.source(), holding.series().at(block.time()));
      }
    }
    return null;
  }

  /** All blocks, whichever source has them. */
  BlockCatalog blocks() {
    return blocks;
  }
}
