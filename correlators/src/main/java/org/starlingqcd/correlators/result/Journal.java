package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.result.Journal.Frame;

/**
 * An append-only file of finished units, written by one process.
 *
 * <p>Layout, little-endian: the magic {@code STARJRN2}, the identifier of the result (36 ASCII
 * characters), then records. A record has a head: the mark {@code STARUNIT}, the number of payload
 * bytes, configuration, source, the CRC-32C of the result's identifier and these three numbers, and
 * the CRC-32C of the payload (ints). The payload is: configuration, source, doubles of the
 * correlator, number of times, doubles of the one-point functions (ints), then the correlator
 * (doubles), times (ints), one-point functions (doubles), and the rest is text: the data. {@link
 * JournalScan} says how a damaged journal is read.
 *
 * <p>The writer holds a lock on its file, which the operating system drops with the process: a
 * journal that can be locked has no writer any more. POSIX drops a process's locks when it closes
 * <em>any</em> descriptor of the file, so the writer's own file is opened once.
 */
final class Journal implements AutoCloseable {
  static final byte[] MAGIC = "STARJRN3".getBytes(StandardCharsets.US_ASCII);

  /** That of journals which do not say how many units they have. */
  private static final byte[] UNCOUNTED = "STARJRN2".getBytes(StandardCharsets.US_ASCII);

