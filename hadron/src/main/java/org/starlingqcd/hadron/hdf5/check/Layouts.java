package org.starlingqcd.hadron.hdf5.check;

import static org.starlingqcd.hadron.hdf5.check.MetadataCheck.UNDEFINED;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Checks where the values of a dataset lie, without reading them. */
final class Layouts {
  /** The version with indexes of chunks that HDF5 1.10 brought, and with virtual datasets. */
  static final int INDEXED = 4;

  /** Class of a virtual dataset. */
  static final int VIRTUAL = 3;

  private static final int SINGLE = 1;
  private static final int IMPLICIT = 2;
  private static final int FIXED_ARRAY = 3;
  private static final int EXTENSIBLE_ARRAY = 4;
  private static final int SECOND_TREE = 5;

  private static final int TREE = 0x45455254;
  private static final int FIXED_ARRAY_HEAD = 0x44484146; // FAHD
  private static final int EXTENSIBLE_ARRAY_HEAD = 0x44484145; // EAHD
  private static final int SECOND_TREE_HEAD = 0x44485442; // BTHD
  private static final int TREE_HEAD = 24;
  private static final int DEEPEST = 32;
  private static final int CHECKSUM = 4;
  private static final long MOST_TEXTS = 1 << 22;

  private final MetadataCheck check;
  private final FileBytes file;
  private final GlobalHeaps heaps;

  Layouts(MetadataCheck check, FileBytes file, GlobalHeaps heaps) {
    this.check = check;
    this.file = file;
    this.heaps = heaps;
  }

  /** Checks a layout of version 3 or 4 that is not virtual. */
  void check(
      int version,
      ByteBuffer bytes,
      long place,
      Datatypes.Type type,
      long count,
      boolean fletcher,
      boolean filtered)
      throws DamageException, IOException {
    int kind = bytes.get();
    switch (kind) {
      case 0 -> {
        int size = bytes.getShort() & 0xffff;
        if (size > bytes.remaining() || (size > 0 && count > size / type.size())) {
          throw new DamageException(place, "values of " + size + " bytes");
        }
      }
      case 1 -> {
        long address = bytes.getLong();
        long size = bytes.getLong();
        if (address != UNDEFINED) {
          long start = check.place(address);
          file.checkInside(start, size, "values");
          if (count > size / type.size()) {
            throw new DamageException(place, count + " values in " + size + " bytes");
          }
          if (type.isVariable() && count <= MOST_TEXTS) {
            heaps.check(file.read(start, count * type.size(), "texts"), start, count, type);
          }
        }
      }
      case 2 -> {
        if (version == INDEXED) {
          indexed(bytes, place, type, count);
        } else {
          chunked(bytes, place, type, fletcher, filtered);
        }
      }
      default -> throw new DamageException(place, "a layout of class " + kind);
    }
  }

  /** Checks chunks with an index of HDF5 1.10; the library verifies the index by its checksums. */
  private void indexed(ByteBuffer bytes, long place, Datatypes.Type type, long count)
      throws DamageException, IOException {
    boolean packed = (bytes.get() & 2) != 0;
    int rank = bytes.get() & 0xff;
    int width = bytes.get();
    if (width < 1 || width > 8) {
      throw new DamageException(place, "extents of " + width + " bytes");
    }
    long size = chunkBytes(bytes, width, rank, place, type);
    int index = bytes.get();
    long stored = size;
    if (index == SINGLE && packed) {
      stored = bytes.getLong();
      bytes.getInt();
    }
    int parameters =
        switch (index) {
          case SINGLE, IMPLICIT -> 0;
          case FIXED_ARRAY -> 1;
          case EXTENSIBLE_ARRAY -> 5;
          case SECOND_TREE -> 6;
          default -> throw new DamageException(place, "chunks with an index of type " + index);
        };
    bytes.position(bytes.position() + parameters);
    long address = bytes.getLong();
    if (address == UNDEFINED) {
      return;
    }
    long start = check.place(address);
    switch (index) {
      case SINGLE -> file.checkInside(start, stored, "a chunk");
      case IMPLICIT -> {
        if (count > (file.size() - start) / type.size()) {
          throw new DamageException(place, count + " values that leave the file");
        }
      }
      default -> {
        int signature = file.read(start, 4, "index of chunks").getInt();
        int expected =
            index == FIXED_ARRAY
                ? FIXED_ARRAY_HEAD
                : index == EXTENSIBLE_ARRAY ? EXTENSIBLE_ARRAY_HEAD : SECOND_TREE_HEAD;
        if (signature != expected) {
          throw new DamageException(start, "no index of chunks where one is referred to");
        }
      }
    }
  }

