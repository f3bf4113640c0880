package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * An S3T file of superbblas that is open for reading: one tensor of complex numbers, of which some
 * blocks are there. A block may wrap around the end of an axis. Counts are doubles; all numbers
 * have the byte order of the machine that wrote them.
 *
 * <p>Opening visits the headers of all chunks. With a checksum for each block, a block is checked
 * as a whole before the first of its numbers is used.
 */
final class S3tFile implements AutoCloseable {
  private static final int MAGIC = 314;
  private static final int SINGLE = 2;
  private static final int DOUBLE = 3;
  private static final int BLOCK_CHECKSUMS = 2;
  private static final int MOST_AXES = 16;
  private static final int MOST_EXTENT = 1 << 24;
  private static final int HEADER_BYTES = 6 * Integer.BYTES;
  private static final int STRIP = 1 << 20;

  /**
   * A block that is there.
   *
   * @param from first index along each axis
   * @param size extents; an index beyond the axis wraps around
   * @param position of its first number in the file
   * @param checksum position of its checksum, or -1
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere
  record Block(int[] from, int[] size, long position, long checksum) {
    /** Its numbers for each index along the axes before {@code leading}. */
    long count(int leading) {
      long count = 1;
      for (int axis = leading; axis < size.length; axis++) {
        count = Math.multiplyExact(count, (long) size[axis]);
      }
      return count;
    }
  }

  private final BinaryFile file;
  private final ByteOrder order;
  private final int numberBytes;
  private final String metadata;
  private final int[] extents;
  private final long checksumBytes;
  private final boolean checksums;
  private final List<Block> blocks = new ArrayList<>();
  private final Set<Block> checked = ConcurrentHashMap.newKeySet();

  /**
   * Reads the headers of all chunks.
   *
   * @throws DistillationException when it is damaged
   */
  S3tFile(BinaryFile file) {
    this.file = file;
    byte[] head = file.bytes(0, HEADER_BYTES, ByteOrder.BIG_ENDIAN, "").array();
    this.order = order(head);
    CRC32 crc = new CRC32();
    ByteBuffer in = bytes(0, HEADER_BYTES, crc);
    file.check(in.getInt() == MAGIC && in.getInt() == 0, "is not an S3T file of version 0");
    int type = in.getInt();
    file.check(
        type == SINGLE || type == DOUBLE,
        "numbers must be complex, data type 2 or 3, found %s",
        type);
    this.numberBytes = type == SINGLE ? 2 * Float.BYTES : 2 * Double.BYTES;
    int kind = in.getInt();
    int axes = in.getInt();
    int length = in.getInt();
    file.checkSound(
        kind >= 0
            && kind <= BLOCK_CHECKSUMS
            && axes >= 1
            && axes <= MOST_AXES
            && length >= 0
            && length <= file.size(),
        "checksums of kind %s, %s axes, %s bytes of metadata",
        kind,
        axes,
        length);
    this.checksums = kind == BLOCK_CHECKSUMS;
    int padded = length + 7 & ~7;
    ByteBuffer text = bytes(HEADER_BYTES, padded, crc);
    this.metadata = StandardCharsets.UTF_8.decode(text.slice(0, length)).toString();
    long at = (long) HEADER_BYTES + padded;
    ByteBuffer sizes = bytes(at, (axes + 1) * Double.BYTES, crc);
    this.extents = new int[axes];
    for (int k = 0; k < axes; k++) {
      extents[k] = (int) whole(sizes, 1, MOST_EXTENT, "an extent");
    }
    this.checksumBytes = whole(sizes, 0, Long.MAX_VALUE, "bytes of a checksum");
    at += sizes.capacity();
    long chunks = whole(bytes(at, Double.BYTES, null), 0, file.size() / Double.BYTES, "chunks");
    at += Double.BYTES;
    for (long chunk = 0; chunk < chunks; chunk++) {
      at = readChunk(at, axes, crc);
    }
    if (kind != 0) {
      double expected = bytes(at, Double.BYTES, null).getDouble();
      // The checksum of kind 1 is one of all numbers of the file, too many to read for a block.
      file.checkSound(
          !checksums || expected == crc.getValue(), "the checksum of its headers does not match");
    }
  }

  private static ByteOrder order(byte[] head) {
    return ByteBuffer.wrap(head).getInt() == MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
  }

  /** Whether a file begins as an S3T file does. */
  static boolean isS3t(byte[] head) {
    if (head.length < HEADER_BYTES) {
      return false;
    }
    ByteBuffer in = ByteBuffer.wrap(head).order(order(head));
    return in.getInt(0) == MAGIC
        && in.getInt(4) == 0
        && in.getInt(8) >= 0
        && in.getInt(8) <= 5
        && in.getInt(12) >= 0
        && in.getInt(12) <= BLOCK_CHECKSUMS;
  }

  /** An S3T file that is not read yet. */
  static BinaryFile on(Path path) {
    return new BinaryFile(path, "is damaged: the file is cut short after %2$s bytes");
  }

  /** Reads the header of a chunk and returns the position behind the chunk. */
  private long readChunk(long begin, int axes, CRC32 crc) {
    ByteBuffer first = bytes(begin, Double.BYTES, crc);
    long most = (file.size() - begin) / (2L * axes * Double.BYTES);
    int count = (int) whole(first, 0, Math.min(most, STRIP), "blocks of a chunk");
    long at = begin + Double.BYTES;
    ByteBuffer ranges = bytes(at, count * 2 * axes * Double.BYTES, crc);
    at += ranges.capacity();
    List<Block> found = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      int[] from = new int[axes];
      int[] extent = new int[axes];
      for (int axis = 0; axis < axes; axis++) {
        from[axis] = (int) whole(ranges, 0, extents[axis] - 1L, "the start of a block");
      }
      long bytes = numberBytes;
      for (int axis = 0; axis < axes; axis++) {
        extent[axis] = (int) whole(ranges, 0, extents[axis], "the extent of a block");
        bytes = Math.min(bytes * extent[axis], Long.MAX_VALUE / MOST_EXTENT);
      }
      file.checkSound(
          bytes <= file.size() - at,
          "a block has %s bytes at byte %s, the file has %s; it is cut short",
          bytes,
          at,
          file.size());
      found.add(new Block(from, extent, at, -1));
      at += bytes;
    }
    for (Block block : found) {
      if (block.count(0) > 0) {
        blocks.add(new Block(block.from(), block.size(), block.position(), checksums ? at : -1));
      }
      at += checksums ? Double.BYTES : 0;
    }
    file.checkSound(at <= file.size(), "the file is cut short after %s bytes", file.size());
    return at;
  }

  private long whole(ByteBuffer in, long least, long most, String what) {
    double value = in.getDouble();
    // NaN is refused too.
    file.checkSound(
        value >= least && value <= most && value == Math.rint(value),
        "%s must be a whole number >= %s && <= %s, found %s",
        what,
        least,
        most,
        value);
    return (long) value;
  }

  private ByteBuffer bytes(long position, int count, @Nullable CRC32 crc) {
    ByteBuffer bytes = file.bytes(position, count, order, "");
    if (crc != null) {
      crc.update(bytes.duplicate());
    }
    return bytes;
  }

  /** The file, for its path and messages. */
  BinaryFile file() {
    return file;
  }

  /** The metadata, an XML text. */
  String metadata() {
    return metadata;
  }

  /** Extents of the tensor, the slowest axis first. */
  int[] extents() {
    return extents.clone();
  }

  /** The blocks that are there. */
  List<Block> blocks() {
    return List.copyOf(blocks);
  }

  /**
   * Reads the part of the tensor that has certain first indices, row-major; what is not there stays
   * as it is.
   *
   * @param leading the first indices
   * @param target interleaved complex numbers
   */
  void read(int[] leading, double[] target) {
    for (Block block : blocks) {
      long first = 0;
      boolean inside = true;
      for (int axis = 0; axis < leading.length && inside; axis++) {
        int local = Math.floorMod(leading[axis] - block.from()[axis], extents[axis]);
        inside = local < block.size()[axis];
        first = first * block.size()[axis] + local;
      }
      if (inside) {
        check(block);
        readPart(block, leading.length, first, target);
      }
    }
  }

  private void readPart(Block block, int leading, long first, double[] target) {
    int axes = extents.length;
    int count = Math.toIntExact(block.count(leading));
    // A line along the last axis, which may wrap, is copied number by number.
    int line = block.size()[axes - 1];
    int lines = Math.max(1, STRIP / (line * numberBytes));
    int[] at = new int[axes];
    long position = block.position() + first * count * numberBytes;
    for (int done = 0; done < count / line; done += lines) {
      int some = Math.min(lines, count / line - done);
      ByteBuffer in = bytes(position, some * line * numberBytes, null);
      position += in.capacity();
      for (int k = 0; k < some; k++) {
        copyLine(block, leading, at, in, target);
        for (int axis = axes - 2; axis >= leading && ++at[axis] == block.size()[axis]; axis--) {
          at[axis] = 0;
        }
      }
    }
  }

  private void copyLine(Block block, int leading, int[] at, ByteBuffer in, double[] target) {
    int axes = extents.length;
    int row = 0;
    for (int axis = leading; axis < axes - 1; axis++) {
      row = row * extents[axis] + (block.from()[axis] + at[axis]) % extents[axis];
    }
    int last = extents[axes - 1];
    for (int k = 0; k < block.size()[axes - 1]; k++) {
      int to = 2 * (row * last + (block.from()[axes - 1] + k) % last);
      target[to] = numberBytes == 2 * Float.BYTES ? in.getFloat() : in.getDouble();
      target[to + 1] = numberBytes == 2 * Float.BYTES ? in.getFloat() : in.getDouble();
    }
  }

  /** Checks the checksum of a block once: the CRC-32 of the CRC-32s of its pieces. */
  private void check(Block block) {
    if (block.checksum() < 0 || checked.contains(block)) {
      return;
    }
    long all = block.count(0) * numberBytes;
    long piece = checksumBytes == 0 ? all : Math.min(all, checksumBytes);
    long pieces = (all + piece - 1) / piece;
    file.checkSound(pieces <= STRIP, "the checksum of a block is made of %s pieces", pieces);
    ByteBuffer sums = ByteBuffer.allocate((int) pieces * Integer.BYTES).order(order);
    for (long begin = 0; begin < all; begin += piece) {
      CRC32 crc = new CRC32();
      long end = Math.min(all, begin + piece);
      for (long done = begin; done < end; done += STRIP) {
        bytes(block.position() + done, (int) Math.min(STRIP, end - done), crc);
      }
      sums.putInt((int) crc.getValue());
    }
    double expected = bytes(block.checksum(), Double.BYTES, null).getDouble();
    file.checkSound(
        expected == Integer.toUnsignedLong(BinaryFile.crc(sums.flip())),
        "the checksum of the block at byte %s does not match; copy the file again",
        block.position());
    checked.add(block);
  }

  @Override
  public void close() {
    file.close();
  }
}
