package org.starlingqcd.blockcache;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.blockcache.SegmentTable.Segment;

/**
 * Makes room: drops blocks that have not been used for long, and copies what is left of segments
 * with gaps into new ones, in the order of its last use, so that a segment holds blocks of about
 * the same age. Every method needs the lock for maintenance.
 *
 * <p>A segment is sealed first, then its entries leave the index or get their new places, and only
 * then its file is removed. A process that is killed anywhere in between leaves entries that lead
 * to their blocks, and perhaps bytes to which no entry leads; the next run gives those back.
 */
final class Compactor {
  /** Blocks that a run drops, as a share of the capacity. */
  private static final double AGED_SHARE = 0.1;

  /** Above this share of the capacity, a run drops blocks. */
  static final double FULL_SHARE = 0.9;

  /** Above this share of the index, a run drops blocks: a fuller one may refuse entries. */
  private static final double FULL_INDEX_SHARE = 0.8;

  /** Segments of which more than this share leads nowhere are compacted. */
  private static final double ORPHANED_SHARE = 0.3;

  private static final long RUN_BYTES = 4L << 20;

  private final SharedFile shared;
  private final SegmentTable table;
  private final HopscotchIndex index;
  private final UseHistory uses;
  private final SegmentLog log;

  Compactor(SharedFile shared, HopscotchIndex index, UseHistory uses, SegmentLog log) {
    this.shared = shared;
    this.table = log.table();
    this.index = index;
    this.uses = uses;
    this.log = log;
  }

  private record Live(BlockKey key, long address, long age, long length) {
    long end() {
      return LogAddress.offset(address) + length;
    }
  }

  private static final class Content {
    final Segment segment;
    final List<Live> blocks = new ArrayList<>();
    long liveBytes;
    double meanAge;

    Content(Segment segment) {
      this.segment = segment;
    }

    long orphaned() {
      return Math.max(0, segment.written() - liveBytes);
    }
  }

  /** Age relative to now, which survives the wrap of the 32 bits that an entry keeps. */
  private static Comparator<Live> byAge(long now) {
    return Comparator.comparingInt(live -> (int) (live.age() - now));
  }

  private Map<Long, Content> survey() throws IOException {
    uses.drain();
    index.removeAbandoned();
    log.forgetRemoved();
    long now = uses.next();
    Map<Long, Content> contents = new HashMap<>();
    table.all().forEach(segment -> contents.put(segment.number(), new Content(segment)));
    for (HopscotchIndex.Entry entry : index.entries()) {
      Content content = entry.isStored() ? contents.get(LogAddress.segment(entry.address())) : null;
      if (content == null) {
        continue;
      }
      StoredRecord record = log.record(entry.address());
      if (record != null && record.key().equals(entry.key())) {
        content.blocks.add(new Live(entry.key(), entry.address(), entry.age(), record.length()));
        content.liveBytes += record.length();
        content.meanAge += (int) (entry.age() - now);
      } else {
        index.remove(entry.key(), entry.address());
      }
    }
    contents.values().forEach(content -> content.meanAge /= Math.max(1, content.blocks.size()));
    return contents;
  }

  /**
   * Drops up to a tenth of the blocks when the cache is full, then compacts segments until {@code
   * wanted} bytes fit below nine tenths of the capacity, or all that have gaps are compacted.
   *
   * @return bytes of the records that are left, with those to which no entry leads
   */
  long makeRoom(long wanted) throws IOException {
    Map<Long, Content> contents = survey();
    long capacity = shared.get(SharedFile.CAPACITY);
    long live = contents.values().stream().mapToLong(content -> content.liveBytes).sum();
    long blocks = contents.values().stream().mapToLong(content -> content.blocks.size()).sum();
    long bound = (long) (FULL_SHARE * capacity) - wanted;
    if (live > bound) {
      drop(contents, Math.max(wanted, (long) (AGED_SHARE * capacity)), 0);
    } else if (blocks > FULL_INDEX_SHARE * index.buckets()) {
      drop(contents, 0, (long) (AGED_SHARE * index.buckets()));
    }
    long written = contents.values().stream().mapToLong(content -> content.segment.written()).sum();
    List<Content> chosen = new ArrayList<>();
    List<Content> byGaps = new ArrayList<>(contents.values());
    byGaps.sort(Comparator.comparingLong(content -> -content.orphaned()));
    for (Content content : byGaps) {
      // Blocks that are used in place would be there twice.
      if (log.isInUse(content.segment.number())) {
        continue;
      }
      boolean gaps = content.orphaned() > ORPHANED_SHARE * content.segment.written();
      if (content.orphaned() > 0 && (gaps || written > bound)) {
        chosen.add(content);
        written -= content.orphaned();
      }
    }
    compact(chosen, capacity);
    return countUsed();
  }

  private long countUsed() {
    long used = table.writtenBytes();
    shared.set(SharedFile.USED, used);
    return used;
  }

