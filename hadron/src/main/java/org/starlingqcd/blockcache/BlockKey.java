package org.starlingqcd.blockcache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The name of a block: the first 128 bits of the SHA-256 of what identifies it (files, block,
 * form).
 *
 * @param high the first 64 bits; they choose the place in the index
 * @param low the next 64 bits
 */
public record BlockKey(long high, long low) {
  /** The key of a text that identifies a block. */
  public static BlockKey of(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      ByteBuffer bits = ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
      return new BlockKey(bits.getLong(), bits.getLong());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** 64 bits for a text that is told from others within this process only; cheaper than a key. */
  public static long bits(String text) {
    long bits = text.length();
    for (int k = 0; k < text.length(); k++) {
      bits = mix(bits * 31 + text.charAt(k));
    }
    return bits;
  }

  /** The key of part {@code number} of this block; part 0 has the key of the block. */
  public BlockKey part(int number) {
    return number == 0
        ? this
        : new BlockKey(
            mix(high + number * 0x9e3779b97f4a7c15L), mix(low ^ mix(number + 0x632be59bd9b4e019L)));
  }

  /** The key of this block in another form. */
  public BlockKey in(String form) {
    return of(Long.toHexString(high) + Long.toHexString(low) + "\n" + form);
  }

  /** A bijection of 64 bits that spreads neighbours (the finalizer of MurmurHash3). */
  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
