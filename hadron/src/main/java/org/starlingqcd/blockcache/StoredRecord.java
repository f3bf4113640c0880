package org.starlingqcd.blockcache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The head of a record in a segment; the payload follows.
 *
 * @param key the block
 * @param bytes size of the block
 * @param stored size of the payload, which is larger when it is encrypted
 * @param sum CRC-32C of the payload as it is stored
 * @param nonce of an encrypted payload, else 0
 */
record StoredRecord(BlockKey key, long bytes, long stored, long sum, long nonce) {
  static final int HEAD_BYTES = 64;

  private static final long MAGIC = 0x31_44_52_4f_43_45_52_53L;
  private static final int SUMMED = 56;

  /** Size of head and payload, up to where the next record begins. */
  static long length(long stored) {
    return (HEAD_BYTES + stored + LogAddress.UNIT - 1) / LogAddress.UNIT * LogAddress.UNIT;
  }

  long length() {
    return length(stored);
  }

  /** The head as it is written. */
  ByteBuffer encoded() {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).order(ByteOrder.nativeOrder());
    head.putLong(MAGIC).putLong(key.high()).putLong(key.low());
    head.putLong(bytes).putLong(stored).putLong(sum).putLong(nonce);
    head.putLong(check(head));
    return head.flip();
  }

  private static long check(ByteBuffer head) {
    return Views.sum(head.duplicate().position(0).limit(SUMMED));
  }

  /** Whether this is the record of a block of this size. */
  boolean isOf(BlockKey block, long blockBytes, long storedBytes) {
    return key.equals(block) && bytes == blockBytes && stored == storedBytes;
  }

  /** Reads a head; null when it is none. */
  static @Nullable StoredRecord decode(ByteBuffer head) {
    ByteBuffer in = head.duplicate().order(ByteOrder.nativeOrder()).position(0);
    if (in.getLong(SUMMED) != check(in) || in.getLong() != MAGIC) {
      return null;
    }
    return new StoredRecord(
        new BlockKey(in.getLong(), in.getLong()),
        in.getLong(),
        in.getLong(),
        in.getLong(),
        in.getLong());
  }
}
