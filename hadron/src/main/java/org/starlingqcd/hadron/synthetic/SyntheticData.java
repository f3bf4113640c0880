package org.starlingqcd.hadron.synthetic;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.Gluonic;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.conversion.PartialFile;
import org.starlingqcd.hadron.data.BlockOrder;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DatasetLayout;
import org.starlingqcd.hadron.data.DistillationFile;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.hdf5.DatasetOptions;
import org.starlingqcd.hadron.hdf5.ElementType;
import org.starlingqcd.hadron.hdf5.Hdf5Dataset;
import org.starlingqcd.hadron.hdf5.Hdf5File;

/**
 * Writes random distillation data that obey the relations of real ones, exactly: γ5-hermiticity of
 * the perambulators, {@code Φ(-n) = Φ(n)†} and the unit matrix at momentum zero without
 * displacement, the relations of derivatives ({@link ElementalName#aliases()}), antisymmetric
 * baryon elementals, K of tetraquarks with {@code K(-n) = K(n)†}, γ5-hermiticity of generalized
 * perambulators and loops, the Ward identity of the charge.
 *
 * <p>The numbers of a block depend on the seed, the configuration and the name of the block alone,
 * not on what else is written or in which order. Perambulators fall off exponentially with the
 * distance in time and with N, so that correlators stay in range. One block at a time is in memory.
 */
public final class SyntheticData {
  /** Fall-off of the perambulators for each unit of time. */
  static final double MASS = 0.2;

  /** The greatest of the names of an elemental is drawn. */
  private static final Comparator<ElementalName> DRAWN_FIRST =
      Comparator.comparing(ElementalName::momentum).thenComparing(ElementalName::displacement);

  private final SyntheticEnsemble ensemble;
  private final long configuration;
  private final double[] strip = new double[8192];
  private final CurrentDrawing currents;

  private SyntheticData(SyntheticEnsemble ensemble, long configuration) {
    this.ensemble = ensemble;
    this.configuration = configuration;
    this.currents = new CurrentDrawing(ensemble, this);
  }

  /**
   * Writes one configuration to {@code directory}, under {@link SyntheticEnsemble#fileName}. The
   * file appears under its name only when it is complete.
   *
   * @param progress told the bytes of each block written
   * @return the file
   * @throws org.starlingqcd.hadron.data.DistillationException when it cannot be written
   */
  public static Path write(
      SyntheticEnsemble ensemble, long configuration, Path directory, LongConsumer progress) {
    Path target = directory.resolve(ensemble.fileName(configuration));
    PartialFile.write(
        target, file -> new SyntheticData(ensemble, configuration).write(file, progress));
    return target;
  }

  private void write(Hdf5File file, LongConsumer progress) {
    DistillationHeader header =
        new DistillationHeader(
            ensemble.ensemble(),
            configuration,
            ensemble.spatialExtent(),
            ensemble.temporalExtent(),
            ensemble.eigenvectors(),
            DistillationHeader.DEGRAND_ROSSI,
            "antiperiodic");
    header.write(file);
    if (ensemble.eigenvalues()) {
      writeEigenvalues(file, progress);
    }
    for (List<DataBlock> series : ensemble.datasets()) {
      DatasetLayout layout = new DatasetLayout(series, header);
      if (series.get(0) instanceof DataBlock.Loop
          || series.get(0) instanceof DataBlock.GluonicValue) {
        writeNumbers(file, series.get(0), progress);
        continue;
      }
      long bytes = series.get(0).shape(ensemble.eigenvectors()).bytes();
      DatasetOptions options =
          DatasetOptions.chunked(ensemble.deflate(), ensemble.deflate() > 0, layout.block());
      try (HostMemory memory = HostMemory.allocate(2 * bytes);
          Hdf5Dataset dataset = layout.create(file, options)) {
        for (DataBlock one : series) {
          for (int time = 0; time < ensemble.temporalExtent(); time++) {
            DataBlock block = one.at(time);
            draw(block, memory);
            dataset.write(layout.start(block), layout.block(), memory, 0);
            progress.accept(bytes);
          }
        }
      }
    }
    for (SinkSet set : ensemble.sinks()) {
      set.write(file, header, (sink, source, tau) -> perambulator(set.label(), sink, source, tau));
    }
  }

