package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * A file of bytes that is open for reading. Reads are positional, so any number of threads may
 * read. A file that cannot be read or ends too early is one message, which begins with its path.
 */
public final class BinaryFile implements AutoCloseable {
  private final Path path;
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
    this.path = path;
    this.cutShort = cutShort;
    try {
      this.channel = FileChannel.open(path, StandardOpenOption.READ);
      this.size = channel.size();
    } catch (NoSuchFileException e) {
      throw new DistillationException(path + ": no such file", e);
    } catch (IOException e) {
      throw unreadable(path, e);
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

  /** A message about a file that cannot be read. */
  static DistillationException unreadable(Path path, IOException e) {
    String reason = e.getMessage() == null ? e.toString() : e.getMessage();
    if (e instanceof NoSuchFileException) {
      reason = "no such file";
    } else if (e instanceof AccessDeniedException) {
      reason = "permission denied";
    }
    return new DistillationException(path + ": cannot be read: " + reason, e);
  }

  /** A message about this file. */
  public DistillationException fault(String what) {
    return new DistillationException(path + ": " + what);
  }

  public Path path() {
    return path;
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
          throw fault(cutShort.formatted(what, size));
        }
      }
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  /** The bytes from a position, to be read in an order. */
  public ByteBuffer bytes(long position, int count, ByteOrder order, Object what) {
    // Memory is taken only for bytes that are there.
    if (position < 0 || position > size - count) {
      throw fault(cutShort.formatted(what, size));
    }
    ByteBuffer buffer = ByteBuffer.allocate(count);
    fill(buffer, position, what);
    return buffer.flip().order(order);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new DistillationException(path + ": cannot be closed: " + e.getMessage(), e);
    }
  }
}
