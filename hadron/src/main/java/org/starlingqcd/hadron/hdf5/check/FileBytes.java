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
  private Page page = new Page(0, ByteBuffer.allocate(0));

  /** The one before: headers and the heaps that they point to take turns. */
  private Page previous = page;

  /** Bytes from a position on. */
  private record Page(long start, ByteBuffer bytes) {
    boolean has(long position, long count) {
      return position >= start && position + count <= start + bytes.limit();
    }
  }

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
    if (!page.has(position, count)) {
      Page other = previous;
      previous = page;
      page = other.has(position, count) ? other : load(position, count, what);
    }
    return page.bytes()
        .slice((int) (position - page.start()), (int) count)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Reads a page into a new buffer: views of the old ones stay as they are. */
  private Page load(long position, long count, String what) throws DamageException, IOException {
    long start = position - position % PAGE;
    long length = Math.min(size - start, Math.max(position + count - start, PAGE));
    ByteBuffer bytes = ByteBuffer.allocate((int) length);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, start + bytes.position()) < 0) {
        throw new DamageException(position, what + " ends with the file");
      }
    }
    return new Page(start, bytes.flip());
  }
}
