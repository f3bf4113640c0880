package org.starlingqcd.hadron.hdf5;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.DEFAULT;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.LOCK;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.check;
import static org.starlingqcd.hadron.hdf5.Hdf5Library.text;

import io.jhdf.HdfFile;
import io.jhdf.Superblock;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Link;
import io.jhdf.api.Node;
import io.jhdf.exceptions.UnsupportedHdfException;
import io.jhdf.links.ExternalLink;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;
import org.bytedeco.hdf5.H5O_info2_t;
import org.bytedeco.hdf5.global.hdf5;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.hdf5.Hdf5Library.Handle;

/**
 * An open HDF5 file. Objects are named by their path from the root ({@code "a/b"}; {@code "/"} is
 * the root). Several threads may read; one writes. Closing the file closes what was opened through
 * it.
 *
 * <p>Reading is jHDF's. What a file that is being written holds is read after the C library has
 * flushed it.
 */
public final class Hdf5File implements AutoCloseable {
  private static final long LEAST_ROOM = 1 << 16;
  private static final int MOST_ATTRIBUTES = 1 << 12;
  private static final int MOST_LINKS = 16;
  private static final long SIGNATURE = 0x89_48_44_46_0d_0a_1a_0aL;
  private static final long NOT_WRITTEN = -1;
  private static final Comparator<String> BYTES =
      (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

  private final Path path;

  /** The C library's identifier; {@link #NOT_WRITTEN} of a file that is open for reading. */
  private final long id;

  private final List<Hdf5File> linked = new ArrayList<>();
  private @Nullable Contents contents;
  private boolean open = true;
  private boolean checksummed;
  private @Nullable String failure;

  /** A file as it was when it was opened for reading, or flushed last. */
  record Contents(HdfFile objects, FileChannel channel) {}

  /** An object, in this file or in one that a link leads to. */
  record Found(Hdf5File file, Node node, Contents contents) {}

  private Hdf5File(Path path, long id) {
    this.path = path;
    this.id = id;
  }

  /**
   * Opens a file for reading.
   *
   * @throws Hdf5Exception when it does not exist, is a directory, cannot be read, is not HDF5, is
   *     cut short or damaged
   */
  public static Hdf5File open(Path path) {
    @Nullable String special = PlainFile.special(path);
    if (special != null) {
      throw unexpected(path, special);
    }
    Hdf5File file = new Hdf5File(path, NOT_WRITTEN);
    file.contents();
    try {
      file.checkAttributes();
      return file;
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Compares the attributes of the root with their checksum, where there is one. */
  private void checkAttributes() {
    Hdf5Attributes root = attributes("/");
    checksummed = root.has(Checksums.ATTRIBUTE);
    if (checksummed && root.integer(Checksums.ATTRIBUTE) != Checksums.of(root)) {
      throw Checksums.mismatch(
          at("/") + "attributes", "the attribute '" + Checksums.ATTRIBUTE + "'");
    }
  }

  /** As {@link #isChecksummed()}, of a file that is not open. */
  public static boolean isChecksummed(Path path) {
    try (Hdf5File file = open(path)) {
      return file.checksummed;
    }
  }

  /** Whether what the file holds was written with checksums. */
  public boolean isChecksummed() {
    return checksummed;
  }

  /**
   * Has what is written to the file from now on stand there with its checksum: each dataset that is
   * written at once, matrices of {@link #createChecksums}, and the attributes of the root.
   */
  public void writeChecksums() {
    checksummed = true;
  }

  /**
   * Prepares the checksums of a dataset that is written in parts, one for each of so many first
   * indices; nothing in a file without checksums.
   */
  public void createChecksums(String object, long... leading) {
    if (checksummed) {
      String sums = Checksums.GROUP + "/" + object;
      if (exists(sums)) {
        delete(sums);
      }
      createDataset(sums, ElementType.INTEGER, leading).close();
    }
  }

  /**
   * Opens a file for reading and writing.
   *
   * @throws Hdf5Exception as {@link #open(Path)}
   */
  public static Hdf5File openForUpdate(Path path) {
    Hdf5File before = open(path);
    before.close();
    synchronized (LOCK) {
      try (Handle access = access();
          BytePointer name = text(path.toString())) {
        // Read here, under the lock: the library is initialized before its presets, which warn.
        int mode = hdf5.H5F_ACC_RDWR;
        Hdf5File file =
            new Hdf5File(path, check(hdf5.H5Fopen(name, mode, access.id()), path + ": opening it"));
        file.checksummed = before.checksummed;
        return file;
      }
    }
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
        return new Hdf5File(path, id);
      }
    }
  }

  private static Handle access() {
    Handle access = Handle.properties(hdf5.H5P_CLS_FILE_ACCESS_ID_g());
    check(hdf5.H5Pset_fclose_degree(access.id(), hdf5.H5F_CLOSE_STRONG), "H5Pset_fclose_degree");
    return access;
  }

  /** What the file holds; a file that was written to is flushed for it and looked at anew. */
  synchronized Contents contents() {
    ensureOpen();
    Contents known = contents;
    if (known == null) {
      if (isWritable()) {
        flush();
      }
      known = read(path, !isWritable());
      contents = known;
    }
    return known;
  }

  private static Contents read(Path path, boolean isWhole) {
    FileChannel channel;
    try {
      channel = new PagedChannel(FileChannel.open(path), isWhole);
    } catch (IOException e) {
      throw unreadable(path, e);
    }
    try {
      HdfFile objects =
          reading(
              path + ": ",
              () -> {
                if (isWhole) {
                  checkEnd(path, channel);
                }
                return new HdfFile(channel);
              });
      return new Contents(objects, channel);
    } catch (RuntimeException e) {
      close(channel);
      throw e;
    }
  }

  /** Refuses what has no signature of HDF5, or fewer bytes than it says. */
  private static void checkEnd(Path path, FileChannel channel) {
    try {
      long start = 0;
      ByteBuffer head = ByteBuffer.allocate(Long.BYTES);
      while (channel.read(head.clear(), start) < Long.BYTES || head.getLong(0) != SIGNATURE) {
        start = start == 0 ? 512 : 2 * start;
        if (start >= channel.size()) {
          throw new Hdf5Exception(path + ": is not an HDF5 file");
        }
      }
      long end = Superblock.readSuperblock(channel, start).getEndOfFileAddress();
      if (end > channel.size() - start) {
        throw new Hdf5Exception(
            "%s: is truncated; copy or write it again: truncated file: eof = %d, sblock->base_addr = %d, stored_eof = %d"
                .formatted(path, channel.size(), start, end));
      }
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  private static Hdf5Exception unreadable(Path path, IOException e) {
    if (Files.isDirectory(path)) {
      return unexpected(path, "a directory");
    }
    return new Hdf5Exception(
        path
            + ": "
            + (e instanceof NoSuchFileException
                ? "no such file"
                : "cannot be read: "
                    + (e instanceof AccessDeniedException ? "permission denied" : e.getMessage())));
  }

  private static Hdf5Exception unexpected(Path path, String found) {
    return new Hdf5Exception(path + ": is " + found + ", expected an HDF5 file");
  }

  /**
   * Has jHDF read something. It trusts sizes and addresses in a file, so a damaged one ends in any
   * exception, or in an array that no heap has room for.
   */
  static <T> T reading(String where, Supplier<T> reader) {
    try {
      return reader.get();
    } catch (Hdf5Exception e) {
      throw e;
    } catch (OutOfMemoryError | StackOverflowError e) {
      throw new Hdf5Exception(
          where
              + "is damaged: a structure "
              + (e instanceof OutOfMemoryError ? "larger than the memory" : "that contains itself")
              + "; copy or write it again");
    } catch (RuntimeException e) {
      Throwable cause = e;
      while (cause.getCause() != null && !(cause instanceof UnsupportedHdfException)) {
        cause = cause.getCause();
      }
      String reason = Objects.requireNonNullElse(cause.getMessage(), cause.toString());
      if (cause instanceof Hdf5Exception) {
        throw new Hdf5Exception(reason);
      }
      if (!(cause instanceof UnsupportedHdfException)) {
        throw new Hdf5Exception(where + "is damaged: " + reason + "; copy or write it again");
      }
      boolean isVirtual = reason.contains("Virtual");
      throw new Hdf5Exception(
          where
              + (isVirtual || reason.contains("External Data")
                  ? "values lie in other files ("
                      + (isVirtual ? "a virtual dataset" : "external storage")
                      + "), which is not supported; write a copy that holds them: h5repack"
                      + " --layout=CONTI FILE.h5 COPY.h5"
                  : "cannot be read: " + reason));
    }
  }

  /** Where the file lies. */
  public Path path() {
    return path;
  }

  /** An object and the file that holds it; null when there is none. */
  @Nullable Found find(String object) {
    Contents now = contents();
    Found root = new Found(this, now.objects(), now);
    return isRoot(object) ? root : reading(at(object), () -> find(root, object, 0));
  }

  private static @Nullable Found find(Found from, String object, int links) {
    @Nullable Found at = from;
    for (String name : object.split("/", -1)) {
      if (at == null || !(at.node() instanceof Group group)) {
        return null;
      }
      if (!name.isEmpty() && !name.equals(".")) {
        Node child = group.getChild(name);
        at = child instanceof Link link ? target(at, link, links + 1) : in(at, child);
      }
    }
    return at;
  }

  private static @Nullable Found in(Found place, @Nullable Node node) {
    return node == null ? null : new Found(place.file(), node, place.contents());
  }

  /** What a link leads to; null when there is nothing. */
  private static @Nullable Found target(Found group, Link link, int links) {
    String target = link.getTargetPath();
    if (links > MOST_LINKS) {
      return null;
    }
    if (link instanceof ExternalLink) {
      int end = target.indexOf(":/");
      Hdf5File other = group.file().other(end < 0 ? target : target.substring(0, end));
      return other == null ? null : other.find(end < 0 ? "/" : target.substring(end + 1));
    }
    Contents contents = group.contents();
    Found root = new Found(group.file(), contents.objects(), contents);
    return find(target.startsWith("/") ? root : group, target, links);
  }

  /** A file that a link names, where the HDF5 library looks for it; null when it is not there. */
  private synchronized @Nullable Hdf5File other(String name) {
    for (Path place : places(name)) {
      @Nullable String special = PlainFile.special(place);
      if (special != null) {
        throw new Hdf5Exception(
            path + ": a link leads to " + place + ", which is " + special + "; remove it");
      }
      if (Files.isRegularFile(place)) {
        for (Hdf5File known : linked) {
          if (known.path.equals(place)) {
            return known;
          }
        }
        Hdf5File file = open(place);
        linked.add(file);
        return file;
      }
    }
    return null;
  }

  private Set<Path> places(String name) {
    Set<Path> places = new LinkedHashSet<>();
    try {
      Path file = Path.of(name);
      List<Path> folders = new ArrayList<>();
      String prefixes = Objects.requireNonNullElse(System.getenv("HDF5_EXT_PREFIX"), "");
      for (String prefix : prefixes.split(File.pathSeparator, -1)) {
        folders.add(Path.of(prefix));
      }
      folders.add(path.toAbsolutePath().resolveSibling(""));
      folders.add(path.toRealPath().resolveSibling(""));
      for (Path folder : folders) {
        places.add(folder.resolve(file).normalize());
        if (file.getFileName() != null) {
          places.add(folder.resolve(file.getFileName()).normalize());
        }
      }
    } catch (InvalidPathException | IOException e) {
      // No file has this name.
    }
    return places;
  }

  /** The kind of object at the path {@code object}. */
  public ObjectKind kind(String object) {
    if (isWritable()) {
      return kindWritten(object);
    }
    Found found = find(object);
    return found == null
        ? ObjectKind.NONE
        : found.node() instanceof Group
            ? ObjectKind.GROUP
            : found.node() instanceof Dataset ? ObjectKind.DATASET : ObjectKind.OTHER;
  }

  private ObjectKind kindWritten(String object) {
    synchronized (LOCK) {
      ensureOpen();
      if (isRoot(object)) {
        return ObjectKind.GROUP;
      }
      // H5Lexists fails unless every group on the way is there.
      for (int end = 0; end < object.length(); ) {
        end = object.indexOf('/', end + 1);
        end = end < 0 ? object.length() : end;
        try (BytePointer name = text(object.substring(0, end))) {
          if (hdf5.H5Lexists(id, name, DEFAULT) <= 0
              || hdf5.H5Oexists_by_name(id, name, DEFAULT) <= 0) {
            hdf5.H5Eclear2(DEFAULT);
            return ObjectKind.NONE;
          }
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
    Found found = find(group);
    if (found == null || !(found.node() instanceof Group node)) {
      throw new Hdf5Exception(at(group) + "no such group");
    }
    return reading(at(group), () -> node.getChildren().keySet().stream().sorted(BYTES).toList());
  }

  /** Creates a group, and the groups on the way to it, unless it is there. */
  public void createGroup(String group) {
    synchronized (LOCK) {
      if (kindWritten(group) == ObjectKind.GROUP) {
        return;
      }
      createParents(group);
      try (Handle links = links();
          Handle creation = withoutTimes(hdf5.H5P_CLS_GROUP_CREATE_ID_g());
          BytePointer name = text(group);
          Handle created =
              new Handle(
                  hdf5.H5Gcreate2(idToWrite(), name, links.id(), creation.id(), DEFAULT),
                  at(group) + "H5Gcreate2",
                  hdf5::H5Gclose)) {
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
   * Properties of a new object. Equal numbers are to give equal files, whenever they are written,
   * so objects have no dates. All attributes stay in the object's header, which has a checksum;
   * heaps of many attributes have none.
   */
  static Handle withoutTimes(long propertyClass) {
    Handle creation = Handle.properties(propertyClass);
    check(hdf5.H5Pset_obj_track_times(creation.id(), false), "H5Pset_obj_track_times");
    check(
        hdf5.H5Pset_attr_phase_change(creation.id(), MOST_ATTRIBUTES, 0),
        "H5Pset_attr_phase_change");
    return creation;
  }

  /** Removes the link to an object. Its space is reused only while the file stays open. */
  public void delete(String object) {
    synchronized (LOCK) {
      try (BytePointer name = text(object)) {
        check(hdf5.H5Ldelete(idToWrite(), name, DEFAULT), at(object) + "H5Ldelete");
      }
      String sums = Checksums.GROUP + "/" + object;
      if (checksummed && exists(sums)) {
        delete(sums);
      }
    }
  }

  /** Gives an object another path; groups on the way to it are created. */
  public void move(String from, String to) {
    synchronized (LOCK) {
      createParents(to);
      try (Handle links = links();
          BytePointer source = text(from);
          BytePointer target = text(to)) {
        check(
            hdf5.H5Lmove(idToWrite(), source, id, target, links.id(), DEFAULT),
            at(from) + "move to '" + to + "'");
      }
      String sums = Checksums.GROUP + "/" + from;
      if (checksummed && exists(sums)) {
        move(sums, Checksums.GROUP + "/" + to);
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
    return dataset(object, Hdf5Dataset.DEFAULT_CACHE);
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

  /** Creates a dataset in contiguous storage; without extents it is a scalar. */
  public Hdf5Dataset createDataset(String object, ElementType type, long... extents) {
    return createDataset(object, type, extents, DatasetOptions.CONTIGUOUS);
  }

  /**
   * Creates a dataset that holds a text as sigmond writes it: a scalar of fixed length, UTF-8 with
   * a final zero.
   */
  public void createText(String object, String text) {
    synchronized (LOCK) {
      String what = at(object) + "create";
      createParents(object);
      try (BytePointer name = text(object);
          BytePointer value = text(text);
          Handle links = links();
          Handle type = new Handle(hdf5.H5Tcopy(hdf5.H5T_C_S1_g()), what, hdf5::H5Tclose);
          Handle space = Handle.space()) {
        check(hdf5.H5Tset_size(type.id(), value.limit() + 1), what);
        check(hdf5.H5Tset_cset(type.id(), hdf5.H5T_CSET_UTF8), what);
        try (Handle dataset =
            new Handle(
                hdf5.H5Dcreate2(
                    idToWrite(), name, type.id(), space.id(), links.id(), DEFAULT, DEFAULT),
                what,
                hdf5::H5Dclose)) {
          check(
              hdf5.H5Dwrite(
                  dataset.id(), type.id(), Hdf5Library.ALL, Hdf5Library.ALL, DEFAULT, value),
              what);
        }
      }
    }
  }

  /** Hands everything written so far to the operating system. */
  public void flush() {
    synchronized (LOCK) {
      ensureOpen();
      if (isWritable()) {
        check(hdf5.H5Fflush(id, hdf5.H5F_SCOPE_GLOBAL), path + ": flush");
      }
    }
  }

  /**
   * Closes the file; further calls do nothing.
   *
   * @throws Hdf5Exception when what was not yet written cannot be
   */
  @Override
  public synchronized void close() {
    if (!open) {
      return;
    }
    linked.forEach(Hdf5File::close);
    if (!isWritable()) {
      open = false;
      forget();
      return;
    }
    if (checksummed && failure == null) {
      attributes("/").put(Checksums.ATTRIBUTE, Checksums.of(attributes("/")));
    }
    synchronized (LOCK) {
      flushed(file -> hdf5.H5Fflush(file, hdf5.H5F_SCOPE_GLOBAL), id, path + ": close");
      open = false;
      forget();
      boolean closed = hdf5.H5Fclose(id) >= 0;
      String reason = closed ? "" : Hdf5Library.reason();
      // A failed flush is reported first, because closing then fails for a less telling reason.
      checkWritten();
      if (!closed) {
        throw new Hdf5Exception(path + ": close failed: " + reason + room());
      }
    }
  }

  private void forget() {
    Contents known = contents;
    contents = null;
    if (known != null) {
      close(known.channel());
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // Nothing was written to it.
    }
  }

  boolean isWritable() {
    return id != NOT_WRITTEN;
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
    if (failure == null && flush.applyAsInt(object) < 0) {
      failure = what + " failed: " + Hdf5Library.reason() + room();
      Hdf5Library.discard(id);
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

  /** The C library's identifier, under the lock, for a call that changes the file. */
  long idToWrite() {
    ensureOpen();
    if (!isWritable()) {
      throw new IllegalStateException(path + ": is open for reading only");
    }
    synchronized (this) {
      forget();
    }
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
    Handle links = Handle.properties(hdf5.H5P_CLS_LINK_CREATE_ID_g());
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
