package org.starlingqcd.hadron.hdf5.check;

import static org.starlingqcd.hadron.hdf5.check.MetadataCheck.UNDEFINED;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The heap in which a group keeps its links, or an object its attributes, once there are many: a
 * doubling table of blocks. Objects lie in blocks ("managed") or, when they are large, elsewhere
 * ("huge").
 */
final class FractalHeap {
  private static final int SIGNATURE = 0x50485246; // FRHP
  private static final int INDIRECT = 0x42494846; // FHIB
  private static final int DIRECT = 0x42444846; // FHDB
  private static final int HEAD = 146;
  private static final int DEEPEST = 16;

  private final MetadataCheck check;
  private final FileBytes file;
  private final long start;
  private final int width;
  private final long startBlock;
  private final int directRows;
  private final long root;
  private final int rootRows;
  private final int offsetBytes;
  private final int lengthBytes;
  private final boolean filtered;
  private final long huge;

  /** An object of the heap. */
  record Stored(ByteBuffer bytes, long place) {}

  /** Reads the head of a heap. */
  FractalHeap(MetadataCheck check, FileBytes file, long address)
      throws DamageException, IOException {
    this.check = check;
    this.file = file;
    start = check.place(address);
    ByteBuffer head = file.read(start, HEAD, "heap of links or attributes");
    if (head.getInt(0) != SIGNATURE || head.get(4) != 0) {
      throw new DamageException(start, "no heap of links or attributes where one is referred to");
    }
    filtered = head.getShort(7) != 0;
    long mostManaged = head.getInt(10) & 0xffffffffL;
    huge = head.getLong(22);
    width = head.getShort(110) & 0xffff;
    startBlock = head.getLong(112);
    long mostDirect = head.getLong(120);
    int bits = head.getShort(128) & 0xffff;
    root = head.getLong(132);
    rootRows = head.getShort(140) & 0xffff;
    if (width == 0
        || Long.bitCount(width) != 1
        || Long.bitCount(startBlock) != 1
        || Long.bitCount(mostDirect) != 1
        || mostDirect < startBlock
        || mostManaged == 0
        || bits == 0
        || bits > 63
        || rootRows > 64) {
      throw new DamageException(start, "a heap of " + width + " columns of " + startBlock);
    }
    directRows = log2(mostDirect) - log2(startBlock) + 2;
    offsetBytes = (bits + 7) >> 3;
    lengthBytes = Math.min((log2(mostDirect) + 7) >> 3, (log2(mostManaged) >> 3) + 1);
  }

  private static int log2(long value) {
    return 63 - Long.numberOfLeadingZeros(value);
  }

  static long number(ByteBuffer bytes, int at, int width) {
    long value = 0;
    for (int k = 0; k < width; k++) {
      value |= (bytes.get(at + k) & 0xffL) << (8 * k);
    }
    return value;
  }

  /** Where the tree of huge objects begins, or {@link MetadataCheck#UNDEFINED}. */
  long hugeObjects() {
    return filtered ? UNDEFINED : huge;
  }

  /** The object of an identifier; null when it is huge, or packed by filters. */
  @Nullable Stored managed(ByteBuffer id) throws DamageException, IOException {
    if ((id.get(0) & 0xf0) != 0 || filtered || root == UNDEFINED) {
      return null;
    }
    long offset = number(id, 1, offsetBytes);
    long length = number(id, 1 + offsetBytes, lengthBytes);
    long place =
        rootRows == 0
            ? direct(root, 0, startBlock, offset, length)
            : indirect(root, 0, rootRows, offset, length, 0);
    return new Stored(file.read(place, length, "link or attribute"), place);
  }

  /** Where an object lies that is in the block at an address. */
  private long direct(long address, long blockOffset, long size, long offset, long length)
      throws DamageException, IOException {
    long block = check.place(address);
    long within = offset - blockOffset;
    int head = 13 + offsetBytes;
    ByteBuffer bytes = file.read(block, head, "block of a heap");
    if (bytes.getInt(0) != DIRECT
        || number(bytes, 13, offsetBytes) != blockOffset
        || within < head
        || length > size - within) {
      throw new DamageException(block, "a link or attribute outside of its block");
    }
    file.checkInside(block, size, "block of a heap");
    return block + within;
  }

  private long indirect(
      long address, long blockOffset, int rows, long offset, long length, int depth)
      throws DamageException, IOException {
    long block = check.place(address);
    int head = 13 + offsetBytes;
    ByteBuffer bytes = file.read(block, head, "table of a heap");
    if (depth > DEEPEST || bytes.getInt(0) != INDIRECT) {
      throw new DamageException(block, "no table of a heap where one is referred to");
    }
    long within = offset - blockOffset;
    int row = 0;
    while (row < rows && within >= rowStart(row + 1)) {
      row++;
    }
    if (within < 0 || row >= rows) {
      throw new DamageException(block, "a link or attribute outside of its heap");
    }
    long size = rowSize(row);
    long column = (within - rowStart(row)) / size;
    long child = blockOffset + rowStart(row) + column * size;
    long entry = (long) row * width + column;
    long target = file.read(block + head + 8 * entry, 8, "table of a heap").getLong();
    if (row < directRows) {
      return direct(target, child, size, offset, length);
    }
    int childRows = log2(size) - log2(startBlock * width) + 1;
    return indirect(target, child, childRows, offset, length, depth + 1);
  }

  private long rowSize(int row) throws DamageException {
    if (log2(startBlock) + log2(width) + row > 60) {
      throw new DamageException(start, "a heap of more than 2^60 bytes");
    }
    return row == 0 ? startBlock : startBlock << (row - 1);
  }

  private long rowStart(int row) throws DamageException {
    return row == 0 ? 0 : rowSize(row) * width;
  }
}
