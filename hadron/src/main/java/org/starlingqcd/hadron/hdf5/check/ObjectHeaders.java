package org.starlingqcd.hadron.hdf5.check;

import static org.starlingqcd.hadron.hdf5.check.MetadataCheck.UNDEFINED;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Checks object headers of both versions and the messages in them. */
final class ObjectHeaders {
  private static final int HEADER = 0x5244484f; // OHDR
  private static final int CONTINUATION = 0x4b48434f; // OCHK
  private static final int SHARED = 2;
  private static final int IN_OBJECT = 2;
  private static final int ATTRIBUTE = 0x0c;
  private static final int ATTRIBUTE_INFO = 0x15;
  private static final int LINK_INFO = 0x02;
  private static final int EXTERNAL_LINK = 64;
  private static final int MOST_BLOCKS = 1 << 16;

  private final MetadataCheck check;
  private final FileBytes file;
  private final GlobalHeaps heaps;
  private final Groups groups;
  private final @Nullable RootAttributes wanted;

  /** The object that is looked at. */
  private Found object = new Found(UNDEFINED, null, "");

  /** A part of a header. */
  private record Block(long start, long size) {}

  /**
   * For the objects of a file.
   *
   * @param wanted takes the attributes of the objects, or null
   */
  ObjectHeaders(
      MetadataCheck check, FileBytes file, GlobalHeaps heaps, @Nullable RootAttributes wanted) {
    this.wanted = wanted;
    this.check = check;
    this.file = file;
    this.heaps = heaps;
    this.groups = new Groups(check, file);
  }

  /** Checks an object. */
  void check(Found target) throws DamageException, IOException {
    object = target;
    long start = check.place(target.address());
    ByteBuffer head = file.read(start, Math.min(64, file.size() - start), "object header");
    Deque<Block> blocks = new ArrayDeque<>();
    DatasetParts parts = new DatasetParts(check, file, heaps, target);
    if (head.getInt(0) == HEADER) {
      int flags = head.get(5);
      if (head.get(4) != 2) {
        throw new DamageException(start, "an object header of version " + head.get(4));
      }
      int at = 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
      int width = 1 << (flags & 3);
      long size = 0;
      for (int k = 0; k < width; k++) {
        size |= (head.get(at + k) & 0xffL) << (8 * k);
      }
      blocks.add(new Block(start + at + width, size));
      for (int k = 0; !blocks.isEmpty(); k++) {
        checkCount(k, start);
        second(blocks.remove(), (flags & 4) != 0, blocks, parts);
      }
    } else {
      int messages = head.getShort(2) & 0xffff;
      if (head.get(0) != 1) {
        throw new DamageException(start, "no object header where one is referred to");
      }
      blocks.add(new Block(start + 16, head.getInt(8) & 0xffffffffL));
      int found = 0;
      for (int k = 0; !blocks.isEmpty(); k++) {
        checkCount(k, start);
        found += first(blocks.remove(), blocks, parts);
      }
      if (found != messages) {
        throw new DamageException(
            start, "an object header of " + messages + " messages that has " + found);
      }
    }
    parts.check(start);
  }

  private static void checkCount(int blocks, long start) throws DamageException {
    if (blocks > MOST_BLOCKS) {
      throw new DamageException(start, "an object header without end");
    }
  }

  /** Checks the messages of a block of a header of version 1 and returns their number. */
  private int first(Block block, Deque<Block> blocks, DatasetParts parts)
      throws DamageException, IOException {
    ByteBuffer bytes = file.read(block.start(), block.size(), "object header");
    int count = 0;
    while (bytes.remaining() >= 8) {
      int type = bytes.getShort() & 0xffff;
      int size = bytes.getShort() & 0xffff;
      int flags = bytes.get();
      bytes.position(bytes.position() + 3);
      if (size > bytes.remaining() || size % 8 != 0) {
        throw new DamageException(
            block.start() + bytes.position(), "a message of " + size + " bytes");
      }
      message(type, flags, bytes, size, block.start(), blocks, parts);
      count++;
    }
    if (bytes.hasRemaining()) {
      throw new DamageException(block.start(), "an object header that ends within a message");
    }
    return count;
  }

