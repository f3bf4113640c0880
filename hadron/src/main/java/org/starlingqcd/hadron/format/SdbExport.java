package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.graph.Complex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.hadron.data.CurrentName;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * Writes the data of a configuration as SDB files, as Chroma does: one each for perambulators,
 * meson elementals, baryon elementals, generalized perambulators and loops. Perambulators are
 * written in the DeGrand-Rossi basis. Generalized ones must have the same label at both ends, and
 * loops must be there for all 16 Γ, which are one value.
 */
public final class SdbExport {
  private static final int GENERIC = 10;

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
   * Writes {@code <stem>.peram.sdb} and others ({@link SdbKey.Kind#ending}), as far as there are
   * such data. A file appears under its name only when it is complete, and one that is there
   * already is left as it is.
   *
   * @param wanted which elementals are written
   * @param progress told the bytes of each block
   * @return names of what Chroma has no key for, which is left out
   * @throws DistillationException when a block cannot be read or a file not be written
   */
  public static List<String> write(
      DistillationData data,
      Path folder,
      String stem,
      Predicate<ElementalName> wanted,
      LongConsumer progress) {
    return write(data, folder.resolve(stem), wanted, SdbWriter.Layout.CHROMA, progress);
  }

  static List<String> write(
      DistillationData data,
      Path stem,
      Predicate<ElementalName> wanted,
      SdbWriter.Layout layout,
      LongConsumer progress) {
    SdbExport export = new SdbExport(data, layout, progress);
    Set<String> left = new TreeSet<>();
    export.file(stem, SdbKey.Kind.PERAMBULATORS, b -> b instanceof DataBlock.Perambulator, left);
    export.file(stem, SdbKey.Kind.MESONS, elementals(DataBlock.Kind.MESON, wanted), left);
    export.file(stem, SdbKey.Kind.BARYONS, elementals(DataBlock.Kind.BARYON, wanted), left);
    export.file(stem, SdbKey.Kind.GENERALIZED, b -> b instanceof DataBlock.Generalized, left);
    export.file(stem, SdbKey.Kind.LOOPS, b -> b instanceof DataBlock.Loop, left);
    return List.copyOf(left);
  }

  private static Predicate<DataBlock> elementals(
      DataBlock.Kind kind, Predicate<ElementalName> wanted) {
    return block ->
        block instanceof DataBlock.Elemental e && e.kind() == kind && wanted.test(e.name());
  }

  /** Writes the blocks that have keys, and adds the names of the others to {@code left}. */
  private void file(Path stem, SdbKey.Kind kind, Predicate<DataBlock> wanted, Set<String> left) {
    List<DataBlock> blocks = new ArrayList<>();
    data.blocks()
        .blocks(wanted)
        .forEach(
            block -> {
              if (isWritten(block)) {
                blocks.add(block);
              } else if (block instanceof DataBlock.Elemental e) {
                left.add(e.kind().group + "/" + e.name().displacement());
              } else if (block instanceof DataBlock.Generalized tau) {
                CurrentName name = tau.name();
                left.add(
                    "generalized_perambulators/%s-%s/*/%s"
                        .formatted(name.bar(), name.quark(), name.vertex().displacement()));
              } else if (block instanceof DataBlock.Loop loop && !isComplete(loop)) {
                left.add("loops/%s/*/%s".formatted(loop.label(), loop.vertex().displacement()));
              }
            });
    Path target = stem.resolveSibling(stem.getFileName() + kind.ending);
    if (Files.exists(target) || blocks.isEmpty()) {
      return;
    }
    Path partial = target.resolveSibling(target.getFileName() + ".part");
    int l = data.header().spatialExtent();
    String metadata =
        "<?xml version=\"1.0\"?><DBMetaData><id>%s</id><lattSize>%d %d %d %d</lattSize><decay_dir>3</decay_dir></DBMetaData>"
            .formatted(kind.id, l, l, l, data.header().temporalExtent());
    long keys = (long) kind.parts(n) * blocks.size();
    try {
      try (SdbWriter writer = new SdbWriter(partial, layout, keys, metadata)) {
        for (DataBlock block : blocks) {
          put(block, writer);
        }
      }
      PlainFile.replace(partial, target);
    } catch (IOException e) {
      throw new DistillationException(target + ": cannot be written: " + PlainFile.reason(e), e);
    }
  }

  /** Whether a block has a key of its own; a loop of Γ = 1 stands for those of all Γ. */
  private boolean isWritten(DataBlock block) {
    return new SdbKey(block, 0).bytes() != null
        && (!(block instanceof DataBlock.Loop loop)
            || (loop.vertex().gamma().equals(Gamma.ONE) && isComplete(loop)));
  }

  /** Whether the loops of all Γ are there and have a key. */
  private boolean isComplete(DataBlock.Loop loop) {
    SdbKey key = new SdbKey(loop, 0);
    return key.bytes() != null && key.blocks().stream().allMatch(data::has);
  }

  private void put(DataBlock block, SdbWriter writer) throws IOException {
    if (block instanceof DataBlock.Loop) {
      ByteBuffer value =
          ByteBuffer.allocate(Integer.BYTES + SdbKey.GAMMAS * TensorShape.COMPLEX_BYTES)
              .putInt(SdbKey.GAMMAS);
      for (DataBlock one : new SdbKey(block, 0).blocks()) {
        Complex number = data.number(one);
        value.putDouble(number.re()).putDouble(number.im());
      }
      put(new SdbKey(block, 0), value, writer);
      progress.accept(SdbKey.GAMMAS * (long) TensorShape.COMPLEX_BYTES);
      return;
    }
    long bytes = block.shape(n).bytes();
    double[] numbers = new double[Math.toIntExact(bytes / Double.BYTES)];
    try (HostMemory memory = HostMemory.allocate(bytes)) {
      data.load(block.input(), memory, 0);
      memory.get(0, numbers, 0, numbers.length);
    }
    int[] header = {GENERIC, n};
    int parts = 1;
    if (block instanceof DataBlock.Generalized) {
      header = new int[] {n, n, SdbKey.SPINS, SdbKey.SPINS};
      int[] extents = {SdbKey.SPINS, SdbKey.SPINS, n, n};
      numbers = NumberArray.permuted(numbers, extents, 1, 0, 3, 2);
    } else if (block instanceof DataBlock.Perambulator) {
      header = new int[] {n, n};
      parts = SdbKey.SPINS * SdbKey.SPINS;
      numbers = NumberArray.permuted(numbers, new int[] {parts, n, n}, 0, 2, 1);
    }
    int size = numbers.length / parts;
    for (int part = 0; part < parts; part++) {
      ByteBuffer value = ByteBuffer.allocate(header.length * Integer.BYTES + size * Double.BYTES);
      for (int extent : header) {
        value.putInt(extent);
      }
      value.asDoubleBuffer().put(numbers, part * size, size);
      put(new SdbKey(block, part), value, writer);
    }
    progress.accept(bytes);
  }

  @SuppressWarnings("ByteBufferBackingArray") // allocated above
  private static void put(SdbKey key, ByteBuffer value, SdbWriter writer) throws IOException {
    writer.put(Objects.requireNonNull(key.bytes()), value.array());
  }
}
