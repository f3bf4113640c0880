package org.starlingqcd.hadron.format;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.PartialHeader;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.data.SpinMatrix;
import org.starlingqcd.hadron.format.IndexedArrays.Located;
import org.starlingqcd.hadron.format.Mapping.Kind;

/**
 * The arrays of one configuration that a mapping file explains.
 *
 * <p>A block is read in slices of its first index of at most {@value #SLICE} doubles; in each,
 * indices are brought into Starling's order, a gamma matrix at the source is removed and numbers
 * are multiplied with the factor.
 */
final class MappedSource extends IndexedSource<Located> {
  private static final int SPINS = 4;

  /** Doubles of a slice, 64 MiB. */
  private static final long SLICE = 8 << 20;

  /** How well a matrix must be 1 in spin, relative to its largest number; 2^-24 is 6e-8. */
  private static final double UNIT_IN_SPIN = 1e-5;

  private static final List<String> PERAMBULATOR =
      List.of("alpha_snk", "beta_src", "i_snk", "j_src");
  private static final List<String> MESON = List.of("i", "j");
  private static final List<String> MESON_WITH_SPIN = List.of("alpha", "beta", "i", "j");
  private static final List<String> BARYON = List.of("i", "j", "k");

  private final Mapping mapping;
  private final int n;
  private final ArrayPool pool;

  /**
   * @param path the file that stands for all, in messages
   * @param header what is known of the data
   */
  MappedSource(
      Path path,
      Mapping mapping,
      PartialHeader header,
      int eigenvectors,
      int times,
      ArrayPool pool,
      List<IndexedArrays> arrays) {
    super(path, header, catalog(arrays, eigenvectors, times));
    this.mapping = mapping;
    this.n = eigenvectors;
    this.pool = pool;
    for (IndexedArrays one : arrays) {
      if (!one.entry().gamma5Hermitian()) {
        one.labels().forEach(blocks()::forbidGamma5);
      }
    }
  }

  /** Where each block is. */
  private static Map<DataBlock, Located> catalog(
      List<IndexedArrays> arrays, int eigenvectors, int times) {
    Map<DataBlock, Located> blocks = new HashMap<>();
    Set<String> labels = new HashSet<>();
    for (IndexedArrays one : arrays) {
      if (one.eigenvectors() != 0 && one.eigenvectors() != eigenvectors) {
        throw one.entry()
            .fault("has %s eigenvectors, other arrays have %s", one.eigenvectors(), eigenvectors);
      }
      for (String label : one.labels()) {
        if (one.entry().kind() == Kind.PERAMBULATOR && !labels.add(label)) {
          throw one.entry().fault("has the label '%s', which another entry has", label);
        }
      }
      one.blocks(times)
          .forEach(
              (block, at) -> {
                if (blocks.put(block, at) != null && one.entry().kind().isCurrent()) {
                  throw one.entry().fault("has %s, which another entry has", block);
                }
              });
    }
    return blocks;
  }

  @Override
  public @Nullable GammaBasis explicitBasis() {
    return mapping.basis().isDeGrandRossi() ? null : mapping.basis();
  }

  @Override
  void read(DataBlock block, Located at, HostMemory target, long offset) {
    if (block instanceof DataBlock.Loop) {
      double[] number = new double[2];
      at.arrays().read(at, Map.of(), List.of(), number, 0);
      multiply(number, 2, at);
      target.put(offset / Double.BYTES, number, 0, 2);
    } else if (at.arrays().entry().hasAxis("alpha")) {
      readWithSpin(block, at, target, offset);
    } else {
      read(at, 0, at.arrays().entry().kind().isElemental() ? n : SPINS, target, offset);
    }
  }

  @Override
  public void readRows(
      DataBlock block, Rows rows, HostMemory target, long offset, HostMemoryBudget budget) {
    read(place(block), rows.first(), rows.count(), target, offset);
  }

  /** All values of all indices of spins and eigenvectors. */
  private Map<String, long[]> ranges() {
    Map<String, long[]> ranges = new HashMap<>();
    Axis.SPINS.forEach(spin -> ranges.put(spin, new long[] {0, SPINS}));
    Axis.VECTORS.forEach(vector -> ranges.put(vector, new long[] {0, n}));
    return ranges;
  }

  /** Reads values of the first index: the spin of a sink, or a vector. */
  private void read(Located at, int first, int count, HostMemory target, long offset) {
    Mapping.Entry entry = at.arrays().entry();
    boolean baryon = entry.kind() == Kind.BARYON;
    boolean lines = !entry.kind().isElemental();
    List<String> order = lines ? PERAMBULATOR : baryon ? BARYON : MESON;
    int sources = entry.hasPlaceholder("beta") ? SPINS : 1;
    boolean named = sources > 1 || entry.hasPlaceholder("alpha");
    long row = 2L * n * (lines ? SPINS * n : baryon ? n : 1);
    int most = named ? 1 : (int) Math.max(1, Math.min(count, SLICE / row));
    double[] slice = new double[Math.toIntExact(most * row)];
    Map<String, long[]> ranges = ranges();
    for (int done = 0; done < count; done += most) {
      int doubles = (int) (Math.min(most, count - done) * row);
      ranges.put(order.get(0), new long[] {first + done, doubles / row});
      for (int beta = 0; beta < sources; beta++) {
        ranges.put("beta_src", new long[] {beta, SPINS / sources});
        at.arrays().read(at, ranges, order, slice, (int) (beta * row / SPINS));
      }
      if (lines && mapping.sourceG4()) {
        SpinMatrix g4 = mapping.basis().matrix(Gamma.G4);
        SpinBases.removeSourceGamma(g4, slice, n * n);
      }
      multiply(slice, doubles, at);
      target.put(offset / Double.BYTES + done * row, slice, 0, doubles);
    }
  }

  /**
   * A meson elemental that is written with spin must be the unit matrix there: what else it is, a
   * product with solutions or with another gamma matrix, is no elemental.
   */
  private void readWithSpin(DataBlock block, Located at, HostMemory target, long offset) {
    int size = 2 * n * n;
    double[] matrix = new double[SPINS * SPINS * size];
    at.arrays().read(at, ranges(), MESON_WITH_SPIN, matrix, 0);
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
      throw at.arrays()
          .entry()
          .fault(
              "is not the unit matrix in spin at %s: it differs by %s, its largest number is %s;"
                  + " expected fields of sources with gamma Identity (rho-rho)",
              block, difference, largest);
    }
    multiply(matrix, size, at);
    target.put(offset / Double.BYTES, matrix, 0, size);
  }

  /** By the factor, and by the sign of Γ. */
  private static void multiply(double[] numbers, int doubles, Located at) {
    Mapping.Entry entry = at.arrays().entry();
    int sign = entry.kind().isCurrent() ? at.gamma().sign() : 1;
    double re = sign * entry.factor()[0];
    double im = sign * entry.factor()[1];
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
}