  /** Ascending numbers from 0 to 1 at each time: {@code (i + x) / N} with x from 0 to 1. */
  private void writeEigenvalues(Hdf5File file, LongConsumer progress) {
    int n = ensemble.eigenvectors();
    SplittableRandom random = random(DistillationFile.EIGENVALUES);
    double[] values = new double[ensemble.temporalExtent() * n];
    Arrays.setAll(values, k -> (k % n + random.nextDouble()) / n);
    long[] extents = {ensemble.temporalExtent(), n};
    try (Hdf5Dataset dataset =
        file.createDataset(DistillationFile.EIGENVALUES, ElementType.REAL, extents)) {
      dataset.writeAll(values);
    }
    progress.accept(8L * values.length);
  }

  /** Writes a block to the first half of some memory; the second half may be overwritten. */
  private void draw(DataBlock block, HostMemory memory) {
    if (block instanceof DataBlock.Perambulator tau) {
      perambulator(tau.label(), tau.sinkTime(), tau.sourceTime(), memory);
    } else if (block instanceof DataBlock.Generalized tau) {
      currents.block(tau.name(), tau.ends(), tau.insertionTime(), memory);
    } else if (block instanceof DataBlock.Elemental e) {
      int n = ensemble.eigenvectors();
      switch (e.kind()) {
        case MESON -> elemental(e.name(), e.time(), memory);
        case BARYON ->
            baryon("baryon/" + e.name().momentum().fileName() + "/" + e.time(), memory, n);
        case TETRAQUARK -> drawn(e.name(), e.time(), e.name().colour().pairs(n), memory);
      }
    }
  }

  /** The values at n and -n are complex conjugates, as those of real fields are. */
  private Complex gluonic(Gluonic factor, int time) {
    int order = factor.momentum().compareTo(factor.momentum().negate());
    Momentum drawn = order < 0 ? factor.momentum().negate() : factor.momentum();
    SplittableRandom random =
        random("gluonic/" + new Gluonic(factor.name(), factor.row(), drawn) + "/" + time);
    Complex value = new Complex(2 * random.nextDouble() - 1, 2 * random.nextDouble() - 1);
    return order == 0 ? new Complex(value.re(), 0) : order < 0 ? value.conjugate() : value;
  }

  private void writeNumbers(Hdf5File file, DataBlock series, LongConsumer progress) {
    int extent = ensemble.temporalExtent();
    double[] values = new double[2 * extent];
    for (int t = 0; t < extent; t++) {
      Complex number =
          series instanceof DataBlock.Loop loop
              ? currents.loop(loop.name(), t)
              : gluonic(((DataBlock.GluonicValue) series).factor(), t);
      values[2 * t] = number.re();
      values[2 * t + 1] = number.im();
    }
    try (Hdf5Dataset dataset = file.createDataset(series.object(), ElementType.COMPLEX, extent)) {
      dataset.writeAll(values);
    }
    progress.accept(8L * values.length);
  }

  /** Writes τ(sink, source) to the first half of {@code memory}; the second half is overwritten. */
  void perambulator(String label, int sink, int source, HostMemory memory) {
    int n = ensemble.eigenvectors();
    long bytes = TensorShape.mesonNode(n).bytes();
    int distance = Math.abs(sink - source);
    double scale = Math.exp(-MASS * Math.min(distance, ensemble.temporalExtent() - distance)) / n;
    // One of τ(t,t') and τ(t',t) is drawn, the other follows from it.
    int later = Math.max(sink, source);
    int earlier = Math.min(sink, source);
    random("tau/" + label + "/" + later + "/" + earlier, memory, 16L * n * n, scale);
    if (sink < source) {
      BlockOrder.gamma5Adjoint(memory, 0, n);
    } else if (sink == source) {
      // (G + γ5 G† γ5)/2 is γ5-Hermitian to the last bit, since a sum of two does not depend on
      // their order.
      memory.copyTo(0, memory, bytes, bytes);
      BlockOrder.gamma5Adjoint(memory, bytes, n);
      average(memory, bytes / Double.BYTES, 1);
    }
  }

