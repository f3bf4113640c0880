package org.starlingqcd.hadron.format;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.format.ArrayEntry.Kind;

/** Finds out which blocks the arrays of a configuration hold. */
final class MappedCatalog {
  private static final int SPINS = 4;

  private final Mapping mapping;
  private final int times;
  private final Set<String> labels = new HashSet<>();
  private final Map<DataBlock, IndexedArrays> blocks = new HashMap<>();

  private MappedCatalog(Mapping mapping, int times) {
    this.mapping = mapping;
    this.times = times;
  }

  /**
   * The arrays that hold each block.
   *
   * @param eigenvectors N
   * @param times T
   * @throws DistillationException when arrays contradict each other or the mapping file
   */
  static Map<DataBlock, IndexedArrays> of(
      Mapping mapping, List<IndexedArrays> arrays, int eigenvectors, int times) {
    MappedCatalog catalog = new MappedCatalog(mapping, times);
    for (IndexedArrays one : arrays) {
      if (one.eigenvectors() != 0 && one.eigenvectors() != eigenvectors) {
        throw catalog.fault(
            one, "has " + one.eigenvectors() + " eigenvectors, other arrays have " + eigenvectors);
      }
      if (one.entry().kind() == Kind.PERAMBULATOR) {
        one.labels().forEach(label -> catalog.catalogPerambulators(one, label));
      } else {
        catalog.catalogElementals(one);
      }
    }
    return catalog.blocks;
  }

  private DistillationException fault(IndexedArrays arrays, String what) {
    return mapping.fault(arrays.entry(), what);
  }

  /** The time of an index along an axis. */
  private static long[] timesOf(List<Long> written, long extent) {
    return written.isEmpty()
        ? LongStream.range(0, extent).toArray()
        : written.stream().mapToLong(Long::longValue).toArray();
  }

  private void checkTimes(IndexedArrays arrays, List<Long> written, String axis) {
    if (arrays.extent(axis) > times) {
      throw fault(
          arrays,
          "has %s values along %s, but temporal_extent is %s"
              .formatted(arrays.extent(axis), axis, times));
    }
    if (!written.isEmpty() && written.size() != arrays.extent(axis)) {
      throw fault(
          arrays,
          "has %s values along %s, but %s times are listed"
              .formatted(arrays.extent(axis), axis, written.size()));
    }
  }

  private int checkTime(IndexedArrays arrays, long time) {
    if (time < 0 || time >= times) {
      throw fault(arrays, "has time " + time + ", but temporal_extent is " + times);
    }
    return (int) time;
  }

  private void catalogPerambulators(IndexedArrays arrays, String label) {
    if (!labels.add(label)) {
      throw fault(arrays, "has the label '" + label + "', which another entry has");
    }
    ArrayEntry entry = arrays.entry();
    List<Long> sources = entry.times().source();
    List<Long> sinks = entry.times().sink();
    checkTimes(arrays, sources, "t_src");
    checkTimes(arrays, sinks, "t_snk");
    checkTimes(arrays, List.of(), "dt");
    int wanted =
        (entry.hasPlaceholder("alpha") ? SPINS : 1) * (entry.hasPlaceholder("beta") ? SPINS : 1);
    Map<Integer, int[]> found = new HashMap<>();
    for (Map<String, Long> named : arrays.named(label)) {
      Long t0 = named.get("t0");
      for (long source : t0 != null ? new long[] {t0} : timesOf(sources, arrays.extent("t_src"))) {
        int sourceTime = checkTime(arrays, source);
        Long t = named.get("t");
        Long dt = named.get("dt");
        long[] sinkTimes;
        if (t != null) {
          sinkTimes = new long[] {t};
        } else if (dt != null) {
          sinkTimes = new long[] {(source + checkTime(arrays, dt)) % times};
        } else if (entry.hasAxis("dt")) {
          sinkTimes =
              LongStream.range(0, arrays.extent("dt"))
                  .map(k -> (source + checkTime(arrays, k)) % times)
                  .toArray();
        } else {
          sinkTimes = timesOf(sinks, arrays.extent("t_snk"));
        }
        int[] parts = found.computeIfAbsent(sourceTime, k -> new int[times]);
        for (long sink : sinkTimes) {
          parts[checkTime(arrays, sink)]++;
        }
      }
    }
    found.forEach(
        (source, parts) -> {
          for (int sink = 0; sink < times; sink++) {
            if (parts[sink] == wanted) {
              blocks.put(new DataBlock.Perambulator(label, sink, source), arrays);
            }
          }
        });
  }

  private void catalogElementals(IndexedArrays arrays) {
    ArrayEntry entry = arrays.entry();
    checkTimes(arrays, entry.times().sink(), "t");
    for (Map<String, Long> named : arrays.named(entry.name())) {
      BitSet there = new BitSet();
      Long t = named.get("t");
      for (long time :
          t != null ? new long[] {t} : timesOf(entry.times().sink(), arrays.extent("t"))) {
        there.set(checkTime(arrays, time));
      }
      if (entry.hasAxis("momentum")) {
        arrays.momenta().keySet().forEach(momentum -> catalog(arrays, momentum, there));
      } else {
        Momentum momentum = arrays.momentumOf(named);
        if (momentum != null) {
          catalog(arrays, momentum, there);
        }
      }
    }
  }

  private void catalog(IndexedArrays arrays, Momentum momentum, BitSet there) {
    ElementalName name = new ElementalName(arrays.entry().name(), momentum);
    boolean meson = arrays.entry().kind() == Kind.MESON;
    there.stream()
        .mapToObj(t -> meson ? new DataBlock.Meson(name, t) : new DataBlock.Baryon(name, t))
        .forEach(block -> blocks.put(block, arrays));
  }
}
