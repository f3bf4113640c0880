package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.BlockSource;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;

/**
 * Perambulators of one label and configuration.
 *
 * <p>The file of source time t0 and source spin β has a record for each source vector j, sink time
 * t and sink spin α: the numbers of all sink vectors i. The source was multiplied with g4, which is
 * diag(1, 1, -1, -1) in the Dirac-Pauli basis of these files, so {@code τ[α][β][i][j] = ± file(t0,
 * β; j, t, α)[i]} with the minus sign for β = 2, 3.
 */
final class LaphSource implements BlockSource {
  private static final int SPINS = 4;

  /** Maps of files that are kept, 12 bytes for each record. */
  private static final int MOST_MAPS = 64;

  private final PartialHeader header;
  private final String label;
  private final Path path;
  private final int n;
  private final BlockCatalog catalog = new BlockCatalog();
  private final Map<Integer, @Nullable PerambulatorFile[]> bySource = new TreeMap<>();
  private final LinkedHashMap<Path, IoMapFile> maps = new LinkedHashMap<>(16, 0.75f, true);

  LaphSource(List<PerambulatorFile> files, PartialHeader header) {
    this.header = header;
    this.path = files.get(0).path();
    this.label = files.get(0).label();
    this.n = files.get(0).eigenvectors();
    int times = 1;
    for (PerambulatorFile file : files) {
      times = Math.max(times, file.lastTime() + 1);
      @Nullable PerambulatorFile[] spins =
          bySource.computeIfAbsent(file.sourceTime(), t -> new PerambulatorFile[SPINS]);
      PerambulatorFile other = spins[file.sourceSpin()];
      if (other != null) {
        throw new DistillationException(
            other.path()
                + " and "
                + file.path()
                + " both hold source time "
                + file.sourceTime()
                + ", source spin "
                + (file.sourceSpin() + 1)
                + " of '"
                + label
                + "'; leave one of them out");
      }
      spins[file.sourceSpin()] = file;
    }
    int all = times;
    bySource.forEach(
        (source, spins) -> {
          BitSet there = BlockCatalog.all(all);
          for (PerambulatorFile file : spins) {
            there.and(file == null ? new BitSet() : complete(file, all));
          }
          if (!there.isEmpty()) {
            catalog.addPerambulators(label, source, there);
          }
        });
  }

  /** The sink times for which a file has all records. */
  private BitSet complete(PerambulatorFile file, int times) {
    if (file.isComplete(times)) {
      return BlockCatalog.all(times);
    }
    IoMapFile map = map(file.path());
    int[] found = new int[times];
    for (int k = 0; k < map.records(); k++) {
      int time = PerambulatorFile.time(map.key(k)[0]);
      if (time < times) {
        found[time]++;
      }
    }
    BitSet complete = new BitSet();
    for (int time = 0; time < times; time++) {
      complete.set(time, found[time] == SPINS * n);
    }
    return complete;
  }

  private synchronized IoMapFile map(Path file) {
    IoMapFile known = maps.get(file);
    if (known == null) {
      known = IoMapFile.open(file);
      if (maps.size() >= MOST_MAPS) {
        maps.remove(maps.keySet().iterator().next());
      }
      maps.put(file, known);
    }
    return known;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public PartialHeader header() {
    return header;
  }

  @Override
  public BlockCatalog blocks() {
    return catalog;
  }

  @Override
  public GammaBasis explicitBasis() {
    return SpinBases.known(SpinBases.DIRAC_PAULI);
  }

  @Override
  public void read(DataBlock block, HostMemory target, long offset) {
    @Nullable PerambulatorFile @Nullable [] files =
        block instanceof DataBlock.Perambulator tau ? bySource.get(tau.sourceTime()) : null;
    if (files == null || !(block instanceof DataBlock.Perambulator tau)) {
      throw new DistillationException(path + ": " + block + " is missing");
    }
    int size = 2 * n * n;
    double[] matrix = new double[size];
    for (int beta = 0; beta < SPINS; beta++) {
      PerambulatorFile file = files[beta];
      if (file == null) {
        throw new DistillationException(
            path + ": " + block + ": no file has source spin " + (beta + 1));
      }
      IoMapFile map = map(file.path());
      try (IoMapFile.Reader reader = map.reader()) {
        for (int alpha = 0; alpha < SPINS; alpha++) {
          for (int j = 0; j < n; j++) {
            read(reader, map, PerambulatorFile.key(j, tau.sinkTime(), alpha), beta, matrix, 2 * j);
          }
          target.put(offset / Double.BYTES + (long) (SPINS * alpha + beta) * size, matrix, 0, size);
        }
      }
    }
  }

  /** Reads the sink vectors of a record into a column of a matrix. */
  private void read(
      IoMapFile.Reader reader, IoMapFile map, int key, int beta, double[] matrix, int at) {
    int record = map.find(key);
    if (record < 0) {
      throw map.fault("has no record with key " + Integer.toUnsignedString(key));
    }
    ByteBuffer numbers = reader.record(record, Integer.BYTES + 16 * n);
    int count = numbers.getInt();
    if (count != n) {
      throw map.fault("record " + record + " claims " + count + " numbers, its size says " + n);
    }
    int sign = beta < 2 ? 1 : -1;
    for (int i = 0; i < n; i++) {
      matrix[at + 2 * i * n] = sign * numbers.getDouble();
      matrix[at + 2 * i * n + 1] = sign * numbers.getDouble();
    }
  }

  @Override
  public void close() {
    maps.clear();
  }
}
