package org.starlingqcd.hadron.data;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Attributes;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * How a file of Starling holds series in one dataset: [t][block], perambulators of a label
 * [t_sink][source][block], generalized ones of a current [sink][t][source][block].
 */
public final class DatasetLayout {
  private final DataBlock first;
  private final int[] sinks;
  private final int[] sources;
  private final long[] leading;
  private final long[] matrix;

  /**
   * The layout of series that have the same {@link DataBlock#object}; perambulators get columns in
   * the order of the list.
   */
  public DatasetLayout(List<? extends DataBlock> series, DistillationHeader header) {
    first = series.get(0);
    int t = header.temporalExtent();
    if (first instanceof DataBlock.Generalized) {
      sinks = series.stream().mapToInt(one -> ends(one).sinkTime()).distinct().sorted().toArray();
      sources =
          series.stream().mapToInt(one -> ends(one).sourceTime()).distinct().sorted().toArray();
      leading = new long[] {sinks.length, t, sources.length};
    } else {
      sinks = new int[0];
      sources =
          series.stream().mapToInt(DatasetLayout::column).filter(column -> column >= 0).toArray();
      leading = sources.length == 0 ? new long[] {t} : new long[] {t, sources.length};
    }
    matrix = shape(first, header.eigenvectors());
  }

  /** The source time of a perambulator, the time class of sinks; -1 for all others. */
  private static int column(DataBlock block) {
    return block instanceof DataBlock.Perambulator tau
        ? tau.sourceTime()
        : block instanceof DataBlock.Sink sink ? sink.timeClass() : -1;
  }

  /** The extents of a block for N eigenvectors. */
  public static long[] shape(DataBlock block, int n) {
    if (block instanceof DataBlock.Sites s) {
      return new long[] {n, s.sites(), 3};
    }
    if (block instanceof DataBlock.Noise) {
      return new long[] {SpinMatrix.SPINS, n};
    }
    if (block instanceof DataBlock.Sink sink) {
      DilutionScheme scheme = sink.scheme();
      return new long[] {scheme.spinClasses(), scheme.vectorClasses(), SpinMatrix.SPINS, n};
    }
    TensorShape shape = block.shape(n);
    long[] indices = LongStream.range(0, shape.rank()).map(k -> shape.extent()).toArray();
    return shape.spins() > 1
        ? joined(new long[] {4, 4}, indices)
        : shape.rank() == 1 ? new long[0] : indices;
  }

  private static CurrentName.Ends ends(DataBlock block) {
    return ((DataBlock.Generalized) block).ends();
  }

  private static long[] joined(long[] one, long[] other) {
    return LongStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
  }

  /** The name of the dataset. */
  public String object() {
    return first.object();
  }

  /** The extents of the axes before those of a block. */
  public long[] leading() {
    return leading.clone();
  }

  /** The extents of a block within the dataset. */
  public long[] block() {
    return joined(LongStream.range(0, leading.length).map(k -> 1).toArray(), matrix);
  }

  /** Where a block begins. */
  public long[] start(DataBlock block) {
    long[] start = new long[leading.length + matrix.length];
    if (block instanceof DataBlock.Generalized tau) {
      start[0] = index(sinks, tau.ends().sinkTime());
      start[1] = tau.insertionTime();
      start[2] = index(sources, tau.ends().sourceTime());
    } else {
      start[0] = block.time();
      if (column(block) >= 0) {
        start[1] = index(sources, column(block));
      }
    }
    return start;
  }

  private static int index(int[] times, int time) {
    return IntStream.range(0, times.length).filter(k -> times[k] == time).findFirst().orElseThrow();
  }

  /** Creates the dataset with its attributes, and room for its checksums. */
  public Hdf5Dataset create(Hdf5File file, DatasetOptions options) {
    long[] extents = joined(leading, matrix);
    // Rows of baryon elementals and of tetraquarks are read by themselves.
    boolean rows = first instanceof DataBlock.Elemental e && e.kind() != DataBlock.Kind.MESON;
    file.createChecksums(object(), Arrays.copyOf(extents, leading.length + (rows ? 1 : 0)));
    Hdf5Dataset dataset = file.createDataset(object(), ElementType.COMPLEX, extents, options);
    if (sinks.length > 0) {
      dataset.attributes().put("sink_times", sinks);
    }
    if (first instanceof DataBlock.Sink sink) {
      Hdf5Attributes set = file.attributes(DistillationFile.QUARK_SINKS + "/" + sink.set());
      boolean other =
          set.has(DistillationFile.TIME_PROJECTORS)
              && !Arrays.equals(set.ints(DistillationFile.TIME_PROJECTORS), sources);
      if (other) {
        throw DistillationException.of(
            "'%s': other noises of the set have other time classes than %s, which one file cannot"
                + " tell; write noises with the same ones into a file",
            object(), Arrays.toString(sources));
      }
      sink.scheme().write(set);
      set.put(DistillationFile.TIME_PROJECTORS, sources);
    } else if (sources.length > 0) {
      dataset.attributes().put("source_times", sources);
    }
    return dataset;
  }
}
