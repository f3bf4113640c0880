package org.starlingqcd.hadron.format;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Writes S3T files of one chunk for each block, as superbblas does. */
public final class S3tWriter {
  private final ByteOrder order;
  private final boolean single;
  private final int checksumBytes;
  private final CRC32 headers = new CRC32();
  private final ByteArrayOutputStream chunks = new ByteArrayOutputStream();
  private final byte[] header;
  private int count;

  /** Begins a file; extents are those of the axes, the slowest first. */
  public S3tWriter(
      ByteOrder order, boolean single, int checksumBytes, String metadata, int... extents) {
    this.order = order;
    this.single = single;
    this.checksumBytes = checksumBytes;
    byte[] text = metadata.getBytes(StandardCharsets.UTF_8);
    int padded = text.length + 7 & ~7;
    ByteBuffer out = ByteBuffer.allocate(24 + padded + 8 * extents.length + 8).order(order);
    out.putInt(314).putInt(0).putInt(single ? 2 : 3).putInt(2).putInt(extents.length);
    out.putInt(text.length).put(text).position(24 + padded);
    for (int extent : extents) {
      out.putDouble(extent);
    }
    out.putDouble(checksumBytes);
    header = out.array();
    headers.update(header);
  }

  /** Adds a block. */
  public void block(int[] from, int[] size, double[] numbers) {
    count++;
    ByteBuffer head = ByteBuffer.allocate(8 + 16 * from.length).order(order).putDouble(1);
    for (int start : from) {
      head.putDouble(start);
    }
    for (int extent : size) {
      head.putDouble(extent);
    }
    headers.update(head.array());
    chunks.writeBytes(head.array());
    ByteBuffer values = ByteBuffer.allocate((single ? 4 : 8) * numbers.length).order(order);
    for (double number : numbers) {
      if (single) {
        values.putFloat((float) number);
      } else {
        values.putDouble(number);
      }
    }
    chunks.writeBytes(values.array());
    int pieces = (values.capacity() + checksumBytes - 1) / checksumBytes;
    ByteBuffer sums = ByteBuffer.allocate(4 * pieces).order(order);
    for (int at = 0; at < values.capacity(); at += checksumBytes) {
      CRC32 crc = new CRC32();
      crc.update(values.array(), at, Math.min(checksumBytes, values.capacity() - at));
      sums.putInt((int) crc.getValue());
    }
    CRC32 all = new CRC32();
    all.update(sums.array());
    chunks.writeBytes(number((double) all.getValue()));
  }

  private byte[] number(double value) {
    return ByteBuffer.allocate(8).order(order).putDouble(value).array();
  }

  /** The file. */
  public byte[] bytes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(header);
    all.writeBytes(number(count));
    all.writeBytes(chunks.toByteArray());
    all.writeBytes(number((double) headers.getValue()));
    return all.toByteArray();
  }
}
