package org.starlingqcd.hadron.input;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.Precision;
import org.starlingqcd.graph.schedule.Input;
import org.starlingqcd.hadron.data.BlockOrder;
import org.starlingqcd.hadron.data.GammaBasis;
import org.starlingqcd.hadron.data.InputBlocks;
import org.starlingqcd.hadron.data.Rows;
import org.starlingqcd.memhc.access.HeldInput;

/**
 * The input blocks that a run holds in host memory, each of them once. Reading ahead fills the
 * store before a block is used: the blocks of the next unit are asked for before the present one is
 * computed, and threads of the store read them while the device computes. A block stays when the
 * queue that loads it, or a later source of its configuration, loads it again.
 *
 * <p>All memory comes from one budget. Blocks that nobody is about to load again, read ahead or
 * kept for a later source, take a part of it at most. They give way to those that the present queue
 * loads again. A block that is not in memory when it is needed is read by the thread that needs it.
 * That thread never waits for room, so too little memory only costs time. It also throws the
 * exception of a failed read.
 *
 * <p>Where devices copy out of page-locked memory, blocks are read into such memory, and {@link
 * #hold} gives it to whoever copies: between the file and the device is one copy in RAM.
 *
 * <p>This is the private form of the store. Where data keep their blocks themselves ({@link
 * InputBlocks#keeps}), as {@link CachedInputBlocks} do for all processes of a node, this store
 * holds a block from its reading to its use only.
 *
 * <p>Thread-safe. One lock guards the list of what is to be read and what is in memory.
 */