  static final long MARK =
      ByteBuffer.wrap("STARUNIT".getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong();
  static final int ID_LENGTH = 36;

  /** Place of the number of units, which its checksum follows. */
  private static final int COUNT = 8 + ID_LENGTH;

  static final int HEADER = COUNT + 8;
  static final int RECORD_HEAD = 28;
  static final int LEAST_PAYLOAD = 5 * Integer.BYTES;

  // Offsets in the head of a record.
  static final int LENGTH = 8;
  static final int CONFIGURATION = 12;
  static final int SOURCE = 16;
  static final int HEAD_SUM = 20;
  static final int PAYLOAD_SUM = 24;

  /** A complete record in a journal. */
  record Frame(Path file, long position, int length, int configuration, int source) {}

  private final Path path;
  private final String id;
  private final FileChannel channel;
  private long end;
  private int units;

  private Journal(Path path, String id, FileChannel channel) {
    this.path = path;
    this.id = id;
    this.channel = channel;
    this.end = HEADER;
  }

  /** Creates a journal and locks it. */
  static Journal create(Path path, String id) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw new IOException("another process has locked a new journal: " + path);
      }
      writeAll(channel, header(MAGIC, id), 0);
      writeAll(channel, count(id, 0), COUNT);
      channel.force(true);
      return new Journal(path, id, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** Whether it has no unit. */
  boolean isEmpty() {
    return end == HEADER;
  }

  /** Adds a unit, durably. A failure leaves the journal as it was. */
  Frame append(ResultUnit unit) throws IOException {
    ByteBuffer payload = encode(unit);
    int length = payload.remaining();
    ByteBuffer head = buffer(RECORD_HEAD);
    head.putLong(0, MARK).putInt(LENGTH, length);
    head.putInt(CONFIGURATION, unit.configuration()).putInt(SOURCE, unit.source());
    head.putInt(HEAD_SUM, headSum(id, head)).putInt(PAYLOAD_SUM, sum(payload));
    try {
      writeAll(channel, head, end);
      writeAll(channel, payload, end + RECORD_HEAD);
      channel.force(false);
    } catch (IOException e) {
      try {
        channel.truncate(end);
      } catch (IOException unable) {
        e.addSuppressed(unable);
      }
      throw e;
    }
    Frame frame = new Frame(path, end + RECORD_HEAD, length, unit.configuration(), unit.source());
    end += RECORD_HEAD + (long) length;
    noteUnit();
    return frame;
  }

  /** Notes a unit that is safe; the next unit, or the system, makes the note itself safe. */
  private void noteUnit() {
    units++;
    try {
      writeAll(channel, count(id, units), COUNT);
    } catch (IOException e) {
      // Without it, a journal that somebody cuts between two units says less.
    }
  }

  private static ByteBuffer count(String id, int units) {
    ByteBuffer count = buffer(HEADER - COUNT).putInt(0, units);
    return count.putInt(Integer.BYTES, sum(id, count.duplicate().limit(Integer.BYTES)));
  }

  /** The number of units that were written to the journal of a result at least. */
  static int count(FileChannel channel, String id) throws IOException {
    ByteBuffer count = buffer(HEADER - COUNT);
    boolean whole = readAll(channel, count, COUNT);
    return whole && count.equals(count(id, count.getInt(0))) ? count.getInt(0) : 0;
  }

  /** Reads a unit of this journal back. */
  ResultUnit read(Frame frame) throws IOException {
    return read(channel, frame);
  }

  /** An empty buffer for numbers in the byte order of journals. */
  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a unit through a channel of its file. */
  static ResultUnit read(FileChannel channel, Frame frame) throws IOException {
    ByteBuffer payload = buffer(frame.length());
    if (!readAll(channel, payload, frame.position())) {
      throw new IOException("journal became shorter while it was read: " + frame.file());
    }
    return decode(payload);
  }

  /** The header of a journal of a result. */
  static ByteBuffer header(byte[] magic, String id) {
    return ByteBuffer.allocate(COUNT).put(magic).put(id.getBytes(StandardCharsets.US_ASCII)).flip();
  }

  /** The checksum of a head. */
  static int headSum(String id, ByteBuffer head) {
    return sum(id, head.duplicate().position(LENGTH).limit(HEAD_SUM));
  }

  /** The checksum of bytes that belong to a result. */
  private static int sum(String id, ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(id.getBytes(StandardCharsets.US_ASCII));
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** The checksum of a payload. */
  static int sum(ByteBuffer payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    return (int) crc.getValue();
  }

  /** Whether the counts in a payload agree with its length. */
  static boolean isUnit(ByteBuffer payload) {
    if (payload.limit() < LEAST_PAYLOAD) {
      return false;
    }
    long correlator = payload.getInt(2 * Integer.BYTES);
    long times = payload.getInt(3 * Integer.BYTES);
    long onePoint = payload.getInt(4 * Integer.BYTES);
    long rest =
        payload.limit()
            - (LEAST_PAYLOAD + Double.BYTES * (correlator + onePoint) + Integer.BYTES * times);
    return correlator >= 0 && times >= 0 && onePoint >= 0 && rest >= 0;
  }

  /** Whether a journal's file has more than its header. */
  static boolean mayHaveUnits(FileChannel channel) throws IOException {
    return channel.size() > HEADER;
  }

  /** Locks the journal of a process that has died; null when the process is alive. */
  static @Nullable FileChannel lockAbandoned(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Another result store of this process writes it.
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return null;
  }

  /** Closes and deletes the file, whose units are in the result. */
  void delete() throws IOException {
    Files.deleteIfExists(path);
    channel.close();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static ByteBuffer encode(ResultUnit unit) {
    int[] times = unit.times();
    int doubles = unit.correlator().length + unit.onePoint().length;
    byte[] data = String.join("\n", unit.data()).getBytes(StandardCharsets.UTF_8);
    int bytes = LEAST_PAYLOAD + Double.BYTES * doubles + Integer.BYTES * times.length + data.length;
    ByteBuffer buffer = buffer(bytes);
    buffer.putInt(unit.configuration()).putInt(unit.source());
    buffer.putInt(unit.correlator().length).putInt(times.length).putInt(unit.onePoint().length);
    put(buffer, unit.correlator());
    for (int time : times) {
      buffer.putInt(time);
    }
    put(buffer, unit.onePoint());
    return buffer.put(data).flip();
  }

  private static ResultUnit decode(ByteBuffer buffer) {
    int configuration = buffer.getInt();
    int source = buffer.getInt();
    double[] correlator = new double[buffer.getInt()];
    int[] times = new int[buffer.getInt()];
    double[] onePoint = new double[buffer.getInt()];
    get(buffer, correlator);
    for (int k = 0; k < times.length; k++) {
      times[k] = buffer.getInt();
    }
    get(buffer, onePoint);
    String data = StandardCharsets.UTF_8.decode(buffer).toString();
    return new ResultUnit(
        configuration, source, correlator, times, onePoint, data.lines().toList());
  }

  private static void put(ByteBuffer buffer, double[] values) {
    buffer.asDoubleBuffer().put(values);
    buffer.position(buffer.position() + Double.BYTES * values.length);
  }

  private static void get(ByteBuffer buffer, double[] values) {
    buffer.asDoubleBuffer().get(values);
    buffer.position(buffer.position() + Double.BYTES * values.length);
  }

  private static void writeAll(FileChannel channel, ByteBuffer source, long position)
      throws IOException {
    long at = position;
    while (source.hasRemaining()) {
      at += channel.write(source, at);
    }
  }

  /** Fills the buffer and flips it; false when the file is too short. */
  static boolean readAll(FileChannel channel, ByteBuffer target, long position) throws IOException {
    long at = position;
    while (target.hasRemaining()) {
      int count = channel.read(target, at);
      if (count < 0) {
        return false;
      }
      at += count;
    }
    target.flip();
    return true;
  }

  /**
   * The units in a journal of another process.
   *
   * <p>A record that does not match its checksums is left out, and reading continues at the next
   * mark whose head matches its checksum. A record without an end was being written when its
   * process died, or is being written now.
   *
   * @param end where to look for the next record
   * @param lost descriptions of records that are damaged or have no end
   */
  record JournalScan(List<Frame> frames, long end, List<String> lost) {
    private static final int CHUNK = 1 << 16;

    /**
     * Reads the heads and checks the contents from {@code start} (0 for the beginning) on.
     *
     * @return null when the file is not a journal of the result {@code id}
     */
    static @Nullable JournalScan of(Path file, FileChannel channel, String id, long start)
        throws IOException {
      ByteBuffer header = ByteBuffer.allocate(COUNT);
      if (!Journal.readAll(channel, header, 0)) {
        return null;
      }
      boolean uncounted = header.equals(Journal.header(UNCOUNTED, id));
      int units = start > 0 || uncounted ? 0 : Journal.count(channel, id);
      Reader reader = new Reader(file, channel, id, Math.max(start, uncounted ? COUNT : HEADER));
      JournalScan found = reader.read();
      int missing = units - found.frames.size() - found.lost.size();
      if (missing > 0 && found.end >= reader.size) {
        found.lost.add(missing + (missing == 1 ? " unit" : " units") + " at the end");
      }
      // The heads of the records know their result too: one damaged byte here loses nothing.
      boolean ours = uncounted || header.equals(Journal.header(MAGIC, id));
      return ours || !found.frames.isEmpty() ? found : null;
    }

    /** One pass over a journal. */
    private static final class Reader {
      private final Path file;
      private final FileChannel channel;
      private final String id;
      private final long size;
      private final List<Frame> frames = new ArrayList<>();
      private final List<String> lost = new ArrayList<>();
      private long position;

      Reader(Path file, FileChannel channel, String id, long start) throws IOException {
        this.file = file;
        this.channel = channel;
        this.id = id;
        this.size = channel.size();
        this.position = start;
      }

      JournalScan read() throws IOException {
        while (size - position >= Journal.RECORD_HEAD) {
          ByteBuffer head = head(position);
          if (head == null) {
            long next = nextHead(position + 1);
            lost.add(bytes(position, next < 0 ? size : next));
            if (next < 0) {
              break;
            }
            position = next;
            continue;
          }
          int length = head.getInt(Journal.LENGTH);
          long payload = position + Journal.RECORD_HEAD;
          boolean ends = length <= size - payload;
          Frame frame =
              new Frame(
                  file,
                  payload,
                  length,
                  head.getInt(Journal.CONFIGURATION),
                  head.getInt(Journal.SOURCE));
          if (ends && isIntact(frame, head.getInt(Journal.PAYLOAD_SUM))) {
            frames.add(frame);
            position = payload + length;
            continue;
          }
          long next = nextHead(payload);
          String unit = "configuration " + frame.configuration() + ", source " + frame.source();
          if (ends || next >= 0) {
            lost.add(unit);
          } else {
            lost.add(
                "%s, of which %d of %d bytes are there,".formatted(unit, size - payload, length));
          }
          if (next < 0) {
            break;
          }
          position = next;
        }
        if (size > position && size - position < Journal.RECORD_HEAD) {
          lost.add("a unit, of which %d bytes are there,".formatted(size - position));
        }
        return new JournalScan(frames, position, lost);
      }

      /** The head at a position, if it matches its checksum; otherwise null. */
      private @Nullable ByteBuffer head(long place) throws IOException {
        ByteBuffer head = buffer(Journal.RECORD_HEAD);
        boolean whole = Journal.readAll(channel, head, place);
        return whole
                && head.getLong(0) == Journal.MARK
                && head.getInt(Journal.LENGTH) >= 0
                && head.getInt(Journal.HEAD_SUM) == Journal.headSum(id, head)
            ? head
            : null;
      }

      /** Where the next head is, at {@code from} or later; negative when there is none. */
      private long nextHead(long from) throws IOException {
        ByteBuffer chunk = buffer(CHUNK);
        for (long start = from; size - start >= Journal.RECORD_HEAD; ) {
          chunk.clear().limit((int) Math.min(CHUNK, size - start));
          if (!Journal.readAll(channel, chunk, start)) {
            return -1;
          }
          int last = chunk.limit() - Long.BYTES;
          for (int k = 0; k <= last; k++) {
            if (chunk.getLong(k) == Journal.MARK && head(start + k) != null) {
              return start + k;
            }
          }
          start += last + 1;
        }
        return -1;
      }

      private boolean isIntact(Frame frame, int sum) throws IOException {
        ByteBuffer payload = buffer(frame.length());
        return Journal.readAll(channel, payload, frame.position())
            && Journal.sum(payload) == sum
            && Journal.isUnit(payload);
      }

      private static String bytes(long from, long to) {
        return "bytes " + from + " to " + (to - 1);
      }
    }
  }
}
