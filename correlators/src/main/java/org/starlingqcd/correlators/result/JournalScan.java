package org.starlingqcd.correlators.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.correlators.result.Journal.Frame;

/**
 * The units in a journal of another process.
 *
 * <p>A record that does not agree with its checksums is left out, and reading goes on where the
 * next mark with a head that agrees is. A record of which the end is missing was being written when
 * its process died, or is being written now.
 *
 * @param frames the whole records
 * @param end where the next record is to be looked for
 * @param lost what is damaged, in words; nothing about a record that was being written
 */
record JournalScan(List<Frame> frames, long end, List<String> lost) {
  private static final int CHUNK = 1 << 16;

  /**
   * Reads the heads and checks the contents from {@code start} (0 for the beginning) on.
   *
   * @return null when the file is not a journal of the result {@code id}
   */
  static @Nullable JournalScan of(Path file, FileChannel channel, String id, long start)
      throws IOException {
    ByteBuffer header = ByteBuffer.allocate(Journal.HEADER);
    if (!Journal.readAll(channel, header, 0)) {
      return null;
    }
    Reader reader = new Reader(file, channel, id, Math.max(start, Journal.HEADER));
    if (header.equals(Journal.header(Journal.MAGIC_WITHOUT_MARKS, id))) {
      return reader.readWithoutMarks();
    }
    JournalScan found = reader.read();
    // The heads of the records know their result too: one damaged byte here loses nothing.
    boolean ours = header.equals(Journal.header(Journal.MAGIC, id));
    return ours || !found.frames.isEmpty() ? found : null;
  }

  /** One pass over a journal. */
  private static final class Reader {
    private final Path file;
    private final FileChannel channel;
    private final String id;
    private final long size;
    private final List<Frame> frames = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();
    private long position;

    Reader(Path file, FileChannel channel, String id, long start) throws IOException {
      this.file = file;
      this.channel = channel;
      this.id = id;
      this.size = channel.size();
      this.position = start;
    }

    JournalScan read() throws IOException {
      while (size - position >= Journal.RECORD_HEAD) {
        ByteBuffer head = head(position);
        if (head == null) {
          long next = nextHead(position + 1);
          lost.add(bytes(position, next < 0 ? size : next));
          if (next < 0) {
            break;
          }
          position = next;
          continue;
        }
        int length = head.getInt(Journal.LENGTH);
        long payload = position + Journal.RECORD_HEAD;
        boolean ends = length <= size - payload;
        Frame frame =
            new Frame(
                file,
                payload,
                length,
                head.getInt(Journal.CONFIGURATION),
                head.getInt(Journal.SOURCE));
        if (ends && isIntact(frame, head.getInt(Journal.PAYLOAD_SUM))) {
          frames.add(frame);
          position = payload + length;
          continue;
        }
        long next = nextHead(payload);
        if (ends || next >= 0) {
          lost.add("configuration " + frame.configuration() + ", source " + frame.source());
        }
        if (next < 0) {
          break;
        }
        position = next;
      }
      return new JournalScan(frames, position, lost);
    }

    /** A head that agrees with its checksum; null when there is none. */
    private @Nullable ByteBuffer head(long place) throws IOException {
      ByteBuffer head = ByteBuffer.allocate(Journal.RECORD_HEAD).order(ByteOrder.LITTLE_ENDIAN);
      boolean whole = Journal.readAll(channel, head, place);
      return whole
              && head.getLong(0) == Journal.MARK
              && head.getInt(Journal.LENGTH) >= 0
              && head.getInt(Journal.HEAD_SUM) == Journal.headSum(id, head)
          ? head
          : null;
    }

    /** Where the next head is, at {@code from} or later; negative when there is none. */
    private long nextHead(long from) throws IOException {
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
      for (long start = from; size - start >= Journal.RECORD_HEAD; ) {
        chunk.clear().limit((int) Math.min(CHUNK, size - start));
        if (!Journal.readAll(channel, chunk, start)) {
          return -1;
        }
        int last = chunk.limit() - Long.BYTES;
        for (int k = 0; k <= last; k++) {
          if (chunk.getLong(k) == Journal.MARK && head(start + k) != null) {
            return start + k;
          }
        }
        start += last + 1;
      }
      return -1;
    }

    /** Records as earlier versions wrote them: length and checksum of the payload, payload. */
    JournalScan readWithoutMarks() throws IOException {
      while (size - position >= Journal.OLD_HEAD) {
        Frame frame = oldFrame(position);
        if (frame == null) {
          break;
        }
        int sum = oldHead(position).getInt(Integer.BYTES);
        long next = frame.position() + frame.length();
        if (isIntact(frame, sum)) {
          frames.add(frame);
        } else {
          Frame following = oldFrame(next);
          if (following == null || !isIntact(following, oldHead(next).getInt(Integer.BYTES))) {
            lost.add(bytes(position, size));
            break;
          }
          lost.add(bytes(position, next));
        }
        position = next;
      }
      return new JournalScan(frames, position, lost);
    }

    private ByteBuffer oldHead(long place) throws IOException {
      ByteBuffer head = ByteBuffer.allocate(Journal.OLD_HEAD).order(ByteOrder.LITTLE_ENDIAN);
      Journal.readAll(channel, head, place);
      return head;
    }

    private @Nullable Frame oldFrame(long place) throws IOException {
      if (size - place < Journal.OLD_HEAD + Journal.LEAST_PAYLOAD) {
        return null;
      }
      int length = oldHead(place).getInt(0);
      long payload = place + Journal.OLD_HEAD;
      if (length < Journal.LEAST_PAYLOAD || length > size - payload) {
        return null;
      }
      ByteBuffer unit = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      Journal.readAll(channel, unit, payload);
      return new Frame(file, payload, length, unit.getInt(0), unit.getInt(Integer.BYTES));
    }

    private boolean isIntact(Frame frame, int sum) throws IOException {
      ByteBuffer payload = ByteBuffer.allocate(frame.length()).order(ByteOrder.LITTLE_ENDIAN);
      return Journal.readAll(channel, payload, frame.position())
          && Journal.sum(payload) == sum
          && Journal.isUnit(payload);
    }

    private static String bytes(long from, long to) {
      return "bytes " + from + " to " + (to - 1);
    }
  }
}