public final class InputStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InputStore.class);

  /** Files are read outside of the HDF5 library's lock where they can be. */
  private static final int READERS =
      Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors() / 2));

  private static final UnitKey NO_UNIT = new UnitKey(0, 0);

  /**
   * A block, or some rows of it that are kept by themselves.
   *
   * @param configuration number of the configuration
   */
  private record StoredKey(int configuration, Input block, Rows rows) {
    StoredKey whole() {
      return rows.isAll() ? this : new StoredKey(configuration, block, Rows.ALL);
    }
  }

  /**
   * A block that a store holds or that is being read. Without memory it is a note that a thread
   * reads the block into memory of its own. The lock guards it.
   */
  private static final class StoredBlock {
    final @Nullable HostMemory memory;
    boolean isRead;

    /** Whether somebody loads it later who has not said so himself. */
    boolean later;

    /** How many devices copy out of it, or will. */
    int held;

    /** The store has it no longer; its memory is free when nobody copies out of it. */
    boolean gone;

    /** Reading ahead has failed. */
    boolean failed;

    private final Set<Rows> loaded = new HashSet<>();
    private boolean weighted;

    /** Who loads it again. */
    final Set<Object> users = new HashSet<>();

    StoredBlock(@Nullable HostMemory memory) {
      this.memory = memory;
    }

    /** The memory of a block that is not only a note. */
    HostMemory memory() {
      return Objects.requireNonNull(memory);
    }

    long bytes() {
      return memory == null ? 0 : memory.bytes();
    }

    /**
     * Notes who has loaded the block and who loads it again.
     *
     * @param whole whether this is a whole block, which others may load too
     * @return whether it was kept for the user
     */
    boolean use(BlockRequest use, boolean whole) {
      later = whole && use.later();
      return use.again() ? !users.add(use.user()) : users.remove(use.user());
    }

    /**
     * Notes a use, which may be for an input with profiles.
     *
     * @return whether the rows were used before and one use of the block was for such an input
     */
    boolean isShared(boolean withProfiles, Rows rows) {
      weighted |= withProfiles;
      return !loaded.add(rows) && weighted;
    }
  }

  /** Blocks to read, in the order of their use, without those that have been used meanwhile. */
  private static final class Task {
    final UnitKey unit;
    final InputBlocks data;
    final LinkedHashSet<Input> blocks;
    boolean cancelled;

    Task(UnitKey unit, InputBlocks data, Set<Input> blocks) {
      this.unit = unit;
      this.data = data;
      this.blocks = new LinkedHashSet<>(blocks);
    }
  }

  private final HostMemoryBudget budget;
  private final long aheadBytes;
  private final int eigenvectors;
  private final Precision precision;
  private final long batchBytes;
  private final LongConsumer giveUp = this::giveUp;
  private final boolean locks;
  private final BlockMemory memories;
  private final Map<StoredKey, StoredBlock> entries = new HashMap<>();

  /** Blocks that were used and that only a later source needs, the one used longest ago first. */
  private final LinkedHashMap<StoredKey, StoredBlock> kept = new LinkedHashMap<>();

  private final Deque<Task> tasks = new ArrayDeque<>();
  private final int most;
  private final List<Thread> readers = new ArrayList<>();
  private @Nullable Task running;

  /** Bytes of blocks without users. */
  private long unusedBytes;

  private long readNanos;
  private boolean closed;

  /**
   * An empty store. Its threads start with the first request.
   *
   * @param budget from which all memory is reserved
   * @param aheadBytes the part of it for blocks that the present queue does not load again
   * @param eigenvectors N
   * @param batchBytes blocks that lie behind each other in a file are read at once up to this size
   * @param precision {@link InputBlocks#precision} of all data
   * @param pageLocked memory out of which devices copy
   */
  public InputStore(
      HostMemoryBudget budget,
      long aheadBytes,
      int eigenvectors,
      long batchBytes,
      Precision precision,
      PageLocked pageLocked) {
    this(budget, aheadBytes, eigenvectors, batchBytes, precision, pageLocked, READERS);
  }

  /** A store with so many threads. */
  InputStore(
      HostMemoryBudget budget,
      long aheadBytes,
      int eigenvectors,
      long batchBytes,
      Precision precision,
      PageLocked pageLocked,
      int readers) {
    this.most = readers;
    this.precision = precision;
    this.budget = budget;
    this.aheadBytes = aheadBytes;
    this.eigenvectors = eigenvectors;
    this.batchBytes = batchBytes;
    this.locks = pageLocked != PageLocked.NONE;
    memories = new BlockMemory(budget, pageLocked);
    budget.addHolder(giveUp);
  }

  /** A store for one queue, which reads nothing ahead. */
  public static InputStore ofOneQueue(
      HostMemoryBudget budget, int eigenvectors, Precision precision) {
    return new InputStore(budget, 0, eigenvectors, 0, precision, PageLocked.NONE);
  }

  /** Inputs behind a store of one queue. */
  public StoredInputs inputs(InputBlocks data) {
    return inputs(NO_UNIT, data, input -> input, input -> false, input -> false);
  }

  /**
   * The inputs of a unit's queue.
   *
   * @param shift makes of an input of the queue the one at the times of the unit
   * @param shared whether other queues of the unit load an input of this one
   * @param later whether a later source of the configuration loads an input at the unit's times
   */
  public StoredInputs inputs(
      UnitKey unit,
      InputBlocks data,
      UnaryOperator<Input> shift,
      Predicate<Input> shared,
      Predicate<Input> later) {
    return new StoredInputs() {
      private BlockRequest shifted(BlockRequest asked) {
        Input there = shift.apply(asked.input());
        boolean isLater = asked.later() || shared.test(asked.input()) || later.test(there);
        return new BlockRequest(there, asked.rows(), asked.user(), asked.again(), isLater);
      }

      @Override
      public boolean load(BlockRequest request, HostMemory target, long offset) {
        return InputStore.this.load(unit, data, shifted(request), target, offset);
      }

      @Override
      public @Nullable HeldInput hold(BlockRequest request, Runnable notKept) {
        return InputStore.this.hold(unit, data, shifted(request), notKept);
      }

      @Override
      public void release(BlockRequest request) {
        InputStore.this.release(unit, shifted(request));
      }

      @Override
      public void load(Input input, Rows rows, HostMemory target, long offset) {
        load(new BlockRequest(input, rows, this, false, false), target, offset);
      }

      @Override
      public @Nullable HostMemory lend(Input input, Rows rows, Form form) {
        return input.profiles().isEmpty() ? data.lend(shift.apply(input), rows, form) : null;
      }

      @Override
      public long key(Input input, Rows rows) {
        return data.key(shift.apply(input), rows);
      }

      @Override
      public boolean isNeededLater(Input input) {
        return later.test(shift.apply(input));
      }

      @Override
      public Precision precision() {
        return data.precision();
      }

      @Override
      public GammaBasis gammaBasis() {
        return data.gammaBasis();
      }
    };
  }

  /** Where rows begin in the whole block. */
  private long firstByte(StoredKey key) {
    return key.rows().offset(key.block(), eigenvectors, precision);
  }

  private long bytes(StoredKey key) {
    return key.rows().bytes(key.block(), eigenvectors, precision);
  }

  private long bytes(Input block) {
    return Rows.ALL.bytes(block, eigenvectors, precision);
  }

  /** Requests the blocks of a unit, in the order of their use. */
  public synchronized void prefetch(UnitKey unit, InputBlocks data, List<Input> blocks) {
    Set<Input> plain = new LinkedHashSet<>();
    for (Input block : blocks) {
      plain.add(block.plain());
    }
    tasks.add(new Task(unit, data, plain));
    Map<Long, Long> counts = new HashMap<>();
    plain.forEach(block -> counts.merge(bytes(block), 1L, Long::sum));
    counts.forEach(memories::expect);
    while (readers.size() < most && !closed) {
      Thread reader = new Thread(this::readAll, "read-ahead-" + readers.size());
      reader.setDaemon(true);
      reader.start();
      readers.add(reader);
    }
    notifyAll();
  }

  /**
   * Writes a block or rows of it to byte {@code offset} of {@code target}. Rows come from the whole
   * block if it is here, and are read and kept by themselves otherwise; a whole block that is not
   * needed again goes with its last rows.
   *
   * @return whether it had been kept for the user, or for another input that is made of the block
   */
  public boolean load(
      UnitKey unit, InputBlocks data, BlockRequest asked, HostMemory target, long offset) {
    // Inputs that differ in profiles alone are made of one block.
    double[][] weights = data.weights(asked.input());
    boolean weighted = weights != null;
    StoredKey key = key(unit, asked);
    forget(unit, key.block());
    BlockRequest use = kept(data, asked);
    Found found = take(key, use, weighted, target, offset);
    if (found == Found.NOT_HERE && hasStrips(key) && readWhole(key.whole(), data)) {
      found = take(key, use, weighted, target, offset);
    }
    if (found == Found.NOT_HERE) {
      readHere(key, data, use, weighted, target, offset);
    }
    if (weights != null) {
      BlockOrder.weight(target, offset, asked.rows(), weights, precision);
    }
    return found == Found.KEPT;
  }

  /** Whether these are rows of a block of which all rows are loaded. */
  private static boolean hasStrips(StoredKey key) {
    return key.block() instanceof Input.Tetraquark && !key.rows().isAll();
  }

  /** Reads a whole block into the store; false where there is no memory for it. */
  private boolean readWhole(StoredKey whole, InputBlocks data) {
    StoredBlock entry;
    synchronized (this) {
      entry = entries.containsKey(whole) ? null : allocate(bytes(whole), false, false);
      if (entry == null) {
        return false;
      }
      entries.put(whole, entry);
    }
    readInto(Map.of(whole, entry), data);
    return true;
  }

  private static StoredKey key(UnitKey unit, BlockRequest asked) {
    return new StoredKey(unit.configuration(), asked.input().plain(), asked.rows());
  }

  /** The request as far as this store is to keep the block. */
  private BlockRequest kept(InputBlocks data, BlockRequest asked) {
    Rows rows = asked.rows();
    boolean more =
        !rows.isAll() && rows.first() + rows.count() < Rows.of(asked.input(), eigenvectors);
    boolean keeps = !data.keeps();
    return new BlockRequest(
        asked.input(),
        rows,
        asked.user(),
        keeps && asked.again(),
        more || (keeps && asked.later()));
  }

  /**
   * As {@link #load}, for a device that copies: the page-locked memory in which a block or rows of
   * it are, or are going to be read. It waits for nothing.
   *
   * @param notKept runs when the block was read that had not been kept for the user
   * @return null when they lie in ordinary memory or there is no page-locked memory for them
   */
  public synchronized @Nullable HeldInput hold(
      UnitKey unit, InputBlocks data, BlockRequest asked, Runnable notKept) {
    if (!locks || !asked.input().profiles().isEmpty()) {
      return null;
    }
    StoredKey key = key(unit, asked);
    BlockRequest use = kept(data, asked);
    StoredKey at = find(key);
    boolean reads = at == null && !hasStrips(key);
    StoredBlock entry = reads ? allocate(bytes(key), use.again(), true) : entries.get(at);
    if (entry == null || !isPageLocked(entry)) {
      return null;
    }
    if (at == null) {
      // It is no entry of the store yet.
      entry.gone = true;
    }
    forget(unit, key.block());
    return new Held(key, data, use, at == null ? key : at, entry, notKept);
  }

  /** Under which key rows are here, or are being read; null when they are not. */
  private @Nullable StoredKey find(StoredKey key) {
    return entries.containsKey(key.whole()) ? key.whole() : entries.containsKey(key) ? key : null;
  }

  private boolean isPageLocked(StoredBlock entry) {
    return entry.memory != null && memories.slab(entry.memory) != null;
  }

  /** A block out of which a device copies. */
  private final class Held implements HeldInput {
    private final StoredKey key;
    private final InputBlocks data;
    private final BlockRequest use;
    private final Runnable notKept;
    private StoredKey at;
    private StoredBlock entry;

    /** The entry is not one of the store yet. */
    private boolean own;

    /** Another copy of the data had been kept for the user. */
    private boolean kept;

    Held(
        StoredKey key,
        InputBlocks data,
        BlockRequest use,
        StoredKey at,
        StoredBlock entry,
        Runnable notKept) {
      this.key = key;
      this.data = data;
      this.use = use;
      this.notKept = notKept;
      this.at = at;
      this.entry = entry;
      this.own = entry.gone;
      entry.held++;
    }

    @Override
    public boolean isRead() {
      synchronized (InputStore.this) {
        return entry.isRead && !entry.failed;
      }
    }

    @Override
    public void read() {
      if (mustRead()) {
        readNow();
      }
      boolean had;
      synchronized (InputStore.this) {
        had = used(at, entry, use) || kept;
      }
      if (!had) {
        notKept.run();
      }
    }

    /**
     * Waits for whoever reads the data. Only who is about to read notes that he does, so threads do
     * not wait for each other in a circle.
     *
     * @return whether they have to be read here
     */
    private boolean mustRead() {
      synchronized (InputStore.this) {
        while (own) {
          StoredKey there = find(key);
          if (there == null) {
            own = false;
            entry.gone = false;
            entries.put(key, entry);
            return true;
          }
          StoredBlock other = Objects.requireNonNull(entries.get(there));
          if (isPageLocked(other)) {
            letGo(entry);
            at = there;
            entry = other;
            entry.held++;
            own = false;
          } else if (other.isRead) {
            long from = there.equals(key) ? 0 : firstByte(key);
            other.memory().copyTo(from, entry.memory(), 0, entry.bytes());
            kept = used(there, other, use);
            entry.isRead = true;
            own = false;
          } else {
            await();
          }
        }
        while (!entry.isRead) {
          await();
        }
        // What reading ahead did not read is read again by who needs it, who says why it fails.
        boolean again = entry.failed;
        entry.isRead = !again;
        entry.failed = false;
        return again;
      }
    }

    private void readNow() {
      long begin = System.nanoTime();
      boolean good = false;
      try {
        data.load(key.block(), at.rows(), entry.memory(), 0);
        good = true;
      } finally {
        synchronized (InputStore.this) {
          readNanos += System.nanoTime() - begin;
          entry.isRead = true;
          entry.failed = !good;
          if (!good && !entry.gone) {
            remove(at);
          }
          InputStore.this.notifyAll();
        }
      }
    }

    @Override
    public HostMemory memory() {
      return entry.memory();
    }

    @Override
    public long offset() {
      return at.equals(key) ? 0 : firstByte(key);
    }

    @Override
    public void close() {
      synchronized (InputStore.this) {
        letGo(entry);
      }
    }
  }

  /** Says that a user does not load a block, or rows of it, again. */
  public synchronized void release(UnitKey unit, BlockRequest asked) {
    StoredKey key = key(unit, asked);
    release(key, asked.user());
    if (!asked.rows().isAll()) {
      release(key.whole(), asked.user());
    }
  }

  private void release(StoredKey key, Object user) {
    StoredBlock entry = entries.get(key);
    if (entry != null && entry.users.remove(user)) {
      settle(key, entry, true);
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

  private enum Found {
    NOT_HERE,
    HERE,
    KEPT
  }

  /** Copies from a block that is in memory or being read. */
  private synchronized Found take(
      StoredKey key, BlockRequest use, boolean weighted, HostMemory target, long offset) {
    StoredKey at = find(key);
    StoredBlock entry = at == null ? null : entries.get(at);
    while (entry != null && !entry.isRead) {
      await();
      at = find(key);
      entry = at == null ? null : entries.get(at);
    }
    if (at == null || entry == null || entry.memory == null) {
      return Found.NOT_HERE;
    }
    long from = at.equals(key) ? 0 : firstByte(key);
    entry.memory.copyTo(from, target, offset, bytes(key));
    boolean shared = entry.isShared(weighted, key.rows());
    return used(at, entry, use) || shared ? Found.KEPT : Found.HERE;
  }

  /** Notes a use; returns whether the block had been kept for the user. */
  private boolean used(StoredKey key, StoredBlock entry, BlockRequest use) {
    if (entry.gone) {
      return false;
    }
    boolean hadUsers = !entry.users.isEmpty();
    boolean had = entry.use(use, key.rows().isAll());
    settle(key, entry, hadUsers);
    return had;
  }

  /**
   * Decides what becomes of a block after its users have changed.
   *
   * @param hadUsers whether it had users before
   */
  private void settle(StoredKey key, StoredBlock entry, boolean hadUsers) {
    boolean hasUsers = !entry.users.isEmpty();
    if (hadUsers != hasUsers) {
      unusedBytes += hasUsers ? -entry.bytes() : entry.bytes();
    }
    kept.remove(key);
    if (!hasUsers && !entry.later) {
      remove(key);
    } else if (!hasUsers) {
      kept.put(key, entry);
      while (unusedBytes > aheadBytes && !kept.isEmpty()) {
        removeOldest();
      }
    }
    notifyAll();
  }

  private void readHere(
      StoredKey key,
      InputBlocks data,
      BlockRequest use,
      boolean weighted,
      HostMemory target,
      long offset) {
    long begin = System.nanoTime();
    boolean whole = key.rows().isAll();
    if (whole) {
      // An entry without memory tells the thread to leave the block alone.
      synchronized (this) {
        entries.put(key, new StoredBlock(null));
      }
    }
    boolean good = false;
    try {
      data.load(key.block(), key.rows(), target, offset);
      good = true;
    } finally {
      synchronized (this) {
        if (whole) {
          entries.remove(key);
        }
        if (good && (use.again() || (use.later() && whole))) {
          keep(key, use, weighted, target, offset);
        }
        readNanos += System.nanoTime() - begin;
        notifyAll();
      }
    }
  }

  private void keep(
      StoredKey key, BlockRequest use, boolean weighted, HostMemory source, long offset) {
    if (closed || entries.containsKey(key) || entries.containsKey(key.whole())) {
      return;
    }
    long bytes = bytes(key);
    StoredBlock entry = allocate(bytes, use.again(), false);
    if (entry != null) {
      source.copyTo(offset, entry.memory(), 0, bytes);
      entry.isRead = true;
      entries.put(key, entry);
      entry.isShared(weighted, key.rows());
      entry.use(use, key.rows().isAll());
      settle(key, entry, false);
    }
  }

  /**
   * Memory for a block; null when there is none. One that the present queue loads again takes the
   * place of others that are kept.
   *
   * @param locked whether it must be page-locked
   */
  private @Nullable StoredBlock allocate(long bytes, boolean again, boolean locked) {
    if (!again && bytes > aheadBytes - unusedBytes) {
      return null;
    }
    HostMemory memory = memories.take(bytes, locked);
    while (memory == null && again && !kept.isEmpty()) {
      removeOldest();
      memory = memories.take(bytes, locked);
    }
    if (memory == null) {
      return null;
    }
    unusedBytes += bytes;
    return new StoredBlock(memory);
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
    List<StoredKey> keys =
        entries.keySet().stream().filter(key -> key.configuration() == configuration).toList();
    keys.forEach(this::remove);
    memories.freeOrdinary(Long.MAX_VALUE);
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
      Map<StoredKey, StoredBlock> batch = new LinkedHashMap<>();
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
        StoredKey key = new StoredKey(task.unit.configuration(), block, Rows.ALL);
        StoredBlock known = entries.get(key);
        if (known != null) {
          kept.remove(key);
          task.blocks.remove(block);
          continue;
        }
        if (task.data.isAtHand(block)) {
          task.blocks.remove(block);
          continue;
        }
        StoredBlock entry = makeRoom(block, task);
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
  private void addNeighbours(Map<StoredKey, StoredBlock> batch, Task task, Input first) {
    long bytes = bytes(first);
    Input last = first;
    while ((batch.size() + 1) * bytes <= batchBytes) {
      Input next = task.data.next(last);
      if (next == null || !task.blocks.contains(next) || task.data.isAtHand(next)) {
        return;
      }
      StoredKey key = new StoredKey(task.unit.configuration(), next, Rows.ALL);
      StoredBlock entry = entries.containsKey(key) ? null : allocate(bytes, false, false);
      if (entry == null) {
        return;
      }
      task.blocks.remove(next);
      batch.put(key, entry);
      last = next;
    }
  }

  private void readInto(Map<StoredKey, StoredBlock> batch, InputBlocks data) {
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
      for (Map.Entry<StoredKey, StoredBlock> one : batch.entrySet()) {
        one.getValue().isRead = true;
        one.getValue().failed = !good;
        if (good) {
          dropRows(one.getKey(), one.getValue());
        } else {
          remove(one.getKey());
        }
      }
      notifyAll();
    }
  }

  /** Rows of a block that is here as a whole now are not held beside it. */
  private void dropRows(StoredKey whole, StoredBlock entry) {
    if (!Rows.areIn(whole.block())) {
      return;
    }
    List<StoredKey> rows =
        entries.keySet().stream()
            .filter(key -> !key.equals(whole) && key.whole().equals(whole))
            .toList();
    if (!rows.isEmpty()) {
      boolean hadUsers = !entry.users.isEmpty();
      for (StoredKey key : rows) {
        entry.users.addAll(entries.getOrDefault(key, entry).users);
        remove(key);
      }
      entry.later = true;
      settle(whole, entry, hadUsers);
    }
  }

  private void read(Map<StoredKey, StoredBlock> batch, InputBlocks data) {
    List<Input> run = batch.keySet().stream().map(StoredKey::block).toList();
    List<StoredBlock> blocks = List.copyOf(batch.values());
    long bytes = blocks.get(0).bytes();
    int begin = 0;
    while (begin < run.size()) {
      BlockMemory.@Nullable Slab slab = slab(blocks.get(begin));
      int end = begin + 1;
      while (end < run.size() && slab == slab(blocks.get(end)) && isBehind(blocks, end, slab)) {
        end++;
      }
      List<Input> part = run.subList(begin, end);
      HostMemory first = blocks.get(begin).memory();
      if (part.size() == 1) {
        data.load(part.get(0), first, 0);
      } else if (slab != null) {
        data.loadRun(part, bytes, slab.memory(), slab.offset(first));
      } else {
        readOrdinary(part, blocks.subList(begin, end), data);
      }
      begin = end;
    }
  }

  private synchronized BlockMemory.@Nullable Slab slab(StoredBlock entry) {
    return memories.slab(entry.memory());
  }

  /** Whether a block can be read together with the one before it. */
  private static boolean isBehind(
      List<StoredBlock> blocks, int number, BlockMemory.@Nullable Slab slab) {
    HostMemory before = blocks.get(number - 1).memory();
    return slab == null
        || slab.offset(blocks.get(number).memory()) == slab.offset(before) + before.bytes();
  }

  private void readOrdinary(List<Input> run, List<StoredBlock> blocks, InputBlocks data) {
    long bytes = blocks.get(0).bytes();
    long all = run.size() * bytes;
    if (!budget.tryReserve(all)) {
      for (int k = 0; k < run.size(); k++) {
        data.load(run.get(k), blocks.get(k).memory(), 0);
      }
      return;
    }
    try (HostMemory together = HostMemory.allocate(all)) {
      data.loadRun(run, bytes, together, 0);
      for (int k = 0; k < run.size(); k++) {
        together.copyTo(k * bytes, blocks.get(k).memory(), 0, bytes);
      }
    } finally {
      budget.release(all);
    }
  }

  /**
   * Waits for room. Null when the block has been used or its task has ended meanwhile, or when
   * others hold the memory.
   */
  private @Nullable StoredBlock makeRoom(Input block, Task task) {
    long bytes = bytes(block);
    if (bytes > Math.min(aheadBytes, budget.otherBytes())) {
      return null;
    }
    while (!closed && !task.cancelled && task.blocks.contains(block)) {
      StoredBlock entry = allocate(bytes, false, false);
      if (entry != null) {
        return entry;
      }
      if (!kept.isEmpty()) {
        removeOldest();
      } else if (unusedBytes == 0
          && entries.values().stream().allMatch(held -> held.memory == null)) {
        return null;
      } else {
        await();
      }
    }
    return null;
  }

  /**
   * Drops blocks until {@code wanted} bytes are free: first those that have been used, then those
   * that have not been, never one that the present queue loads again.
   */
  private synchronized void giveUp(long wanted) {
    long left = memories.free(wanted);
    while (left > 0 && !kept.isEmpty()) {
      removeOldest();
      left = memories.free(left);
    }
    for (Map.Entry<StoredKey, StoredBlock> entry : List.copyOf(entries.entrySet())) {
      StoredBlock block = entry.getValue();
      if (left > 0 && block.isRead && block.users.isEmpty() && block.held == 0) {
        remove(entry.getKey());
        left = memories.free(left);
      }
    }
  }

  /** Removes the kept block that was used longest ago. */
  private void removeOldest() {
    remove(kept.keySet().iterator().next());
  }

  private void remove(StoredKey key) {
    StoredBlock entry = entries.remove(key);
    kept.remove(key);
    if (entry == null || entry.memory == null) {
      return;
    }
    if (!entry.users.isEmpty()) {
      entry.users.clear();
      unusedBytes += entry.memory.bytes();
    }
    entry.gone = true;
    if (entry.held == 0) {
      free(entry);
    }
  }

  /** A device copies out of a block no longer. */
  private void letGo(StoredBlock entry) {
    entry.held--;
    if (entry.held == 0 && entry.gone) {
      free(entry);
    }
  }

  private void free(StoredBlock entry) {
    unusedBytes -= entry.bytes();
    memories.giveBack(entry.memory());
    if (closed) {
      memories.free(Long.MAX_VALUE);
    }
    notifyAll();
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
      for (Thread reader : readers) {
        reader.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      List.copyOf(entries.keySet()).forEach(this::remove);
      memories.free(Long.MAX_VALUE);
    }
  }
}
