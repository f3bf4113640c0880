package org.starlingqcd.hadron.format;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.hadron.format.FiledbFile.Pointer;

/**
 * Keeps the keys of huge SDB files, so that only the first command walks their pages. They lie in
 * {@code $XDG_CACHE_HOME/starling/sdb} ({@code ~/.cache} where the variable is not set), one file
 * for each SDB file. A file whose size, time of change or header differs is walked again, and so is
 * one whose kept keys are damaged. Nothing depends on the folder: what cannot be written is not
 * kept.
 */
final class IndexCache {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCache.class);
  private static final byte[] MAGIC = "starling-sdb-index 1\n".getBytes(StandardCharsets.US_ASCII);

  /** Smaller files are walked every time. */
  private static final long LEAST_BYTES = 256L << 20;

  private final Path folder;
  private final long leastBytes;

  /** The cache of the user. */
  IndexCache() {
    this(defaultFolder(), LEAST_BYTES);
  }

  /** A cache in a folder for files of at least so many bytes. */
  IndexCache(Path folder, long leastBytes) {
    this.folder = folder;
    this.leastBytes = leastBytes;
  }

  private static Path defaultFolder() {
    String cache = Objects.requireNonNullElse(System.getenv("XDG_CACHE_HOME"), "");
    Path base =
        cache.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".cache") : Path.of(cache);
    return base.resolve("starling").resolve("sdb");
  }

  /**
   * Hands all keys of a file to {@code entries}, from the cache if it has them.
   *
   * @return the number of keys
   */
  long walk(FiledbFile file, FiledbFile.Entries<RuntimeException> entries) {
    if (file.file().size() < leastBytes) {
      return file.walk(entries);
    }
    Path path = file.file().path();
    try {
      byte[] name = path.toRealPath().toString().getBytes(StandardCharsets.UTF_8);
      Path kept = folder.resolve(UUID.nameUUIDFromBytes(name) + ".index");
      byte[] head = file.head();
      ByteBuffer stamp =
          ByteBuffer.allocate(MAGIC.length + 2 * Long.BYTES + head.length)
              .put(MAGIC)
              .putLong(file.file().size())
              .putLong(Files.getLastModifiedTime(path).to(TimeUnit.NANOSECONDS))
              .put(head)
              .flip();
      long replayed = replay(kept, stamp, entries);
      return replayed >= 0 ? replayed : record(file, kept, stamp, entries);
    } catch (IOException e) {
      LOG.info("the index of {} is not kept: {}", path, e.toString());
      return file.walk(entries);
    }
  }

  /** The number of keys, or -1 when the cache does not have them. */
  private static long replay(
      Path kept, ByteBuffer stamp, FiledbFile.Entries<RuntimeException> entries)
      throws IOException {
    if (!Files.exists(kept) || Files.size(kept) > Integer.MAX_VALUE - 8) {
      return -1;
    }
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(kept));
    int end = in.limit() - Integer.BYTES;
    if (end < stamp.limit()
        || !in.slice(0, stamp.limit()).equals(stamp)
        || BinaryFile.crc(in.slice(0, end)) != in.getInt(end)) {
      return -1;
    }
    in.limit(end).position(stamp.limit());
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

  @SuppressWarnings("ByteBufferBackingArray") // allocated above
  private long record(
      FiledbFile file, Path kept, ByteBuffer stamp, FiledbFile.Entries<RuntimeException> entries)
      throws IOException {
    Files.createDirectories(folder);
    Path partial = Files.createTempFile(folder, "new", ".part");
    try {
      long count;
      CRC32 crc = new CRC32();
      try (OutputStream plain = new BufferedOutputStream(Files.newOutputStream(partial))) {
        DataOutputStream out = new DataOutputStream(new CheckedOutputStream(plain, crc));
        out.write(stamp.array());
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
        count = file.walk(recorded);
        out.flush();
        new DataOutputStream(plain).writeInt((int) crc.getValue());
      }
      Files.move(
          partial, kept, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      return count;
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}
