package org.starlingqcd.memhc.access;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.backend.TensorShape;

/**
 * The accesses of a run without data: the elements and the queues that ran, one for each
 * configuration and source. It suffices to replay the run with other policies, budgets and orders.
 *
 * <p>The file is a sequence of unsigned LEB128 numbers after the eight bytes {@code MEMHCTRC}:
 * version (4); number of shapes, then spins, rank, extent and bytes of a real number of each;
 * number of elements, then {@code 2 · shape + (1 for an input)} of each; number of queues. A queue
 * is the number of its vectors; for each vector the number of its steps; for each step the number
 * of inputs, the number of outputs, {@code 4 · kind + (2 if it may run again) + (1 if it overwrites
 * its outputs)}, its flops, and for each access the difference of its element from the access
 * before, zigzag coded; then the number of inputs with a key, and of each the difference of its
 * sorted number and the key; then the number of kept elements and the differences of their sorted
 * numbers. The last four bytes are the CRC-32 of all before, big-endian. An access takes one to
 * three bytes. Versions 1 to 3 can be read: they lack what may run again, 1 and 2 the bytes of a
 * real number, which are 8, and 1 keys, kinds and flops.
 *
 * @param shapes the distinct shapes
 * @param shapeOf index of the shape of each element
 * @param input whether each element can be loaded again
 * @param queues the queues in the order in which they ran
 * @param keys for each queue the key of each element: equal for inputs that hold the same data,
 *     also in other queues and traces; 0: not known, or an intermediate
 */
