package org.starlingqcd.memhc.table;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.cache.Counters;
import org.starlingqcd.memhc.transfer.DeviceBlock;

/**
 * The blocks that MemHC holds on the device, within the budget. {@code free_pool} contains those
 * that no element uses, by size, for the next element of that size.
 */
public final class BlockStore {
  private final Device device;
  private final TableOptions options;
  private final MemoryKind kind;
  private long budgetBytes;
  private final ElementTable table;
  private final Counters counters;
  private final List<ArrayDeque<DeviceBlock>> freePool = new ArrayList<>();

  /** Blocks of {@code free_pool} that still hold an input, by its key, the oldest first. */
  private final List<Map<Long, DeviceBlock>> kept = new ArrayList<>();

  private final List<DeviceMemory> reserved = new ArrayList<>();
  private long heldBytes;
  private long pooledBytes;
  private long reservedBytes;

  /** What the device has refused to slow memory within its bound. */
  private long refusedBytes;

  /** A store that holds nothing yet. */
  public BlockStore(Device device, TableOptions options, ElementTable table, Counters counters) {
    this(device, options, MemoryKind.FAST, table, counters);
  }

  /** A store of one kind of memory. */
  public BlockStore(
      Device device, TableOptions options, MemoryKind kind, ElementTable table, Counters counters) {
    this.device = device;
    this.options = options;
    this.kind = kind;
    this.budgetBytes = kind == MemoryKind.FAST ? options.budgetBytes() : options.slowBytes();
    this.table = table;
    this.counters = counters;
  }

  /**
   * The part of the bound on slow memory that the device could not give, in bytes; the bound is
   * less by as much from then on.
   */
  long refusedBytes() {
    return refusedBytes;
  }

  Device device() {
    return device;
  }

  /** Bytes held of the device: elements, {@code free_pool} and reserved blocks. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Bytes in {@code free_pool}. */
  public long pooledBytes() {
    return pooledBytes;
  }

  /** Bytes of reserved blocks. */
  public long reservedBytes() {
    return reservedBytes;
  }

  /**
   * The oldest block of {@code free_pool} of this size class that holds no input; null if there is
   * none.
   */
  @Nullable DeviceBlock poll(int sizeClass) {
    DeviceBlock block = pool(sizeClass).poll();
    if (block != null) {
      pooledBytes -= block.bytes;
    }
    return block;
  }

  /** The oldest block of {@code free_pool} of this size class that holds an input; null if none. */
  @Nullable DeviceBlock pollOldestKept(int sizeClass) {
    Iterator<Long> keys = kept(sizeClass).keySet().iterator();
    return keys.hasNext() ? pollKept(sizeClass, keys.next()) : null;
  }

  /** The block of {@code free_pool} that holds the input of a key; null if there is none. */
  @Nullable DeviceBlock pollKept(int sizeClass, long key) {
    DeviceBlock block = kept(sizeClass).remove(key);
    if (block != null) {
      block.content = 0;
      pooledBytes -= block.bytes;
    }
    return block;
  }

  /**
   * Allocates a block.
   *
   * @return null when the budget or the device has no room
   */
  @Nullable DeviceBlock allocate(int sizeClass) {
    TensorShape shape = table.shapes.get(sizeClass);
    if (shape.bytes() > budgetBytes - heldBytes) {
      return null;
    }
    int blocks = options.packing() ? 1 : shape.spins();
    List<DeviceMemory> parts = new ArrayList<>(blocks);
    try {
      for (int k = 0; k < blocks; k++) {
        parts.add(device.allocate(shape.bytes() / blocks, kind));
      }
    } catch (OutOfDeviceMemoryException deviceFull) {
      parts.forEach(device::free);
      if (kind == MemoryKind.SLOW) {
        // A smaller block may fit still: what is held may be of other sizes than a working set.
        long most = heldBytes + shape.bytes() - 1;
        refusedBytes += budgetBytes - most;
        budgetBytes = most;
      }
      return null;
    }
    counters.allocations += blocks;
    hold(shape.bytes());
    DeviceMemory head = blocks == 1 ? parts.get(0) : device.compose(parts);
    return new DeviceBlock(head, List.copyOf(parts), sizeClass, shape);
  }