  private void second(Block block, boolean ordered, Deque<Block> blocks, DatasetParts parts)
      throws DamageException, IOException {
    ByteBuffer bytes = file.read(block.start(), block.size(), "object header");
    int head = ordered ? 6 : 4;
    while (bytes.remaining() >= head) {
      int type = bytes.get() & 0xff;
      int size = bytes.getShort() & 0xffff;
      int flags = bytes.get();
      bytes.position(bytes.position() + head - 4);
      if (size > bytes.remaining()) {
        throw new DamageException(
            block.start() + bytes.position(), "a message of " + size + " bytes");
      }
      message(type, flags, bytes, size, block.start(), blocks, parts);
    }
  }

  private void message(
      int type,
      int flags,
      ByteBuffer block,
      int size,
      long start,
      Deque<Block> blocks,
      DatasetParts parts)
      throws DamageException, IOException {
    int position = block.position();
    ByteBuffer bytes = block.slice(position, size).order(block.order());
    block.position(position + size);
    long place = start + position;
    if ((flags & SHARED) != 0) {
      if (wanted != null && type == ATTRIBUTE) {
        wanted.isIncomplete();
      }
      parts.shared(type);
      sharedBy(bytes);
      return;
    }
    switch (type) {
      case 0x06 -> link(bytes, place);
      case 0x10 -> blocks.add(continuation(bytes));
      case ATTRIBUTE_INFO -> manyAttributes(bytes);
      case LINK_INFO -> manyLinks(bytes);
      case 0x11 -> groups.check(bytes.getLong(), bytes.getLong(), object);
      case 0x13 -> {
        if (bytes.get() == 0) {
          int chunk = bytes.getShort() & 0xffff;
          int group = bytes.getShort() & 0xffff;
          check.nodes(bytes.getShort() & 0xffff, group, chunk);
        }
      }
      case ATTRIBUTE -> attribute(bytes, place);
      default -> parts.message(type, bytes, place);
    }
  }

  /** Has a datatype looked at that is an object of its own. */
  private void sharedBy(ByteBuffer bytes) throws DamageException {
    int version = bytes.get();
    int kind = bytes.get();
    if (version == 1) {
      bytes.position(8);
    } else if (version == 3 && kind != IN_OBJECT) {
      // It lies in a heap with checksums.
      return;
    }
    long target = bytes.getLong();
    check.place(target);
    check.visit(new Found(target, object, "(type)"));
  }

  private Block continuation(ByteBuffer bytes) throws DamageException, IOException {
    long address = bytes.getLong();
    long size = bytes.getLong();
    long start = check.place(address);
    if (!check.isNew(address)) {
      throw new DamageException(start, "an object header that returns to itself");
    }
    file.checkInside(start, size, "object header");
    boolean second = size >= 8 && file.read(start, 4, "object header").getInt() == CONTINUATION;
    return second ? new Block(start + 4, size - 8) : new Block(start, size);
  }

  private void link(ByteBuffer bytes, long place) throws DamageException {
    int version = bytes.get();
    int flags = bytes.get();
    int kind = (flags & 8) != 0 ? bytes.get() & 0xff : 0;
    if ((flags & 4) != 0) {
      bytes.getLong();
    }
    if ((flags & 16) != 0) {
      bytes.get();
    }
    long length = 0;
    for (int k = 0; k < 1 << (flags & 3); k++) {
      length |= (bytes.get() & 0xffL) << (8 * k);
    }
    if (version != 1 || length <= 0 || length > bytes.remaining()) {
      throw new DamageException(place, "a link whose name has " + length + " bytes");
    }
    byte[] name = new byte[(int) length];
    bytes.get(name);
    if (kind == 0) {
      long target = bytes.getLong();
      check.place(target);
      check.visit(new Found(target, object, new String(name, StandardCharsets.UTF_8)));
      return;
    }
    int size = bytes.getShort() & 0xffff;
    if (size > bytes.remaining()) {
      throw new DamageException(place, "a link whose target leaves it");
    }
    if (kind == EXTERNAL_LINK && size > 1) {
      // One byte of version and flags, the name of the file, a zero, the path in it.
      byte[] target = new byte[size - 1];
      bytes.get();
      bytes.get(target);
      int end = 0;
      while (end < target.length && target[end] != 0) {
        end++;
      }
      check.leadsTo(new String(target, 0, end, StandardCharsets.UTF_8));
    }
  }

