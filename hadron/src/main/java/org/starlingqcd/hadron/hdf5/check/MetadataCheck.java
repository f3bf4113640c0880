package org.starlingqcd.hadron.hdf5.check;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Walks the metadata of an HDF5 file from its superblock to every object that links lead to, and
 * refuses what contradicts itself.
 *
 * <p>The format is that of the <a
 * href="https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html">HDF5 File Format
 * Specification</a>. Structures of HDF5 1.8 and later have checksums, which the library verifies:
 * of chunk indexes of HDF5 1.10 only the beginning is therefore looked at, and heaps of links and
 * attributes are entered only to reach what they hold. Time and memory grow with the number of
 * objects and chunks; an address is visited once.
 */
public final class MetadataCheck {
  static final long UNDEFINED = -1;

  private static final long SIGNATURE = 0x0a1a0a0d46444889L;
  private static final int MOST_OBJECTS = 1 << 24;

  private final FileBytes file;
  private final Set<Long> seen = new HashSet<>();
  private final Deque<Found> objects = new ArrayDeque<>();
  private final Set<String> links = new LinkedHashSet<>();
  private final Map<String, String> valuesElsewhere = new LinkedHashMap<>();
  private long base;
  private int leafK = 4;
  private int groupK = 16;
  private int chunkK = 32;

  private MetadataCheck(FileBytes file) {
    this.file = file;
  }

  /**
   * Checks a file. A file that has no HDF5 signature passes; the library refuses it.
   *
   * @return where it leads into other files
   * @throws DamageException naming the place and what is wrong there
   */
  public static Findings check(Path path) throws DamageException, IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      FileBytes file = new FileBytes(channel);
      MetadataCheck check = new MetadataCheck(file);
      try {
        check.superblock();
        return new Findings(check.links, check.valuesElsewhere);
      } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
        throw new DamageException(check.at, "a structure that ends too early");
      }
    }
  }

  /**
   * The single integers and strings among the attributes of the root; nothing else is looked at.
   *
   * @return by name, each a {@link Long} or a {@link String}; empty when the file has no HDF5
   *     signature, is cut short, or has attributes of another kind there
   * @throws DamageException as {@link #check}
   */
  public static Map<String, Object> rootAttributes(Path path) throws DamageException, IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      FileBytes file = new FileBytes(channel);
      MetadataCheck check = new MetadataCheck(file);
      try {
        if (!check.findRoot()) {
          return Map.of();
        }
        GlobalHeaps heaps = new GlobalHeaps(file, check.base);
        RootAttributes attributes = new RootAttributes(heaps);
        // An old-style root has had its members noted before it.
        new ObjectHeaders(check, file, heaps, attributes).check(check.objects.removeLast());
        return attributes.values();
      } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
        throw new DamageException(check.at, "a structure that ends too early");
      }
    }
  }

  /** The structure that is looked at, for messages. */
  private long at;

  private void superblock() throws DamageException, IOException {
    if (!findRoot()) {
      return;
    }
    ObjectHeaders headers = new ObjectHeaders(this, file, new GlobalHeaps(file, base), null);
    while (!objects.isEmpty()) {
      headers.check(objects.remove());
    }
  }

  /** Has the root looked at; false when the library says what is wrong with the file. */
  private boolean findRoot() throws DamageException, IOException {
    long start = 0;
    while (true) {
      if (start + 64 > file.size()) {
        return false;
      }
      if (file.read(start, 8, "signature").getLong() == SIGNATURE) {
        break;
      }
      start = start == 0 ? 512 : 2 * start;
    }
    at = start;
    int version = file.read(start + 8, 1, "superblock").get();
    Found root;
    if (version == 0 || version == 1) {
      ByteBuffer block = file.read(start, version == 0 ? 96 : 100, "superblock");
      checkSizes(block.get(13), block.get(14));
      leafK = block.getShort(16) & 0xffff;
      groupK = block.getShort(18) & 0xffff;
      if (version == 1) {
        chunkK = block.getShort(24) & 0xffff;
      }
      block.position(version == 0 ? 24 : 28);
      base = block.getLong();
      if (block.getLong() != UNDEFINED) {
        throw new DamageException(start, "a superblock with a list of free space");
      }
      if (isCut(start, block.getLong())) {
        return false;
      }
      block.getLong();
      if (leafK == 0 || groupK == 0 || chunkK == 0) {
        throw new DamageException(start, "a superblock with empty nodes");
      }
      root = new Found(block.getLong(block.position() + 8), null, "");
      new Groups(this, file).entry(block, start + block.position(), UNDEFINED, root);
    } else if (version == 2 || version == 3) {
      ByteBuffer block = file.read(start, 48, "superblock");
      checkSizes(block.get(9), block.get(10));
      base = block.getLong(12);
      if (isCut(start, block.getLong(28))) {
        return false;
      }
      long extension = block.getLong(20);
      if (extension != UNDEFINED) {
        visit(new Found(extension, null, ""));
      }
      root = new Found(block.getLong(36), null, "");
    } else {
      // The library names the versions that it knows.
      return false;
    }
    if (base != start) {
      throw new DamageException(start, "a superblock with base address " + base);
    }
    visit(root);
    return true;
  }

  private void checkSizes(int offsets, int lengths) throws DamageException {
    if (offsets != 8 || lengths != 8) {
      throw new DamageException(
          at, "addresses of " + offsets + " and sizes of " + lengths + " bytes");
    }
  }

  /** Whether the file is shorter than it says, which the library finds first and describes. */
  private boolean isCut(long start, long end) throws DamageException {
    if (end < 0) {
      throw new DamageException(start, "an end of the file at " + end);
    }
    return end > file.size() - start;
  }

  /** Has an object header looked at, once. */
  void visit(Found object) throws DamageException {
    if (isNew(object.address())) {
      objects.add(object);
    }
  }

  /** Notes a link into another file. */
  void leadsTo(String name) {
    links.add(name);
  }

  /** Notes a dataset whose values lie in other files. */
  void keepsValuesElsewhere(Found dataset, String kind) {
    valuesElsewhere.put(dataset.path(), kind);
  }

  /** Whether a structure has not been looked at. */
  boolean isNew(long address) throws DamageException {
    if (seen.size() > MOST_OBJECTS) {
      throw new DamageException(at, "more than " + MOST_OBJECTS + " structures");
    }
    return seen.add(address);
  }

  /** Where an address of the file lies in it. */
  long place(long address) throws DamageException {
    long position = base + address;
    at = position;
    file.checkInside(position, 8, "an address");
    return position;
  }

  int leafK() {
    return leafK;
  }

  int groupK() {
    return groupK;
  }

  int chunkK() {
    return chunkK;
  }

  /** Nodes of other sizes than usual. */
  void nodes(int leaf, int group, int chunk) {
    leafK = leaf;
    groupK = group;
    chunkK = chunk;
  }
}
