package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The filters of a chunk: bytes shuffled or not, then deflated or not, then with a checksum or
 * without (HDF5 File Format Specification 3.0, IV.A.2.l). They are undone piece by piece, so that a
 * chunk needs no memory but its target.
 *
 * @param bytes of the chunk without filters
 * @param width bytes of a number
 */
record RawChunk(int bytes, int width, boolean shuffled, boolean deflated, boolean summed) {
  private static final int PIECE = 1 << 16;
  private static final int SUM_BYTES = 4;

  /** Whether the chunk lies in the file as it is in memory. */
  boolean isPlain() {
    return !shuffled && !deflated && !summed;
  }

  /**
   * Reads a chunk of {@code stored} bytes at a place in the file.
   *
   * @param target receives the numbers from its position on
   * @return false when the bytes are not those of a sound chunk
   */
  boolean read(RawFile file, long position, long stored, ByteBuffer target) throws IOException {
    if (isPlain()) {
      return stored == bytes && file.read(position, target.slice(target.position(), bytes));
    }
    long data = stored - (summed ? SUM_BYTES : 0);
    Fletcher32 sum = new Fletcher32();
    Sink sink = new Sink(target);
    ByteBuffer piece = ByteBuffer.allocate(PIECE);
    Inflater inflater = deflated ? new Inflater() : null;
    try {
      for (long done = 0; done < data; ) {
        int count = (int) Math.min(PIECE, data - done);
        piece.clear().limit(count);
        if (!file.read(position + done, piece)) {
          return false;
        }
        sum.add(piece.array(), count);
        boolean good =
            inflater == null
                ? sink.put(piece.array(), count)
                : inflate(inflater, piece.array(), count, sink);
        if (!good) {
          return false;
        }
        done += count;
      }
      boolean whole = sink.isFull() && (inflater == null || inflater.finished());
      return whole && (!summed || sum.value() == storedSum(file, position + data));
    } catch (DataFormatException e) {
      return false;
    } finally {
      if (inflater != null) {
        inflater.end();
      }
    }
  }

  private static boolean inflate(Inflater inflater, byte[] input, int count, Sink sink)
      throws DataFormatException {
    inflater.setInput(input, 0, count);
    byte[] output = new byte[PIECE];
    int inflated;
    do {
      inflated = inflater.inflate(output);
      if (inflater.needsDictionary() || !sink.put(output, inflated)) {
        return false;
      }
    } while (inflated > 0);
    return inflater.getRemaining() == 0;
  }

  private static int storedSum(RawFile file, long position) throws IOException {
    ByteBuffer stored = ByteBuffer.allocate(SUM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return file.read(position, stored) ? stored.getInt(0) : 0;
  }

  /** Where the bytes go: as they come, or the bytes of a number together again. */
  private final class Sink {
    private final ByteBuffer target;
    private final int begin;
    private final int numbers = bytes / width;
    private int done;

    Sink(ByteBuffer target) {
      this.target = target;
      this.begin = target.position();
    }

    boolean isFull() {
      return done == bytes;
    }

    boolean put(byte[] source, int count) {
      if (count > bytes - done) {
        return false;
      }
      if (shuffled) {
        int number = done % numbers;
        int at = begin + number * width + done / numbers;
        for (int k = 0; k < count; k++) {
          target.put(at, source[k]);
          at += width;
          number++;
          if (number == numbers) {
            number = 0;
            at -= bytes - 1;
          }
        }
      } else {
        target.put(begin + done, source, 0, count);
      }
      done += count;
      return true;
    }
  }

  /** Fletcher's checksum of 16-bit words with the larger byte first, as HDF5 computes it. */
  static final class Fletcher32 {
    private static final int WORDS_BEFORE_FOLDING = 360;

    private long first;
    private long second;
    private int words;

    /** Adds bytes; only the last call may add an odd number. */
    void add(byte[] data, int count) {
      for (int k = 0; k < count; k += 2) {
        int low = k + 1 < count ? data[k + 1] & 0xff : 0;
        first += (data[k] & 0xff) << 8 | low;
        second += first;
        if (++words == WORDS_BEFORE_FOLDING) {
          fold();
          words = 0;
        }
      }
    }

    private void fold() {
      first = (first & 0xffff) + (first >> 16);
      second = (second & 0xffff) + (second >> 16);
    }

    int value() {
      fold();
      fold();
      return (int) (second << 16 | first);
    }
  }
}
