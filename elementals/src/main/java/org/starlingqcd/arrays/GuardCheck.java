package org.starlingqcd.arrays;

import java.util.zip.CRC32C;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Finds arrays that were written without {@link HostArray#writing}. It keeps a CRC-32C of the
 * host's bytes of every record that has a copy on the device, and compares it whenever the record
 * is used again. It reads all bytes each time, so it is for tests and for finding mistakes.
 */
final class GuardCheck {
  private static final int CHUNK = 1 << 20;

  private final byte[] chunk = new byte[CHUNK];

  /**
   * Notes the host's bytes as they are now.
   *
   * @param arrivals how often the device's value has come home
   */
  void note(TranslationRecord record, long arrivals) {
    record.checksum = checksum(record);
    record.arrivals = arrivals;
  }

  /** Forgets a record, which the host may write to now. */
  void forget(TranslationRecord record) {
    record.checksum = -1;
  }

  /**
   * Compares the host's bytes with those noted, unless the device's value has come home since.
   *
   * @throws GuardException naming the array that was written
   */
  void check(TranslationRecord record, long arrivals) {
    if (record.checksum >= 0
        && record.arrivals == arrivals
        && record.checksum != checksum(record)) {
      throw new GuardException(
          "array %s was written on the host without writing() or put(), at bytes %s to %s"
                  .formatted(
                      record.array.name(),
                      record.start - record.memory().address(),
                      record.end - record.memory().address())
              + ", while the device had a copy; announce every write");
    }
  }

  private long checksum(TranslationRecord record) {
    CRC32C crc = new CRC32C();
    for (long done = 0; done < record.bytes(); done += CHUNK) {
      int count = (int) Math.min(CHUNK, record.bytes() - done);
      new BytePointer(new View(record.start + done, count)).get(chunk, 0, count);
      crc.update(chunk, 0, count);
    }
    return crc.getValue();
  }

  /** Memory that JavaCPP neither owns nor frees. */
  private static final class View extends Pointer {
    View(long address, long size) {
      this.address = address;
      this.limit = size;
      this.capacity = size;
    }
  }
}
