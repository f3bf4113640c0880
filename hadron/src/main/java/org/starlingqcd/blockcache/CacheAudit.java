package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Derives the invariants of a cache from scratch, also while other processes use it: every entry
 * leads to the whole record of its block, records do not overlap, and every file is known. The
 * caller holds the lock for maintenance.
 */
final class CacheAudit {
  private CacheAudit() {}

  /** A record that an entry leads to. */
  private record Found(long segment, long offset, StoredRecord record) {}

  static AuditReport run(CacheFolder folder, HopscotchIndex index, SegmentLog log)
      throws IOException {
    int abandoned = index.removeAbandoned();
    List<String> faults = new ArrayList<>(index.audit());
    List<Found> found = new ArrayList<>();
    for (HopscotchIndex.Entry entry : index.entries()) {
      if (LogAddress.isLoading(entry.address())) {
        continue;
      }
      long segment = LogAddress.segment(entry.address());
      long offset = LogAddress.offset(entry.address());
      StoredRecord record = entry.isStored() ? sound(entry, folder.segment(segment), log) : null;
      if (record != null) {
        found.add(new Found(segment, offset, record));
      } else if (index.find(entry.key()) == entry.address()) {
        faults.add(
            folder.segment(segment)
                + ": the record at byte "
                + offset
                + " is damaged or not that of its entry");
      }
    }
    found.sort(Comparator.comparingLong(Found::segment).thenComparingLong(Found::offset));
    for (int k = 1; k < found.size(); k++) {
      Found one = found.get(k - 1);
      Found next = found.get(k);
      if (one.segment() == next.segment() && one.offset() + one.record().length() > next.offset()) {
        faults.add(folder.segment(one.segment()) + ": records overlap at byte " + next.offset());
      }
    }
    for (Path file : folder.segments()) {
      if (!log.table().exists(CacheFolder.number(file)) && Files.exists(file)) {
        faults.add(file + ": no process has made this segment");
      }
    }
    long bytes = found.stream().mapToLong(one -> one.record().bytes()).sum();
    return new AuditReport(found.size(), bytes, abandoned, faults);
  }

  /** The record of an entry; null when its bytes are not those that were written. */
  private static @Nullable StoredRecord sound(
      HopscotchIndex.Entry entry, Path segment, SegmentLog log) {
    try {
      boolean exists = log.table().exists(LogAddress.segment(entry.address()));
      StoredRecord record = exists ? log.record(entry.address()) : null;
      boolean sound =
          record != null
              && record.key().equals(entry.key())
              && record.stored() <= Files.size(segment)
              && log.isSound(entry.address(), record);
      return sound ? record : null;
    } catch (IOException gone) {
      return null;
    }
  }
}
