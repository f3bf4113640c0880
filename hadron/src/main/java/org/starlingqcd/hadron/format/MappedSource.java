package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.format.ArrayEntry.Kind;

/**
 * The arrays of one configuration that a mapping file explains.
 *
 * <p>A block is read in slices of its first index of at most {@value #SLICE} doubles; in each,
 * indices are brought into Starling's order, a gamma matrix at the source is removed and numbers
 * are multiplied with the factor.
 */
final class MappedSource extends IndexedSource<IndexedArrays> {
  private static final int SPINS = 4;

  /** Doubles of a slice, 64 MiB. */
  private static final long SLICE = 8 << 20;

  /** How well a matrix must be 1 in spin, relative to its largest number; 2^-24 is 6e-8. */
  private static final double UNIT_IN_SPIN = 1e-5;

  private static final int MOST_EIGENVECTORS = 8192;

  /** More than any lattice has. */
  static final int MOST_TIMES = 4096;

  private static final List<String> PERAMBULATOR =
      List.of("alpha_snk", "beta_src", "i_snk", "j_src");
  private static final List<String> MESON = List.of("i", "j");
  private static final List<String> MESON_WITH_SPIN = List.of("alpha", "beta", "i", "j");
  private static final List<String> BARYON = List.of("i", "j", "k");

  private final Mapping mapping;
  private final int n;
  private final int times;
  private final ArrayPool pool;

  /**
   * @param path the file that stands for all, in messages
   * @param header complete in N and T
   */
  MappedSource(
      Path path,
      Mapping mapping,
      PartialHeader header,
      int eigenvectors,
      int times,
      ArrayPool pool,
      List<IndexedArrays> arrays) {
    super(path, header, MappedCatalog.of(mapping, arrays, eigenvectors, times));
    this.mapping = mapping;
    this.n = eigenvectors;
    this.times = times;
    this.pool = pool;
    for (IndexedArrays one : arrays) {
      if (!one.entry().gamma5Hermitian()) {
        one.labels().forEach(blocks()::forbidGamma5);
      }
    }
  }

  @Override
  public @Nullable GammaBasis explicitBasis() {
    return mapping.basis().isDeGrandRossi() ? null : mapping.basis();
  }

  @Override
  void read(DataBlock block, IndexedArrays arrays, HostMemory target, long offset) {
    if (block instanceof DataBlock.Perambulator tau) {
      read(tau, arrays, target, offset);
    } else if (block instanceof DataBlock.Meson meson) {
      read(block, arrays, meson.name(), meson.time(), 0, n, target, offset);
    } else if (block instanceof DataBlock.Baryon baryon) {
      read(block, arrays, baryon.name(), baryon.time(), 0, n, target, offset);
    }
  }

  @Override
  public void readRows(
      DataBlock.Baryon block,
      int firstRow,
      int rows,
      HostMemory target,
      long offset,
      HostMemoryBudget budget) {
    read(block, place(block), block.name(), block.time(), firstRow, rows, target, offset);
  }

  private void read(
      DataBlock.Perambulator tau, IndexedArrays arrays, HostMemory target, long offset) {
    ArrayEntry entry = arrays.entry();
    long dt = Math.floorMod(tau.sinkTime() - tau.sourceTime(), times);
    Map<String, Long> named = new HashMap<>();
    named.put("t0", (long) tau.sourceTime());
    named.put("t", (long) tau.sinkTime());
    named.put("dt", dt);
    Map<String, long[]> ranges = new HashMap<>();
    ranges.put("t_src", new long[] {indexOf(entry.times().source(), tau.sourceTime()), 1});
    ranges.put("t_snk", new long[] {indexOf(entry.times().sink(), tau.sinkTime()), 1});
    ranges.put("dt", new long[] {dt, 1});
    ranges.put("i_snk", new long[] {0, n});
    ranges.put("j_src", new long[] {0, n});
    boolean sinkNamed = entry.hasPlaceholder("alpha");
    boolean sourceNamed = entry.hasPlaceholder("beta");
    int numbers = n * n;
    int row = 2 * SPINS * numbers;
    boolean whole = !sinkNamed && !sourceNamed && SPINS * (long) row <= SLICE;
    int count = whole ? SPINS : 1;
    double[] slice = new double[count * row];
    for (int alpha = 0; alpha < SPINS; alpha += count) {
      named.put("alpha", (long) alpha);
      ranges.put("alpha_snk", sinkNamed ? new long[] {0, 1} : new long[] {alpha, count});
      for (int beta = 0; beta < (sourceNamed ? SPINS : 1); beta++) {
        named.put("beta", (long) beta);
        ranges.put("beta_src", sourceNamed ? new long[] {0, 1} : new long[] {0, SPINS});
        arrays.read(tau.label(), named, ranges, PERAMBULATOR, slice, beta * 2 * numbers, tau);
      }
      if (mapping.sourceG4()) {
        SpinBases.removeSourceGamma(mapping.basis().matrix(Gamma.G4), slice, numbers);
      }
      multiply(slice, slice.length, entry);
      target.put(offset / Double.BYTES + (long) alpha * row, slice, 0, slice.length);
    }
  }

