package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;
import java.util.zip.CRC32;
import org.starlingqcd.hadron.data.DistillationException;
import org.starlingqcd.hadron.hdf5.PlainFile;

/**
 * A file of bytes that is open for reading. Reads are positional, so any number of threads may
 * read. A file that cannot be read or ends too early is one message, which begins with its path.
 */
public final class BinaryFile extends FileFaults implements AutoCloseable {
  private final String cutShort;
  private final FileChannel channel;
  private final long size;

  /**
   * Opens a file.
   *
   * @param cutShort what is said of a file that ends too early: a template of what was read and of
   *     the bytes that the file has
   * @throws DistillationException when it cannot be read
   */
  public BinaryFile(Path path, String cutShort) {
    super(path);
    this.cutShort = cutShort;
    try {
      PlainFile.check(path);
      this.channel = FileChannel.open(path, StandardOpenOption.READ);
      this.size = channel.size();
    } catch (NoSuchFileException e) {
      throw fault(e, "no such file");
    } catch (FileSystemException e) {
      throw e.getReason() == null ? unreadable(e) : fault(e, e.getReason());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Begins to read a file, and closes it if that fails. */
  public static <R> R reading(BinaryFile file, Function<BinaryFile, R> reader) {
    try {
      return reader.apply(file);
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private DistillationException unreadable(IOException e) {
    String reason = e.getMessage() == null ? e.toString() : e.getMessage();
    return fault(
        e, "cannot be read: %s", e instanceof AccessDeniedException ? "permission denied" : reason);
  }

  /** Bytes of the file. */
  public long size() {
    return size;
  }

  /**
   * Fills a buffer from a position of the file.
   *
   * @param what what is read, for messages
   */
  public void fill(ByteBuffer buffer, long position, Object what) {
    int start = buffer.position();
    try {
      while (buffer.hasRemaining()) {
        long at = position + buffer.position() - start;
        if (at < 0 || channel.read(buffer, at) < 0) {
          throw fault(cutShort, what, size);
        }
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** The bytes from a position, to be read in an order. */
  public ByteBuffer bytes(long position, int count, ByteOrder order, Object what) {
    // Memory is taken only for bytes that are there.
    check(position >= 0 && position <= size - count, cutShort, what, size);
    ByteBuffer buffer = ByteBuffer.allocate(count);
    fill(buffer, position, what);
    return buffer.flip().order(order);
  }

  /** The CRC-32 of the bytes that remain in some buffers, whose positions stay. */
  public static int crc(ByteBuffer... parts) {
    CRC32 crc = new CRC32();
    for (ByteBuffer part : parts) {
      crc.update(part.duplicate());
    }
    return (int) crc.getValue();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw fault(e, "cannot be closed: %s", e.getMessage());
    }
  }
}
