package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.BlockCatalog;
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
final class LaphSource extends IndexedSource<PerambulatorFile[]> {
  private static final int SPINS = 4;

  private final int n;
  private final Maps maps;

  private LaphSource(
      Path path,
      PartialHeader header,
      Map<DataBlock, PerambulatorFile[]> blocks,
      int n,
      Maps maps) {
    super(path, header, blocks);
    this.n = n;
    this.maps = maps;
  }

  /** The maps of the files that were used last, 12 bytes for each record. */
  private static final class Maps {
    private static final int MOST = 64;

    private final LinkedHashMap<Path, IoMapFile> known = new LinkedHashMap<>(16, 0.75f, true);

    synchronized IoMapFile of(PerambulatorFile file) {
      IoMapFile map = known.get(file.path());
      if (map == null) {
        map = IoMapFile.open(file.path());
        if (known.size() >= MOST) {
          known.remove(known.keySet().iterator().next());
        }
        known.put(file.path(), map);
      }
      return map;
    }
  }

  /**
   * Opens files of one label and configuration.
   *
   * @throws DistillationException when two hold the same numbers
   */
  static LaphSource open(List<PerambulatorFile> files, PartialHeader header) {
    Maps maps = new Maps();
    int times = 1;
    Map<Integer, PerambulatorFile[]> bySource = new TreeMap<>();
    for (PerambulatorFile file : files) {
      times = Math.max(times, file.lastTime() + 1);
      PerambulatorFile[] spins =
          bySource.computeIfAbsent(file.sourceTime(), t -> new PerambulatorFile[SPINS]);
      PerambulatorFile other = spins[file.sourceSpin()];
      if (other != null) {
        throw new DistillationException(
            "%s and %s both hold source time %s, source spin %s of '%s'; leave one of them out"
                .formatted(
                    other.path(),
                    file.path(),
                    file.sourceTime(),
                    file.sourceSpin() + 1,
                    file.label()));
      }
      spins[file.sourceSpin()] = file;
    }
    PerambulatorFile first = files.get(0);
    Map<DataBlock, PerambulatorFile[]> blocks = new HashMap<>();
    BitSet all = BlockCatalog.all(times);
    bySource.forEach(
        (source, spins) -> {
          BitSet there = (BitSet) all.clone();
          for (PerambulatorFile file : spins) {
            there.and(file == null ? new BitSet() : complete(file, all, maps));
          }
          there.stream()
              .mapToObj(t -> new DataBlock.Perambulator(first.label(), t, source))
              .forEach(block -> blocks.put(block, spins));
        });
    return new LaphSource(first.path(), header, blocks, first.eigenvectors(), maps);
  }

  /** The sink times for which a file has all records. */
  private static BitSet complete(PerambulatorFile file, BitSet all, Maps maps) {
    int times = all.length();
    if (file.isComplete(times)) {
      return all;
    }
    IoMapFile map = maps.of(file);
    int[] found = new int[times];
    for (int k = 0; k < map.records(); k++) {
      int time = PerambulatorFile.time(map.key(k)[0]);
      if (time < times) {
        found[time]++;
      }
    }
    BitSet complete = new BitSet();
    for (int time = 0; time < times; time++) {
      complete.set(time, found[time] == SPINS * file.eigenvectors());
    }
    return complete;
  }

  @Override
  public GammaBasis explicitBasis() {
    return SpinBases.known(SpinBases.DIRAC_PAULI);
  }

  @Override
  void read(DataBlock block, PerambulatorFile[] files, HostMemory target, long offset) {
    int sinkTime = ((DataBlock.Perambulator) block).sinkTime();
    int size = 2 * n * n;
    double[] matrix = new double[size];
    for (int beta = 0; beta < SPINS; beta++) {
      IoMapFile map = maps.of(files[beta]);
      try (IoMapFile.Reader reader = map.reader()) {
        for (int alpha = 0; alpha < SPINS; alpha++) {
          for (int j = 0; j < n; j++) {
            read(reader, map, PerambulatorFile.key(j, sinkTime, alpha), beta, matrix, 2 * j);
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
  public void close() {}
}
