package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * An append-only file of finished units, written by one process.
 *
 * <p>Layout, little-endian: the magic {@code STARJRN1}, the identifier of the result (36 ASCII
 * characters), then frames. A frame is the number of payload bytes (int), the CRC-32C of the
 * payload (int), and the payload: configuration, source, doubles of the correlator, number of
 * times, doubles of the one-point functions (ints), then the correlator (doubles), times (ints) and
 * one-point functions (doubles). Whatever follows the last whole frame was being written when its
 * process died, and is ignored.
 *
 * <p>The writer holds a lock on its file, which the operating system drops with the process: a
 * journal that can be locked has no writer any more. POSIX drops a process's locks when it closes
 * <em>any</em> descriptor of the file, so the writer's own file is opened once.
 */
final class Journal implements AutoCloseable {
  private static final byte[] MAGIC = "STARJRN1".getBytes(StandardCharsets.US_ASCII);
  static final int ID_LENGTH = 36;
  private static final int HEADER = 8 + ID_LENGTH;
  private static final int FRAME_HEADER = 8;

  /** A whole frame in a journal. */
  record Frame(Path file, long position, int length, int configuration, int source) {}

  private final Path path;
  private final FileChannel channel;
  private long end;

  private Journal(Path path, FileChannel channel) {
    this.path = path;
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
      ByteBuffer header = ByteBuffer.allocate(HEADER);
      header.put(MAGIC).put(id.getBytes(StandardCharsets.US_ASCII)).flip();
      writeAll(channel, header, 0);
      channel.force(true);
      return new Journal(path, channel);
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
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    ByteBuffer head = ByteBuffer.allocate(FRAME_HEADER).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(length).putInt((int) crc.getValue()).flip();
    try {
      writeAll(channel, head, end);
      writeAll(channel, payload, end + FRAME_HEADER);
      channel.force(false);
    } catch (IOException e) {
      try {
        channel.truncate(end);
      } catch (IOException unable) {
        e.addSuppressed(unable);
      }
      throw e;
    }
    Frame frame = new Frame(path, end + FRAME_HEADER, length, unit.configuration(), unit.source());
    end += FRAME_HEADER + (long) length;
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

  /** The whole frames of another process's journal, and where the next one would start. */
  record Scan(List<Frame> frames, long end) {}

  /**
   * Finds the whole frames from {@code start} (0 for the beginning) on; null when the file is not a
   * journal of the result {@code id}.
   */
  static @Nullable Scan scan(Path file, FileChannel channel, String id, long start)
      throws IOException {
    long position = start;
    if (position == 0) {
      ByteBuffer header = ByteBuffer.allocate(HEADER);
      ByteBuffer expected = ByteBuffer.allocate(HEADER);
      expected.put(MAGIC).put(id.getBytes(StandardCharsets.US_ASCII)).flip();
      if (!readAll(channel, header, 0) || !header.equals(expected)) {
        return null;
      }
      position = HEADER;
    }
    List<Frame> frames = new ArrayList<>();
    ByteBuffer head = ByteBuffer.allocate(FRAME_HEADER).order(ByteOrder.LITTLE_ENDIAN);
    while (readAll(channel, head.clear(), position)) {
      int length = head.getInt();
      int sum = head.getInt();
      if (length < 5 * Integer.BYTES || length > channel.size() - position - FRAME_HEADER) {
        break;
      }
      ByteBuffer payload = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
      if (!readAll(channel, payload, position + FRAME_HEADER)) {
        break;
      }
      CRC32C crc = new CRC32C();
      crc.update(payload.duplicate());
      if ((int) crc.getValue() != sum) {
        break;
      }
      frames.add(
          new Frame(file, position + FRAME_HEADER, length, payload.getInt(0), payload.getInt(4)));
      position += FRAME_HEADER + (long) length;
    }
    return new Scan(frames, position);
  }

  /** Whether there is more in a journal's file than its beginning. */
  static boolean mayHaveUnits(FileChannel channel) throws IOException {
    return channel.size() > HEADER;
  }

  /** Locks the journal of a process that has died; null when its process lives. */
  static @Nullable FileChannel lockAbandoned(Path file) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
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
        5 * Integer.BYTES
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
  private static boolean readAll(FileChannel channel, ByteBuffer target, long position)
      throws IOException {
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
