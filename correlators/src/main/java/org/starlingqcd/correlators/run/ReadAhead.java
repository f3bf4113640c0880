package org.starlingqcd.correlators.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.DistillationData;
import org.starlingqcd.hadron.data.Rows;

/**
 * Reads input blocks on a thread of its own, ahead of their use, into host memory of bounded size.
 *
 * <p>The blocks of the next unit are asked for before the present one is computed, so that reading
 * goes on while the device computes. A block that was read and that a later source of the same
 * configuration uses too stays as long as there is room. Whatever is not there when it is needed is
 * read by the one who needs it; nobody waits for room, so a bound that is too small costs time and
 * nothing else. Failures are left to the reader who needs the block.
 *
 * <p>Safe for use by several threads.
 */
final class ReadAhead implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);

  private enum State {
    READING,
    READY
  }

  /** A block of a configuration. */
  private record Key(int configuration, Input block) {}

  private static final class Entry {
    final @Nullable HostMemory memory;
    State state = State.READING;

    /** It has been used, and stays for a later source; it may go when room is needed. */
    boolean kept;

    Entry(@Nullable HostMemory memory) {
      this.memory = memory;
    }
  }

  /** Blocks to read, in the order of their use; those that were used meanwhile are taken out. */
  private static final class Task {
    final UnitSchedule.Place place;
    final DistillationData data;
    final LinkedHashSet<Input> blocks;
    boolean cancelled;

    Task(UnitSchedule.Place place, DistillationData data, List<Input> blocks) {
      this.place = place;
      this.data = data;
      this.blocks = new LinkedHashSet<>(blocks);
    }
  }

  private final long boundBytes;
  private final int eigenvectors;
  private final Map<Key, Entry> entries = new HashMap<>();
  private final LinkedHashMap<Key, Entry> kept = new LinkedHashMap<>();
  private final Deque<Task> tasks = new ArrayDeque<>();
  private final Thread reader;
  private @Nullable Task running;
  private long usedBytes;
  private long readNanos;
  private boolean closed;

  /**
   * Starts the thread.
   *
   * @param boundBytes host memory that blocks may take
   * @param eigenvectors N
   */
  ReadAhead(long boundBytes, int eigenvectors) {
    this.boundBytes = boundBytes;
    this.eigenvectors = eigenvectors;
    reader = new Thread(this::readAll, "read-ahead");
    reader.setDaemon(true);
    reader.start();
  }

  /** Asks for the blocks of a unit, in the order of their use. */
  synchronized void prefetch(UnitSchedule.Place place, DistillationData data, List<Input> blocks) {
    tasks.add(new Task(place, data, blocks));
    notifyAll();
  }

  /**
   * Writes a block, or rows of it, to byte {@code offset} of {@code target}. Rows come from the
   * whole block if that was read ahead, and are read by themselves otherwise; the whole one goes
   * with its last rows.
   *
   * @param neededLater whether a later source of the configuration uses a block
   */
  void load(
      UnitSchedule.Place place,
      DistillationData data,
      Input block,
      Rows rows,
      Predicate<Input> neededLater,
      HostMemory target,
      long offset) {
    Key key = new Key(place.configuration(), block);
    forget(place, block);
    boolean more = !rows.isAll() && rows.first() + rows.count() < eigenvectors;
    boolean keep = more || neededLater.test(block);
    long bytes = rows.bytes(block, eigenvectors);
    if (take(key, keep, rows.offset(eigenvectors), bytes, target, offset)) {
      return;
    }
    if (rows.isAll()) {
      readHere(key, data, keep, target, offset);
      return;
    }
    long begin = System.nanoTime();
    try {
      data.load(block, rows, target, offset);
    } finally {
      synchronized (this) {
        readNanos += System.nanoTime() - begin;
      }
    }
  }

  /** Takes a block that is being used out of what is still to be read for the unit. */
  private synchronized void forget(UnitSchedule.Place place, Input block) {
    Task task = running;
    if (task != null && task.place.equals(place)) {
      task.blocks.remove(block);
    }
    for (Task waiting : tasks) {
      if (waiting.place.equals(place)) {
        waiting.blocks.remove(block);
      }
    }
  }

  /** Copies from a block that is there or on its way; false when it is neither. */
  private synchronized boolean take(
      Key key, boolean keep, long from, long bytes, HostMemory target, long offset) {
    Entry entry = entries.get(key);
    while (entry != null && entry.state == State.READING) {
      await();
      entry = entries.get(key);
    }
    if (entry == null || entry.memory == null) {
      return false;
    }
    entry.memory.copyTo(from, target, offset, bytes);
    if (keep) {
      entry.kept = true;
      kept.put(key, entry);
    } else {
      remove(key);
    }
    return true;
  }

  private void readHere(
      Key key, DistillationData data, boolean keep, HostMemory target, long offset) {
    long begin = System.nanoTime();
    // An entry without memory tells the thread to leave the block alone.
    synchronized (this) {
      entries.put(key, new Entry(null));
    }
    try {
      data.load(key.block(), target, offset);
    } finally {
      synchronized (this) {
        entries.remove(key);
        readNanos += System.nanoTime() - begin;
        notifyAll();
      }
    }
    if (keep) {
      keep(key, target, offset);
    }
  }

  private synchronized void keep(Key key, HostMemory source, long offset) {
    long bytes = bytes(key.block());
    if (!closed && !entries.containsKey(key) && usedBytes + bytes <= boundBytes) {
      HostMemory memory = HostMemory.allocate(bytes);
      source.copyTo(offset, memory, 0, bytes);
      Entry entry = new Entry(memory);
      entry.state = State.READY;
      entry.kept = true;
      entries.put(key, entry);
      kept.put(key, entry);
      usedBytes += bytes;
    }
  }

  /** Forgets everything of a configuration; none of its data is touched after the call. */
  synchronized void drop(int configuration) {
    tasks.removeIf(task -> task.place.configuration() == configuration);
    Task task = running;
    if (task != null && task.place.configuration() == configuration) {
      task.cancelled = true;
      running = null;
      notifyAll();
    }
    while (isReading(configuration)) {
      await();
    }
    List<Key> keys =
        entries.keySet().stream().filter(key -> key.configuration() == configuration).toList();
    keys.forEach(this::remove);
    notifyAll();
  }

  private boolean isReading(int configuration) {
    return entries.entrySet().stream()
        .anyMatch(
            entry ->
                entry.getKey().configuration() == configuration
                    && entry.getValue().state == State.READING);
  }

  /** Time spent reading, on whatever thread, in seconds. */
  synchronized double readSeconds() {
    return 1e-9 * readNanos;
  }

  private void readAll() {
    while (true) {
      Key key;
      Entry entry;
      DistillationData data;
      synchronized (this) {
        while (!closed && running == null && tasks.isEmpty()) {
          await();
        }
        if (closed) {
          return;
        }
        if (running == null) {
          running = tasks.remove();
        }
        Task task = running;
        Iterator<Input> blocks = task.blocks.iterator();
        if (!blocks.hasNext()) {
          running = null;
          continue;
        }
        key = new Key(task.place.configuration(), blocks.next());
        blocks.remove();
        Entry known = entries.get(key);
        if (known != null) {
          if (known.kept) {
            known.kept = false;
            kept.remove(key);
          }
          continue;
        }
        long bytes = bytes(key.block());
        if (!makeRoom(bytes, task)) {
          continue;
        }
        entry = new Entry(HostMemory.allocate(bytes));
        usedBytes += bytes;
        entries.put(key, entry);
        data = task.data;
      }
      readInto(key, entry, data);
    }
  }

  private void readInto(Key key, Entry entry, DistillationData data) {
    long begin = System.nanoTime();
    boolean good = false;
    try {
      if (entry.memory != null) {
        data.load(key.block(), entry.memory, 0);
        good = true;
      }
    } catch (RuntimeException e) {
      LOG.debug("while reading ahead: {}", e.toString());
    }
    synchronized (this) {
      readNanos += System.nanoTime() - begin;
      entry.state = State.READY;
      if (!good) {
        remove(key);
      }
      notifyAll();
    }
  }

  /** Waits for room, unless the block never fits or the task has ended meanwhile. */
  private boolean makeRoom(long bytes, Task task) {
    if (bytes > boundBytes) {
      return false;
    }
    while (usedBytes + bytes > boundBytes) {
      if (closed || task.cancelled) {
        return false;
      }
      Iterator<Key> oldest = kept.keySet().iterator();
      if (oldest.hasNext()) {
        remove(oldest.next());
      } else {
        await();
      }
    }
    return !closed && !task.cancelled;
  }

  private void remove(Key key) {
    Entry entry = entries.remove(key);
    kept.remove(key);
    if (entry != null && entry.memory != null) {
      usedBytes -= entry.memory.bytes();
      entry.memory.close();
      notifyAll();
    }
  }

  /** Waits for a change; every caller looks again. */
  @SuppressWarnings("WaitNotInLoop")
  private void await() {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading data", e);
    }
  }

  private long bytes(Input block) {
    return block.bytes(eigenvectors);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      running = null;
      tasks.clear();
      notifyAll();
    }
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      List.copyOf(entries.keySet()).forEach(this::remove);
    }
  }
}
