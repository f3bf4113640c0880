package org.starlingqcd.hadron.conversion;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.format.BlockSeries;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5Exception;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Writes the data of one configuration to a file in Starling's own format.
 *
 * <p>It goes on where an earlier attempt stopped. The file is written as {@code FILE.part}; beside
 * it {@code FILE.part.done} lists the parts that are on disk: a source time of a label, or an
 * elemental. Datasets are contiguous, so that once one exists, writing numbers changes nothing else
 * in the file. The first line of the list says what is converted, and an attempt for other data
 * begins again.
 */
public final class Hdf5Conversion {
  private final DistillationData data;
  private final LongConsumer progress;
  private final PartialFile partial;
  private final Set<String> finished = new HashSet<>();

  private Hdf5Conversion(DistillationData data, Path target, LongConsumer progress) {
    this.data = data;
    this.partial = new PartialFile(target);
    this.progress = progress;
  }

  /** Bytes of the numbers that a conversion writes. */
  public static long bytes(DistillationData data, Predicate<ElementalName> wanted) {
    int n = data.header().eigenvectors();
    Stream<BlockSeries> tetraquarks =
        data.tetraquarkElementals().stream()
            .filter(wanted)
            .map(name -> BlockSeries.tetraquark(data, name));
    Stream<BlockSeries> gluonic =
        data.gluonic().stream().map(factor -> BlockSeries.gluonic(data, factor));
    return Stream.of(
            BlockSeries.all(data, wanted), BlockSeries.currents(data), tetraquarks, gluonic)
        .flatMap(series -> series)
        .flatMap(BlockSeries::blocks)
        .mapToLong(block -> block.shape(n).bytes())
        .sum();
  }

  /**
   * Writes a file, which appears under its name when it is complete.
   *
   * @param identity what is converted; an earlier attempt with another one is not continued
   * @param wanted which elementals are written
   * @param progress told the bytes of each block, those of an earlier attempt at once
   * @throws DistillationException when a block cannot be read or the file not be written
   */
  public static void write(
      DistillationData data,
      Path target,
      String identity,
      Predicate<ElementalName> wanted,
      LongConsumer progress) {
    try {
      new Hdf5Conversion(data, target, progress).write(identity.replace('\n', ' '), wanted);
    } catch (IOException | Hdf5Exception e) {
      throw new DistillationException(target + ": cannot be written: " + e.getMessage(), e);
    }
  }

  private void write(String identity, Predicate<ElementalName> wanted) throws IOException {
    int n = data.header().eigenvectors();
    try (Hdf5File file = open(identity)) {
      for (String label : data.labels()) {
        List<BlockSeries> columns = BlockSeries.perambulators(data, label);
        write(file, DistillationFile.PERAMBULATORS + "/" + label, label, columns, 4, 4, n, n);
      }
      for (ElementalName name : data.mesonElementals()) {
        if (wanted.test(name)) {
          List<BlockSeries> times = List.of(BlockSeries.meson(data, name));
          write(file, DistillationFile.MESON_ELEMENTALS + "/" + name, null, times, n, n);
        }
      }
      for (ElementalName name : data.baryonElementals()) {
        if (wanted.test(name)) {
          List<BlockSeries> times = List.of(BlockSeries.baryon(data, name));
          write(file, DistillationFile.BARYON_ELEMENTALS + "/" + name, null, times, n, n, n);
        }
      }
      for (ElementalName name : data.tetraquarkElementals()) {
        if (wanted.test(name)) {
          List<BlockSeries> times = List.of(BlockSeries.tetraquark(data, name));
          int pairs = name.colour().pairs(n);
          String object = DistillationFile.TETRAQUARK_ELEMENTALS + "/" + name;
          write(file, object, null, times, pairs, pairs);
        }
      }
      for (CurrentName name : data.loops()) {
        List<BlockSeries> times = List.of(BlockSeries.loop(data, name));
        write(file, DistillationFile.LOOPS + "/" + name.bar() + "/" + name.vertex(), null, times);
      }
      for (CurrentName name : data.generalizedPerambulators()) {
        writeGeneralized(file, name);
      }
      double[] eigenvalues = data.laplacianEigenvalues();
      if (eigenvalues != null && !finished.contains(DistillationFile.EIGENVALUES)) {
        int extent = data.header().temporalExtent();
        try (Hdf5Dataset dataset =
            create(file, DistillationFile.EIGENVALUES, ElementType.REAL, extent, n)) {
          dataset.writeAll(eigenvalues);
        }
        finish(file, DistillationFile.EIGENVALUES);
      }
      for (Gluonic factor : data.gluonic()) {
        List<BlockSeries> times = List.of(BlockSeries.gluonic(data, factor));
        write(file, DistillationFile.GLUONIC + "/" + factor, null, times);
      }
    }
    partial.complete();
  }

