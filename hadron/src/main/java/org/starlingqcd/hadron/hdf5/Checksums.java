package org.starlingqcd.hadron.hdf5;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.starlingqcd.backend.HostMemory;

/**
 * Checksums of what a file holds, CRC-32 as zlib computes it; {@code docs/formats.md} says where
 * they stand. HDF5 has none of numbers that are not chunked and of strings of variable length.
 */
public final class Checksums {
  /** The attribute of an object: of the values of a dataset, or of the attributes of the root. */
  static final String ATTRIBUTE = "crc32";

  /** The group of checksums of the matrices in datasets; it holds the names of the datasets. */
  static final String GROUP = "checksums";

  private static final int MOST_AT_ONCE = 1 << 30;

  private final CRC32 crc = new CRC32();

  private Checksums() {}

  /** Of bytes from the position to the limit of a buffer. */
  static long of(ByteBuffer bytes) {
    Checksums sum = new Checksums();
    sum.crc.update(bytes.duplicate());
    return sum.crc.getValue();
  }

  /** Of memory, {@code count} bytes from {@code offset} on. */
  public static long of(HostMemory memory, long offset, long count) {
    Checksums sum = new Checksums();
    for (long done = 0; done < count; done += MOST_AT_ONCE) {
      sum.crc.update(memory.bytes(offset + done, (int) Math.min(MOST_AT_ONCE, count - done)));
    }
    return sum.crc.getValue();
  }

  /** Of integers, as 64-bit little-endian. */
  static long of(long[] values) {
    Checksums sum = new Checksums();
    sum.add(values);
    return sum.crc.getValue();
  }

  /** Of strings, each as UTF-8 with a zero after it. */
  static long of(List<String> strings) {
    Checksums sum = new Checksums();
    sum.add(strings);
    return sum.crc.getValue();
  }

  /** Of the attributes of an object but {@link #ATTRIBUTE}, by name: the name, then the values. */
  static long of(Hdf5Attributes attributes) {
    Checksums sum = new Checksums();
    for (String name : attributes.names()) {
      if (!name.equals(ATTRIBUTE)) {
        sum.add(name);
        ElementType type = attributes.type(name);
        if (type == ElementType.STRING) {
          sum.add(attributes.strings(name));
        } else if (type == ElementType.INTEGER) {
          sum.add(attributes.integers(name));
        } else if (type == ElementType.REAL) {
          sum.add(
              Arrays.stream(attributes.reals(name))
                  .mapToLong(Double::doubleToRawLongBits)
                  .toArray());
        }
      }
    }
    return sum.crc.getValue();
  }

  private void add(List<String> texts) {
    for (String text : texts) {
      add(text);
    }
  }

  private void add(String text) {
    crc.update(text.getBytes(UTF_8));
    crc.update(0);
  }

  private void add(long[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(values.length, Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    crc.update(bytes);
  }

  /** The failure of values that do not match, and where their checksum stands. */
  static Hdf5Exception mismatch(String values, String place) {
    return new Hdf5Exception(
        ("%s do not match their checksum, so the file was damaged after it was written; copy or"
                + " write it again (if another program changed them on purpose, remove %s)")
            .formatted(values, place));
  }
}
