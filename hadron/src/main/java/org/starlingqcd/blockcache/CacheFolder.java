package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a cache: its lock, the tables, the key and the segments. */
@SuppressWarnings("try") // locks that are held are not used otherwise
final class CacheFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CacheFolder.class);
  private static final String INDEX = "index";
  private static final String LOCK = "lock";
  private static final String KEY = "key";
  private static final String SEGMENT = "segment-";

  private final Path path;
  private final FolderLock locks;
  private @Nullable Object identity;

  private CacheFolder(Path path, FolderLock locks) {
    this.path = path;
    this.locks = locks;
  }

  /**
   * Opens the folder of a cache.
   *
   * @param make whether the folder is made if it is not there
   */
  static CacheFolder open(Path given, boolean make) throws IOException {
    Path path = given.toAbsolutePath().normalize();
    if (make) {
      Restricted.createFolder(path);
    } else if (!Files.exists(path.resolve(INDEX))) {
      throw new UnusableCacheException("there is no block cache in " + path);
    }
    return new CacheFolder(path, FolderLock.open(path.resolve(LOCK)));
  }

  Path path() {
    return path;
  }

  FolderLock locks() {
    return locks;
  }

  /**
   * Maps the tables. The caller holds the lock for setup.
   *
   * @param options those of a cache that is made if it is not there; null if it has to be there
   */
  SharedFile tables(@Nullable BlockCacheOptions options) throws IOException {
    Path file = path.resolve(INDEX);
    if (options != null && !Files.exists(file)) {
      removeSegments();
      SharedFile.create(
          file,
          SharedFile.Sizes.of(options.capacity(), SegmentLog.segmentBytes(options.capacity())),
          options.capacity(),
          options.encrypt());
    }
    SharedFile tables = SharedFile.map(file);
    identity = readIdentity();
    return tables;
  }

  private Object readIdentity() throws IOException {
    Object key = Files.readAttributes(path.resolve(INDEX), BasicFileAttributes.class).fileKey();
    return key == null ? path : key;
  }

  /** Whether the tables are still the file that was mapped. */
  boolean isStillThere() {
    try {
      return Objects.equals(identity, readIdentity());
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * What encrypts the blocks; null where they are not encrypted. The caller holds the lock for
   * setup.
   */
  @Nullable BlockCipher cipher(SharedFile tables, BlockCacheOptions options) throws IOException {
    if (!tables.isEncrypted()) {
      if (options.encrypt()) {
        throw new UnusableCacheException(
            path
                + ": this block cache is not encrypted; clear it before it is used with"
                + " --block-cache-encrypt");
      }
      return null;
    }
    Path given = options.key();
    return given != null
        ? BlockCipher.open(given, false)
        : BlockCipher.open(ownKey(), new SegmentTable(tables).all().isEmpty());
  }

  /** The file of the key that a cache makes for itself, which lies in RAM. */
  private Path ownKey() {
    return isInRam()
        ? path.resolve(KEY)
        : BlockCacheOptions.inRam(
            "starling-key-"
                + System.getProperty("user.name", "user")
                + Long.toHexString(BlockKey.of(path.toString()).high()));
  }

  /** Whether the folder lies on a RAM disk. */
  boolean isInRam() {
    try {
      String type = Files.getFileStore(path).type();
      return type.equals("tmpfs") || type.equals("ramfs");
    } catch (IOException e) {
      return false;
    }
  }

  Path segment(long number) {
    return path.resolve(String.format(SEGMENT + "%07x", number));
  }

  /** The number of the segment in a file; 0, which is none, where the name has no number. */
  static long number(Path segment) {
    String name = segment.getFileName().toString().substring(SEGMENT.length());
    return name.matches("[0-9a-f]{7}") ? Long.parseLong(name, 16) : 0;
  }

  /** The files of segments, also of those that no table knows. */
  List<Path> segments() throws IOException {
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path, SEGMENT + "*")) {
      files.forEach(all::add);
    }
    return all;
  }

  /**
   * Gives the space of a segment back, also where processes have its file open; where they use
   * blocks in place, when the last of them has ended.
   *
   * @return bytes of the file; 0 when it is gone
   */
  long removeSegment(Path file) throws IOException {
    try (FileLock unused = locks.tryLockSegment(number(file));
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long bytes = channel.size();
      if (unused != null) {
        channel.truncate(0);
      }
      Files.deleteIfExists(file);
      return bytes;
    } catch (NoSuchFileException gone) {
      return 0;
    }
  }

  private long removeSegments() throws IOException {
    long freed = 0;
    for (Path file : segments()) {
      freed += removeSegment(file);
    }
    return freed;
  }

  /**
   * Removes all files of a cache, of whatever version, but the one that is locked.
   *
   * @return bytes of the files; 0 when there is no cache
   */
  static long clear(Path given) throws IOException {
    Path path = given.toAbsolutePath().normalize();
    if (!Files.isDirectory(path) || !Files.exists(path.resolve(LOCK))) {
      return 0;
    }
    try (FolderLock locks = FolderLock.open(path.resolve(LOCK));
        FileLock held = locks.lock(FolderLock.SETUP)) {
      CacheFolder folder = new CacheFolder(path, locks);
      Path file = path.resolve(INDEX);
      long freed = Files.exists(file) ? Files.size(file) : 0;
      try {
        SharedFile.map(file).set(SharedFile.CLEARED, 1);
      } catch (IOException | UnusableCacheException unknown) {
        // Nobody who could be told uses it.
      }
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.resolveSibling(INDEX + ".new"));
      Files.deleteIfExists(folder.ownKey());
      return freed + folder.removeSegments();
    }
  }

  @Override
  public void close() {
    try {
      locks.close();
    } catch (IOException e) {
      LOG.debug("{}: while closing the lock file: {}", path, e.toString());
    }
  }
}
