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
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An append-only file of finished units, written by one process.
 *
 * <p>Layout, little-endian: the magic {@code STARJRN2}, the identifier of the result (36 ASCII
 * characters), then records. A record has a head: the mark {@code STARUNIT}, the number of payload
 * bytes, configuration, source, the CRC-32C of the result's identifier and these three numbers, and
 * the CRC-32C of the payload (ints). The payload is: configuration, source, doubles of the
 * correlator, number of times, doubles of the one-point functions (ints), then the correlator
 * (doubles), times (ints) and one-point functions (doubles). {@link JournalScan} says how a damaged
 * journal is read. A journal of an earlier version, {@code STARJRN1}, has the number of payload
 * bytes and the CRC-32C of the payload before each payload instead of a head.
 *
 * <p>The writer holds a lock on its file, which the operating system drops with the process: a
 * journal that can be locked has no writer any more. POSIX drops a process's locks when it closes
 * <em>any</em> descriptor of the file, so the writer's own file is opened once.
 */
final class Journal implements AutoCloseable {
  static final byte[] MAGIC = "STARJRN2".getBytes(StandardCharsets.US_ASCII);
  static final byte[] MAGIC_WITHOUT_MARKS = "STARJRN1".getBytes(StandardCharsets.US_ASCII);
  static final long MARK =
      ByteBuffer.wrap("STARUNIT".getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong();
  static final int ID_LENGTH = 36;
  static final int HEADER = 8 + ID_LENGTH;
  static final int RECORD_HEAD = 28;
  static final int OLD_HEAD = 8;
  static final int LEAST_PAYLOAD = 5 * Integer.BYTES;

  // Places in the head of a record.
  static final int LENGTH = 8;
  static final int CONFIGURATION = 12;
  static final int SOURCE = 16;
  static final int HEAD_SUM = 20;
  static final int PAYLOAD_SUM = 24;

  /** A whole frame in a journal. */
  record Frame(Path file, long position, int length, int configuration, int source) {}

  private final Path path;
  private final String id;
  private final FileChannel channel;
  private long end;

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

  /** Whether it holds no unit. */
  boolean isEmpty() {
    return end == HEADER;
  }

  /** Adds a unit; durable when the call returns. After a failure the journal is as before. */
  Frame append(ResultUnit unit) throws IOException {
    ByteBuffer payload = encode(unit);
    int length = payload.remaining();
    ByteBuffer head = ByteBuffer.allocate(RECORD_HEAD).order(ByteOrder.LITTLE_ENDIAN);
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
    return frame;
  }

  /** Reads a unit of this journal back. */
  ResultUnit read(Frame frame) throws IOException {
    return read(channel, frame);
  }

  /** Reads a unit through a channel of its file. */
  static ResultUnit read(FileChannel channel, Frame frame) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(frame.length()).order(ByteOrder.LITTLE_ENDIAN);
    if (!readAll(channel, payload, frame.position())) {
      throw new IOException("journal became shorter while it was read: " + frame.file());
    }
    return decode(payload);
  }

  /** What a journal of a result begins with. */
  static ByteBuffer header(byte[] magic, String id) {
    return ByteBuffer.allocate(HEADER)
        .put(magic)
        .put(id.getBytes(StandardCharsets.US_ASCII))
        .flip();
  }

  /** The checksum of a head. */
  static int headSum(String id, ByteBuffer head) {
    CRC32C crc = new CRC32C();
    crc.update(id.getBytes(StandardCharsets.US_ASCII));
    crc.update(head.duplicate().position(LENGTH).limit(HEAD_SUM));
    return (int) crc.getValue();
  }

  /** The checksum of a payload. */
  static int sum(ByteBuffer payload) {
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    return (int) crc.getValue();
  }

  /** Whether the numbers of a payload say its length. */
  static boolean isUnit(ByteBuffer payload) {
    if (payload.limit() < LEAST_PAYLOAD) {
      return false;
    }
    long correlator = payload.getInt(2 * Integer.BYTES);
    long times = payload.getInt(3 * Integer.BYTES);
    long onePoint = payload.getInt(4 * Integer.BYTES);
    return correlator >= 0
        && times >= 0
        && onePoint >= 0
        && LEAST_PAYLOAD + Double.BYTES * (correlator + onePoint) + Integer.BYTES * times
            == payload.limit();
  }

  /** Whether there is more in a journal's file than its beginning. */
  static boolean mayHaveUnits(FileChannel channel) throws IOException {
    return channel.size() > HEADER;
  }

  /** Locks the journal of a process that has died; null when its process lives. */
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
      // Another result store of this very process writes it.
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return null;
  }

  /** Closes and removes the file; its units are in the result. */
  void delete() throws IOException {
    Files.deleteIfExists(path);
    channel.close();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static ByteBuffer encode(ResultUnit unit) {
    int bytes =
        LEAST_PAYLOAD
            + Double.BYTES * (unit.correlator().length + unit.onePoint().length)
            + Integer.BYTES * unit.times().length;
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(unit.configuration()).putInt(unit.source());
    buffer.putInt(unit.correlator().length).putInt(unit.times().length);
    buffer.putInt(unit.onePoint().length);
    for (double value : unit.correlator()) {
      buffer.putDouble(value);
    }
    for (int time : unit.times()) {
      buffer.putInt(time);
    }
    for (double value : unit.onePoint()) {
      buffer.putDouble(value);
    }
    return buffer.flip();
  }

  private static ResultUnit decode(ByteBuffer buffer) {
    int configuration = buffer.getInt();
    int source = buffer.getInt();
    double[] correlator = new double[buffer.getInt()];
    int[] times = new int[buffer.getInt()];
    double[] onePoint = new double[buffer.getInt()];
    for (int k = 0; k < correlator.length; k++) {
      correlator[k] = buffer.getDouble();
    }
    for (int k = 0; k < times.length; k++) {
      times[k] = buffer.getInt();
    }
    for (int k = 0; k < onePoint.length; k++) {
      onePoint[k] = buffer.getDouble();
    }
    return new ResultUnit(configuration, source, correlator, times, onePoint);
  }

  private static void writeAll(FileChannel channel, ByteBuffer source, long position)
      throws IOException {
    long at = position;
    while (source.hasRemaining()) {
      at += channel.write(source, at);
    }
  }

  /** Fills the buffer and flips it; false when the file ends before. */
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
}