  /** Writes a dataset [sink][insertion][source][block]; insertion times are 0 … T-1. */
  private void writeGeneralized(Hdf5File file, CurrentName name) throws IOException {
    String object = DistillationFile.GENERALIZED + "/" + name;
    SortedMap<CurrentName.Ends, BitSet> stored = data.storedGeneralized(name);
    int[] sinks =
        stored.keySet().stream().mapToInt(CurrentName.Ends::sinkTime).distinct().sorted().toArray();
    int[] sources =
        stored.keySet().stream().mapToInt(CurrentName.Ends::sourceTime).distinct().toArray();
    int t = data.header().temporalExtent();
    int n = data.header().eigenvectors();
    long[] leading = {sinks.length, t, sources.length};
    if (!finished.contains(object)) {
      file.createChecksums(object, leading);
      try (Hdf5Dataset dataset =
          create(file, object, ElementType.COMPLEX, joined(leading, new long[] {4, 4, n, n}))) {
        dataset.attributes().put("sink_times", sinks);
        dataset.attributes().put("source_times", sources);
      }
      long[] mask = new long[sinks.length * t * sources.length];
      for (int k = 0; k < mask.length; k++) {
        BitSet times =
            stored.get(ends(sinks, sources, k / (t * sources.length), k % sources.length));
        mask[k] = times != null && times.get(k / sources.length % t) ? 1 : 0;
      }
      writeMask(file, object, mask, leading);
      finish(file, object);
    }
    List<BlockSeries> all = BlockSeries.generalized(data, name);
    int number = 0;
    for (CurrentName.Ends ends : stored.keySet()) {
      long[] start = new long[7];
      start[0] = Arrays.binarySearch(sinks, ends.sinkTime());
      start[2] = Arrays.binarySearch(sources, ends.sourceTime());
      write(
          file,
          object,
          object + " " + ends,
          all.get(number++),
          1,
          start,
          new long[] {1, 1, 1, 4, 4, n, n});
    }
  }

  private static CurrentName.Ends ends(int[] sinks, int[] sources, int sink, int source) {
    return new CurrentName.Ends(sinks[sink], sources[source]);
  }

  private static void writeMask(Hdf5File file, String object, long[] mask, long... extents) {
    if (Arrays.stream(mask).anyMatch(there -> there == 0)) {
      try (Hdf5Dataset dataset =
          create(file, DistillationFile.PRESENT + "/" + object, ElementType.INTEGER, extents)) {
        dataset.writeIntegers(mask);
      }
    }
  }

