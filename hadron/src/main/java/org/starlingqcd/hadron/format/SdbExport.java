package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.ElementalRef;
import org.starlingqcd.graph.plan.BaryonPart;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * Writes the data of a configuration as SDB files, as Chroma does: one for perambulators, one for
 * meson and one for baryon elementals. Perambulators are written in the DeGrand-Rossi basis.
 */
public final class SdbExport {
  private static final int GENERIC = 10;
  private static final int VALUE_HEADER = 2 * Integer.BYTES;

  private final DistillationData data;
  private final SdbWriter.Layout layout;
  private final LongConsumer progress;
  private final int n;

  private SdbExport(DistillationData data, SdbWriter.Layout layout, LongConsumer progress) {
    this.data = data;
    this.layout = layout;
    this.progress = progress;
    this.n = data.header().eigenvectors();
  }

  /**
   * Writes {@code <stem>.peram.sdb}, {@code <stem>.meson.sdb} and {@code <stem>.baryon.sdb}, as far
   * as there are such data. A file appears under its name only when it is complete, and one that is
   * there already is left as it is.
   *
   * @param wanted which elementals are written
   * @param progress told the bytes of each block
   * @return names of elementals that Chroma has no key for, which are left out
   * @throws DistillationException when a block cannot be read or a file not be written
   */
  public static List<String> write(
      DistillationData data,
      Path folder,
      String stem,
      Predicate<ElementalName> wanted,
      LongConsumer progress) {
    return write(data, folder, stem, wanted, SdbWriter.Layout.CHROMA, progress);
  }

  static List<String> write(
      DistillationData data,
      Path folder,
      String stem,
      Predicate<ElementalName> wanted,
      SdbWriter.Layout layout,
      LongConsumer progress) {
    SdbExport export = new SdbExport(data, layout, progress);
    Set<String> left = new TreeSet<>();
    export.file(
        folder.resolve(stem + ".peram.sdb"), SdbKey.Kind.PERAMBULATORS, export.perambulators());
    List<DataBlock> mesons = new ArrayList<>();
    data.mesonElementals().stream()
        .filter(wanted)
        .forEach(
            name -> add(data.mesonTimes(name), t -> new DataBlock.Meson(name, t), mesons, left));
    export.file(folder.resolve(stem + ".meson.sdb"), SdbKey.Kind.MESONS, mesons);
    List<DataBlock> baryons = new ArrayList<>();
    data.baryonElementals().stream()
        .filter(wanted)
        .forEach(
            name -> add(data.baryonTimes(name), t -> new DataBlock.Baryon(name, t), baryons, left));
    export.file(folder.resolve(stem + ".baryon.sdb"), SdbKey.Kind.BARYONS, baryons);
    return List.copyOf(left);
  }

  /** Adds the blocks of an elemental, or its name to those that are left out. */
  private static void add(
      BitSet times, IntFunction<DataBlock> block, List<DataBlock> blocks, Set<String> left) {
    for (int t : times.stream().toArray()) {
      DataBlock at = block.apply(t);
      if (new SdbKey(at, 0).bytes() != null) {
        blocks.add(at);
      } else if (at instanceof DataBlock.Meson phi) {
        left.add("elementals/meson/" + phi.name().displacement());
      } else if (at instanceof DataBlock.Baryon b) {
        left.add("elementals/baryon/" + b.name().displacement());
      }
    }
  }

  private void file(Path target, SdbKey.Kind kind, List<? extends DataBlock> blocks) {
    if (Files.exists(target) || blocks.isEmpty()) {
      return;
    }
    Path partial = target.resolveSibling(target.getFileName() + ".part");
    int l = data.header().spatialExtent();
    String metadata =
        "<?xml version=\"1.0\"?><DBMetaData><id>%s</id><lattSize>%d %d %d %d</lattSize><decay_dir>3</decay_dir></DBMetaData>"
            .formatted(kind.id, l, l, l, data.header().temporalExtent());
    long keys = (long) kind.parts * blocks.size();
    try (SdbWriter writer = SdbWriter.create(partial, layout, keys, metadata)) {
      for (DataBlock block : blocks) {
        if (block instanceof DataBlock.Perambulator tau) {
          put(tau, writer);
        } else {
          putElemental(block, writer);
        }
      }
    }
    try {
      Files.move(
          partial, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new DistillationException(target + ": cannot be written: " + e.getMessage(), e);
    }
  }

  private List<DataBlock.Perambulator> perambulators() {
    List<DataBlock.Perambulator> blocks = new ArrayList<>();
    for (String label : data.labels()) {
      for (int source : data.sourceTimes(label)) {
        for (int sink : data.sinkTimes(label, source).stream().toArray()) {
          blocks.add(new DataBlock.Perambulator(label, sink, source));
        }
      }
    }
    return blocks;
  }

  private void put(DataBlock.Perambulator block, SdbWriter writer) {
    long bytes = block.shape(n).bytes();
    double[] numbers = new double[2 * n * n];
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      data.load(
          new Input.Perambulator(block.label(), block.sinkTime(), block.sourceTime()), memory, 0);
      for (int spin = 0; spin < 16; spin++) {
        memory.get((long) spin * numbers.length, numbers, 0, numbers.length);
        ByteBuffer value = ByteBuffer.allocate(VALUE_HEADER + numbers.length * Double.BYTES);
        value.putInt(n).putInt(n);
        for (int j = 0; j < n; j++) {
          for (int i = 0; i < n; i++) {
            value.putDouble(numbers[2 * (i * n + j)]).putDouble(numbers[2 * (i * n + j) + 1]);
          }
        }
        put(new SdbKey(block, spin), value.array(), writer);
      }
    }
    progress.accept(bytes);
  }

  private void putElemental(DataBlock block, SdbWriter writer) {
    long bytes = block.shape(n).bytes();
    double[] numbers = new double[Math.toIntExact(bytes / Double.BYTES)];
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      data.load(input(block), memory, 0);
      memory.get(0, numbers, 0, numbers.length);
    }
    ByteBuffer value = ByteBuffer.allocate(VALUE_HEADER + numbers.length * Double.BYTES);
    value.putInt(GENERIC).putInt(n);
    value.asDoubleBuffer().put(numbers);
    put(new SdbKey(block, 0), value.array(), writer);
    progress.accept(bytes);
  }

  private static void put(SdbKey key, byte[] value, SdbWriter writer) {
    writer.put(Objects.requireNonNull(key.bytes()), value);
  }

  private static Input input(DataBlock block) {
    if (block instanceof DataBlock.Meson phi) {
      return new Input.Elemental(
          new ElementalRef(phi.name().displacement(), phi.name().momentum(), false), phi.time());
    }
    DataBlock.Baryon b = (DataBlock.Baryon) block;
    return new Input.BaryonElemental(
        b.name().displacement(), b.name().momentum(), b.time(), false, BaryonPart.Legs.NATURAL);
  }
}
