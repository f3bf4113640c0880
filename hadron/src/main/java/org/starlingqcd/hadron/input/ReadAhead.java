package org.starlingqcd.hadron.input;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;

/**
 * Reads input blocks on a thread of its own, ahead of their use, into host memory of bounded size.
 *
 * <p>The blocks of the next unit are asked for before the present one is computed, so that reading
 * goes on while the device computes. A block that a later source of the same configuration uses too
 * stays as long as there is room. A block that is not in memory when it is needed is read by the
 * thread that needs it. That thread never waits for room, so a bound that is too small only costs
 * time. It also throws the exception of a failed read.
 *
 * <p>Thread-safe. This class has more than 400 lines because everything that the one lock guards,
 * the list of what is to be read and what is in memory, is in one place.
 */
public final class ReadAhead implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);

  /** A block of a configuration. */
  private record Key(int configuration, Input block) {}

  private static final class Entry {
    final @Nullable HostMemory memory;
    boolean isRead;

    Entry(@Nullable HostMemory memory) {
      this.memory = memory;
    }

    /** The memory of an entry that is not only a note. */
    HostMemory memory() {
      return Objects.requireNonNull(memory);
    }
  }

  /** Blocks to read, in the order of their use, without those that have been used meanwhile. */
  private static final class Task {
    final UnitKey unit;
    final InputBlocks data;
    final LinkedHashSet<Input> blocks;
    boolean cancelled;

    Task(UnitKey unit, InputBlocks data, List<Input> blocks) {
      this.unit = unit;
      this.data = data;
      this.blocks = new LinkedHashSet<>(blocks);
    }
  }

  private final HostMemoryBudget budget;
  private final long boundBytes;
  private final int eigenvectors;
  private final long batchBytes;
  private final LongConsumer giveUp = this::giveUp;
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
   * @param budget from which the memory of blocks is reserved
   * @param boundBytes memory that blocks may take, if the budget has it
   * @param eigenvectors N
   * @param batchBytes blocks that lie behind each other in a file are read at once up to this size
   */
  public ReadAhead(HostMemoryBudget budget, long boundBytes, int eigenvectors, long batchBytes) {
    this.budget = budget;
    this.boundBytes = boundBytes;
    this.eigenvectors = eigenvectors;
    this.batchBytes = batchBytes;
    budget.addHolder(giveUp);
    reader = new Thread(this::readAll, "read-ahead");
    reader.setDaemon(true);
    reader.start();
  }

  /** Requests the blocks of a unit, in the order of their use. */
  public synchronized void prefetch(UnitKey unit, InputBlocks data, List<Input> blocks) {
    tasks.add(new Task(unit, data, blocks));
    notifyAll();
  }

  /**
   * Writes a block or rows of it to byte {@code offset} of {@code target}. Rows come from the whole
   * block if it was read ahead, and are read by themselves otherwise; the whole block goes with its
   * last rows.
   *
   * @param neededLater whether a later source of the configuration uses a block
   */
  public void load(
      UnitKey unit,
      InputBlocks data,
      Input block,
      Rows rows,
      Predicate<Input> neededLater,
      HostMemory target,
      long offset) {
    Key key = new Key(unit.configuration(), block);
    forget(unit, block);
    boolean more = !rows.isAll() && rows.first() + rows.count() < eigenvectors;
    boolean keep = more || neededLater.test(block);
    long bytes = rows.bytes(block, eigenvectors);
    if (take(key, keep, rows.offset(eigenvectors), bytes, target, offset)) {
      return;
    }
    readHere(key, rows, data, target, offset);
    if (keep && rows.isAll()) {
      keep(key, target, offset);
    }
  }

  /** Removes a block that is being used from the blocks still to be read for the unit. */
  private synchronized void forget(UnitKey unit, Input block) {
    Task task = running;
    if (task != null && task.unit.equals(unit)) {
      task.blocks.remove(block);
    }
    for (Task waiting : tasks) {
      if (waiting.unit.equals(unit)) {
        waiting.blocks.remove(block);
      }
    }
  }

  /** Copies from a block that is in memory or being read; returns false if it is neither. */
  private synchronized boolean take(
      Key key, boolean keep, long from, long bytes, HostMemory target, long offset) {
    Entry entry = entries.get(key);
    while (entry != null && !entry.isRead) {
      await();
      entry = entries.get(key);
    }
    if (entry == null || entry.memory == null) {
      return false;
    }
    entry.memory.copyTo(from, target, offset, bytes);
    if (keep) {
      kept.put(key, entry);
    } else {
      remove(key);
    }
    return true;
  }

  private void readHere(Key key, Rows rows, InputBlocks data, HostMemory target, long offset) {
    long begin = System.nanoTime();
    if (rows.isAll()) {
      // An entry without memory tells the thread to leave the block alone.
      synchronized (this) {
        entries.put(key, new Entry(null));
      }
    }
    try {
      data.load(key.block(), rows, target, offset);
    } finally {
      synchronized (this) {
        if (rows.isAll()) {
          entries.remove(key);
        }
        readNanos += System.nanoTime() - begin;
        notifyAll();
      }
    }
  }

  private synchronized void keep(Key key, HostMemory source, long offset) {
    if (closed || entries.containsKey(key)) {
      return;
    }
    Entry entry = allocate(bytes(key));
    if (entry != null && entry.memory != null) {
      source.copyTo(offset, entry.memory, 0, entry.memory.bytes());
      entry.isRead = true;
      entries.put(key, entry);
      kept.put(key, entry);
    }
  }

  private long bytes(Key key) {
    return key.block().bytes(eigenvectors);
  }

  private @Nullable Entry allocate(long bytes) {
    if (bytes > boundBytes - usedBytes || !budget.tryReserve(bytes)) {
      return null;
    }
    usedBytes += bytes;
    return new Entry(HostMemory.allocate(bytes));
  }

  /** Drops everything of a configuration; its data are not touched after the call. */
  public synchronized void drop(int configuration) {
    tasks.removeIf(task -> task.unit.configuration() == configuration);
    Task task = running;
    if (task != null && task.unit.configuration() == configuration) {
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
            entry -> entry.getKey().configuration() == configuration && !entry.getValue().isRead);
  }

  /** Time spent reading, on any thread, in seconds. */
  public synchronized double readSeconds() {
    return 1e-9 * readNanos;
  }

  private void readAll() {
    while (true) {
      Map<Key, Entry> batch = new LinkedHashMap<>();
      InputBlocks data;
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
        if (task.blocks.isEmpty()) {
          running = null;
          continue;
        }
        Input block = task.blocks.iterator().next();
        Key key = new Key(task.unit.configuration(), block);
        Entry known = entries.get(key);
        if (known != null) {
          kept.remove(key);
          task.blocks.remove(block);
          continue;
        }
        Entry entry = makeRoom(block, task);
        task.blocks.remove(block);
        if (entry == null) {
          continue;
        }
        data = task.data;
        batch.put(key, entry);
        addNeighbours(batch, task, block);
        entries.putAll(batch);
      }
      readInto(batch, data);
    }
  }

  /** Adds blocks of the task that lie behind the first one, while there is room. */
  private void addNeighbours(Map<Key, Entry> batch, Task task, Input first) {
    long bytes = first.bytes(eigenvectors);
    Input last = first;
    while ((batch.size() + 1) * bytes <= batchBytes) {
      Input next = task.data.next(last);
      if (next == null || !task.blocks.contains(next)) {
        return;
      }
      Key key = new Key(task.unit.configuration(), next);
      Entry entry = entries.containsKey(key) ? null : allocate(bytes);
      if (entry == null) {
        return;
      }
      task.blocks.remove(next);
      batch.put(key, entry);
      last = next;
    }
  }

  private void readInto(Map<Key, Entry> batch, InputBlocks data) {
    long begin = System.nanoTime();
    boolean good = false;
    try {
      read(batch, data);
      good = true;
    } catch (RuntimeException e) {
      LOG.debug("while reading ahead: {}", e.toString());
    }
    synchronized (this) {
      readNanos += System.nanoTime() - begin;
      for (Map.Entry<Key, Entry> one : batch.entrySet()) {
        one.getValue().isRead = true;
        if (!good) {
          remove(one.getKey());
        }
      }
      notifyAll();
    }
  }

  private void read(Map<Key, Entry> batch, InputBlocks data) {
    List<Input> run = batch.keySet().stream().map(Key::block).toList();
    long bytes = run.get(0).bytes(eigenvectors);
    long all = run.size() * bytes;
    if (run.size() == 1 || !budget.tryReserve(all)) {
      for (Map.Entry<Key, Entry> one : batch.entrySet()) {
        data.load(one.getKey().block(), one.getValue().memory(), 0);
      }
      return;
    }
    try (HostMemory together = HostMemory.allocate(all)) {
      data.loadRun(run, bytes, together, 0);
      long offset = 0;
      for (Entry entry : batch.values()) {
        together.copyTo(offset, entry.memory(), 0, bytes);
        offset += bytes;
      }
    } finally {
      budget.release(all);
    }
  }

  /**
   * Waits for room. Null when the block has been used or its task has ended meanwhile, or when
   * others hold the memory.
   */
  private @Nullable Entry makeRoom(Input block, Task task) {
    long bytes = block.bytes(eigenvectors);
    if (bytes > Math.min(boundBytes, budget.otherBytes())) {
      return null;
    }
    while (!closed && !task.cancelled && task.blocks.contains(block)) {
      Entry entry = allocate(bytes);
      if (entry != null) {
        return entry;
      }
      Iterator<Key> oldest = kept.keySet().iterator();
      if (oldest.hasNext()) {
        remove(oldest.next());
      } else if (usedBytes == 0) {
        return null;
      } else {
        await();
      }
    }
    return null;
  }

  /** Drops blocks until {@code wanted} bytes are free; blocks that have been used go first. */
  private synchronized void giveUp(long wanted) {
    long least = usedBytes - wanted;
    while (usedBytes > least && !kept.isEmpty()) {
      remove(kept.keySet().iterator().next());
    }
    for (Map.Entry<Key, Entry> entry : List.copyOf(entries.entrySet())) {
      if (usedBytes > least && entry.getValue().isRead) {
        remove(entry.getKey());
      }
    }
  }

  private void remove(Key key) {
    Entry entry = entries.remove(key);
    kept.remove(key);
    if (entry != null && entry.memory != null) {
      usedBytes -= entry.memory.bytes();
      budget.release(entry.memory.bytes());
      entry.memory.close();
      notifyAll();
    }
  }

  /** Waits for a change; every caller checks its condition again. */
  @SuppressWarnings("WaitNotInLoop")
  private void await() {
    try {
      wait();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading data", e);
    }
  }

  @Override
  public void close() {
    budget.removeHolder(giveUp);
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
