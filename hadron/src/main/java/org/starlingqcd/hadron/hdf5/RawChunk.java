package org.starlingqcd.hadron.hdf5;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The filters of a chunk: bytes shuffled or not, then deflated or not, then with a checksum or
 * without (HDF5 File Format Specification 3.0, IV.A.2.l). The bytes come piece by piece; a shuffled
 * chunk takes as much memory again as it has bytes.
 *
 * @param bytes of the chunk without filters
 * @param width bytes of a number
 */
record RawChunk(int bytes, int width, boolean shuffled, boolean deflated, boolean summed) {
  private static final int PIECE = 1 << 16;
  private static final int SUM_BYTES = 4;
  private static final int LONG = Long.BYTES;
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

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
      sink.finish();
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
    private final byte[] planes = new byte[shuffled ? bytes : 0];
    private int done;

    Sink(ByteBuffer target) {
      this.target = target.duplicate().order(ByteOrder.LITTLE_ENDIAN);
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
        System.arraycopy(source, 0, planes, done, count);
      } else {
        target.put(begin + done, source, 0, count);
      }
      done += count;
      return true;
    }

    /** Byte b of number k is at {@code b · numbers + k}. */
    void finish() {
      if (!shuffled) {
        return;
      }
      int numbers = bytes / width;
      int whole = numbers / LONG * LONG;
      for (int first = 0; first < width; first += LONG) {
        for (int k = 0; k < whole; k += LONG) {
          transpose(first * numbers + k, numbers, begin + k * width + first);
        }
      }
      for (int k = whole; k < numbers; k++) {
        for (int b = 0; b < width; b++) {
          target.put(begin + k * width + b, planes[b * numbers + k]);
        }
      }
    }

    /** Exchanges bytes of eight numbers, of which eight planes hold one each. */
    private void transpose(int from, int numbers, int to) {
      for (int half = 0; half < 2; half++) {
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        for (int plane = LONG - 1; plane >= 0; plane--) {
          int bits = (int) INTS.get(planes, from + plane * numbers + half * Integer.BYTES);
          a = a << Byte.SIZE | (bits & 0xff);
          b = b << Byte.SIZE | (bits >>> 8 & 0xff);
          c = c << Byte.SIZE | (bits >>> 16 & 0xff);
          d = d << Byte.SIZE | bits >>> 24;
        }
        int at = to + half * Integer.BYTES * width;
        target.putLong(at, a);
        target.putLong(at + width, b);
        target.putLong(at + 2 * width, c);
        target.putLong(at + 3 * width, d);
      }
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