@SuppressWarnings("ArrayRecordComponent") // as large as the run has elements; never compared
public record AccessTrace(
    List<TensorShape> shapes,
    int[] shapeOf,
    boolean[] input,
    List<AccessQueue> queues,
    List<long[]> keys) {

  /** Version of the file format. */
  public static final int VERSION = 4;

  private static final int FIRST_VERSION = 1;

  private static final byte[] MAGIC = "MEMHCTRC".getBytes(StandardCharsets.US_ASCII);

  /** Copies the lists. */
  public AccessTrace {
    shapes = List.copyOf(shapes);
    queues = List.copyOf(queues);
    keys = List.copyOf(keys);
    if (keys.size() != queues.size()) {
      throw new IllegalArgumentException(
          "must be equal: queues=" + queues.size() + " lists of keys=" + keys.size());
    }
  }

  /** A trace without keys. */
  public AccessTrace(
      List<TensorShape> shapes, int[] shapeOf, boolean[] input, List<AccessQueue> queues) {
    this(
        shapes,
        shapeOf,
        input,
        queues,
        Collections.nCopies(queues.size(), new long[shapeOf.length]));
  }

  /** One of the queues as a trace, without keys. */
  public AccessTrace only(int queue) {
    return new AccessTrace(shapes, shapeOf, input, List.of(queues.get(queue)));
  }

  /** Size of an element in bytes. */
  public long bytes(int element) {
    return shapes.get(shapeOf[element]).bytes();
  }

  /** Number of elements. */
  public int elements() {
    return shapeOf.length;
  }

  /** Size of the largest element in bytes; 1 without elements. */
  public long largestBytes() {
    return shapes.stream().mapToLong(TensorShape::bytes).max().orElse(1);
  }

  /** Floating-point operations of all queues. */
  public double flops() {
    return queues.stream().mapToDouble(AccessQueue::flops).sum();
  }

  /** Writes the trace to a file. */
  public void write(Path file) throws IOException {
    CRC32 sum = new CRC32();
    try (DataOutputStream out =
        new DataOutputStream(
            new CheckedOutputStream(new BufferedOutputStream(Files.newOutputStream(file)), sum))) {
      out.write(MAGIC);
      put(out, VERSION);
      put(out, shapes.size());
      for (TensorShape shape : shapes) {
        put(out, shape.spins());
        put(out, shape.rank());
        put(out, shape.extent());
        put(out, shape.precision().realBytes());
      }
      put(out, shapeOf.length);
      for (int element = 0; element < shapeOf.length; element++) {
        put(out, 2L * shapeOf[element] + (input[element] ? 1 : 0));
      }
      put(out, queues.size());
      for (int k = 0; k < queues.size(); k++) {
        writeQueue(out, queues.get(k));
        writeKeys(out, keys.get(k));
      }
      out.writeInt((int) sum.getValue());
    }
  }

  private static void writeQueue(DataOutputStream out, AccessQueue queue) throws IOException {
    put(out, queue.vectors());
    int before = 0;
    for (int vector = 0; vector < queue.vectors(); vector++) {
      put(out, queue.vectorStart(vector + 1) - queue.vectorStart(vector));
      for (int s = queue.vectorStart(vector); s < queue.vectorStart(vector + 1); s++) {
        put(out, queue.firstOutput(s) - queue.firstAccess(s));
        put(out, queue.firstAccess(s + 1) - queue.firstOutput(s));
        put(
            out,
            4L * queue.kind(s).code()
                + (queue.isRepeatable(s) ? 2 : 0)
                + (queue.overwrites(s) ? 1 : 0));
        put(out, queue.flops(s));
        for (int k = queue.firstAccess(s); k < queue.firstAccess(s + 1); k++) {
          int difference = queue.element(k) - before;
          put(out, ((long) difference << 1) ^ (difference >> 31));
          before = queue.element(k);
        }
      }
    }
    int[] kept = queue.kept();
    put(out, kept.length);
    before = 0;
    for (int element : kept) {
      put(out, element - before);
      before = element;
    }
  }

  private static void writeKeys(DataOutputStream out, long[] keys) throws IOException {
    put(out, Arrays.stream(keys).filter(key -> key != 0).count());
    int before = 0;
    for (int element = 0; element < keys.length; element++) {
      if (keys[element] != 0) {
        put(out, element - before);
        put(out, keys[element]);
        before = element;
      }
    }
  }

  private static void put(DataOutputStream out, long number) throws IOException {
    long rest = number;
    while (rest >= 0x80 || rest < 0) {
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  /**
   * Reads a trace.
   *
   * @throws IOException when the file cannot be read, is not a trace, has another version or is
   *     damaged; the message names the file and the reason
   */
  public static AccessTrace read(Path file) throws IOException {
    CRC32 sum = new CRC32();
    try (DataInputStream in =
        new DataInputStream(
            new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), sum))) {
      if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
        throw new IOException(file + ": not a memory trace (it does not begin with MEMHCTRC)");
      }
      long version = get(in);
      if (version < FIRST_VERSION || version > VERSION) {
        throw new IOException(
            file
                + ": memory trace of version "
                + version
                + ", expected a version up to "
                + VERSION);
      }
      AccessTrace trace = new Reader(in, version).trace();
      long expected = sum.getValue();
      if ((in.readInt() & 0xffffffffL) != expected) {
        throw new IOException(file + ": memory trace is damaged (its checksum is wrong)");
      }
      if (in.read() >= 0) {
        throw new IOException(file + ": memory trace is damaged (bytes follow its end)");
      }
      return trace;
    } catch (EOFException cut) {
      throw new IOException(file + ": memory trace is cut short", cut);
    } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
      throw new IOException(file + ": memory trace is damaged (" + wrong.getMessage() + ")", wrong);
    }
  }

  private static long get(DataInputStream in) throws IOException {
    long number = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = in.readUnsignedByte();
      number |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        return number;
      }
    }
    throw new IllegalArgumentException("a number of more than 64 bits");
  }

  /** Reads the rest of the file; arrays grow with the bytes read, not with the counts claimed. */
  private record Reader(DataInputStream in, long version) {
    private boolean hasWork() {
      return version >= 2;
    }

    AccessTrace trace() throws IOException {
      List<TensorShape> shapes = new ArrayList<>();
      for (int k = count(); k > 0; k--) {
        TensorShape shape = new TensorShape(count(), count(), count());
        shapes.add(version >= 3 ? shape.in(Precision.ofBytes(count())) : shape);
      }
      int elements = count();
      int[] shapeOf = new int[Math.min(elements, 1 << 16)];
      boolean[] input = new boolean[shapeOf.length];
      for (int element = 0; element < elements; element++) {
        if (element == shapeOf.length) {
          int length = (int) Math.min(elements, 2L * element);
          shapeOf = Arrays.copyOf(shapeOf, length);
          input = Arrays.copyOf(input, length);
        }
        int code = count();
        shapeOf[element] = index("shape", code >> 1, shapes.size());
        input[element] = (code & 1) == 1;
      }
      List<AccessQueue> queues = new ArrayList<>();
      List<long[]> keys = new ArrayList<>();
      for (int k = count(); k > 0; k--) {
        queues.add(queue(elements));
        keys.add(keys(elements));
      }
      return new AccessTrace(shapes, shapeOf, input, queues, keys);
    }

    private AccessQueue queue(int elements) throws IOException {
      AccessQueue.Builder builder = AccessQueue.builder();
      int before = 0;
      for (int vectors = count(); vectors > 0; vectors--) {
        for (int steps = count(); steps > 0; steps--) {
          int nIn = count();
          int nOut = count();
          int work = hasWork() ? count() : 0;
          long flops = hasWork() ? get(in) : 0;
          for (int k = 0; k < nIn + nOut; k++) {
            long code = get(in);
            before += (int) ((code >>> 1) ^ -(code & 1));
            index("element", before, elements);
            builder.access(before);
          }
          int marks = version >= 4 ? 2 : 1;
          builder.endStep(nIn).work(StepKind.of(work >> marks), flops);
          if ((work & 1) == 1) {
            builder.overwriting();
          }
          if ((work & marks & 2) != 0) {
            builder.repeatable();
          }
        }
        builder.endVector();
      }
      int element = 0;
      for (int kept = count(); kept > 0; kept--) {
        element += count();
        builder.keep(index("element", element, elements));
      }
      return builder.build();
    }

    private long[] keys(int elements) throws IOException {
      long[] keys = new long[elements];
      int element = 0;
      for (int known = hasWork() ? count() : 0; known > 0; known--) {
        element += count();
        keys[index("element", element, elements)] = get(in);
      }
      return keys;
    }

    private int count() throws IOException {
      long number = get(in);
      if (number < 0 || number > Integer.MAX_VALUE) {
        throw new IllegalArgumentException("not a count: " + number);
      }
      return (int) number;
    }

    private static int index(String what, int number, int bound) {
      if (number < 0 || number >= bound) {
        throw new IllegalArgumentException(
            "must be >= 0 && < " + bound + ": " + what + "=" + number);
      }
      return number;
    }
  }
}
