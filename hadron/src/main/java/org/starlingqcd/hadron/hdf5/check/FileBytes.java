package org.starlingqcd.hadron.hdf5.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * The bytes of a file by position, little-endian; nothing outside of the file is ever asked for.
 */
final class FileBytes {
  private static final int PAGE = 1 << 12;

  /**
   * No structure of HDF5 is larger than this; local heaps of groups with a million names are not.
   */
  private static final int MOST = 1 << 26;

  private final FileChannel channel;
  private final long size;
  private ByteBuffer page = ByteBuffer.allocate(0);
  private long pageStart;

  FileBytes(FileChannel channel) throws IOException {
    this.channel = channel;
    this.size = channel.size();
  }

  long size() {
    return size;
  }

  /** Throws unless {@code count} bytes from {@code position} on lie in the file. */
  void checkInside(long position, long count, String what) throws DamageException {
    if (position < 0 || count < 0 || position > size || count > size - position) {
      throw new DamageException(position, what + " of " + count + " bytes leaves the file");
    }
  }

  /** Bytes of the file; a view that the next call may change the source of, never its contents. */
  ByteBuffer read(long position, long count, String what) throws DamageException, IOException {
    checkInside(position, count, what);
    if (count > MOST) {
      throw new DamageException(position, what + " has " + count + " bytes, which is too much");
    }
    if (position < pageStart || position + count > pageStart + page.limit()) {
      // A new buffer: views of the old one stay as they are.
      page = ByteBuffer.allocate((int) Math.min(size - position, Math.max(count, PAGE)));
      pageStart = position;
      while (page.hasRemaining()) {
        if (channel.read(page, pageStart + page.position()) < 0) {
          throw new DamageException(position, what + " ends with the file");
        }
      }
      page.flip();
    }
    return page.slice((int) (position - pageStart), (int) count).order(ByteOrder.LITTLE_ENDIAN);
  }
}
