package org.starlingqcd.memhc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
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
final class BlockStore {
  /** The blocks of one size in {@code free_pool}. */
  private static final class Pool {
    final ArrayDeque<DeviceBlock> free = new ArrayDeque<>();

    /** Blocks that still hold an input, by its key, the oldest first. */
    final Map<Long, DeviceBlock> kept = new LinkedHashMap<>();

    Stream<DeviceBlock> all() {
      return Stream.concat(free.stream(), kept.values().stream());
    }
  }

  final Device device;
  private final boolean packing;
  private final MemoryKind kind;
  private long budgetBytes;
  private final ElementTable table;
  private final Counters counters;
  private final List<Pool> freePool = new ArrayList<>();
  private final List<DeviceMemory> reserved = new ArrayList<>();
  private long heldBytes;
  private long pooledBytes;
  private long reservedBytes;

  /** What the device has refused to slow memory within its bound. */
  private long refusedBytes;

  /** A store of one kind of memory that holds nothing yet. */
  BlockStore(
      Device device, MemHCOptions options, MemoryKind kind, ElementTable table, Counters counters) {
    this.device = device;
    this.packing = options.packing;
    this.kind = kind;
    this.budgetBytes = kind == MemoryKind.FAST ? options.budgetBytes() : options.slowBytes;
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

  /** Bytes held of the device: elements, {@code free_pool} and reserved blocks. */
  long heldBytes() {
    return heldBytes;
  }

  long pooledBytes() {
    return pooledBytes;
  }

  long reservedBytes() {
    return reservedBytes;
  }

  /** The oldest block in {@code free_pool} of this size that holds no input; null if none. */
  @Nullable DeviceBlock poll(int sizeClass) {
    DeviceBlock block = pool(sizeClass).free.poll();
    pooledBytes -= block == null ? 0 : block.bytes;
    return block;
  }

  /** The oldest block in {@code free_pool} of this size that holds an input; null if none. */
  @Nullable DeviceBlock pollOldestKept(int sizeClass) {
    Iterator<Long> keys = pool(sizeClass).kept.keySet().iterator();
    return keys.hasNext() ? pollKept(sizeClass, keys.next()) : null;
  }

  /** The block in {@code free_pool} that holds the input of a key; null if there is none. */
  @Nullable DeviceBlock pollKept(int sizeClass, long key) {
    DeviceBlock block = pool(sizeClass).kept.remove(key);
    if (block != null) {
      block.content = 0;
      pooledBytes -= block.bytes;
    }
    return block;
  }

  /** Allocates a block; null when the budget or the device has no room. */
  @Nullable DeviceBlock allocate(int sizeClass) {
    TensorShape shape = table.shapes.get(sizeClass);
    if (shape.bytes() > budgetBytes - heldBytes) {
      return null;
    }
    int blocks = packing ? 1 : shape.spins();
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
    hold(shape.bytes(), blocks);
    DeviceMemory head = blocks == 1 ? parts.get(0) : device.compose(parts);
    return new DeviceBlock(head, List.copyOf(parts), sizeClass, shape, false);
  }

  /** Allocates a block that stays until {@link #close}; null when there is no room. */
  @Nullable DeviceMemory reserve(long bytes) {
    if (bytes > budgetBytes - heldBytes) {
      return null;
    }
    DeviceMemory memory;
    try {
      memory = device.allocate(bytes);
    } catch (OutOfDeviceMemoryException deviceFull) {
      return null;
    }
    hold(bytes, 1);
    reserved.add(memory);
    reservedBytes += bytes;
    return memory;
  }

  private void hold(long bytes, int allocations) {
    counters.allocations += allocations;
    heldBytes += bytes;
    if (kind == MemoryKind.SLOW) {
      counters.peakSlowBytes = Math.max(counters.peakSlowBytes, heldBytes);
    } else {
      counters.peakDeviceBytes = Math.max(counters.peakDeviceBytes, heldBytes);
    }
  }

  /** Puts a block that no element uses into {@code free_pool}. */
  void pool(DeviceBlock block) {
    pooledBytes += block.bytes;
    Pool pool = pool(block.sizeClass);
    DeviceBlock older = block.content == 0 ? block : pool.kept.put(block.content, block);
    if (older != null) {
      older.content = 0;
      pool.free.add(older);
    }
  }

  /** Frees a block, which no work in flight may use unless the device orders its users. */
  void free(DeviceBlock block) {
    if (!device.freesInOrder()) {
      Stream.of(block.used, block.filled, block.drained)
          .forEach(
              event -> {
                if (event != null) {
                  device.synchronize(event);
                }
              });
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
    for (int c = 0; c < freePool.size(); c++) {
      if (!(pool(c).free.isEmpty() && pool(c).kept.isEmpty())
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
    return freePool.stream().flatMap(Pool::all).mapToLong(block -> block.bytes).sum();
  }

  /** Whether the block is in {@code free_pool}, for the audit. */
  boolean isPooled(DeviceBlock block) {
    return pool(block.sizeClass).all().anyMatch(pooled -> pooled == block);
  }

  /** Frees {@code free_pool} and the reserved blocks. */
  void close() {
    while (freePooled()) {}
    reserved.forEach(device::free);
    heldBytes -= reservedBytes;
    reserved.clear();
    reservedBytes = 0;
    if (heldBytes != 0) {
      throw new IllegalStateException("blocks are left at close: heldBytes=" + heldBytes);
    }
  }

  private Pool pool(int sizeClass) {
    while (freePool.size() <= sizeClass) {
      freePool.add(new Pool());
    }
    return freePool.get(sizeClass);
  }
}
