package org.starlingqcd.blockcache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;

/**
 * Derives the invariants of a cache from scratch, also while other processes use it: every entry
 * leads to the whole record of its block, records do not overlap, and every file is known. The
 * caller holds the lock for maintenance.
 */
final class CacheAudit {
  private final Path directory;
  private final SegmentTable table;
  private final HopscotchIndex index;
  private final SegmentLog log;
  private final List<String> faults = new ArrayList<>();
  private long blocks;
  private long bytes;

  CacheAudit(Path directory, SegmentTable table, HopscotchIndex index, SegmentLog log) {
    this.directory = directory;
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
      if (Place.isLoading(entry.place())) {
        continue;
      }
      StoredRecord record = Place.isStored(entry.place()) ? sound(entry) : null;
      if (record != null) {
        blocks++;
        bytes += record.bytes();
        found.add(
            new Found(Place.segment(entry.place()), Place.offset(entry.place()), record.length()));
      } else if (index.find(entry.key()) == entry.place()) {
        faults.add(
            file(entry)
                + ": the record at byte "
                + Place.offset(entry.place())
                + " is damaged or not that of its entry");
      }
    }
    found.sort(Comparator.comparingLong(Found::segment).thenComparingLong(Found::offset));
    for (int k = 1; k < found.size(); k++) {
      Found one = found.get(k - 1);
      Found next = found.get(k);
      if (one.segment() == next.segment() && one.offset() + one.length() > next.offset()) {
        faults.add(
            SegmentLog.file(directory, one.segment())
                + ": records overlap at byte "
                + next.offset());
      }
    }
    checkFiles();
    return new AuditReport(blocks, bytes, abandoned, faults);
  }

  private Path file(HopscotchIndex.Entry entry) {
    return SegmentLog.file(directory, Place.segment(entry.place()));
  }

  /** The record of an entry; null when its bytes are not those that were written. */
  private @Nullable StoredRecord sound(HopscotchIndex.Entry entry) throws IOException {
    StoredRecord record =
        table.exists(Place.segment(entry.place())) ? log.record(entry.place()) : null;
    if (record == null
        || !record.key().equals(entry.key())
        || record.stored() > log.bytes(Place.segment(entry.place()))) {
      return null;
    }
    try (HostMemory payload = HostMemory.allocate(Math.max(1, record.stored()))) {
      log.readRaw(
          Place.segment(entry.place()),
          Place.offset(entry.place()) + StoredRecord.HEAD_BYTES,
          payload,
          record.stored());
      return Views.sum(payload, 0, record.stored()) == record.sum() ? record : null;
    } catch (IOException gone) {
      return null;
    }
  }

  private void checkFiles() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "segment-*")) {
      for (Path file : files) {
        String number = file.getFileName().toString().substring("segment-".length());
        if (!number.matches("[0-9a-f]{7}")
            || (!table.exists(Long.parseLong(number, 16)) && Files.exists(file))) {
          faults.add(file + ": no process has made this segment");
        }
      }
    }
  }
}
