package org.starlingqcd.hadron.conversion;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DatasetLayout;
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
import org.starlingqcd.hadron.hdf5.PlainFile;

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
    return data.blocks().blocks(written(wanted)).mapToLong(one -> one.shape(n).bytes()).sum();
  }

  private static Predicate<DataBlock> written(Predicate<ElementalName> wanted) {
    return block -> !(block instanceof DataBlock.Elemental e) || wanted.test(e.name());
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
      throw new DistillationException(target + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  private void write(String identity, Predicate<ElementalName> wanted) throws IOException {
    Map<String, List<DataBlock>> datasets = new LinkedHashMap<>();
    data.blocks().series().keySet().stream()
        .filter(written(wanted))
        .forEach(one -> datasets.computeIfAbsent(one.object(), k -> new ArrayList<>()).add(one));
    try (Hdf5File file = open(identity)) {
      for (List<DataBlock> series : datasets.values()) {
        if (series.get(0) instanceof DataBlock.Sites block) {
          String object =
              DistillationFile.SITES
                  + block.object().substring(DistillationFile.SAMPLED_VECTORS.length());
          long[] extents = {data.header().temporalExtent(), block.sites(), 3};
          try (Hdf5Dataset dataset = create(file, object, ElementType.INTEGER, extents)) {
            dataset.writeIntegers(data.sites(block.atSource()));
          }
        }
        write(file, series);
      }
      double[] eigenvalues = data.laplacianEigenvalues();
      if (eigenvalues != null && !finished.contains(DistillationFile.EIGENVALUES)) {
        DistillationHeader header = data.header();
        long[] extents = {header.temporalExtent(), header.eigenvectors()};
        try (Hdf5Dataset dataset =
            create(file, DistillationFile.EIGENVALUES, ElementType.REAL, extents)) {
          dataset.writeAll(eigenvalues);
        }
        finish(file, DistillationFile.EIGENVALUES);
      }
    }
    partial.complete();
  }

  /** Writes the series of a dataset, and which blocks are there. */
  private void write(Hdf5File file, List<DataBlock> series) throws IOException {
    DatasetLayout layout = new DatasetLayout(series, data.header());
    String object = layout.object();
    if (!finished.contains(object)) {
      deleteIfThere(file, object);
      try (Hdf5Dataset dataset = layout.create(file, DatasetOptions.CONTIGUOUS)) {
        if (series.get(0) instanceof DataBlock.Perambulator tau) {
          dataset.attributes().put("gamma5_hermitian", data.gamma5Hermitian(tau.label()) ? 1 : 0);
          String mass = data.blocks().mass(tau.label());
          if (mass != null) {
            dataset.attributes().put(DistillationFile.MASS, mass);
          }
        }
      }
      writeMask(file, layout, series);
      finish(file, object);
    }
    long bytes = series.get(0).shape(data.header().eigenvectors()).bytes();
    for (DataBlock one : series) {
      BitSet times = data.times(one);
      if (finished.contains(one.toString())) {
        progress.accept(bytes * times.cardinality());
      } else if (!times.isEmpty()) {
        try (HostMemory memory = HostMemory.allocate(bytes);
            Hdf5Dataset dataset = file.dataset(object)) {
          for (int time : times.stream().toArray()) {
            data.loadStored(one.at(time), memory, 0);
            dataset.write(layout.start(one.at(time)), layout.block(), memory, 0);
            progress.accept(bytes);
          }
        }
        finish(file, one.toString());
      }
    }
  }

  private void writeMask(Hdf5File file, DatasetLayout layout, List<DataBlock> series) {
    long[] leading = layout.leading();
    long[] mask = new long[(int) Arrays.stream(leading).reduce(1, (a, b) -> a * b)];
    data.blocks()
        .blocks(series::contains)
        .forEach(
            block -> {
              long[] start = layout.start(block);
              int at = 0;
              for (int k = 0; k < leading.length; k++) {
                at = (int) (at * leading[k] + start[k]);
              }
              mask[at] = 1;
            });
    if (Arrays.stream(mask).anyMatch(there -> there == 0)) {
      String name = DistillationFile.PRESENT + "/" + layout.object();
      try (Hdf5Dataset dataset = create(file, name, ElementType.INTEGER, leading)) {
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
      writeHeader(data, file);
      file.flush();
      partial.begin(identity);
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Writes what data say of themselves, and their gamma matrices where these are explicit. */
  public static void writeHeader(DistillationData data, Hdf5File file) {
    data.header().write(file);
    if (!data.header().gammaBasis().equals(DistillationHeader.EXPLICIT)) {
      return;
    }
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

  /** Removes what an attempt has left that was stopped before the part was on the list. */
  private static void deleteIfThere(Hdf5File file, String object) {
    if (file.exists(object)) {
      file.delete(object);
    }
  }

  private static Hdf5Dataset create(
      Hdf5File file, String object, ElementType type, long... extents) {
    deleteIfThere(file, object);
    return file.createDataset(object, type, extents);
  }

  private void finish(Hdf5File file, String part) throws IOException {
    file.flush();
    partial.finish(part);
  }
}
