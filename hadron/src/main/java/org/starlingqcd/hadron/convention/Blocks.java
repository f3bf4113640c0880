package org.starlingqcd.hadron.convention;

import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.ComplexMatrix;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.hadron.data.SpinMatrix;

/**
 * Blocks of one configuration as small matrices.
 *
 * <p>Only the lowest {@link #MOST_VECTORS} eigenvectors are kept. They are a distillation basis of
 * their own, so every test means the same with them, and its cost does not grow with N.
 */
final class Blocks implements AutoCloseable {
  /** Eigenvectors that the tests use. */
  static final int MOST_VECTORS = 32;

  /** Time slices and source times that the tests use. */
  static final int MOST_TIMES = 8;

  /** Values of the open leg of a baryon elemental that the tests use. */
  private static final int BARYON_ROWS = 8;

  private static final List<Momentum> UNITS =
      List.of(new Momentum(1, 0, 0), new Momentum(0, 1, 0), new Momentum(0, 0, 1));

  private final DistillationData data;
  private final int all;
  private final int size;
  private final Map<Input, ComplexMatrix[]> kept = new HashMap<>();
  private @Nullable HostMemory buffer;

  Blocks(DistillationData data) {
    this.data = data;
    this.all = data.header().eigenvectors();
    this.size = Math.min(all, MOST_VECTORS);
  }

  /** The momentum e_k. */
  static Momentum unit(int axis) {
    return UNITS.get(axis);
  }

  DistillationData data() {
    return data;
  }

  int temporalExtent() {
    return data.header().temporalExtent();
  }

  int spatialExtent() {
    return data.header().spatialExtent();
  }

  /** Time slices to look at, spread over those with undisplaced meson elementals. */
  List<Integer> times() {
    BitSet times = new BitSet();
    for (ElementalName name : data.mesonElementals()) {
      if (name.displacement().equals(ElementalRef.NO_DISPLACEMENT)) {
        times.or(data.times(DataBlock.meson(name, 0)));
      }
    }
    return spread(times.stream().boxed().toList(), MOST_TIMES);
  }

  /** Source times of a label to look at, spread over those there are. */
  List<Integer> sourceTimes(String label) {
    return spread(data.sourceTimes(label), MOST_TIMES);
  }

  /** So many of some values at most, spread over them. */
  static List<Integer> spread(Collection<Integer> values, int most) {
    List<Integer> from = List.copyOf(values);
    int count = Math.min(from.size(), most);
    return IntStream.range(0, count).mapToObj(k -> from.get(k * from.size() / count)).toList();
  }

  /** Whether a perambulator is in the files as such, without use of γ5-hermiticity. */
  boolean hasPerambulator(String label, int sink, int source) {
    return data.stores(new DataBlock.Perambulator(label, sink, source));
  }

  /** The 16 spin components [α_sink · 4 + β_source] of τ; null when the files do not have it. */
  ComplexMatrix @Nullable [] perambulator(String label, int sink, int source) {
    int t = Math.floorMod(sink, temporalExtent());
    int spins = SpinMatrix.SPINS * SpinMatrix.SPINS;
    return hasPerambulator(label, t, source)
        ? read(new Input.Perambulator(label, t, source), Rows.ALL, spins)
        : null;
  }

  /** The 16 spin components of τ_Γ; null when the files do not have it. */
  ComplexMatrix @Nullable [] generalized(CurrentName name, CurrentName.Ends ends, int insertion) {
    BitSet stored = data.blocks().generalized(name).get(ends);
    Input input = new DataBlock.Generalized(name, ends, insertion).input();
    int spins = SpinMatrix.SPINS * SpinMatrix.SPINS;
    return stored != null && stored.get(insertion) ? read(input, Rows.ALL, spins) : null;
  }

  /** Φ_D(n, t); null when neither it nor an elemental that equals it is there. */
  @Nullable ComplexMatrix elemental(String displacement, Momentum momentum, int time) {
    ElementalRef elemental = new ElementalRef(displacement, momentum, false);
    int t = Math.floorMod(time, temporalExtent());
    return data.hasElemental(elemental, t)
        ? read(new Input.Elemental(elemental, t), Rows.ALL, 1)[0]
        : null;
  }

  /** Φ(n, t) without displacement; null when it is not there. */
  @Nullable ComplexMatrix elemental(Momentum momentum, int time) {
    return elemental(ElementalRef.NO_DISPLACEMENT, momentum, time);
  }

  /**
   * Φ(n, t) without displacement, of all eigenvectors; null when the files do not have it as such.
   */
  @Nullable ComplexMatrix wholeElemental(Momentum momentum, int time) {
    ElementalRef elemental = new ElementalRef(ElementalRef.NO_DISPLACEMENT, momentum, false);
    return data.times(DataBlock.meson(new ElementalName(elemental.displacement(), momentum), 0))
            .get(time)
        ? unpack(new Input.Elemental(elemental, time), Rows.ALL, 1, all)[0]
        : null;
  }

  /** The first rows B(n, t)[i, ·, ·], one matrix each; null when it is not there. */
  ComplexMatrix @Nullable [] baryonRows(Momentum momentum, int time) {
    if (!data.has(
        DataBlock.baryon(new ElementalName(ElementalRef.NO_DISPLACEMENT, momentum), time))) {
      return null;
    }
    int rows = Math.min(all, BARYON_ROWS);
    return read(
        new Input.BaryonElemental(
            ElementalRef.NO_DISPLACEMENT, momentum, time, false, BaryonPart.Legs.NATURAL),
        new Rows(0, rows),
        rows);
  }

  private ComplexMatrix[] read(Input input, Rows rows, int count) {
    return kept.computeIfAbsent(input, key -> unpack(key, rows, count, size));
  }

  /** {@code count} matrices of a block, cut to the lowest {@code wanted} eigenvectors. */
  private ComplexMatrix[] unpack(Input input, Rows rows, int count, int wanted) {
    long matrix = TensorShape.elemental(all).bytes();
    HostMemory memory = buffer(count * matrix);
    data.load(input, rows, memory, 0);
    ComplexMatrix[] result = new ComplexMatrix[count];
    for (int k = 0; k < count; k++) {
      double[] values = new double[2 * wanted * wanted];
      for (int i = 0; i < wanted; i++) {
        memory.get(2L * ((long) k * all + i) * all, values, 2 * i * wanted, 2 * wanted);
      }
      result[k] = new ComplexMatrix(wanted, values);
    }
    return result;
  }

  private HostMemory buffer(long bytes) {
    if (buffer == null || buffer.bytes() < bytes) {
      close();
      buffer = HostMemory.allocate(bytes);
    }
    return buffer;
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
