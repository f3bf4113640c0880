package org.starlingqcd.backend.cpu;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.MemoryKind;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.TierOptions;
import org.starlingqcd.backend.cpu.blas.CpuMemory;

/**
 * The blocks of a CPU device: their bound in bytes, which of them are alive, and which device owns
 * them.
 */
final class CpuArena {
  private final CpuDevice device;
  private final long capacityBytes;
  private final TierOptions tiers;
  private final Set<CpuMemory> allocated = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Blocks whose memory is that of somebody else. */
  private final Set<CpuMemory> borrowed = Collections.newSetFromMap(new IdentityHashMap<>());

  private long usedBytes;

  CpuArena(CpuDevice device, long capacityBytes, TierOptions tiers) {
    this.device = device;
    this.tiers = tiers;
    this.capacityBytes = capacityBytes;
  }

  long capacityBytes() {
    return capacityBytes;
  }

  long freeBytes() {
    return capacityBytes - usedBytes;
  }

  CpuMemory allocate(long bytes, MemoryKind kind) {
    if (bytes > freeBytes()) {
      throw new OutOfDeviceMemoryException(
          "the CPU's arena is full: requested=%s used=%s capacity=%s bytes"
              .formatted(bytes, usedBytes, capacityBytes),
          bytes);
    }
    CpuMemory memory;
    try {
      memory = CpuMemory.of(device, MemoryNodes.allocate(bytes, nodes(kind)));
    } catch (OutOfMemoryError refused) {
      throw new OutOfDeviceMemoryException(
          "the operating system has no memory for the CPU's arena: " + refused.getMessage(), bytes);
    }
    usedBytes += bytes;
    allocated.add(memory);
    return memory;
  }

  /** Memory of somebody else as a block, which takes nothing of the capacity. */
  CpuMemory borrow(HostMemory memory) {
    CpuMemory block = CpuMemory.of(device, memory);
    allocated.add(block);
    borrowed.add(block);
    return block;
  }

  private List<Integer> nodes(MemoryKind kind) {
    return kind == MemoryKind.FAST ? tiers.fastNodes() : tiers.slowNodes();
  }

  /**
   * Frees a block after the work that uses it.
   *
   * @param streams the streams whose work may use the block, in the order in which they were opened
   */
  void free(CpuMemory block, List<CpuStream> streams) {
    HostMemory host = block.block();
    if (host == null) {
      throw new IllegalStateException("composed memory is freed part by part: " + describe(block));
    }
    if (!allocated.remove(block)) {
      throw new IllegalStateException("memory freed twice: " + describe(block));
    }
    // Waiting for everything in the streams would leave them empty when memory is short.
    for (int k = 0; k < streams.size(); k++) {
      streams.get(k).finish(block.lastUse(k));
    }
    host.close();
    if (!borrowed.remove(block)) {
      usedBytes -= block.bytes();
    }
  }

  /** Returns the memory after checking that this device owns it and that it is not freed. */
  CpuMemory check(DeviceMemory memory) {
    if (memory instanceof CpuMemory mine && mine.owner() == device) {
      HostMemory block = mine.block();
      if (block != null && !allocated.contains(mine)) {
        throw new IllegalStateException("memory used after it was freed: " + describe(mine));
      }
      return mine;
    }
    throw new IllegalArgumentException("memory of another device: " + memory);
  }

  /**
   * Gives all blocks back.
   *
   * @throws IllegalStateException when there were any
   */
  void close() {
    int left = allocated.size();
    for (CpuMemory block : allocated) {
      HostMemory host = block.block();
      if (host != null) {
        host.close();
      }
    }
    allocated.clear();
    if (left > 0) {
      throw new IllegalStateException(
          "blocks not freed before the device was closed: blocks=" + left + " bytes=" + usedBytes);
    }
  }

  private static String describe(CpuMemory memory) {
    return "bytes=" + memory.bytes();
  }
}
