package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file for jHDF, which reads headers in pieces of a few bytes, and most of them twice. Pages that
 * were read last are kept, so that a piece seldom costs a call of the system.
 *
 * <p>Nothing is mapped: a JVM dies when a file shrinks under its map.
 */
final class PagedChannel extends FileChannel {
  private static final int PAGE = 1 << 12;
  private static final int MOST_PAGES = 1 << 12;

  private final FileChannel file;
  private final boolean isWhole;

  /** Of a file to which nobody writes, once it was asked for: jHDF asks before it reads a piece. */
  private volatile long size = -1;

  /** Pages by their number, the one used longest ago first. */
  private final Map<Long, byte[]> pages = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Reads a file.
   *
   * @param isWhole whether nobody writes to it, so that its last page is kept too
   */
  PagedChannel(FileChannel file, boolean isWhole) {
    this.file = file;
    this.isWhole = isWhole;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (position < 0 || target.remaining() >= PAGE) {
      return file.read(target, position);
    }
    int begin = target.position();
    while (target.hasRemaining()) {
      long at = position + target.position() - begin;
      byte[] page = page(at / PAGE);
      if (page.length == 0) {
        // The last page, which may grow.
        int count = file.read(target, at);
        return count < 0 && target.position() == begin ? count : target.position() - begin;
      }
      int from = (int) (at % PAGE);
      if (from >= page.length) {
        return target.position() == begin ? -1 : target.position() - begin;
      }
      target.put(page, from, Math.min(page.length - from, target.remaining()));
    }
    return target.position() - begin;
  }

  /** A page; without bytes where there is none, or it may grow. */
  private synchronized byte[] page(long number) throws IOException {
    byte[] known = pages.get(number);
    if (known == null) {
      ByteBuffer bytes = ByteBuffer.allocate(PAGE);
      int count = 0;
      while (bytes.hasRemaining() && count >= 0) {
        count = file.read(bytes, number * PAGE + bytes.position());
      }
      int kept = bytes.hasRemaining() && !isWhole ? 0 : bytes.position();
      known = kept == PAGE ? bytes.array() : Arrays.copyOf(bytes.array(), kept);
      pages.put(number, known);
      if (pages.size() > MOST_PAGES) {
        pages.remove(pages.keySet().iterator().next());
      }
    }
    return known;
  }

  @Override
  public long size() throws IOException {
    long known = size;
    if (known < 0) {
      known = file.size();
      size = isWhole ? known : -1;
    }
    return known;
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    // jHDF then reads.
    throw new UnsupportedOperationException();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return file.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return file.read(targets, offset, length);
  }

  @Override
  public long position() throws IOException {
    return file.position();
  }

  @Override
  public FileChannel position(long position) throws IOException {
    file.position(position);
    return this;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    return file.transferTo(position, count, target);
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw new NonWritableChannelException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new NonWritableChannelException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public void force(boolean metaData) {}

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return file.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return file.tryLock(position, size, shared);
  }
}
