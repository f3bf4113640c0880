package org.starlingqcd.hadron.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * A key of an SDB file: a block, or a part of one. All numbers in keys are big-endian.
 *
 * <table>
 *   <caption>Keys</caption>
 *   <tr><th>id</th><th>key</th></tr>
 *   <tr><td>propElemOp</td><td>t_sink, t_source, spin_source, spin_sink, label and newline</td></tr>
 *   <tr><td>mesonElemOp</td><td>t, displacement, momentum</td></tr>
 *   <tr><td>baryonElemOp</td><td>t, left, middle and right displacement, momentum</td></tr>
 * </table>
 *
 * <p>Displacements and momenta are a count and that many integers. Chroma's phase is e^{+ip·x}, so
 * the momentum of a key is the negative of Starling's.
 *
 * @param part of a perambulator the spins, 4 · sink + source; 0 for an elemental
 */
record SdbKey(DataBlock block, int part) {
  static final int SPINS = 4;

  /** Times beyond this are a sign of damage; a set of them would be large. */
  private static final int MOST_TIMES = 1 << 16;

  private static final String NONE = "none";

  /** What a file holds, by the id of its metadata. */
  enum Kind {
    PERAMBULATORS("propElemOp", SPINS * SPINS, ".peram.sdb"),
    MESONS("mesonElemOp", 1, ".meson.sdb"),
    BARYONS("baryonElemOp", 1, ".baryon.sdb");

    final String id;

    /** Values that make up a block. */
    final int parts;

    /** How the name of a file ends that Starling writes. */
    final String ending;

    Kind(String id, int parts, String ending) {
      this.id = id;
      this.parts = parts;
      this.ending = ending;
    }
  }

  /**
   * Reads a key.
   *
   * @param derivatives whether displacements of mesons are derivatives, named {@code deriv_…},
   *     rather than shifts, named {@code disp_…}
   * @throws IllegalArgumentException when it is no key of its kind
   */
  static SdbKey parse(Kind kind, boolean derivatives, byte[] key) {
    ByteBuffer in = ByteBuffer.wrap(key);
    try {
      int time = number(in, "time", MOST_TIMES);
      if (kind == Kind.PERAMBULATORS) {
        int source = number(in, "time", MOST_TIMES);
        int spinSource = number(in, "spin", SPINS);
        int spins = SPINS * number(in, "spin", SPINS) + spinSource;
        String label = StandardCharsets.UTF_8.decode(in).toString().replaceFirst("\n$", "");
        return new SdbKey(new DataBlock.Perambulator(label, time, source), spins);
      }
      String displacement =
          kind == Kind.MESONS
              ? displacement(derivatives ? "deriv_" : "disp_", list(in, "displacement"))
              : baryonDisplacement(
                  List.of(
                      list(in, "displacement"),
                      list(in, "displacement"),
                      list(in, "displacement")));
      List<Integer> p = list(in, "momentum");
      check(p.size() == 3, "a momentum of %s components", p.size());
      check(!in.hasRemaining(), "%s bytes follow it", in.remaining());
      ElementalName name =
          new ElementalName(displacement, new Momentum(-p.get(0), -p.get(1), -p.get(2)));
      return new SdbKey(
          kind == Kind.MESONS ? new DataBlock.Meson(name, time) : new DataBlock.Baryon(name, time),
          0);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("it ends too early", e);
    }
  }

  @SuppressWarnings("AnnotateFormatMethod")
  private static void check(boolean sound, String what, @Nullable Object... values) {
    if (!sound) {
      throw new IllegalArgumentException(what.formatted(values));
    }
  }

  private static int number(ByteBuffer in, String what, int bound) {
    int number = in.getInt();
    check(number >= 0 && number < bound, "%s must be >= 0 && < %s, found %s", what, bound, number);
    return number;
  }

  private static List<Integer> list(ByteBuffer in, String what) {
    int count = in.getInt();
    check(count >= 0 && count <= in.remaining() / Integer.BYTES, "a %s of %s entries", what, count);
    List<Integer> list = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      list.add(in.getInt());
    }
    return list;
  }

  /** {@code none}, or such as {@code disp_1_-2} for the list 1, -2. */
  private static String displacement(String prefix, List<Integer> list) {
    StringJoiner name = new StringJoiner("_", prefix, "").setEmptyValue(NONE);
    list.forEach(entry -> name.add(Integer.toString(entry)));
    return name.toString();
  }

  /** The name for the displacements of the three quarks: {@code none} if all are empty. */
  static String baryonDisplacement(List<List<Integer>> lists) {
    return lists.stream().allMatch(List::isEmpty)
        ? NONE
        : String.join(".", lists.stream().map(list -> displacement("disp_", list)).toList());
  }

  /** Its bytes; null when Chroma has no form for the displacement of the elemental. */
  byte @Nullable [] bytes() {
    if (block instanceof DataBlock.Perambulator tau) {
      byte[] label = (tau.label() + "\n").getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.allocate(4 * Integer.BYTES + label.length)
          .putInt(tau.sinkTime())
          .putInt(tau.sourceTime())
          .putInt(part % SPINS)
          .putInt(part / SPINS)
          .put(label)
          .array();
    }
    if (block instanceof DataBlock.Meson phi) {
      return elemental(phi.time(), phi.name(), List.of(phi.name().displacement()));
    }
    DataBlock.Baryon b = (DataBlock.Baryon) block;
    String name = b.name().displacement();
    List<String> quarks =
        name.equals(NONE) ? List.of(NONE, NONE, NONE) : List.of(name.split("\\.", -1));
    return quarks.size() == 3 ? elemental(b.time(), b.name(), quarks) : null;
  }

  private static byte @Nullable [] elemental(
      int time, ElementalName name, List<String> displacements) {
    List<Integer> numbers = new ArrayList<>(List.of(time));
    for (String displacement : displacements) {
      if (!displacement.equals(NONE) && !displacement.matches("(disp|deriv)(_-?\\d{1,9})+")) {
        return null;
      }
      List<Integer> list =
          Arrays.stream(displacement.split("_", -1)).skip(1).map(Integer::valueOf).toList();
      numbers.add(list.size());
      numbers.addAll(list);
    }
    Momentum there = name.momentum().negate();
    numbers.addAll(List.of(3, there.x(), there.y(), there.z()));
    ByteBuffer out = ByteBuffer.allocate(numbers.size() * Integer.BYTES);
    numbers.forEach(out::putInt);
    return out.array();
  }
}
