package org.starlingqcd.memhc.transfer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemory;

/**
 * The tier beneath host memory: one file of host copies, placed by size and used again when they
 * die. What comes back is compared with the CRC-32 of what was written: the file lies where others
 * may write, or on a disk that fails. The file is locked while it is in use and deleted on close; a
 * file that nobody holds the lock of was left by a process that died, and is deleted when MemHC is
 * next opened with that directory.
 */
final class SpillFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpillFile.class);
  private static final String PREFIX = "starling-spill-";
  private static final String SUFFIX = ".tmp";
  private static final int CHUNK_BYTES = 1 << 28;
  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final Set<PosixFilePermission> PRIVATE =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path directory;
  private final Path file;
  private final FileChannel channel;
  private final long mostBytes;
  private final Map<Long, ArrayDeque<Long>> free = new HashMap<>();

  /** Place to the checksum of what was written there last. */
  private final Map<Long, Long> sums = new ConcurrentHashMap<>();

  private long length;

  /**
   * Makes the file.
   *
   * @param mostBytes bound on its length
   * @throws SpillException when it cannot be made
   */
  SpillFile(Path directory, long mostBytes) {
    this.directory = directory;
    this.mostBytes = mostBytes;
    try {
      Files.createDirectories(directory);
      file = directory.resolve(PREFIX + UUID.randomUUID() + SUFFIX);
      // Only its user may read it; a file or a link of this name is not followed.
      channel =
          Files.getFileStore(directory).supportsFileAttributeView("posix")
              ? FileChannel.open(file, NEW, PosixFilePermissions.asFileAttribute(PRIVATE))
              : FileChannel.open(file, NEW);
      if (channel.tryLock() == null) {
        throw new IOException("the new file is locked by another process");
      }
    } catch (IOException failed) {
      throw new SpillException(failed, "%s: cannot make a spill file: %s", directory, failed);
    }
  }

  /** Deletes the spill files in a directory, if there is one, that no running process uses. */
  static void deleteAbandoned(Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*" + SUFFIX)) {
      for (Path candidate : files) {
        try (FileChannel opened =
                FileChannel.open(candidate, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock held = opened.tryLock()) {
          if (held != null) {
            Files.delete(candidate);
            LOG.info("deleted the spill file {} of a run that died", candidate);
          }
        } catch (OverlappingFileLockException inUseHere) {
          LOG.debug("spill file {} is in use by this process", candidate);
        } catch (IOException notOurs) {
          LOG.warn("cannot look after the spill file {}: {}", candidate, notOurs.toString());
        }
      }
    } catch (IOException unreadable) {
      LOG.warn("cannot look for spill files in {}: {}", directory, unreadable.toString());
    }
  }

  /** Writes {@code bytes} bytes from the start of {@code source} to their place. */
  void write(long place, HostMemory source, long bytes) {
    CRC32 sum = new CRC32();
    try {
      for (long done = 0; done < bytes; ) {
        ByteBuffer chunk = view(source, done, bytes);
        int size = chunk.remaining();
        sum.update(chunk.duplicate());
        while (chunk.hasRemaining()) {
          channel.write(chunk, place + done + size - chunk.remaining());
        }
        done += size;
      }
      sums.put(place, sum.getValue());
    } catch (IOException failed) {
      throw new SpillException(
          failed,
          "%s: cannot be written: %s; name another directory for what does not fit into memory, or"
              + " allow more host or device memory",
          file,
          failed.getMessage());
    }
  }

  /**
   * A place for {@code bytes} bytes.
   *
   * @throws SpillException when the bound or the disk has no room, naming the directory
   */
  long place(long bytes) {
    ArrayDeque<Long> places = free.get(bytes);
    if (places != null && !places.isEmpty()) {
      return places.remove();
    }
    if (length + bytes > mostBytes) {
      throw new SpillException(
          null,
          "%s: the spill file would grow to %s bytes, its bound is %s; allow it more, or more host"
              + " or device memory",
          directory,
          length + bytes,
          mostBytes);
    }
    long usable;
    try {
      usable = Files.getFileStore(directory).getUsableSpace();
    } catch (IOException failed) {
      throw new SpillException(failed, "%s: cannot ask for its free space: %s", directory, failed);
    }
    if (usable < bytes) {
      throw new SpillException(
          null,
          "%s: no room to spill an element of %s bytes, %s bytes are free; name another directory,"
              + " or allow more host or device memory",
          directory,
          bytes,
          usable);
    }
    long place = length;
    length += bytes;
    return place;
  }

  /**
   * Reads what was written at {@code place} to byte {@code offset} of {@code target}.
   *
   * @throws SpillException when it cannot be read, or is not what was written
   */
  void read(long place, HostMemory target, long offset, long bytes) {
    CRC32 sum = new CRC32();
    try {
      for (long done = 0; done < bytes; ) {
        ByteBuffer chunk = view(target, offset + done, offset + bytes);
        ByteBuffer read = chunk.duplicate();
        int size = chunk.remaining();
        while (chunk.hasRemaining()) {
          if (channel.read(chunk, place + done + size - chunk.remaining()) < 0) {
            throw new IOException("the file is shorter than it was");
          }
        }
        sum.update(read);
        done += size;
      }
    } catch (IOException failed) {
      throw new SpillException(failed, "%s: reading failed: %s", file, failed.getMessage());
    }
    Long written = sums.get(place);
    if (written == null || written != sum.getValue()) {
      throw new SpillException(
          null,
          "%s: bytes %s to %s are not what was written there: another program has overwritten them,"
              + " or the disk fails; run again with another directory for what does not fit into"
              + " memory",
          file,
          place,
          place + bytes - 1);
    }
  }

  /** Lets the place of {@code bytes} bytes be used again. */
  void release(long place, long bytes) {
    free.computeIfAbsent(bytes, size -> new ArrayDeque<>()).add(place);
  }

  /** At most a chunk of the memory from byte {@code from}, ending before byte {@code end}. */
  private static ByteBuffer view(HostMemory memory, long from, long end) {
    return memory.bytes(from, (int) Math.min(CHUNK_BYTES, end - from));
  }

  /** Closes and deletes the file. */
  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(file + ": cannot delete the spill file", failed);
    }
  }
}
