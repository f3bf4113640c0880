package org.starlingqcd.hadron.hdf5;

import io.jhdf.object.message.FilterPipelineMessage.FilterInfo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.starlingqcd.backend.HostMemory;

/**
 * The filters of chunks, undone in reverse order: shuffled bytes, deflation, a checksum (HDF5 File
 * Format Specification 3.0, IV.A.2.l).
 *
 * @param filters in the order in which a writer applies them
 * @param bytes of a chunk without filters
 */
record ChunkFilters(List<FilterInfo> filters, int bytes) {
  private static final int DEFLATE = 1;
  private static final int SHUFFLE = 2;
  private static final int CHECKSUM = 3;
  private static final int LONG = Long.BYTES;

  /** Copies the list. */
  ChunkFilters {
    filters = List.copyOf(filters);
  }

  /**
   * Unpacks a chunk.
   *
   * @param stored the chunk as it lies in the file
   * @param skipped the numbers of filters that were not applied to it
   * @param target receives all bytes of the chunk
   * @throws IllegalArgumentException when it is damaged or has an unknown filter
   */
  void unpack(ByteBuffer stored, BitSet skipped, ByteBuffer target) {
    ByteBuffer now = stored;
    boolean done = false;
    int rewritten = 0;
    try (HostMemory scratch = HostMemory.allocate(filters.size() > 1 ? bytes : LONG)) {
      for (int k = filters.size() - 1; k >= 0; k--) {
        int filter = filters.get(k).getId();
        if (skipped.get(k)) {
          continue;
        }
        if (filter == CHECKSUM) {
          now = summed(now);
          continue;
        }
        require(rewritten++ < 2, "is packed more than twice");
        done = skipped.nextClearBit(0) >= k;
        ByteBuffer next = done ? target.slice() : scratch.bytes(0, bytes);
        switch (filter) {
          case DEFLATE -> inflate(now, next);
          case SHUFFLE -> unshuffle(now, next, filters.get(k).getData());
          default ->
              throw new IllegalArgumentException(
                  "its filter "
                      + filter
                      + " is not supported; write a copy without it: h5repack -f NONE");
        }
        now = next;
      }
      require(now.remaining() == bytes, "has " + now.remaining() + " bytes of " + bytes);
      if (!done) {
        target.slice().put(now);
      }
    }
  }

  private static void require(boolean sound, String flaw) {
    if (!sound) {
      throw new IllegalArgumentException("a chunk " + flaw);
    }
  }

  private static void inflate(ByteBuffer from, ByteBuffer to) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(from);
      while (to.hasRemaining() && inflater.inflate(to) > 0) {}
      byte[] more = new byte[1];
      require(
          !to.hasRemaining() && (inflater.finished() || inflater.inflate(more) == 0),
          "inflates to another size");
      require(inflater.finished(), "ends too early");
      to.flip();
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("a chunk cannot be inflated: " + e.getMessage());
    } finally {
      inflater.end();
    }
  }

  /** Puts the bytes of a number together: byte b of number k is at {@code b · numbers + k}. */
  private static void unshuffle(ByteBuffer from, ByteBuffer to, int[] values) {
    int width = values.length == 0 ? 0 : values[0];
    require(width > 0 && from.remaining() == to.remaining(), "is shuffled wrongly");
    ByteBuffer planes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer numbersOf = to.slice().order(ByteOrder.LITTLE_ENDIAN);
    int numbers = planes.limit() / width;
    int whole = width % LONG == 0 ? numbers / LONG * LONG : 0;
    for (int first = 0; first < width && whole > 0; first += LONG) {
      for (int k = 0; k < whole; k += LONG) {
        transpose(planes, first * numbers + k, numbers, numbersOf, k * width + first, width);
      }
    }
    for (int k = whole; k < numbers; k++) {
      for (int b = 0; b < width; b++) {
        numbersOf.put(k * width + b, planes.get(b * numbers + k));
      }
    }
    // Bytes that make no whole number are not shuffled.
    for (int at = numbers * width; at < planes.limit(); at++) {
      numbersOf.put(at, planes.get(at));
    }
  }

  /** Exchanges bytes of eight numbers, of which eight planes hold one each, in three steps. */
  private static void transpose(
      ByteBuffer from, int at, int plane, ByteBuffer to, int place, int width) {
    long[] rows = new long[LONG];
    for (int k = 0; k < LONG; k++) {
      rows[k] = from.getLong(at + k * plane);
    }
    exchange(rows, 4, 0x00000000ffffffffL);
    exchange(rows, 2, 0x0000ffff0000ffffL);
    exchange(rows, 1, 0x00ff00ff00ff00ffL);
    for (int k = 0; k < LONG; k++) {
      to.putLong(place + k * width, rows[k]);
    }
  }

  /** Exchanges the blocks of {@code step × step} bytes beside the diagonal. */
  private static void exchange(long[] rows, int step, long low) {
    int shift = Byte.SIZE * step;
    for (int k = 0; k < LONG; k++) {
      if ((k & step) == 0) {
        long upper = rows[k];
        long lower = rows[k + step];
        rows[k] = (upper & low) | (lower & low) << shift;
        rows[k + step] = (upper >>> shift & low) | (lower & ~low);
      }
    }
  }

  /** The bytes before Fletcher's checksum of 16-bit words with the larger byte first. */
  private static ByteBuffer summed(ByteBuffer stored) {
    int size = stored.remaining() - Integer.BYTES;
    require(size > 0, "has no checksum");
    ByteBuffer data = stored.slice(stored.position(), size);
    long first = 0;
    long second = 0;
    for (int k = 0; k < size; k += 2) {
      first += (data.get(k) & 0xff) << 8 | (k + 1 < size ? data.get(k + 1) & 0xff : 0);
      second += first;
      // 360 words do not overflow, whatever they are.
      if (k % 720 == 718) {
        first = (first & 0xffff) + (first >> 16);
        second = (second & 0xffff) + (second >> 16);
      }
    }
    for (int fold = 0; fold < 2; fold++) {
      first = (first & 0xffff) + (first >> 16);
      second = (second & 0xffff) + (second >> 16);
    }
    int stated = stored.slice().order(ByteOrder.LITTLE_ENDIAN).getInt(size);
    require((int) (second << 16 | first) == stated, "has another checksum than it says");
    return data;
  }
}
