package org.starlingqcd.hadron.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import org.starlingqcd.hadron.data.DistillationException;

/**
 * The first 332 bytes of a filedb file, big-endian whatever the order of its pages.
 *
 * @param version 5 or 6
 * @param order byte order of the pages
 * @param pageBytes size of a page, a power of two from 512 to 2^20
 * @param maxBucket the number of the last bucket
 * @param keys the number of keys
 * @param userBytes length of the metadata
 * @param userPage first page of the metadata
 * @param userPages pages of the metadata
 * @param configurations number of configurations in each value
 * @param spares page of the first bucket of each generation, relative to the bucket
 */
@SuppressWarnings("ArrayRecordComponent") // compared nowhere
record FiledbHeader(
    int version,
    ByteOrder order,
    int pageBytes,
    long maxBucket,
    long keys,
    long userBytes,
    int userPage,
    int userPages,
    long configurations,
    int[] spares) {
  static final int BYTES = 332;
  static final int MAGIC = 0xcece3434;
  static final int SPARES = 32;
  private static final int LITTLE = 1234;
  private static final int BIG = 4321;
  private static final int LEAST_PAGE = 512;
  private static final int LARGEST_PAGE = 1 << 20;

  /** Whether a file begins as one of filedb does. */
  static boolean isFiledb(byte[] head) {
    return head.length >= Integer.BYTES && ByteBuffer.wrap(head).getInt() == MAGIC;
  }

  /**
   * Reads and checks a header.
   *
   * @param bytes the first {@value #BYTES} bytes of the file, or fewer if it is shorter
   */
  static FiledbHeader parse(BinaryFile file, byte[] bytes) {
    if (bytes.length < BYTES) {
      throw file.fault(
          "the file is cut short: %s bytes, the header of an SDB file has %s"
              .formatted(bytes.length, BYTES));
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (in.getInt() != MAGIC) {
      throw file.fault("is not an SDB file");
    }
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, BYTES - Integer.BYTES);
    if ((int) crc.getValue() != in.getInt(BYTES - Integer.BYTES)) {
      throw damaged(file, "its checksum does not match; copy or write the file again");
    }
    int version = in.getInt();
    if (version != 5 && version != 6) {
      throw file.fault("is filedb version " + version + "; versions 5 and 6 can be read");
    }
    int lorder = in.getInt();
    if (lorder != LITTLE && lorder != BIG) {
      throw damaged(file, "the byte order must be 1234 or 4321, found " + lorder);
    }
    int pageBytes = in.getInt();
    int shift = in.getInt();
    if (pageBytes < LEAST_PAGE
        || pageBytes > LARGEST_PAGE
        || Integer.bitCount(pageBytes) != 1
        || shift != Integer.numberOfTrailingZeros(pageBytes)) {
      throw damaged(
          file, "pages must have 2^9 to 2^20 bytes, found " + pageBytes + " = 2^" + shift);
    }
    in.getInt(); // ovfl_point
    long maxBucket = Integer.toUnsignedLong(in.getInt());
    in.position(in.position() + 3 * Integer.BYTES); // high_mask, low_mask, ffactor
    long keys = Integer.toUnsignedLong(in.getInt());
    in.getInt(); // hdrpages
    long userBytes = Integer.toUnsignedLong(in.getInt());
    int userPage = Short.toUnsignedInt(in.getShort());
    int userPages = Short.toUnsignedInt(in.getShort());
    in.getInt(); // cfig_page, cfig_npages
    long configurations = Integer.toUnsignedLong(in.getInt());
    in.position(in.position() + 2 * Integer.BYTES); // h_charkey, num_moved_pages
    int[] spares = new int[SPARES];
    for (int k = 0; k < SPARES; k++) {
      spares[k] = in.getInt();
    }
    return new FiledbHeader(
        version,
        lorder == LITTLE ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN,
        pageBytes,
        maxBucket,
        keys,
        userBytes,
        userPage,
        userPages,
        configurations,
        spares);
  }

  private static DistillationException damaged(BinaryFile file, String what) {
    return file.fault("the header of this SDB file is damaged: " + what);
  }

  /** Whether the status of a record is that of a value that is there. */
  boolean isSoundStatus(int status) {
    return version == 6 ? (status & 0xfffff) == 0xffee : status == 0xffeeffee;
  }

  /** The page of a bucket; bucket 0 begins the first generation. */
  long page(long bucket) {
    int generation = bucket == 0 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(bucket);
    // Generation g > 0 holds the buckets 2^(g-1) … 2^g - 1.
    long first = generation == 0 ? 0 : 1L << (generation - 1);
    return generation >= SPARES ? -1 : bucket - first + Integer.toUnsignedLong(spares[generation]);
  }
}
