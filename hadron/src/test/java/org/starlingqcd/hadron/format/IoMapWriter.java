package org.starlingqcd.hadron.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/** Writes files of the container IOMap, for tests. */
public final class IoMapWriter {
  private final ByteOrder order;
  private final boolean checksums;
  private final String identifier;
  private final String header;
  private final ByteArrayOutputStream records = new ByteArrayOutputStream();
  private final List<Integer> keys = new ArrayList<>();
  private final List<Long> positions = new ArrayList<>();

  /** A file with this header. */
  public IoMapWriter(ByteOrder order, boolean checksums, String identifier, String header) {
    this.order = order;
    this.checksums = checksums;
    this.identifier = identifier;
    this.header = header;
  }

  private long recordsBegin() {
    return (long) Long.BYTES + 1 + Integer.BYTES + header.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Adds complex numbers as a vector: their count, then the numbers. */
  public IoMapWriter put(int key, double[] numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES + Integer.BYTES + numbers.length * Double.BYTES)
            .order(order);
    bytes.putLong(Integer.BYTES + (long) numbers.length * Double.BYTES);
    bytes.putInt(numbers.length / 2);
    for (double number : numbers) {
      bytes.putDouble(number);
    }
    keys.add(key);
    positions.add(recordsBegin() + records.size());
    records.writeBytes(bytes.array());
    checksum(records, bytes.array());
    return this;
  }

  private void checksum(ByteArrayOutputStream out, byte[] bytes) {
    if (checksums) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      out.writeBytes(
          ByteBuffer.allocate(Integer.BYTES).order(order).putInt((int) crc.getValue()).array());
    }
  }

  /** The bytes of the file. */
  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(order == ByteOrder.BIG_ENDIAN ? 'B' : 'L');
    out.writeBytes(String.format("%-32s", identifier).getBytes(StandardCharsets.US_ASCII));
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer start = ByteBuffer.allocate(Long.BYTES + 1 + Integer.BYTES).order(order);
    start.putLong(recordsBegin() + records.size());
    start.put((byte) (checksums ? 'Y' : 'N'));
    start.putInt(text.length);
    out.writeBytes(start.array());
    out.writeBytes(text);
    out.writeBytes(records.toByteArray());
    ByteBuffer map =
        ByteBuffer.allocate(2 * Long.BYTES + keys.size() * (Integer.BYTES + Long.BYTES))
            .order(order);
    map.putLong(keys.size()).putLong(Integer.BYTES);
    keys.forEach(map::putInt);
    positions.forEach(map::putLong);
    out.writeBytes(map.array());
    checksum(out, map.array());
    out.write('E');
    return out.toByteArray();
  }

  /** Writes the file. */
  public void write(Path path) {
    try {
      Files.write(path, bytes());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
