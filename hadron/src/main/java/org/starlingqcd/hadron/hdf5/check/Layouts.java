package org.starlingqcd.hadron.hdf5.check;

import static org.starlingqcd.hadron.hdf5.check.MetadataCheck.UNDEFINED;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Checks where the values of a dataset lie, without reading them. */
final class Layouts {
  private static final int TREE = 0x45455254;
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

  /** Checks a layout of version 3. */
  void third(
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
      case 2 -> chunked(bytes, place, type, fletcher, filtered);
      default -> throw new DamageException(place, "a layout of class " + kind);
    }
  }

  /** Checks a layout of version 4, the structures behind which have checksums. */
  void fourth(ByteBuffer bytes, long place) throws DamageException {
    int kind = bytes.get();
    if (kind < 0 || kind > 3) {
      throw new DamageException(place, "a layout of class " + kind);
    }
  }

  private void chunked(
      ByteBuffer bytes, long place, Datatypes.Type type, boolean fletcher, boolean filtered)
      throws DamageException, IOException {
    int rank = bytes.get() & 0xff;
    long tree = bytes.getLong();
    long size = 1;
    if (rank < 2 || rank > 33) {
      throw new DamageException(place, "chunks of rank " + rank);
    }
    for (int k = 0; k < rank; k++) {
      long extent = bytes.getInt() & 0xffffffffL;
      if (extent == 0 || extent > Integer.MAX_VALUE / size * 2 + 1) {
        throw new DamageException(place, "chunks of more than 4 GiB, or of nothing");
      }
      size *= extent;
      if (k == rank - 1 && extent != type.size()) {
        throw new DamageException(place, "chunks of elements of " + extent + " bytes");
      }
    }
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
