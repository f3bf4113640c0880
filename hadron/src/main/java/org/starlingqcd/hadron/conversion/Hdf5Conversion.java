package org.starlingqcd.hadron.conversion;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.SpinMatrix;
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
  private final Predicate<ElementalName> wanted;
  private final LongConsumer progress;
  private final PartialFile partial;
  private final Set<String> finished = new HashSet<>();

  private Hdf5Conversion(
      DistillationData data, Path target, Predicate<ElementalName> wanted, LongConsumer progress) {
    this.data = data;
    this.partial = new PartialFile(target);
    this.wanted = wanted;
    this.progress = progress;
  }

  /** Bytes that the elementals and perambulators of a conversion have. */
  public static long bytes(DistillationData data, Predicate<ElementalName> wanted) {
    int n = data.header().eigenvectors();
    long blocks = 0;
    for (String label : data.labels()) {
      for (int source : data.sourceTimes(label)) {
        blocks += 16L * data.sinkTimes(label, source).cardinality();
      }
    }
    for (ElementalName name : data.mesonElementals()) {
      blocks += wanted.test(name) ? data.mesonTimes(name).cardinality() : 0;
    }
    for (ElementalName name : data.baryonElementals()) {
      blocks += wanted.test(name) ? (long) n * data.baryonTimes(name).cardinality() : 0;
    }
    return 16L * n * n * blocks;
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
      new Hdf5Conversion(data, target, wanted, progress).write(identity);
    } catch (IOException | Hdf5Exception e) {
      throw new DistillationException(target + ": cannot be written: " + e.getMessage(), e);
    }
  }

  private void write(String identity) throws IOException {
    String first = identity.replace('\n', ' ');
    try (Hdf5File file = open(first)) {
      for (String label : data.labels()) {
        perambulators(file, label);
      }
      int n = data.header().eigenvectors();
      for (ElementalName name : data.mesonElementals()) {
        if (wanted.test(name)) {
          elemental(
              file,
              DistillationFile.MESON_ELEMENTALS + "/" + name,
              data.mesonTimes(name),
              new long[] {n, n},
              t -> new DataBlock.Meson(name, t));
        }
      }
      for (ElementalName name : data.baryonElementals()) {
        if (wanted.test(name)) {
          elemental(
              file,
              DistillationFile.BARYON_ELEMENTALS + "/" + name,
              data.baryonTimes(name),
              new long[] {n, n, n},
              t -> new DataBlock.Baryon(name, t));
        }
      }
    }
    partial.complete();
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
      try (Hdf5Dataset dataset =
          file.createDataset(
              "gamma/g" + mu,
              ElementType.COMPLEX,
              new long[] {spins, spins},
              DatasetOptions.CONTIGUOUS)) {
        dataset.writeAll(values);
      }
    }
  }

  private void perambulators(Hdf5File file, String label) throws IOException {
    int t = data.header().temporalExtent();
    int n = data.header().eigenvectors();
    List<Integer> sources = List.copyOf(data.sourceTimes(label));
    int width = sources.size();
    String object = DistillationFile.PERAMBULATORS + "/" + label;
    long[] mask = new long[t * width];
    for (int column = 0; column < width; column++) {
      BitSet sinks = data.sinkTimes(label, sources.get(column));
      for (int sink : sinks.stream().toArray()) {
        mask[sink * width + column] = 1;
      }
    }
    if (!finished.contains(object)) {
      try (Hdf5Dataset dataset =
          create(file, object, ElementType.COMPLEX, new long[] {t, width, 4, 4, n, n})) {
        dataset
            .attributes()
            .put("source_times", sources.stream().mapToInt(Integer::intValue).toArray());
        dataset.attributes().put("gamma5_hermitian", data.gamma5Hermitian(label) ? 1 : 0);
      }
      writeMask(file, object, mask, new long[] {t, width});
      finish(file, object);
    }
    long[] block = {1, 1, 4, 4, n, n};
    for (int column = 0; column < width; column++) {
      int source = sources.get(column);
      List<DataBlock> blocks = new ArrayList<>();
      for (int sink : data.sinkTimes(label, source).stream().toArray()) {
        blocks.add(new DataBlock.Perambulator(label, sink, source));
      }
      long at = column;
      write(
          file,
          object,
          object + " " + source,
          blocks,
          tau -> new long[] {((DataBlock.Perambulator) tau).sinkTime(), at, 0, 0, 0, 0},
          block);
    }
  }

  private interface BlockAt {
    DataBlock at(int time);
  }

  private interface Start {
    long[] of(DataBlock block);
  }

  private void elemental(Hdf5File file, String object, BitSet times, long[] matrix, BlockAt block)
      throws IOException {
    int t = data.header().temporalExtent();
    long[] extents = new long[matrix.length + 1];
    long[] count = new long[matrix.length + 1];
    System.arraycopy(matrix, 0, extents, 1, matrix.length);
    System.arraycopy(matrix, 0, count, 1, matrix.length);
    extents[0] = t;
    count[0] = 1;
    if (!finished.contains(object)) {
      create(file, object, ElementType.COMPLEX, extents).close();
      long[] mask = new long[t];
      times.stream().forEach(time -> mask[time] = 1);
      writeMask(file, object, mask, new long[] {t});
      finish(file, object);
    }
    write(
        file,
        object,
        object + " all",
        times.stream().mapToObj(block::at).toList(),
        at -> {
          long[] start = new long[extents.length];
          start[0] = at instanceof DataBlock.Meson m ? m.time() : ((DataBlock.Baryon) at).time();
          return start;
        },
        count);
  }

  /** Writes the blocks of a part, unless they are there. */
  private void write(
      Hdf5File file, String object, String part, List<DataBlock> blocks, Start start, long[] count)
      throws IOException {
    if (blocks.isEmpty()) {
      return;
    }
    long bytes = blocks.get(0).shape(data.header().eigenvectors()).bytes();
    if (finished.contains(part)) {
      progress.accept(bytes * blocks.size());
      return;
    }
    try (HostMemory memory = HostMemory.allocate(bytes);
        Hdf5Dataset dataset = file.dataset(object)) {
      for (DataBlock block : blocks) {
        data.loadStored(block, memory, 0);
        dataset.write(start.of(block), count, memory, 0);
        progress.accept(bytes);
      }
    }
    finish(file, part);
  }

  private static Hdf5Dataset create(
      Hdf5File file, String object, ElementType type, long[] extents) {
    if (file.exists(object)) {
      file.delete(object); // of an attempt that was stopped before the part was on the list
    }
    return file.createDataset(object, type, extents, DatasetOptions.CONTIGUOUS);
  }

  /** Says which blocks are there, unless all are. */
  private static void writeMask(Hdf5File file, String object, long[] mask, long[] extents) {
    for (long there : mask) {
      if (there == 0) {
        try (Hdf5Dataset dataset =
            create(file, DistillationFile.PRESENT + "/" + object, ElementType.INTEGER, extents)) {
          dataset.writeIntegers(mask);
        }
        return;
      }
    }
  }

  private void finish(Hdf5File file, String part) throws IOException {
    file.flush();
    partial.finish(part);
  }
}