  private Hdf5File open(String identity) throws IOException {
    Optional<PartialFile.Earlier> earlier = partial.earlier(identity);
    if (earlier.isPresent()) {
      finished.addAll(earlier.get().parts());
      return earlier.get().file();
    }
    Hdf5File file = partial.create();
    try {
      DistillationHeader header = data.header();
      header.write(file);
      if (header.gammaBasis().equals(DistillationHeader.EXPLICIT)) {
        writeGammas(file);
      }
      file.flush();
      partial.begin(identity);
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private void writeGammas(Hdf5File file) {
    int spins = SpinMatrix.SPINS;
    for (int mu = 1; mu <= spins; mu++) {
      SpinMatrix gamma = data.gammaBasis().matrix(Gamma.g(mu));
      double[] values = new double[2 * spins * spins];
      for (int k = 0; k < spins * spins; k++) {
        values[2 * k] = gamma.re(k / spins, k % spins);
        values[2 * k + 1] = gamma.im(k / spins, k % spins);
      }
      try (Hdf5Dataset dataset = create(file, "gamma/g" + mu, ElementType.COMPLEX, spins, spins)) {
        dataset.writeAll(values);
      }
    }
  }

  /**
   * Writes a dataset [time][block], for a label [time][column][block], and which blocks are there.
   */
  private void write(
      Hdf5File file,
      String object,
      @Nullable String label,
      List<BlockSeries> columns,
      long... matrix)
      throws IOException {
    int t = data.header().temporalExtent();
    int width = columns.size();
    long[] leading = label == null ? new long[] {t} : new long[] {t, width};
    List<Integer> sources = label == null ? List.of() : List.copyOf(data.sourceTimes(label));
    if (!finished.contains(object)) {
      long[] all = joined(leading, matrix);
      // Rows of baryon elementals are read by themselves.
      file.createChecksums(
          object, Arrays.copyOf(all, leading.length + (matrix.length == 3 ? 1 : 0)));
      try (Hdf5Dataset dataset = create(file, object, ElementType.COMPLEX, all)) {
        if (label != null) {
          dataset
              .attributes()
              .put("source_times", sources.stream().mapToInt(Integer::intValue).toArray());
          dataset.attributes().put("gamma5_hermitian", data.gamma5Hermitian(label) ? 1 : 0);
        }
      }
      long[] mask = new long[t * width];
      for (int column = 0; column < width; column++) {
        int at = column;
        columns.get(column).times().stream().forEach(time -> mask[time * width + at] = 1);
      }
      writeMask(file, object, mask, leading);
      finish(file, object);
    }
    long[] one = new long[leading.length];
    Arrays.fill(one, 1);
    for (int column = 0; column < width; column++) {
      String part = object + " " + (label == null ? "all" : sources.get(column));
      long[] start = new long[leading.length + matrix.length];
      start[leading.length - 1] = column;
      write(file, object, part, columns.get(column), 0, start, joined(one, matrix));
    }
  }

  private static long[] joined(long[] one, long[] other) {
    return LongStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
  }

  /**
   * Writes the blocks of a part, unless they are there.
   *
   * @param axis that of time
   */
  private void write(
      Hdf5File file,
      String object,
      String part,
      BlockSeries series,
      int axis,
      long[] start,
      long[] count)
      throws IOException {
    if (series.times().isEmpty()) {
      return;
    }
    long bytes = series.at().apply(0).shape(data.header().eigenvectors()).bytes();
    if (finished.contains(part)) {
      progress.accept(bytes * series.times().cardinality());
      return;
    }
    try (HostMemory memory = HostMemory.allocate(bytes);
        Hdf5Dataset dataset = file.dataset(object)) {
      for (int time : series.times().stream().toArray()) {
        data.loadStored(series.at().apply(time), memory, 0);
        start[axis] = time;
        dataset.write(start, count, memory, 0);
        progress.accept(bytes);
      }
    }
    finish(file, part);
  }

  private static Hdf5Dataset create(
      Hdf5File file, String object, ElementType type, long... extents) {
    if (file.exists(object)) {
      file.delete(object); // of an attempt that was stopped before the part was on the list
    }
    return file.createDataset(object, type, extents, DatasetOptions.CONTIGUOUS);
  }

  private void finish(Hdf5File file, String part) throws IOException {
    file.flush();
    partial.finish(part);
  }
}
