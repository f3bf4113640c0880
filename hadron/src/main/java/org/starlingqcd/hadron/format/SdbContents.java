package org.starlingqcd.hadron.format;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.graph.Momentum;
import org.starlingqcd.hadron.data.BlockCatalog;
import org.starlingqcd.hadron.data.DataBlock;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.data.ElementalName;

/**
 * What the keys of an SDB file stand for. All numbers in keys are big-endian.
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
 */
final class SdbContents implements FiledbFile.Entries {
  /** What a file holds, by the id of its metadata. */
  enum Kind {
    PERAMBULATORS("propElemOp"),
    MESONS("mesonElemOp"),
    BARYONS("baryonElemOp");

    private final String id;

    Kind(String id) {
      this.id = id;
    }

    String id() {
      return id;
    }

    static @Nullable Kind of(@Nullable String id) {
      return Arrays.stream(values()).filter(kind -> kind.id.equals(id)).findFirst().orElse(null);
    }
  }

  static final int SPINS = 4;

  /** Times beyond this are a sign of damage; a set of them would be large. */
  private static final int MOST_TIMES = 1 << 16;

  private final Path path;
  private final Kind kind;
  private final String prefix;
  private final Map<DataBlock, FiledbFile.@Nullable Pointer[]> pointers = new HashMap<>();

  /**
   * Nothing yet.
   *
   * @param derivatives whether displacements are derivatives, named {@code deriv_…}, rather than
   *     shifts, named {@code disp_…}
   */
  SdbContents(Path path, Kind kind, boolean derivatives) {
    this.path = path;
    this.kind = kind;
    this.prefix = derivatives ? "deriv_" : "disp_";
  }

  @Override
  public boolean accept(byte[] key, FiledbFile.Pointer pointer) {
    ByteBuffer in = ByteBuffer.wrap(key);
    try {
      int time = time(in);
      switch (kind) {
        case PERAMBULATORS -> {
          int source = time(in);
          int spinSource = spin(in);
          int spinSink = spin(in);
          String label = label(in);
          FiledbFile.@Nullable Pointer[] parts =
              pointers.computeIfAbsent(
                  new DataBlock.Perambulator(label, time, source),
                  block -> new FiledbFile.@Nullable Pointer[SPINS * SPINS]);
          parts[SPINS * spinSink + spinSource] = pointer;
        }
        case MESONS -> {
          String displacement = displacement(prefix, list(in));
          put(new DataBlock.Meson(name(displacement, in), time), pointer);
        }
        case BARYONS -> {
          String all = baryonDisplacement(List.of(list(in), list(in), list(in)));
          put(new DataBlock.Baryon(name(all, in), time), pointer);
        }
      }
    } catch (BufferUnderflowException e) {
      throw unexpected("it ends too early");
    }
    if (in.hasRemaining()) {
      throw unexpected(in.remaining() + " bytes follow it");
    }
    return true;
  }

  private static final String NONE = "none";

  private void put(DataBlock block, FiledbFile.Pointer pointer) {
    pointers.put(block, new FiledbFile.@Nullable Pointer[] {pointer});
  }

  private int time(ByteBuffer in) {
    int time = in.getInt();
    if (time < 0 || time >= MOST_TIMES) {
      throw unexpected("time " + time + " is out of range");
    }
    return time;
  }

  private int spin(ByteBuffer in) {
    int spin = in.getInt();
    if (spin < 0 || spin >= SPINS) {
      throw unexpected("spin must be >= 0 && < 4, found " + spin);
    }
    return spin;
  }

  private String label(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    int length =
        bytes.length > 0 && bytes[bytes.length - 1] == '\n' ? bytes.length - 1 : bytes.length;
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private List<Integer> list(ByteBuffer in) {
    int count = in.getInt();
    if (count < 0 || count > in.remaining() / Integer.BYTES) {
      throw unexpected("a displacement of " + count + " entries");
    }
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

  private ElementalName name(String displacement, ByteBuffer in) {
    int count = in.getInt();
    if (count != 3) {
      throw unexpected("a momentum of " + count + " components");
    }
    return new ElementalName(displacement, new Momentum(-in.getInt(), -in.getInt(), -in.getInt()));
  }

  private DistillationException unexpected(String what) {
    return new DistillationException(
        path + ": a key is none of " + kind.id() + ": " + what + "; the file is damaged");
  }

  /** The blocks that are complete. */
  BlockCatalog catalog() {
    BlockCatalog catalog = new BlockCatalog();
    pointers.forEach(
        (block, parts) -> {
          if (Arrays.stream(parts).anyMatch(part -> part == null)) {
            return;
          }
          if (block instanceof DataBlock.Perambulator tau) {
            catalog.addPerambulator(tau.label(), tau.sinkTime(), tau.sourceTime());
          } else if (block instanceof DataBlock.Meson phi) {
            catalog.addMeson(phi.name(), phi.time());
          } else if (block instanceof DataBlock.Baryon b) {
            catalog.addBaryon(b.name(), b.time());
          }
        });
    return catalog;
  }

  /**
   * The values of a block: one, or for a perambulator 16, [sink spin][source spin]. An entry is
   * null when it is not there.
   */
  FiledbFile.@Nullable Pointer[] pointers(DataBlock block) {
    FiledbFile.@Nullable Pointer[] known = pointers.get(block);
    return known == null ? new FiledbFile.@Nullable Pointer[1] : known;
  }
}
