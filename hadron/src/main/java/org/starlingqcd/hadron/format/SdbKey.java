package org.starlingqcd.hadron.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.CurrentVertex;
import org.starlingqcd.graph.Gamma;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.CurrentName;
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
 *   <tr><td>genprop4ElemOp</td><td>t_sink, t, t_source, Γ, displacement, momentum, label</td></tr>
 *   <tr><td>unsmearedMesonElemOp</td><td>t_sink, t, t_source, source vector, Γ, one byte that says
 *       whether displacements are derivatives, displacement, momentum, label; older ones have the
 *       source spin before the source vector, and no label</td></tr>
 *   <tr><td>DiscoBlocks</td><td>t, length of the displacement, displacement, momentum, label and
 *       newline</td></tr>
 * </table>
 *
 * <p>Displacements and momenta are a count and that many integers, the label of a generalized
 * perambulator is a count and that many bytes. Γ is a number of four bits: g1 for bit 0, …, g4 for
 * bit 3, multiplied in this order. Chroma's phase is e^{+ip·x}, so the momentum of a key is the
 * negative of Starling's.
 *
 * @param block of loops the one of Γ = 1, which stands for those of all Γ
 * @param part of a perambulator the spins, 4 · sink + source; of an unsmeared meson the source
 *     vector, or 4 · source vector + source spin; else 0
 */
record SdbKey(DataBlock block, int part) {
  static final int SPINS = 4;

  static final int GAMMAS = 16;

  /** Times beyond this are a sign of damage; a set of them would be large. */
  private static final int MOST_TIMES = 1 << 16;

  static final int MOST_VECTORS = 1 << 16;

  private static final String NONE = "none";

  /** What a file holds, by the id of its metadata. */
  enum Kind {
    PERAMBULATORS("propElemOp", ".peram.sdb"),
    MESONS("mesonElemOp", ".meson.sdb"),
    BARYONS("baryonElemOp", ".baryon.sdb"),
    GENERALIZED("genprop4ElemOp", ".genprop4.sdb"),
    UNSMEARED_MESONS("unsmearedMesonElemOp", ""),
    OLDER_UNSMEARED_MESONS("unsmearedMesonElemOp", ""),
    LOOPS("DiscoBlocks", ".disco.sdb");

    final String id;

    /** How the name of a file ends that Starling writes. */
    final String ending;

    Kind(String id, String ending) {
      this.id = id;
      this.ending = ending;
    }

    /** Values that make up a block. */
    int parts(int eigenvectors) {
      return switch (this) {
        case PERAMBULATORS -> SPINS * SPINS;
        case UNSMEARED_MESONS -> eigenvectors;
        case OLDER_UNSMEARED_MESONS -> SPINS * eigenvectors;
        default -> 1;
      };
    }

    /** Whether blocks are generalized perambulators. */
    boolean isGeneralized() {
      return this == GENERALIZED || this == UNSMEARED_MESONS || this == OLDER_UNSMEARED_MESONS;
    }
  }

