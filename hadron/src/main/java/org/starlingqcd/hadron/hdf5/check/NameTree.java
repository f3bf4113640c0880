package org.starlingqcd.hadron.hdf5.check;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A B-tree of HDF5 1.8, whose records lead to the objects of a {@link FractalHeap}. */
final class NameTree {
  /** Records of large objects of a heap: address, length, number. */
  static final int HUGE = 1;

  /** Records of links: hash of the name, identifier in the heap. */
  static final int LINKS = 5;

  /** Records of attributes: identifier in the heap, flags, order, hash of the name. */
  static final int ATTRIBUTES = 8;

  private static final int HEAD = 0x44485442; // BTHD
  private static final int INNER = 0x4e495442; // BTIN
  private static final int LEAF = 0x464c5442; // BTLF
  private static final int HEAD_BYTES = 38;
  private static final int NODE_BYTES = 10;
  private static final int PREFIX = 6;
  private static final int DEEPEST = 20;

  private final MetadataCheck check;
  private final FileBytes file;
  private final Visitor visitor;
  private long nodeBytes;
  private int recordBytes;
  private int countBytes;

  /** By depth, bytes of the number of all records beneath a node. */
  private final int[] totalBytes = new int[DEEPEST + 1];

  /** What looks at records. */
  interface Visitor {
    void visit(ByteBuffer tree, long place) throws DamageException, IOException;
  }

  NameTree(MetadataCheck check, FileBytes file, Visitor visitor) {
    this.check = check;
    this.file = file;
    this.visitor = visitor;
  }

  /**
   * Visits all records.
   *
   * @param type the type of records that is expected
   */
  void walk(long address, int type) throws DamageException, IOException {
    long start = check.place(address);
    ByteBuffer head = file.read(start, HEAD_BYTES, "tree of names");
    nodeBytes = head.getInt(6) & 0xffffffffL;
    recordBytes = head.getShort(10) & 0xffff;
    int depth = head.getShort(12) & 0xffff;
    if (head.getInt(0) != HEAD
        || head.get(4) != 0
        || head.get(5) != type
        || recordBytes < 11
        || nodeBytes < NODE_BYTES + recordBytes
        || depth > DEEPEST) {
      throw new DamageException(start, "no tree of names where one is referred to");
    }
    long most = (nodeBytes - NODE_BYTES) / recordBytes;
    countBytes = bytes(most);
    long total = most;
    for (int level = 1; level <= depth; level++) {
      int pointer = 8 + countBytes + totalBytes[level - 1];
      long here = Math.max(1, (nodeBytes - NODE_BYTES - pointer) / (recordBytes + pointer));
      total = Math.min(Long.MAX_VALUE / 1024, here) * Math.min(total, 1L << 40) + total + here;
      totalBytes[level] = bytes(total);
    }
    long root = head.getLong(16);
    if (root != MetadataCheck.UNDEFINED) {
      node(root, head.getShort(24) & 0xffff, depth);
    }
  }

  private static int bytes(long most) {
    return (63 - Long.numberOfLeadingZeros(most)) / 8 + 1;
  }

  private void node(long address, int records, int depth) throws DamageException, IOException {
    long start = check.place(address);
    if (!check.isNew(address)) {
      throw new DamageException(start, "a tree that returns to itself");
    }
    int pointer = 8 + countBytes + (depth > 1 ? totalBytes[depth - 1] : 0);
    long used = PREFIX + (long) records * recordBytes + (depth > 0 ? (records + 1L) * pointer : 0);
    if (used + 4 > nodeBytes) {
      throw new DamageException(start, "a node of " + records + " names");
    }
    ByteBuffer node = file.read(start, nodeBytes, "tree of names");
    if (node.getInt(0) != (depth > 0 ? INNER : LEAF)) {
      throw new DamageException(start, "no tree of names where one is referred to");
    }
    for (int k = 0; k < records; k++) {
      int at = PREFIX + k * recordBytes;
      visitor.visit(node.slice(at, recordBytes).order(node.order()), start + at);
    }
    for (int k = 0; depth > 0 && k <= records; k++) {
      int at = PREFIX + records * recordBytes + k * pointer;
      node(node.getLong(at), (int) FractalHeap.number(node, at + 8, countBytes), depth - 1);
    }
  }
}
