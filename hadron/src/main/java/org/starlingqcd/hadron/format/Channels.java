package org.starlingqcd.hadron.format;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.starlingqcd.hadron.data.DistillationException;

/** What readers of binary files share. */
public final class Channels {
  private Channels() {}

  /**
   * Fills a buffer from a position of a file.
   *
   * @throws EOFException when the file ends before, or the position is negative
   */
  public static void readFully(FileChannel channel, ByteBuffer buffer, long position)
      throws IOException {
    long at = position;
    while (buffer.hasRemaining()) {
      int count = at < 0 ? -1 : channel.read(buffer, at);
      if (count < 0) {
        throw new EOFException("end of file at byte " + at);
      }
      at += count;
    }
  }

  /** Closes the channel of a file. */
  public static void close(FileChannel channel, Path path) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new DistillationException(path + ": cannot be closed: " + e.getMessage(), e);
    }
  }
}
