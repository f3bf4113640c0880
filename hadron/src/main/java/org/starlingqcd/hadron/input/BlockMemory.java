package org.starlingqcd.hadron.input;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * The memory of a store: blocks of few sizes, reserved from the budget of the run. Memory that is
 * given back serves the next block of its size. Callers hold the lock of the store.
 *
 * <p>Blocks are page-locked where a device copies out of them. Page-locking costs a call of the
 * driver, so such blocks are parts of slabs, of as many blocks of one size as a unit asks for and
 * 64 MiB at most. Parts are given out in the order of their addresses, so that blocks that are read
 * at once mostly lie behind each other. Where nothing more can be page-locked, blocks are ordinary
 * memory.
 */
final class BlockMemory {
  private static final long SLAB_BYTES = 64L << 20;

  private final HostMemoryBudget budget;
  private final PageLocked pageLocked;
  private final Map<Long, Deque<HostMemory>> spare = new HashMap<>();
  private final Map<Long, List<Slab>> slabs = new HashMap<>();
  private final Map<HostMemory, Slab> parts = new HashMap<>();
  private final Map<Long, Long> expected = new HashMap<>();

  /** Nothing more can be page-locked until some is freed. */
  private boolean refused;

  /** Page-locked memory for blocks of one size. */
  static final class Slab {
    private final HostMemory memory;
    private final long part;
    private final BitSet used = new BitSet();

    private Slab(HostMemory memory, long part) {
      this.memory = memory;
      this.part = part;
    }

    private int count() {
      return (int) (memory.bytes() / part);
    }

    /** The memory of all its blocks. */
    HostMemory memory() {
      return memory;
    }

    /** Where the memory of one of its blocks begins. */
    long offset(HostMemory block) {
      return block.address() - memory.address();
    }
  }

  BlockMemory(HostMemoryBudget budget, PageLocked pageLocked) {
    this.budget = budget;
    this.pageLocked = pageLocked;
  }

  /** Says how many blocks of a size are asked for together. */
  void expect(long bytes, long count) {
    expected.merge(bytes, count, Math::max);
  }

  /**
   * Memory of a size, page-locked if possible; null when the budget has none.
   *
   * @param onlyLocked whether other memory will not do
   */
  @Nullable HostMemory take(long bytes, boolean onlyLocked) {
    HostMemory locked = takePageLocked(bytes);
    if (locked != null || onlyLocked) {
      return locked;
    }
    Deque<HostMemory> same = spare.get(bytes);
    if (same != null && !same.isEmpty()) {
      return same.pop();
    }
    return reserve(bytes) ? HostMemory.allocate(bytes) : null;
  }

  /** Page-locked memory of a size; null when there is none. */
  private @Nullable HostMemory takePageLocked(long bytes) {
    for (Slab slab : slabs.getOrDefault(bytes, List.of())) {
      if (slab.used.cardinality() < slab.count()) {
        return part(slab);
      }
    }
    if (pageLocked == PageLocked.NONE || refused || bytes == 0) {
      return null;
    }
    int count = (int) Math.min(expected.getOrDefault(bytes, 1L), SLAB_BYTES / bytes);
    while (count > 1 && !budget.tryReserve(count * bytes)) {
      count /= 2;
    }
    if (count <= 1) {
      count = 1;
      if (!reserve(bytes)) {
        return null;
      }
    }
    HostMemory memory = pageLocked.allocate(count * bytes);
    if (memory == null) {
      budget.release(count * bytes);
      refused = true;
      return null;
    }
    Slab slab = new Slab(memory, bytes);
    slabs.computeIfAbsent(bytes, size -> new ArrayList<>()).add(slab);
    return part(slab);
  }

  private HostMemory part(Slab slab) {
    int number = slab.used.nextClearBit(0);
    slab.used.set(number);
    HostMemory block = slab.memory.part(number * slab.part, slab.part);
    parts.put(block, slab);
    return block;
  }

  private boolean reserve(long bytes) {
    if (!budget.tryReserve(bytes)) {
      // What is spare has another size.
      free(bytes);
      return budget.tryReserve(bytes);
    }
    return true;
  }

  /** The slab of a block; null for one that is not page-locked. */
  @Nullable Slab slab(HostMemory block) {
    return parts.get(block);
  }

  void giveBack(HostMemory memory) {
    Slab slab = parts.remove(memory);
    if (slab == null) {
      spare.computeIfAbsent(memory.bytes(), bytes -> new ArrayDeque<>()).push(memory);
    } else {
      slab.used.clear((int) (slab.offset(memory) / slab.part));
      memory.close();
    }
  }

  /**
   * Frees spare memory until {@code wanted} bytes are free, what is page-locked last; returns how
   * many of them are not.
   */
  long free(long wanted) {
    long left = freeOrdinary(wanted);
    for (List<Slab> ofSize : slabs.values()) {
      for (Iterator<Slab> each = ofSize.iterator(); left > 0 && each.hasNext(); ) {
        Slab slab = each.next();
        if (slab.used.isEmpty()) {
          each.remove();
          left -= slab.memory.bytes();
          budget.release(slab.memory.bytes());
          slab.memory.close();
          refused = false;
        }
      }
    }
    return left;
  }

  /** As {@link #free}, of memory that is not page-locked. */
  long freeOrdinary(long wanted) {
    long left = wanted;
    for (Deque<HostMemory> memories : spare.values()) {
      while (left > 0 && !memories.isEmpty()) {
        HostMemory memory = memories.pop();
        left -= memory.bytes();
        budget.release(memory.bytes());
        memory.close();
      }
    }
    return left;
  }
}
