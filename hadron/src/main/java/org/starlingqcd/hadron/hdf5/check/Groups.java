package org.starlingqcd.hadron.hdf5.check;

import static org.starlingqcd.hadron.hdf5.check.MetadataCheck.UNDEFINED;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Checks old-style groups: a B-tree of symbol tables, and a local heap for their names. */
final class Groups {
  private static final int TREE = 0x45455254;
  private static final int HEAP = 0x50414548;
  private static final int TABLE = 0x444f4e53; // SNOD
  private static final int TREE_HEAD = 24;
  private static final int ENTRY = 40;
  private static final int DEEPEST = 32;

  private final MetadataCheck check;
  private final FileBytes file;

  Groups(MetadataCheck check, FileBytes file) {
    this.check = check;
    this.file = file;
  }

  /** Checks a group. */
  void check(long tree, long heap, Found group) throws DamageException, IOException {
    long start = check.place(heap);
    ByteBuffer head = file.read(start, 32, "heap of names");
    long size = head.getLong(8);
    long free = head.getLong(16);
    long data = head.getLong(24);
    if (head.getInt() != HEAP || head.get() != 0) {
      throw new DamageException(start, "no heap of names where one is referred to");
    }
    if (!check.isNew(heap)) {
      return;
    }
    long place = check.place(data);
    ByteBuffer names = file.read(place, size, "heap of names");
    // 1 ends the list of free space; every piece holds the place of the next and its own size.
    for (long last = -1; free != 1; ) {
      if (free <= last || free < 0 || free > size - 16) {
        throw new DamageException(place, "free space of a heap at " + free);
      }
      last = free;
      long bytes = names.getLong((int) free + 8);
      if (bytes < 16 || bytes > size - free) {
        throw new DamageException(place + free, "free space of " + bytes + " bytes");
      }
      free = names.getLong((int) free);
    }
    if (tree != UNDEFINED) {
      tree(tree, names, -1, 0, group);
    }
  }

  private void tree(long address, ByteBuffer names, int level, int depth, Found group)
      throws DamageException, IOException {
    long start = check.place(address);
    if (!check.isNew(address) || depth > DEEPEST) {
      throw new DamageException(start, "a tree that returns to itself");
    }
    long size = TREE_HEAD + 8L * (4L * check.groupK() + 1);
    ByteBuffer node = file.read(start, size, "tree of names");
    int entries = node.getShort(6) & 0xffff;
    int found = node.get(5) & 0xff;
    if (node.getInt(0) != TREE
        || node.get(4) != 0
        || (level >= 0 && found != level)
        || entries > 2 * check.groupK()) {
      throw new DamageException(start, "no tree of names where one is referred to");
    }
    siblings(node);
    for (int k = 0; k < entries; k++) {
      name(node.getLong(TREE_HEAD + 16 * k), names, start);
      long child = node.getLong(TREE_HEAD + 16 * k + 8);
      if (found > 0) {
        tree(child, names, found - 1, depth + 1, group);
      } else {
        table(child, names, group);
      }
    }
    if (entries > 0) {
      name(node.getLong(TREE_HEAD + 16 * entries), names, start);
    }
  }

  /** Checks the neighbours of a node. */
  private void siblings(ByteBuffer node) throws DamageException {
    for (int at : new int[] {8, 16}) {
      if (node.getLong(at) != UNDEFINED) {
        check.place(node.getLong(at));
      }
    }
  }

  private static String name(long offset, ByteBuffer names, long start) throws DamageException {
    long end = offset;
    while (end >= 0 && end < names.limit() && names.get((int) end) != 0) {
      end++;
    }
    if (end < 0 || end >= names.limit()) {
      throw new DamageException(start, "a name at " + offset + " of a heap of " + names.limit());
    }
    byte[] name = new byte[(int) (end - offset)];
    names.get((int) offset, name);
    return new String(name, StandardCharsets.UTF_8);
  }

  private void table(long address, ByteBuffer names, Found group)
      throws DamageException, IOException {
    long start = check.place(address);
    if (!check.isNew(address)) {
      throw new DamageException(start, "a table of names that two nodes lead to");
    }
    ByteBuffer table = file.read(start, 8 + (long) ENTRY * 2 * check.leafK(), "table of names");
    int entries = table.getShort(6) & 0xffff;
    if (table.getInt(0) != TABLE || table.get(4) != 1 || entries > 2 * check.leafK()) {
      throw new DamageException(start, "no table of names where one is referred to");
    }
    for (int k = 0; k < entries; k++) {
      String name = name(table.getLong(8 + ENTRY * k), names, start);
      table.position(8 + ENTRY * k);
      Found object = new Found(table.getLong(16 + ENTRY * k), group, name);
      if (entry(table, start + 8 + (long) ENTRY * k, names.limit(), object)) {
        check.visit(object);
      }
    }
  }

  /**
   * Checks an entry of a table.
   *
   * @param names bytes of the heap of names, or {@link MetadataCheck#UNDEFINED}
   * @param object what it leads to
   * @return whether it leads to an object; false for a soft link
   */
  boolean entry(ByteBuffer entry, long start, long names, Found object)
      throws DamageException, IOException {
    entry.getLong();
    long header = entry.getLong();
    int cached = entry.getInt();
    entry.getInt();
    if (cached < 0 || cached > 2) {
      throw new DamageException(start, "an entry of a group of type " + cached);
    }
    if (cached == 1) {
      // The library reads the group through these.
      check.place(header);
      check(entry.getLong(), entry.getLong(), object);
    } else if (cached == 2) {
      int target = entry.getInt();
      if (target < 0 || (names != UNDEFINED && target >= names)) {
        throw new DamageException(start, "a soft link that leads nowhere");
      }
      return false;
    }
    check.place(header);
    return true;
  }
}