  /** Allocates a block that stays until {@link #close}; null when there is no room. */
  public @Nullable DeviceMemory reserve(long bytes) {
    if (bytes > budgetBytes - heldBytes) {
      return null;
    }
    DeviceMemory memory;
    try {
      memory = device.allocate(bytes);
    } catch (OutOfDeviceMemoryException deviceFull) {
      return null;
    }
    counters.allocations++;
    hold(bytes);
    reserved.add(memory);
    reservedBytes += bytes;
    return memory;
  }

  private void hold(long bytes) {
    heldBytes += bytes;
    if (kind == MemoryKind.SLOW) {
      counters.peakSlowBytes = Math.max(counters.peakSlowBytes, heldBytes);
      return;
    }
    counters.peakDeviceBytes = Math.max(counters.peakDeviceBytes, heldBytes);
  }

  /** Puts a block that no element uses into {@code free_pool}. */
  void pool(DeviceBlock block) {
    pooledBytes += block.bytes;
    DeviceBlock older =
        block.content == 0 ? block : kept(block.sizeClass).put(block.content, block);
    if (older != null) {
      older.content = 0;
      pool(block.sizeClass).add(older);
    }
  }

  /** Frees a block, which no work in flight may use unless the device orders its users. */
  void free(DeviceBlock block) {
    if (!device.freesInOrder()) {
      await(block.used);
      await(block.filled);
      await(block.drained);
    }
    block.allocations.forEach(device::free);
    heldBytes -= block.bytes;
  }

  /**
   * Frees one of the largest blocks of {@code free_pool}.
   *
   * @return whether there was one
   */
  boolean freePooled() {
    int largest = -1;
    int classes = Math.max(freePool.size(), kept.size());
    for (int c = 0; c < classes; c++) {
      if (!(pool(c).isEmpty() && kept(c).isEmpty())
          && (largest < 0 || table.shapes.get(c).bytes() > table.shapes.get(largest).bytes())) {
        largest = c;
      }
    }
    if (largest < 0) {
      return false;
    }
    DeviceBlock block = poll(largest);
    block = block == null ? pollOldestKept(largest) : block;
    if (block != null) {
      free(block);
    }
    return true;
  }

  /** Bytes of {@code free_pool} counted anew, for the audit. */
  long countPooledBytes() {
    return Stream.concat(
            freePool.stream().flatMap(ArrayDeque::stream),
            kept.stream().flatMap(blocks -> blocks.values().stream()))
        .mapToLong(block -> block.bytes)
        .sum();
  }

  /** Whether the block is in {@code free_pool}, for the audit. */
  boolean isPooled(DeviceBlock block) {
    return pool(block.sizeClass).contains(block) || kept(block.sizeClass).containsValue(block);
  }

  /** Frees {@code free_pool} and the reserved blocks. */
  public void close() {
    while (freePooled()) {}
    reserved.forEach(device::free);
    heldBytes -= reservedBytes;
    reserved.clear();
    reservedBytes = 0;
    if (heldBytes != 0) {
      throw new IllegalStateException("blocks are left at close: heldBytes=" + heldBytes);
    }
  }

  private void await(@Nullable DeviceEvent event) {
    if (event != null) {
      device.synchronize(event);
    }
  }

  private Map<Long, DeviceBlock> kept(int sizeClass) {
    while (kept.size() <= sizeClass) {
      kept.add(new LinkedHashMap<>());
    }
    return kept.get(sizeClass);
  }

  private ArrayDeque<DeviceBlock> pool(int sizeClass) {
    while (freePool.size() <= sizeClass) {
      freePool.add(new ArrayDeque<>());
    }
    return freePool.get(sizeClass);
  }
}