  /** The bytes of a chunk, whose extents come next; the last one is the size of an element. */
  private static long chunkBytes(
      ByteBuffer bytes, int width, int rank, long place, Datatypes.Type type)
      throws DamageException {
    if (rank < 2 || rank > 33) {
      throw new DamageException(place, "chunks of rank " + rank);
    }
    long size = 1;
    for (int k = 0; k < rank; k++) {
      long extent = FractalHeap.number(bytes, bytes.position(), width);
      bytes.position(bytes.position() + width);
      if (extent <= 0 || extent > Integer.MAX_VALUE / size * 2 + 1) {
        throw new DamageException(place, "chunks of more than 4 GiB, or of nothing");
      }
      size *= extent;
      if (k == rank - 1 && extent != type.size()) {
        throw new DamageException(place, "chunks of elements of " + extent + " bytes");
      }
    }
    return size;
  }

  private void chunked(
      ByteBuffer bytes, long place, Datatypes.Type type, boolean fletcher, boolean filtered)
      throws DamageException, IOException {
    int rank = bytes.get() & 0xff;
    long tree = bytes.getLong();
    long size = chunkBytes(bytes, Integer.BYTES, rank, place, type);
    if (tree != UNDEFINED) {
      tree(tree, rank, size, fletcher, filtered, -1, 0);
    }
  }

  private void tree(
      long address, int rank, long size, boolean fletcher, boolean filtered, int level, int depth)
      throws DamageException, IOException {
    long start = check.place(address);
    if (!check.isNew(address) || depth > DEEPEST) {
      throw new DamageException(start, "a tree that returns to itself");
    }
    int key = 8 + 8 * rank;
    ByteBuffer head = file.read(start, TREE_HEAD, "tree of chunks");
    int entries = head.getShort(6) & 0xffff;
    int found = head.get(5) & 0xff;
    if (head.getInt(0) != TREE
        || head.get(4) != 1
        || (level >= 0 && found != level)
        || entries > 2 * check.chunkK()) {
      throw new DamageException(start, "no tree of chunks where one is referred to");
    }
    for (int at : new int[] {8, 16}) {
      if (head.getLong(at) != UNDEFINED) {
        check.place(head.getLong(at));
      }
    }
    ByteBuffer node =
        file.read(start + TREE_HEAD, (long) entries * (key + 8) + key, "tree of chunks");
    for (int k = 0; k < entries; k++) {
      int at = k * (key + 8);
      long stored = node.getInt(at) & 0xffffffffL;
      long child = node.getLong(at + key);
      if (node.getLong(at + key - 8) != 0) {
        throw new DamageException(start + TREE_HEAD + at, "a chunk between elements");
      }
      if (found > 0) {
        tree(child, rank, size, fletcher, filtered, found - 1, depth + 1);
        continue;
      }
      file.checkInside(check.place(child), stored, "a chunk");
      if (filtered ? stored < (fletcher ? CHECKSUM + 1 : 1) : stored != size) {
        throw new DamageException(start + TREE_HEAD + at, "a chunk of " + stored + " bytes");
      }
    }
  }
}
