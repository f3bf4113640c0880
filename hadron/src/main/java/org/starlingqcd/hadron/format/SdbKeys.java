package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DataBlock;

/** Keys of SDB files as {@link SdbContents} reads them, for writing. */
final class SdbKeys {
  private static final String NONE = "none";

  private SdbKeys() {}

  /** The key of one pair of spins of a perambulator. */
  static byte[] perambulator(DataBlock.Perambulator block, int spinSink, int spinSource) {
    byte[] label = (block.label() + "\n").getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(4 * Integer.BYTES + label.length)
        .putInt(block.sinkTime())
        .putInt(block.sourceTime())
        .putInt(spinSource)
        .putInt(spinSink)
        .put(label)
        .array();
  }

  /** The key of a meson elemental; null when its displacement has no form in Chroma. */
  static byte @Nullable [] meson(DataBlock.Meson block) {
    List<Integer> list = displacement(block.name().displacement());
    return list == null ? null : key(block.time(), List.of(list), block.name().momentum());
  }

  /** The key of a baryon elemental; null when its displacement has no form in Chroma. */
  static byte @Nullable [] baryon(DataBlock.Baryon block) {
    String name = block.name().displacement();
    List<@Nullable List<Integer>> lists =
        name.equals(NONE)
            ? Arrays.asList(List.of(), List.of(), List.of())
            : Arrays.stream(name.split("\\.", -1))
                .<@Nullable List<Integer>>map(SdbKeys::displacement)
                .toList();
    if (lists.size() != 3) {
      return null;
    }
    for (List<Integer> list : lists) {
      if (list == null) {
        return null;
      }
    }
    return key(block.time(), lists, block.name().momentum());
  }

  /** The list of a name such as {@code disp_1_-2}; null for names of another kind. */
  private static @Nullable List<Integer> displacement(String name) {
    if (name.equals(NONE)) {
      return List.of();
    }
    if (!name.matches("(disp|deriv)(_-?\\d{1,9})+")) {
      return null;
    }
    return Arrays.stream(name.split("_", -1)).skip(1).map(Integer::valueOf).toList();
  }

  private static byte[] key(
      int time, List<? extends @Nullable List<Integer>> displacements, Momentum momentum) {
    int numbers = 1 + 4;
    for (List<Integer> list : displacements) {
      numbers += 1 + (list == null ? 0 : list.size());
    }
    ByteBuffer out = ByteBuffer.allocate(numbers * Integer.BYTES);
    out.putInt(time);
    for (List<Integer> list : displacements) {
      List<Integer> entries = list == null ? List.of() : list;
      out.putInt(entries.size());
      entries.forEach(out::putInt);
    }
    // Chroma's phase is e^{+ip·x}.
    Momentum there = momentum.negate();
    out.putInt(3).putInt(there.x()).putInt(there.y()).putInt(there.z());
    return out.array();
  }
}