  private void attribute(ByteBuffer bytes, long place) throws DamageException, IOException {
    int version = bytes.get();
    int flags = bytes.get();
    int nameSize = bytes.getShort() & 0xffff;
    int typeSize = bytes.getShort() & 0xffff;
    int spaceSize = bytes.getShort() & 0xffff;
    if (version < 1 || version > 3 || nameSize == 0) {
      throw new DamageException(place, "an attribute of version " + version);
    }
    if (version == 3) {
      bytes.get();
    }
    boolean padded = version == 1;
    int name = bytes.position();
    if (bytes.get(name + nameSize - 1) != 0) {
      throw new DamageException(place, "an attribute whose name does not end");
    }
    int type = name + padded(nameSize, padded);
    int space = type + padded(typeSize, padded);
    int data = space + padded(spaceSize, padded);
    if (data > bytes.limit()) {
      throw new DamageException(place, "an attribute of more bytes than its message");
    }
    if (version > 1 && flags != 0) {
      if ((flags & 1) != 0) {
        sharedBy(bytes.slice(name + nameSize, typeSize).order(bytes.order()));
      }
      if (wanted != null) {
        wanted.isIncomplete();
      }
      return;
    }
    Datatypes.Type element =
        Datatypes.check(bytes.slice(type, typeSize).order(bytes.order()), place + type);
    long count =
        Dataspaces.check(bytes.slice(space, spaceSize).order(bytes.order()), place + space);
    ByteBuffer values = bytes.slice(data, bytes.limit() - data).order(bytes.order());
    if (count > values.limit() / element.size()) {
      throw new DamageException(
          place, "an attribute of " + count + " elements of " + element.size() + " bytes");
    }
    if (element.isVariable()) {
      heaps.check(values.duplicate().order(bytes.order()), place + data, count, element);
    }
    if (wanted != null) {
      wanted.add(
          bytes.slice(name, nameSize),
          bytes.slice(type, typeSize).order(bytes.order()),
          count,
          values);
    }
  }

  /** Checks attributes that lie in a heap. */
  private void manyAttributes(ByteBuffer bytes) throws DamageException, IOException {
    bytes.get();
    if ((bytes.get() & 1) != 0) {
      bytes.getShort();
    }
    long heap = bytes.getLong();
    if (heap != UNDEFINED) {
      many(heap, bytes.getLong(), NameTree.ATTRIBUTES);
    }
  }

  /** Checks links that lie in a heap. */
  private void manyLinks(ByteBuffer bytes) throws DamageException, IOException {
    bytes.get();
    if ((bytes.get() & 1) != 0) {
      bytes.getLong();
    }
    long heap = bytes.getLong();
    if (heap != UNDEFINED) {
      many(heap, bytes.getLong(), NameTree.LINKS);
    }
  }

  private void many(long heapAddress, long names, int type) throws DamageException, IOException {
    if (!check.isNew(heapAddress)) {
      return;
    }
    FractalHeap heap = new FractalHeap(check, file, heapAddress);
    boolean links = type == NameTree.LINKS;
    NameTree.Visitor managed =
        (entry, place) -> {
          ByteBuffer id = entry.slice(links ? 4 : 0, links ? 7 : 8);
          FractalHeap.Stored stored =
              links || (entry.get(8) & SHARED) == 0 ? heap.managed(id) : null;
          if (stored != null) {
            stored(stored.bytes(), stored.place(), links);
          } else if (wanted != null && heap.hugeObjects() == UNDEFINED) {
            wanted.isIncomplete();
          }
        };
    new NameTree(check, file, managed).walk(names, type);
    if (heap.hugeObjects() != UNDEFINED) {
      NameTree.Visitor large =
          (entry, place) -> {
            long start = check.place(entry.getLong(0));
            stored(file.read(start, entry.getLong(8), "link or attribute"), start, links);
          };
      new NameTree(check, file, large).walk(heap.hugeObjects(), NameTree.HUGE);
    }
  }

  private void stored(ByteBuffer bytes, long place, boolean link)
      throws DamageException, IOException {
    if (link) {
      link(bytes, place);
    } else {
      attribute(bytes, place);
    }
  }

  private static int padded(int size, boolean padded) {
    return padded ? size + 7 & ~7 : size;
  }
}