  /** Drops the blocks whose last use is longest ago. */
  private void drop(Map<Long, Content> contents, long bytes, long count) {
    long now = uses.next();
    List<Live> all = new ArrayList<>();
    contents.values().forEach(content -> all.addAll(content.blocks));
    all.sort(byAge(now));
    long dropped = 0;
    long number = 0;
    for (Live live : all) {
      if (dropped >= bytes && number >= count) {
        return;
      }
      Content content = contents.get(LogAddress.segment(live.address()));
      if (content == null) {
        continue;
      }
      if (LogAddress.isReturned(live.address())) {
        long plain = LogAddress.withoutReturned(live.address());
        index.replace(live.key(), live.address(), plain, live.age(), () -> true);
        content.blocks.remove(live);
        content.blocks.add(new Live(live.key(), plain, live.age(), live.length()));
      } else if (index.remove(live.key(), live.address())) {
        uses.dropped(live.key());
        content.blocks.remove(live);
        content.liveBytes -= live.length();
        dropped += live.length();
        number++;
      }
    }
  }

  /** Copies the blocks of segments to new ones and removes their files. */
  private void compact(List<Content> chosen, long capacity) throws IOException {
    if (chosen.isEmpty()) {
      return;
    }
    shared.getAndAdd(SharedFile.COMPACTIONS, 1);
    chosen.sort(Comparator.comparingDouble(content -> content.meanAge));
    try (SegmentLog target = log.another();
        HostMemory buffer = HostMemory.allocate(RUN_BYTES)) {
      List<Content> together = new ArrayList<>();
      long bytes = 0;
      for (Content content : chosen) {
        // Room for one segment more is all that a run takes.
        if (bytes > 0 && bytes + content.liveBytes > SegmentLog.segmentBytes(capacity)) {
          move(together, target, buffer);
          together.clear();
          bytes = 0;
        }
        table.seal(content.segment);
        together.add(content);
        bytes += content.liveBytes;
      }
      move(together, target, buffer);
    }
  }

  private void move(List<Content> together, SegmentLog target, HostMemory buffer)
      throws IOException {
    List<Live> blocks = new ArrayList<>();
    together.forEach(content -> blocks.addAll(content.blocks));
    blocks.sort(byAge(uses.next()));
    for (int first = 0; first < blocks.size(); ) {
      int end = first + 1;
      long bytes = blocks.get(first).length();
      while (end < blocks.size()
          && follows(blocks.get(end - 1), blocks.get(end))
          && bytes + blocks.get(end).length() <= RUN_BYTES) {
        bytes += blocks.get(end).length();
        end++;
      }
      moveRun(blocks.subList(first, end), bytes, target, buffer);
      first = end;
    }
    // Blocks may have been added between the survey and the seal.
    removeEntries(together, entry -> {});
    for (Content content : together) {
      log.discard(content.segment);
    }
  }

  /** Removes all entries that lead to some segments. */
  private void removeEntries(List<Content> contents, Consumer<BlockKey> removed) {
    Set<Long> numbers =
        contents.stream().map(content -> content.segment.number()).collect(Collectors.toSet());
    for (HopscotchIndex.Entry entry : index.entries()) {
      if (entry.isStored()
          && numbers.contains(LogAddress.segment(entry.address()))
          && index.remove(entry.key(), entry.address())) {
        removed.accept(entry.key());
      }
    }
  }

  private static boolean follows(Live one, Live next) {
    return LogAddress.segment(one.address()) == LogAddress.segment(next.address())
        && one.end() == LogAddress.offset(next.address());
  }

  private void moveRun(List<Live> run, long bytes, SegmentLog target, HostMemory buffer)
      throws IOException {
    long segment = LogAddress.segment(run.get(0).address());
    long from = LogAddress.offset(run.get(0).address());
    if (bytes > buffer.bytes()) {
      try (HostMemory large = HostMemory.allocate(bytes)) {
        moveRun(run, bytes, target, large);
      }
      return;
    }
    log.readRaw(segment, from, buffer, bytes);
    SegmentLog.Appended appended = target.appendRaw(buffer, bytes);
    if (appended == null) {
      return;
    }
    shared.getAndAdd(SharedFile.MOVED_BYTES, bytes);
    long number = SegmentTable.number(appended.word());
    for (Live live : run) {
      long address =
          LogAddress.stored(
              number,
              appended.offset() + LogAddress.offset(live.address()) - from,
              LogAddress.isReturned(live.address()));
      index.replace(
          live.key(), live.address(), address, live.age(), () -> table.isActive(appended.word()));
    }
  }

  /**
   * Gives back disk blocks: segments without blocks first, then those whose blocks were used
   * longest ago, with their blocks.
   *
   * @return bytes of the files that were removed
   */
  long evacuate(long wanted) throws IOException {
    List<Content> order = new ArrayList<>(survey().values());
    order.sort(
        Comparator.comparing((Content content) -> !content.blocks.isEmpty())
            .thenComparingDouble(content -> content.meanAge));
    long freed = 0;
    for (Content content : order) {
      if (freed >= wanted) {
        break;
      }
      if (log.isInUse(content.segment.number())) {
        // It gives nothing back before its users have ended.
        continue;
      }
      table.seal(content.segment);
      removeEntries(List.of(content), uses::dropped);
      freed += log.discard(content.segment);
    }
    countUsed();
    return freed;
  }
}
