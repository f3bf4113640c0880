package org.starlingqcd.hadron.hdf5;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.bytedeco.hdf5.H5G_info_t;
import org.bytedeco.hdf5.H5O_info2_t;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;

/**
 * An open HDF5 file. Objects are named by their path from the root ({@code "a/b"}; {@code "/"} is
 * the root). Safe for use by several threads, one at a time. Closing the file closes what was
 * opened through it.
 *
 * <p>This class has more than 400 lines because opening, the objects of a file and its safe closing
 * share one state.
 */
public final class Hdf5File implements AutoCloseable {
  private static final long LEAST_ROOM = 1 << 16;
  private static final int MOST_ATTRIBUTES = 1 << 12;
  private static final Comparator<String> BYTES =
      (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

  private final Path path;
  private final long id;
  private final boolean writable;
  private @Nullable RawFile raw;
  private boolean rawIsKnown;
  private boolean open = true;
  private @Nullable String failure;

  private Hdf5File(Path path, long id, boolean writable) {
    this.path = path;
    this.id = id;
    this.writable = writable;
  }

  /**
   * Opens a file for reading.
   *
   * @throws Hdf5Exception when it does not exist, is a directory, cannot be read, is not HDF5 or is
   *     cut short
   */
  public static Hdf5File open(Path path) {
    return open(path, false);
  }

  /**
   * Opens a file for reading and writing.
   *
   * @throws Hdf5Exception as {@link #open(Path)}
   */
  public static Hdf5File openForUpdate(Path path) {
    return open(path, true);
  }

  /**
   * Creates a file, replacing one that exists; a link is replaced, not followed.
   *
   * @throws Hdf5Exception when the place cannot be written
   */
  public static Hdf5File create(Path path) {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new Hdf5Exception(path + ": cannot be created: is a directory");
    }
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new Hdf5Exception(
          path + ": cannot be created: the file there cannot be replaced: " + e);
    }
    synchronized (LOCK) {
      try (Handle access = access();
          Handle creation = withoutTimes(hdf5.H5P_CLS_FILE_CREATE_ID_g());
          BytePointer name = text(path.toString())) {
        // Raw values are not buffered: one that cannot be written must fail here, not when the file
        // is closed.
        check(hdf5.H5Pset_sieve_buf_size(access.id(), 0), "H5Pset_sieve_buf_size");
        // From HDF5 1.8 on, metadata carry checksums and groups of any size are indexed.
        check(
            hdf5.H5Pset_libver_bounds(access.id(), hdf5.H5F_LIBVER_V18, hdf5.H5F_LIBVER_V18),
            "H5Pset_libver_bounds");
        long id = hdf5.H5Fcreate(name, hdf5.H5F_ACC_EXCL, creation.id(), access.id());
        if (id < 0) {
          throw new Hdf5Exception(path + ": cannot be created: " + Hdf5Library.reason());
        }
        return new Hdf5File(path, id, true);
      }
    }
  }

  private static Hdf5File open(Path path, boolean update) {
    if (Files.isDirectory(path)) {
      throw new Hdf5Exception(path + ": is a directory, expected an HDF5 file");
    }
    @Nullable String special = PlainFile.special(path);
    if (special != null) {
      throw new Hdf5Exception(path + ": is " + special + ", expected an HDF5 file");
    }
    if (!Files.exists(path)) {
      throw new Hdf5Exception(path + ": no such file");
    }
    if (!Files.isReadable(path)) {
      throw new Hdf5Exception(path + ": cannot be read: permission denied");
    }
    CheckedFiles.check(path);
    synchronized (LOCK) {
      try (Handle access = access();
          BytePointer name = text(path.toString())) {
        int known = hdf5.H5Fis_accessible(name, access.id());
        if (known == 0) {
          throw new Hdf5Exception(path + ": is not an HDF5 file");
        }
        // Read here, under the lock: the library is initialized before its presets, which warn.
        int mode = update ? hdf5.H5F_ACC_RDWR : hdf5.H5F_ACC_RDONLY;
        long id = hdf5.H5Fopen(name, mode, access.id());
        if (id < 0) {
          String reason = Hdf5Library.reason();
          throw new Hdf5Exception(
              reason.contains("truncated")
                  ? path + ": is truncated; copy or write it again: " + reason
                  : path + ": cannot be opened: " + reason);
        }
        return new Hdf5File(path, id, update);
      }
    }
  }

  private static Handle access() {
    Handle access = Handle.properties(hdf5.H5Pcreate(hdf5.H5P_CLS_FILE_ACCESS_ID_g()), "H5Pcreate");
    check(hdf5.H5Pset_fclose_degree(access.id(), hdf5.H5F_CLOSE_STRONG), "H5Pset_fclose_degree");
    return access;
  }

  /** Where the file lies. */
  public Path path() {
    return path;
  }

  /** The kind of object at the path {@code object}. */
  public ObjectKind kind(String object) {
    synchronized (LOCK) {
      ensureOpen();
      if (isRoot(object)) {
        return ObjectKind.GROUP;
      }
      // H5Lexists fails unless every group on the way is there.
      for (int end = object.indexOf('/', 1); ; end = object.indexOf('/', end + 1)) {
        String part = end < 0 ? object : object.substring(0, end);
        try (BytePointer name = text(part)) {
          boolean last = end < 0;
          if (hdf5.H5Lexists(id, name, DEFAULT) <= 0
              || (last && hdf5.H5Oexists_by_name(id, name, DEFAULT) <= 0)) {
            hdf5.H5Eclear2(DEFAULT);
            return ObjectKind.NONE;
          }
        }
        if (end < 0) {
          break;
        }
      }
      try (BytePointer name = text(object);
          H5O_info2_t info = new H5O_info2_t()) {
        check(
            hdf5.H5Oget_info_by_name3(id, name, info, hdf5.H5O_INFO_BASIC, DEFAULT),
            at(object) + "H5Oget_info_by_name3");
        int type = info.type();
        return type == hdf5.H5O_TYPE_GROUP
            ? ObjectKind.GROUP
            : type == hdf5.H5O_TYPE_DATASET ? ObjectKind.DATASET : ObjectKind.OTHER;
      }
    }
  }

  /** Whether there is an object at {@code object}. */
  public boolean exists(String object) {
    return kind(object) != ObjectKind.NONE;
  }

  /**
   * Names of the links in a group, in ascending order of their bytes.
   *
   * @throws Hdf5Exception when {@code group} is not a group
   */
  public List<String> children(String group) {
    synchronized (LOCK) {
      ensureOpen();
      List<String> names = new ArrayList<>();
      try (BytePointer name = text(group);
          H5G_info_t info = new H5G_info_t()) {
        check(hdf5.H5Gget_info_by_name(id, name, info, DEFAULT), at(group) + "H5Gget_info");
        for (long k = 0; k < info.nlinks(); k++) {
          names.add(linkName(name, k, group));
        }
      }
      // HDF5 would sort all of them anew for every name.
      names.sort(BYTES);
      return names;
    }
  }

  private String linkName(BytePointer group, long index, String place) {
    byte[] bytes = new byte[256];
    while (true) {
      int size =
          (int)
              check(
                  hdf5.H5Lget_name_by_idx(
                      id,
                      group,
                      hdf5.H5_INDEX_NAME,
                      hdf5.H5_ITER_NATIVE,
                      index,
                      bytes,
                      bytes.length,
                      DEFAULT),
                  at(place) + "H5Lget_name_by_idx");
      if (size < bytes.length) {
        return new String(bytes, 0, size, UTF_8);
      }
      bytes = new byte[size + 1];
    }
  }

  /** Creates a group, and the groups on the way to it, unless it is there. */
  public void createGroup(String group) {
    synchronized (LOCK) {
      ensureOpen();
      if (kind(group) == ObjectKind.GROUP) {
        return;
      }
      createParents(group);
      try (Handle links = links();
          Handle creation = withoutTimes(hdf5.H5P_CLS_GROUP_CREATE_ID_g());
          BytePointer name = text(group);
          Handle created =
              Handle.group(
                  hdf5.H5Gcreate2(id, name, links.id(), creation.id(), DEFAULT),
                  at(group) + "H5Gcreate2")) {
        check(created.id(), group);
      }
    }
  }

  /** Creates the groups on the way to an object. */
  void createParents(String object) {
    int end = object.lastIndexOf('/');
    if (end > 0) {
      createGroup(object.substring(0, end));
    }
  }

  /**
   * Keeps all attributes of an object in its header, which has a checksum; heaps of many attributes
   * have none.
   */
  static void keepAttributesTogether(long creation) {
    check(hdf5.H5Pset_attr_phase_change(creation, MOST_ATTRIBUTES, 0), "H5Pset_attr_phase_change");
  }

  /** Equal numbers are to give equal files, whenever they are written: objects have no dates. */
  private static Handle withoutTimes(long propertyClass) {
    Handle creation = Handle.properties(hdf5.H5Pcreate(propertyClass), "H5Pcreate");
    check(hdf5.H5Pset_obj_track_times(creation.id(), false), "H5Pset_obj_track_times");
    keepAttributesTogether(creation.id());
    return creation;
  }

  /** Removes the link to an object. Its space is reused only while the file stays open. */
  public void delete(String object) {
    synchronized (LOCK) {
      ensureOpen();
      try (BytePointer name = text(object)) {
        check(hdf5.H5Ldelete(id, name, DEFAULT), at(object) + "H5Ldelete");
      }
    }
  }

  /** Gives an object another path; groups on the way to it are created. */
  public void move(String from, String to) {
    synchronized (LOCK) {
      ensureOpen();
      createParents(to);
      try (Handle links = links();
          BytePointer source = text(from);
          BytePointer target = text(to)) {
        check(
            hdf5.H5Lmove(id, source, id, target, links.id(), DEFAULT),
            at(from) + "move to '" + to + "'");
      }
    }
  }

  /** The attributes of an object. */
  public Hdf5Attributes attributes(String object) {
    return new Hdf5Attributes(this, object);
  }

  /**
   * Opens a dataset; reading values starts with {@link Hdf5Dataset#read}.
   *
   * @throws Hdf5Exception when there is none
   */
  public Hdf5Dataset dataset(String object) {
    return Hdf5Dataset.open(this, object, Hdf5Dataset.DEFAULT_CACHE);
  }

  /**
   * Opens a dataset with a cache of its own for chunks.
   *
   * @param chunkCacheBytes how many bytes of unpacked chunks are kept
   */
  public Hdf5Dataset dataset(String object, long chunkCacheBytes) {
    return Hdf5Dataset.open(this, object, chunkCacheBytes);
  }

  /**
   * Creates a dataset, and the groups on the way to it.
   *
   * @param extents its extents; none for a scalar
   */
  public Hdf5Dataset createDataset(
      String object, ElementType type, long[] extents, DatasetOptions options) {
    return Hdf5Dataset.create(this, object, type, extents, options);
  }

  /** Hands everything written so far to the operating system. */
  public void flush() {
    synchronized (LOCK) {
      ensureOpen();
      check(hdf5.H5Fflush(id, hdf5.H5F_SCOPE_GLOBAL), path + ": flush");
    }
  }

  /**
   * Closes the file; further calls do nothing.
   *
   * @throws Hdf5Exception when what was not yet written cannot be
   */
  @Override
  public void close() {
    synchronized (LOCK) {
      if (open) {
        flushed(file -> hdf5.H5Fflush(file, hdf5.H5F_SCOPE_GLOBAL), id, path + ": close");
        open = false;
        if (raw != null) {
          raw.close();
        }
        boolean closed = hdf5.H5Fclose(id) >= 0;
        String reason = closed ? "" : Hdf5Library.reason();
        // A failed flush is reported first, because closing then fails for a less telling reason.
        checkWritten();
        if (!closed) {
          throw new Hdf5Exception(path + ": close failed: " + reason + room());
        }
      }
    }
  }

  boolean isWritable() {
    return writable;
  }

  /**
   * Writes what belongs to an object that is about to be closed. When that fails, what is written
   * from now on is discarded, so that the object and the file can be closed; {@link #checkWritten}
   * tells it then.
   *
   * @param flush the call that writes
   * @param object what it is called with
   * @param what the beginning of the message
   */
  void flushed(LongToIntFunction flush, long object, String what) {
    if (writable && failure == null && flush.applyAsInt(object) < 0) {
      failure = what + " failed: " + Hdf5Library.reason() + room();
      Descriptor.discard(id);
    }
  }

  /** HDF5 does not always report the system's error; on a full disk it is this one. */
  private String room() {
    try {
      boolean full = Files.getFileStore(path).getUsableSpace() < LEAST_ROOM;
      return full ? " (No space left on device)" : "";
    } catch (IOException e) {
      return "";
    }
  }

  /** Throws the failure that {@link #flushed} found. */
  void checkWritten() {
    if (failure != null) {
      throw new Hdf5Exception(failure);
    }
  }

  /** Its bytes, where nobody writes it through this; null where they cannot be read. */
  @Nullable RawFile raw() {
    if (!rawIsKnown) {
      rawIsKnown = true;
      raw = writable ? null : RawFile.of(id());
    }
    return raw;
  }

  /** The identifier, for calls made under the lock. */
  long id() {
    ensureOpen();
    return id;
  }

  boolean isOpen() {
    return open;
  }

  /** The beginning of a message about an object of this file. */
  String at(String object) {
    return path + ": '" + (isRoot(object) ? "/" : object) + "': ";
  }

  static boolean isRoot(String object) {
    return object.isEmpty() || object.equals("/");
  }

  static Handle links() {
    Handle links = Handle.properties(hdf5.H5Pcreate(hdf5.H5P_CLS_LINK_CREATE_ID_g()), "H5Pcreate");
    check(hdf5.H5Pset_char_encoding(links.id(), hdf5.H5T_CSET_UTF8), "char_encoding");
    return links;
  }

  private void ensureOpen() {
    if (!open) {
      throw new IllegalStateException(path + ": is closed");
    }
  }

  @Override
  public String toString() {
    return path + (open ? "" : " (closed)");
  }
}