  /** Replaces the first {@code count} doubles by half of their sum with sign times the next. */
  void average(HostMemory memory, long count, int sign) {
    double[] other = new double[strip.length];
    for (long done = 0; done < count; done += strip.length) {
      int part = (int) Math.min(strip.length, count - done);
      memory.get(done, strip, 0, part);
      memory.get(count + done, other, 0, part);
      for (int k = 0; k < part; k++) {
        strip[k] = 0.5 * (strip[k] + sign * other[k]);
      }
      memory.put(done, strip, 0, part);
    }
  }

  /** Writes Φ to the first half of {@code memory}; the second half may be overwritten. */
  void elemental(ElementalName name, int time, HostMemory memory) {
    int n = ensemble.eigenvectors();
    if (name.displacement().equals(ElementalRef.NO_DISPLACEMENT)
        && name.momentum().equals(Momentum.ZERO)) {
      memory.clear();
      for (int i = 0; i < n; i++) {
        memory.put(2L * (i * (long) n + i), new double[] {1}, 0, 1);
      }
      return;
    }
    drawn(name, time, n, memory);
  }

  /**
   * Writes an n × n elemental, which may be K of a tetraquark, as {@link #elemental} does.
   *
   * <p>Of all names of an elemental ({@link ElementalName#aliases()}) one, the drawn name, has the
   * numbers of the generator. At rest a name may be its own alias; the numbers are then averaged
   * with their adjoint.
   */
  private void drawn(ElementalName name, int time, int n, HostMemory memory) {
    long size = (long) n * n;
    ElementalName.Alias drawn = drawn(name);
    random("phi/" + drawn.name() + "/" + time, memory, size, 1 / Math.sqrt(n));
    for (ElementalName.Alias own : drawn.name().aliases()) {
      if (own.name().equals(drawn.name())) {
        long bytes = TensorShape.elemental(n).bytes();
        memory.copyTo(0, memory, bytes, bytes);
        BlockOrder.adjoint(memory, bytes, n);
        average(memory, 2 * size, own.sign());
      }
    }
    if (drawn.adjoint()) {
      BlockOrder.adjoint(memory, 0, n);
    }
    if (drawn.sign() < 0) {
      BlockOrder.negate(memory, 0, size);
    }
  }

  /** The name that is drawn. */
  private static ElementalName.Alias drawn(ElementalName name) {
    ElementalName.Alias drawn = new ElementalName.Alias(name, false, 1);
    for (ElementalName.Alias alias : name.aliases()) {
      if (DRAWN_FIRST.compare(alias.name(), drawn.name()) > 0) {
        drawn = alias;
      }
    }
    return drawn;
  }

  /** A totally antisymmetric tensor: the six permutations of i &lt; j &lt; k share one number. */
  private void baryon(String block, HostMemory memory, int n) {
    SplittableRandom random = random(block);
    memory.clear();
    double scale = 1 / Math.sqrt(n);
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        for (int k = j + 1; k < n; k++) {
          double re = scale * (2 * random.nextDouble() - 1);
          double im = scale * (2 * random.nextDouble() - 1);
          int[] even = {i, j, k, i, j};
          for (int first = 0; first < 3; first++) {
            int x = even[first];
            int y = even[first + 1];
            int z = even[first + 2];
            memory.put(2 * (((long) x * n + y) * n + z), new double[] {re, im}, 0, 2);
            memory.put(2 * (((long) y * n + x) * n + z), new double[] {-re, -im}, 0, 2);
          }
        }
      }
    }
  }

  /** Complex numbers with both parts uniform in [-scale, scale). */
  void random(String block, HostMemory memory, long numbers, double scale) {
    SplittableRandom random = random(block);
    for (long done = 0; done < 2 * numbers; done += strip.length) {
      int part = (int) Math.min(strip.length, 2 * numbers - done);
      for (int k = 0; k < part; k++) {
        strip[k] = scale * (2 * random.nextDouble() - 1);
      }
      memory.put(done, strip, 0, part);
    }
  }

  /** The 64-bit hash FNV-1a of a text. */
  static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int k = 0; k < text.length(); k++) {
      hash = (hash ^ text.charAt(k)) * 0x100000001b3L;
    }
    return hash;
  }

  /** The generator of a block, from the hash of its name. */
  SplittableRandom random(String block) {
    return new SplittableRandom(hash(ensemble.seed() + "/" + configuration + "/" + block));
  }
}
