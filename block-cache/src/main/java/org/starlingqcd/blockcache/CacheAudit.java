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
  private final CacheFolder folder;
  private final SegmentTable table;
  private final HopscotchIndex index;
  private final SegmentLog log;
  private final List<String> faults = new ArrayList<>();
  private long blocks;
  private long bytes;

  CacheAudit(CacheFolder folder, SegmentTable table, HopscotchIndex index, SegmentLog log) {
    this.folder = folder;
    this.table = table;
    this.index = index;
    this.log = log;
  }

  /** A record that an entry leads to. */
  private record Found(long segment, long offset, long length) {}

  AuditReport run() throws IOException {
    int abandoned = index.removeAbandoned();
    faults.addAll(index.audit());
    List<Found> found = new ArrayList<>();
    for (HopscotchIndex.Entry entry : index.entries()) {
      if (LogAddress.isLoading(entry.address())) {
        continue;
      }
      StoredRecord record = LogAddress.isStored(entry.address()) ? sound(entry) : null;
      if (record != null) {
        blocks++;
        bytes += record.bytes();
        found.add(
            new Found(
                LogAddress.segment(entry.address()),
                LogAddress.offset(entry.address()),
                record.length()));
      } else if (index.find(entry.key()) == entry.address()) {
        faults.add(
            file(entry)
                + ": the record at byte "
                + LogAddress.offset(entry.address())
                + " is damaged or not that of its entry");
      }
    }
    found.sort(Comparator.comparingLong(Found::segment).thenComparingLong(Found::offset));
    for (int k = 1; k < found.size(); k++) {
      Found one = found.get(k - 1);
      Found next = found.get(k);
      if (one.segment() == next.segment() && one.offset() + one.length() > next.offset()) {
        faults.add(folder.segment(one.segment()) + ": records overlap at byte " + next.offset());
      }
    }
    checkFiles();
    return new AuditReport(blocks, bytes, abandoned, faults);
  }

  private Path file(HopscotchIndex.Entry entry) {
    return folder.segment(LogAddress.segment(entry.address()));
  }

  /** The record of an entry; null when its bytes are not those that were written. */
  private @Nullable StoredRecord sound(HopscotchIndex.Entry entry) throws IOException {
    StoredRecord record =
        table.exists(LogAddress.segment(entry.address())) ? log.record(entry.address()) : null;
    return record != null
            && record.key().equals(entry.key())
            && record.stored() <= log.bytes(LogAddress.segment(entry.address()))
            && log.isSound(entry.address(), record)
        ? record
        : null;
  }

  private void checkFiles() throws IOException {
    for (Path file : folder.segments()) {
      if (!table.exists(CacheFolder.number(file)) && Files.exists(file)) {
        faults.add(file + ": no process has made this segment");
      }
    }
  }
}