  private void read(
      DataBlock block,
      IndexedArrays arrays,
      ElementalName name,
      int time,
      int firstRow,
      int rows,
      HostMemory target,
      long offset) {
    boolean baryon = arrays.entry().kind() == Kind.BARYON;
    Map<String, Long> named = new HashMap<>(arrays.named(name.momentum()));
    named.put("t", (long) time);
    Map<String, long[]> ranges = new HashMap<>();
    ranges.put("t", new long[] {indexOf(arrays.entry().times().sink(), time), 1});
    ranges.put("momentum", new long[] {arrays.momenta().getOrDefault(name.momentum(), 0L), 1});
    ranges.put("j", new long[] {0, n});
    ranges.put("k", new long[] {0, n});
    if (arrays.entry().hasAxis("alpha")) {
      readWithSpin(block, arrays, named, ranges, target, offset);
      return;
    }
    long row = 2L * n * (baryon ? n : 1);
    int most = (int) Math.max(1, Math.min(rows, SLICE / row));
    double[] slice = new double[Math.toIntExact(most * row)];
    for (int done = 0; done < rows; done += most) {
      int count = Math.min(most, rows - done);
      ranges.put("i", new long[] {firstRow + done, count});
      arrays.read(arrays.entry().name(), named, ranges, baryon ? BARYON : MESON, slice, 0, block);
      int doubles = (int) (count * row);
      multiply(slice, doubles, arrays.entry());
      target.put(offset / Double.BYTES + done * row, slice, 0, doubles);
    }
  }

  /**
   * A meson elemental that is written with spin must be the unit matrix there: what else it is, a
   * product with solutions or with another gamma matrix, is no elemental.
   */
  private void readWithSpin(
      DataBlock block,
      IndexedArrays arrays,
      Map<String, Long> named,
      Map<String, long[]> ranges,
      HostMemory target,
      long offset) {
    int size = 2 * n * n;
    ranges.put("i", new long[] {0, n});
    ranges.put("alpha", new long[] {0, SPINS});
    ranges.put("beta", new long[] {0, SPINS});
    double[] matrix = new double[SPINS * SPINS * size];
    arrays.read(arrays.entry().name(), named, ranges, MESON_WITH_SPIN, matrix, 0, block);
    double largest = 0;
    double difference = 0;
    for (int spins = 0; spins < SPINS * SPINS; spins++) {
      boolean diagonal = spins % (SPINS + 1) == 0;
      for (int k = 0; k < size; k++) {
        double expected = diagonal ? matrix[k] : 0;
        largest = Math.max(largest, Math.abs(expected));
        difference = Math.max(difference, Math.abs(matrix[spins * size + k] - expected));
      }
    }
    // Negated so that NaN is refused. Such files have single precision.
    if (!(difference <= UNIT_IN_SPIN * largest)) {
      throw mapping.fault(
          arrays.entry(),
          ("is not the unit matrix in spin at %s: it differs by %s, its largest number "
                  + "is %s; expected fields of sources with gamma Identity (rho-rho)")
              .formatted(block, difference, largest));
    }
    multiply(matrix, size, arrays.entry());
    target.put(offset / Double.BYTES, matrix, 0, size);
  }

  private static long indexOf(List<Long> times, long time) {
    return times.isEmpty() ? time : times.indexOf(time);
  }

  private static void multiply(double[] numbers, int doubles, ArrayEntry entry) {
    double re = entry.factorRe();
    double im = entry.factorIm();
    if (re == 1 && im == 0) {
      return;
    }
    for (int k = 0; k < doubles; k += 2) {
      double x = numbers[k];
      double y = numbers[k + 1];
      numbers[k] = re * x - im * y;
      numbers[k + 1] = re * y + im * x;
    }
  }

  @Override
  public String describe(DataBlock block) {
    return path() + " (" + mapping.file() + "): " + block;
  }

  @Override
  public void close() {
    pool.close();
  }

  /**
   * N and T that arrays tell, 0 where they do not. A dataset of HDF5 may claim any extents without
   * holding a number, so they are bounded before memory is taken for them.
   */
  static int[] shape(Mapping mapping, List<IndexedArrays> arrays) {
    int[] shape = new int[2];
    for (IndexedArrays one : arrays) {
      shape[0] = shape[0] == 0 ? one.eigenvectors() : shape[0];
      List<String> axes = new ArrayList<>(List.of("dt"));
      if (one.entry().times().source().isEmpty()) {
        axes.add("t_src");
      }
      if (one.entry().times().sink().isEmpty()) {
        axes.addAll(List.of("t_snk", "t"));
      }
      for (String axis : axes) {
        shape[1] = (int) Math.max(shape[1], Math.min(Integer.MAX_VALUE, one.extent(axis)));
      }
    }
    if (shape[0] > MOST_EIGENVECTORS || shape[1] > MOST_TIMES) {
      throw new DistillationException(
          ("%s: the arrays in %s have %s eigenvectors and %s times, expected at most %s "
                  + "and %s; look at the axes in the mapping file")
              .formatted(
                  mapping.file(),
                  String.join(
                      ", ",
                      arrays.stream()
                          .map(one -> one.entry().file().toString())
                          .distinct()
                          .toList()),
                  shape[0],
                  shape[1],
                  MOST_EIGENVECTORS,
                  MOST_TIMES));
    }
    return shape;
  }
}
