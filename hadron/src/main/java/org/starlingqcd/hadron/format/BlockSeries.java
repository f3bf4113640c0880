package org.starlingqcd.hadron.format;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Blocks that differ in time alone, as conversions write them one after the other.
 *
 * @param times sink times of a perambulator, insertion times of a generalized one, times of an
 *     elemental or a loop
 * @param at the block of a time
 */
public record BlockSeries(BitSet times, IntFunction<DataBlock> at) {
  /** The blocks, in ascending order of time. */
  public Stream<DataBlock> blocks() {
    return times.stream().mapToObj(at);
  }

  /** The perambulators of a label, one series for each source time, in ascending order. */
  public static List<BlockSeries> perambulators(DistillationData data, String label) {
    List<BlockSeries> all = new ArrayList<>();
    for (int source : data.sourceTimes(label)) {
      all.add(
          new BlockSeries(
              data.sinkTimes(label, source),
              sink -> new DataBlock.Perambulator(label, sink, source)));
    }
    return all;
  }

  /** A meson elemental. */
  public static BlockSeries meson(DistillationData data, ElementalName name) {
    return new BlockSeries(data.mesonTimes(name), t -> new DataBlock.Meson(name, t));
  }

  /** A baryon elemental. */
  public static BlockSeries baryon(DistillationData data, ElementalName name) {
    return new BlockSeries(data.baryonTimes(name), t -> new DataBlock.Baryon(name, t));
  }

  /** An elemental of a tetraquark. */
  public static BlockSeries tetraquark(DistillationData data, ElementalName name) {
    return new BlockSeries(data.tetraquarkTimes(name), t -> new DataBlock.Tetraquark(name, t));
  }

  /** The generalized perambulators of a current, one series for each sink and source time. */
  public static List<BlockSeries> generalized(DistillationData data, CurrentName name) {
    return data.storedGeneralized(name).keySet().stream()
        .map(ends -> generalized(data, name, ends))
        .toList();
  }

  /** The generalized perambulators of a current between two times. */
  public static BlockSeries generalized(
      DistillationData data, CurrentName name, CurrentName.Ends ends) {
    return new BlockSeries(
        data.storedGeneralized(name).getOrDefault(ends, new BitSet()),
        t -> new DataBlock.Generalized(name, ends, t));
  }

  /** A loop. */
  public static BlockSeries loop(DistillationData data, CurrentName name) {
    return new BlockSeries(
        data.loopTimes(name), t -> new DataBlock.Loop(name.bar(), name.vertex(), t));
  }

  /** A gluonic factor. */
  public static BlockSeries gluonic(DistillationData data, Gluonic factor) {
    return new BlockSeries(data.gluonicTimes(factor), t -> new DataBlock.GluonicValue(factor, t));
  }

  /** Generalized perambulators and loops. */
  public static Stream<BlockSeries> currents(DistillationData data) {
    return Stream.concat(
        data.generalizedPerambulators().stream().flatMap(name -> generalized(data, name).stream()),
        data.loops().stream().map(name -> loop(data, name)));
  }

  /**
   * Everything that a conversion to any format writes, of elementals those that are wanted; no
   * currents.
   */
  public static Stream<BlockSeries> all(DistillationData data, Predicate<ElementalName> wanted) {
    return Stream.of(
            data.labels().stream().flatMap(label -> perambulators(data, label).stream()),
            data.mesonElementals().stream().filter(wanted).map(name -> meson(data, name)),
            data.baryonElementals().stream().filter(wanted).map(name -> baryon(data, name)))
        .flatMap(series -> series);
  }
}