  /** The blocks that its value is part of. */
  List<DataBlock> blocks() {
    if (!(block instanceof DataBlock.Loop loop)) {
      return List.of(block);
    }
    CurrentVertex one = loop.vertex();
    List<DataBlock> blocks = new ArrayList<>();
    for (int gamma = 0; gamma < GAMMAS; gamma++) {
      CurrentVertex vertex =
          new CurrentVertex(new Gamma(gamma, 1), one.displacement(), one.momentum());
      blocks.add(new DataBlock.Loop(loop.label(), vertex, loop.time()));
    }
    return blocks;
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
        return new SdbKey(new DataBlock.Perambulator(label(in), time, source), spins);
      }
      if (kind.isGeneralized()) {
        return generalized(kind, time, in);
      }
      if (kind == Kind.LOOPS) {
        in.getInt(); // the length of the displacement, which follows with it again
        List<Integer> path = list(in, "displacement");
        String name = path.equals(List.of(0)) ? NONE : displacement("disp_", path);
        CurrentVertex vertex = new CurrentVertex(Gamma.ONE, name, momentum(in));
        return new SdbKey(new DataBlock.Loop(label(in), vertex, time), 0);
      }
      String displacement =
          kind == Kind.MESONS
              ? displacement(derivatives ? "deriv_" : "disp_", list(in, "displacement"))
              : baryonDisplacement(
                  List.of(
                      list(in, "displacement"),
                      list(in, "displacement"),
                      list(in, "displacement")));
      Momentum momentum = momentum(in);
      check(!in.hasRemaining(), "%s bytes follow it", in.remaining());
      ElementalName name = new ElementalName(displacement, momentum);
      return new SdbKey(
          kind == Kind.MESONS ? DataBlock.meson(name, time) : DataBlock.baryon(name, time), 0);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("it ends too early", e);
    }
  }

  /** What is left, but for a newline at the end. */
  private static String label(ByteBuffer in) {
    return StandardCharsets.UTF_8.decode(in).toString().replaceFirst("\n$", "");
  }

  private static SdbKey generalized(Kind kind, int sinkTime, ByteBuffer in) {
    int time = number(in, "time", MOST_TIMES);
    int sourceTime = number(in, "time", MOST_TIMES);
    boolean meson = kind != Kind.GENERALIZED;
    boolean older = kind == Kind.OLDER_UNSMEARED_MESONS;
    int spin = older ? number(in, "spin", SPINS) : 0;
    int vector = meson ? number(in, "source vector", MOST_VECTORS) : 0;
    int gamma = number(in, "gamma", GAMMAS);
    boolean derivatives = meson && in.get() != 0;
    String displacement = displacement(derivatives ? "deriv_" : "disp_", list(in, "displacement"));
    Momentum q = momentum(in);
    int length = older ? 0 : number(in, "length of the label", in.remaining() + 1);
    check(
        length == in.remaining(),
        "its label of %s bytes is followed by %s more",
        length,
        in.remaining() - length);
    String label = StandardCharsets.UTF_8.decode(in).toString();
    CurrentVertex vertex = new CurrentVertex(new Gamma(gamma, 1), displacement, q);
    return new SdbKey(
        new DataBlock.Generalized(
            new CurrentName(label, label, vertex),
            new CurrentName.Ends(sinkTime, sourceTime),
            time),
        older ? SPINS * vector + spin : vector);
  }

  /** The momentum of Starling. */
  private static Momentum momentum(ByteBuffer in) {
    List<Integer> p = list(in, "momentum");
    check(p.size() == 3, "a momentum of %s components", p.size());
    return new Momentum(-p.get(0), -p.get(1), -p.get(2));
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
  static String displacement(String prefix, List<Integer> list) {
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

  /**
   * Its bytes; null when Starling does not write such blocks or Chroma has no form for the
   * displacement of an elemental.
   */
  byte @Nullable [] bytes() {
    if (block instanceof DataBlock.Perambulator tau) {
      return bytes(
          tau.label() + "\n", tau.sinkTime(), tau.sourceTime(), part % SPINS, part / SPINS);
    }
    if (block instanceof DataBlock.Generalized tau) {
      String label = tau.name().bar();
      CurrentVertex vertex = tau.name().vertex();
      return label.equals(tau.name().quark())
          ? bytes(
              label,
              tau.ends().sinkTime(),
              tau.insertionTime(),
              tau.ends().sourceTime(),
              vertex.gamma().mask(),
              path("disp", vertex.displacement()),
              momentum(vertex.momentum()),
              label.getBytes(StandardCharsets.UTF_8).length)
          : null;
    }
    if (block instanceof DataBlock.Loop loop) {
      CurrentVertex vertex = loop.vertex();
      List<Integer> path = path("disp", vertex.displacement());
      // Chroma's way to write no displacement here.
      List<Integer> there = path != null && path.isEmpty() ? List.of(0) : path;
      int length = there == null ? 0 : there.size();
      return bytes(loop.label() + "\n", loop.time(), length, there, momentum(vertex.momentum()));
    }
    if (!(block instanceof DataBlock.Elemental e) || e.kind() == DataBlock.Kind.TETRAQUARK) {
      return null;
    }
    String name = e.name().displacement();
    List<Integer> momentum = momentum(e.name().momentum());
    if (e.kind() == DataBlock.Kind.MESON) {
      return bytes("", e.time(), path("(disp|deriv)", name), momentum);
    }
    List<@Nullable List<Integer>> paths = new ArrayList<>();
    for (String quark : (name.equals(NONE) ? "none.none.none" : name).split("\\.", -1)) {
      paths.add(path("(disp|deriv)", quark));
    }
    return paths.size() == 3
        ? bytes("", e.time(), paths.get(0), paths.get(1), paths.get(2), momentum)
        : null;
  }

  /** The numbers in the name of a displacement; null when it is no list of numbers. */
  private static @Nullable List<Integer> path(String start, String displacement) {
    return displacement.equals(NONE) || displacement.matches(start + "(_-?\\d{1,9})+")
        ? Arrays.stream(displacement.split("_", -1)).skip(1).map(Integer::valueOf).toList()
        : null;
  }

  private static List<Integer> momentum(Momentum momentum) {
    return List.of(-momentum.x(), -momentum.y(), -momentum.z());
  }

  /** Integers, lists of them after their lengths, and a text; null for a list that is null. */
  @SuppressWarnings("ByteBufferBackingArray") // allocated here
  private static byte @Nullable [] bytes(String text, @Nullable Object... parts) {
    List<Object> numbers = new ArrayList<>();
    for (Object part : parts) {
      if (part instanceof List<?> list) {
        numbers.add(list.size());
        numbers.addAll(list);
      } else if (part == null) {
        return null;
      } else {
        numbers.add(part);
      }
    }
    byte[] end = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(numbers.size() * Integer.BYTES + end.length);
    numbers.forEach(number -> out.putInt((Integer) number));
    return out.put(end).array();
  }
}
