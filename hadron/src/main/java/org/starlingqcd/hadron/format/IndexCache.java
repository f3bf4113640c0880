package org.starlingqcd.hadron.format;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.data.UserCache;
import org.starlingqcd.hadron.format.FiledbFile.Pointer;

/**
 * Keeps the keys of huge SDB files in the {@link UserCache}, so that only the first command walks
 * their pages. A file whose size, time of change or header differs is walked again.
 */
final class IndexCache {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCache.class);
  private static final byte[] MAGIC = "starling-sdb-index 1\n".getBytes(StandardCharsets.US_ASCII);

  /** Smaller files are walked every time. */
  private static final long LEAST_BYTES = 256L << 20;

  private final UserCache cache;
  private final long leastBytes;

  /** The cache of the user. */
  IndexCache() {
    this(new UserCache("sdb"), LEAST_BYTES);
  }

  /** A cache for files of at least so many bytes. */
  IndexCache(UserCache cache, long leastBytes) {
    this.cache = cache;
    this.leastBytes = leastBytes;
  }

  /**
   * Hands all keys of a file to {@code entries}, from the cache if it has them.
   *
   * @return the number of keys
   */
  @SuppressWarnings("ByteBufferBackingArray") // allocated here
  long walk(FiledbFile file, FiledbFile.Entries<RuntimeException> entries) {
    if (file.file().size() < leastBytes) {
      return file.walk(entries);
    }
    Path path = file.file().path();
    try {
      byte[] head = file.head();
      byte[] stamp =
          ByteBuffer.allocate(MAGIC.length + 2 * Long.BYTES + head.length)
              .put(MAGIC)
              .putLong(file.file().size())
              .putLong(Files.getLastModifiedTime(path).to(TimeUnit.NANOSECONDS))
              .put(head)
              .array();
      ByteBuffer kept = cache.read(path, stamp);
      return kept == null ? record(file, stamp, entries) : replay(kept, entries);
    } catch (IOException e) {
      LOG.info("the index of {} is not kept: {}", path, e.toString());
      return file.walk(entries);
    }
  }

  private static long replay(ByteBuffer in, FiledbFile.Entries<RuntimeException> entries)
      throws IOException {
    long count = 0;
    try {
      while (in.hasRemaining()) {
        byte[] key = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(key);
        count++;
        if (!entries.accept(
            key, new Pointer(in.getInt(), in.getInt(), in.getLong(), in.getInt()))) {
          return count;
        }
      }
    } catch (BufferUnderflowException e) {
      throw new IOException("an index with a right checksum ends within a key", e);
    }
    return count;
  }

  private long record(FiledbFile file, byte[] stamp, FiledbFile.Entries<RuntimeException> entries)
      throws IOException {
    return cache.write(
        file.file().path(),
        stamp,
        out -> {
          FiledbFile.Entries<IOException> recorded =
              (key, pointer) -> {
                out.writeShort(key.length);
                out.write(key);
                out.writeInt(pointer.page());
                out.writeInt(pointer.offset());
                out.writeLong(pointer.length());
                out.writeInt(pointer.crc());
                return entries.accept(key, pointer);
              };
          return file.walk(recorded);
        });
  }
}
