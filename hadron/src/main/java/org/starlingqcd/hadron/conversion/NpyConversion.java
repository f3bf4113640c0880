package org.starlingqcd.hadron.conversion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.DistillationHeader;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * Writes the data of one configuration as NumPy arrays of complex128, with a mapping file that
 * describes them. Perambulators are one file for each source time, [t_snk][alpha_snk][beta_src]
 * [i_snk][j_src], elementals one for each displacement and momentum, [t][i][j] or [t][i][j][k].
 * Signs and phases are Starling's; blocks that are missing are zero.
 */
public final class NpyConversion {
  private final DistillationData data;
  private final Path folder;
  private final String stem;
  private final LongConsumer progress;
  private final int extent;
  private final int n;

  private NpyConversion(DistillationData data, Path folder, String stem, LongConsumer progress) {
    this.data = data;
    this.folder = folder;
    this.stem = stem;
    this.progress = progress;
    this.extent = data.header().temporalExtent();
    this.n = data.header().eigenvectors();
  }

  /**
   * Writes the files. A file appears under its name when it is complete, and one that is there
   * already is left as it is.
   *
   * @param wanted which elementals are written
   * @param progress told the bytes of each block
   * @return files in which blocks are missing and therefore zero
   * @throws DistillationException when a block cannot be read or a file not be written
   */
  public static List<String> write(
      DistillationData data,
      Path folder,
      String stem,
      Predicate<ElementalName> wanted,
      LongConsumer progress) {
    NpyConversion conversion = new NpyConversion(data, folder, stem, progress);
    try {
      return conversion.write(wanted);
    } catch (IOException e) {
      throw new DistillationException(
          folder.resolve(stem) + ": cannot be written: " + e.getMessage(), e);
    }
  }

  private List<String> write(Predicate<ElementalName> wanted) throws IOException {
    List<String> gaps = new ArrayList<>();
    for (String label : data.labels()) {
      for (int source : data.sourceTimes(label)) {
        array(
            "%s.peram.%s_t%d.npy".formatted(stem, label, source),
            data.sinkTimes(label, source),
            sink -> new DataBlock.Perambulator(label, sink, source),
            new int[] {4, 4, n, n},
            gaps);
      }
    }
    Set<String> mesons = new TreeSet<>();
    for (ElementalName name : data.mesonElementals()) {
      if (wanted.test(name)) {
        mesons.add(name.displacement());
        array(
            fileName("meson", name),
            data.mesonTimes(name),
            t -> new DataBlock.Meson(name, t),
            new int[] {n, n},
            gaps);
      }
    }
    Set<String> baryons = new TreeSet<>();
    for (ElementalName name : data.baryonElementals()) {
      if (wanted.test(name)) {
        baryons.add(name.displacement());
        array(
            fileName("baryon", name),
            data.baryonTimes(name),
            t -> new DataBlock.Baryon(name, t),
            new int[] {n, n, n},
            gaps);
      }
    }
    Files.writeString(folder.resolve(stem + ".yaml"), mapping(mesons, baryons));
    return gaps;
  }

  private String fileName(String kind, ElementalName name) {
    return "%s.%s.%s.%s.npy".formatted(stem, kind, name.displacement(), name.momentum().fileName());
  }

  private void array(
      String name, BitSet times, IntFunction<DataBlock> block, int[] shape, List<String> gaps)
      throws IOException {
    if (times.cardinality() < extent) {
      gaps.add(name);
    }
    Path target = folder.resolve(name);
    if (Files.exists(target)) {
      return;
    }
    Path partial = folder.resolve(name + ".part");
    try (FileChannel channel = PlainFile.create(partial)) {
      writeAll(channel, ByteBuffer.wrap(header(shape)));
      for (int t = 0; t < extent; t++) {
        writeAll(channel, numbers(block.apply(t), times.get(t)));
      }
    }
    Files.move(
        partial, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private ByteBuffer numbers(DataBlock block, boolean present) {
    long bytes = block.shape(n).bytes();
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    if (present) {
      double[] numbers = new double[out.capacity() / Double.BYTES];
      try (HostMemory memory = HostMemory.allocate(bytes)) {
        data.loadStored(block, memory, 0);
        memory.get(0, numbers, 0, numbers.length);
      }
      out.asDoubleBuffer().put(numbers);
      progress.accept(bytes);
    }
    return out;
  }

  /** Magic, version 1.0, and a dictionary that is padded to a multiple of 64 bytes. */
  private byte[] header(int[] shape) {
    String dictionary =
        "{'descr': '<c16', 'fortran_order': False, 'shape': (%d, %s), }"
            .formatted(
                extent,
                Arrays.stream(shape).mapToObj(String::valueOf).collect(Collectors.joining(", ")));
    int length = (10 + dictionary.length() + 1 + 63) / 64 * 64 - 10;
    byte[] text =
        (dictionary + " ".repeat(length - dictionary.length() - 1) + "\n")
            .getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(10 + length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0})
        .putShort((short) length)
        .put(text)
        .array();
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private String mapping(Set<String> mesons, Set<String> baryons) {
    DistillationHeader header = data.header();
    StringBuilder text = new StringBuilder();
    text.append("ensemble: \"")
        .append(header.ensemble().replaceAll("[\"\\\\]", "_"))
        .append("\"\n");
    text.append("configuration: ").append(header.configuration()).append('\n');
    text.append("spatial_extent: ").append(header.spatialExtent()).append('\n');
    text.append("temporal_extent: ").append(extent).append('\n');
    if (header.gammaBasis().equals(DistillationHeader.DEGRAND_ROSSI)) {
      text.append("gamma_basis: ").append(DistillationHeader.DEGRAND_ROSSI).append('\n');
    }
    if (!data.labels().isEmpty()) {
      text.append("perambulators:\n");
    }
    for (String label : data.labels()) {
      text.append("  \"%s\":\n    file: \"%s.peram.%s_t{t0}.npy\"\n".formatted(label, stem, label));
      text.append("    axes: [t_snk, alpha_snk, beta_src, i_snk, j_src]\n");
    }
    if (!mesons.isEmpty() || !baryons.isEmpty()) {
      text.append("elementals:\n");
    }
    elementals(text, "meson", mesons, "[t, i, j]");
    elementals(text, "baryon", baryons, "[t, i, j, k]");
    return text.toString();
  }

  private void elementals(StringBuilder text, String kind, Set<String> displacements, String axes) {
    if (!displacements.isEmpty()) {
      text.append("  ").append(kind).append(":\n");
    }
    for (String displacement : displacements) {
      text.append(
          "    \"%s\":\n      file: \"%s.%s.%s.{nx}_{ny}_{nz}.npy\"\n"
              .formatted(displacement, stem, kind, displacement));
      text.append("      axes: ").append(axes).append("\n      phase: minus\n");
    }
  }
}
