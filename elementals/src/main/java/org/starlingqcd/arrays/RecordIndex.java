package org.starlingqcd.arrays;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The records by address. They are disjoint. A look-up takes O(log n) for n records. */
final class RecordIndex {
  private final TreeMap<Long, TranslationRecord> records = new TreeMap<>();

  /** The record that contains a range; null when none does. */
  @Nullable TranslationRecord containing(long from, long to) {
    Map.Entry<Long, TranslationRecord> entry = records.floorEntry(from);
    return entry != null && entry.getValue().contains(from, to) ? entry.getValue() : null;
  }

  /** The records that overlap a range, in order. */
  List<TranslationRecord> overlapping(long from, long to) {
    TranslationRecord one = containing(from, to);
    if (one != null) {
      return List.of(one);
    }
    List<TranslationRecord> found = new ArrayList<>();
    Map.Entry<Long, TranslationRecord> first = records.lowerEntry(from);
    if (first != null && first.getValue().end > from) {
      found.add(first.getValue());
    }
    found.addAll(records.subMap(from, to).values());
    return found;
  }

  void add(TranslationRecord record) {
    records.put(record.start, record);
  }

  void remove(TranslationRecord record) {
    records.remove(record.start);
  }

  Collection<TranslationRecord> all() {
    return records.values();
  }

  /**
   * Checks that records are disjoint and lie within their arrays.
   *
   * @throws IllegalStateException naming two that overlap
   */
  void audit() {
    TranslationRecord before = null;
    for (TranslationRecord record : records.values()) {
      if (before != null && before.end > record.start) {
        throw new IllegalStateException("audit: records overlap: " + before + " and " + record);
      }
      long home = record.memory().address();
      if (record.start >= record.end
          || record.start < home
          || record.end > home + record.memory().bytes()) {
        throw new IllegalStateException("audit: a record leaves its array: " + record);
      }
      before = record;
    }
  }
}
