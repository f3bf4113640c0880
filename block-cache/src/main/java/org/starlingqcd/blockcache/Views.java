package org.starlingqcd.blockcache;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32C;
import org.bytedeco.javacpp.BytePointer;
import org.starlingqcd.backend.HostMemory;

/** Host memory as buffers that channels and checksums take; a buffer ends at 2 GiB. */
final class Views {
  private static final long MOST = 1L << 28;

  private Views() {}

  /** At most 256 MiB from byte {@code from}, ending before byte {@code end}. */
  static ByteBuffer of(HostMemory memory, long from, long end) {
    long size = Math.min(MOST, end - from);
    return new BytePointer(memory.pointer()).position(from).limit(from + size).asByteBuffer();
  }

  /** CRC-32C of {@code bytes} bytes from byte {@code from}. */
  static long sum(HostMemory memory, long from, long bytes) {
    CRC32C sum = new CRC32C();
    for (long done = 0; done < bytes; ) {
      ByteBuffer view = of(memory, from + done, from + bytes);
      done += view.remaining();
      sum.update(view);
    }
    return sum.getValue();
  }

  static void write(FileChannel channel, long place, HostMemory source, long from, long bytes)
      throws IOException {
    for (long done = 0; done < bytes; ) {
      ByteBuffer view = of(source, from + done, from + bytes);
      int size = view.remaining();
      write(channel, place + done, view);
      done += size;
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
    for (long done = 0; done < bytes; ) {
      ByteBuffer view = of(target, to + done, to + bytes);
      int size = view.remaining();
      read(channel, place + done, view);
      done += size;
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
