package org.starlingqcd.blockcache;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.starlingqcd.backend.HostMemory;

/** Host memory in files and checksums, part by part, because a buffer ends at 2 GiB. */
final class Views {
  private static final long MOST = 1L << 28;

  private Views() {}

  private static ByteBuffer part(HostMemory memory, long from, long bytes) {
    return memory.bytes(from, (int) Math.min(MOST, bytes));
  }

  /** CRC-32C of {@code bytes} bytes from byte {@code from}. */
  static long sum(HostMemory memory, long from, long bytes) {
    CRC32C sum = new CRC32C();
    for (long done = 0; done < bytes; done += MOST) {
      sum.update(part(memory, from + done, bytes - done));
    }
    return sum.getValue();
  }

  /** CRC-32C of what is left in a buffer. */
  static long sum(ByteBuffer bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return sum.getValue();
  }

  static void write(FileChannel channel, long place, HostMemory source, long from, long bytes)
      throws IOException {
    for (long done = 0; done < bytes; done += MOST) {
      write(channel, place + done, part(source, from + done, bytes - done));
    }
  }

  static void write(FileChannel channel, long place, ByteBuffer bytes) throws IOException {
    long at = place;
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }

  static void read(FileChannel channel, long place, HostMemory target, long to, long bytes)
      throws IOException {
    for (long done = 0; done < bytes; done += MOST) {
      read(channel, place + done, part(target, to + done, bytes - done));
    }
  }

  /**
   * Fills a buffer.
   *
   * @throws EOFException when the file ends before
   */
  static void read(FileChannel channel, long place, ByteBuffer target) throws IOException {
    long at = place;
    while (target.hasRemaining()) {
      int read = channel.read(target, at);
      if (read < 0) {
        throw new EOFException("the file ends at byte " + at);
      }
      at += read;
    }
  }
}
