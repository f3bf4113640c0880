package org.starlingqcd.hadron.hdf5.check;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Checks the global heap, in which texts of variable length lie. */
final class GlobalHeaps {
  private static final int SIGNATURE = 0x4c4f4347; // GCOL
  private static final int HEAD = 16;
  private static final int LEAST = 4096;

  private final FileBytes file;
  private final long base;

  /** By the address of a collection, the bytes of its objects by number. */
  private final Map<Long, Map<Integer, Long>> known = new HashMap<>();

  GlobalHeaps(FileBytes file, long base) {
    this.file = file;
    this.base = base;
  }

  /** Checks {@code count} elements of a type of variable length. */
  void check(ByteBuffer elements, long start, long count, Datatypes.Type type)
      throws DamageException, IOException {
    for (long k = 0; k < count; k++) {
      long place = start + elements.position();
      long length = elements.getInt() & 0xffffffffL;
      long address = elements.getLong();
      int number = elements.getInt();
      if (length == 0 || address == 0) {
        continue;
      }
      Map<Integer, Long> objects = known.get(address);
      if (objects == null) {
        objects = read(base + address);
        known.put(address, objects);
      }
      long stored = objects.getOrDefault(number, -1L);
      if (length * type.base() > stored) {
        throw new DamageException(place, "a text of " + length + " bytes that has no place");
      }
    }
  }

  /** The bytes of one string, which {@link #check} has found sound. */
  ByteBuffer text(ByteBuffer element) throws DamageException, IOException {
    long length = element.getInt(0) & 0xffffffffL;
    long address = element.getLong(4);
    if (length == 0 || address == 0) {
      return ByteBuffer.allocate(0);
    }
    long position = base + address;
    long at = HEAD;
    int number = element.getInt(12);
    while (true) {
      ByteBuffer head = file.read(position + at, HEAD, "global heap");
      if ((head.getShort(0) & 0xffff) == number) {
        return file.read(position + at + HEAD, length, "text");
      }
      at += HEAD + (head.getLong(8) + 7 & ~7L);
    }
  }

  private Map<Integer, Long> read(long position) throws DamageException, IOException {
    ByteBuffer head = file.read(position, HEAD, "global heap");
    long size = head.getLong(8);
    if (head.getInt() != SIGNATURE || head.get() != 1 || size < LEAST) {
      throw new DamageException(position, "no global heap where one is referred to");
    }
    ByteBuffer heap = file.read(position, size, "global heap");
    Map<Integer, Long> objects = new HashMap<>();
    long at = HEAD;
    while (at + HEAD <= size) {
      int number = heap.getShort((int) at) & 0xffff;
      long bytes = heap.getLong((int) at + 8);
      if (number == 0) {
        // Free space, whose size includes its head.
        if (bytes < HEAD || at + bytes != size) {
          throw new DamageException(position + at, "free space of " + bytes + " bytes");
        }
        break;
      }
      if (bytes < 0 || bytes > size - at - HEAD || objects.put(number, bytes) != null) {
        throw new DamageException(position + at, "a text that leaves its heap");
      }
      at += HEAD + (bytes + 7 & ~7L);
    }
    return objects;
  }
}
