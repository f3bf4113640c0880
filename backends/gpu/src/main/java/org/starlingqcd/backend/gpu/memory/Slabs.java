package org.starlingqcd.backend.gpu.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.OutOfDeviceMemoryException;
import org.starlingqcd.backend.gpu.library.GpuLibrary;

/**
 * Device memory in slabs, of which blocks are parts. The driver's own allocation and release make
 * the host wait for all work of the device, and under pressure a run would do so a hundred times a
 * unit. Here neither calls the driver. A place remembers the last operations that used it; the
 * stream that first uses a block there waits for them, on the device, unless it already comes after
 * them ({@link GpuMemory#use}).
 *
 * <p>A slab holds eight blocks of the size that asks for it, at least 64 MiB, and no more than the
 * capacity leaves. The smallest place that is large enough is taken, and neighbouring free places
 * are joined; of places of one size, the one that was freed first is taken. Slabs are given back
 * when the driver has no memory for another and at the end. Free places are searched one by one, of
 * which there are a few dozen.
 */
public final class Slabs {
  /** {@code off} takes every block from the driver, for tools that look for stray accesses. */
  private static final String SLABS = "starling.gpu.slabs";

  /** Drivers align blocks to at least this. */
  private static final long ALIGNMENT = 512;

  /** Drivers take memory from the device in these units. */
  private static final long UNIT = 2L << 20;

  private static final long LEAST_SLAB = 64L << 20;

  private static final int BLOCKS_OF_SLAB = 8;

  private final GpuLibrary library;
  private final StreamOrder order;
  private final long capacity;
  private final boolean managed;
  private final boolean off = System.getProperty(SLABS, "").equals("off");
  private final Map<Long, Slab> slabs = new HashMap<>();
  private final TreeMap<Long, Place> free = new TreeMap<>();
  private final Map<Long, Place> used = new HashMap<>();
  private long total;
  private long freed;

  /** The least size that the driver has refused since it last got memory back. */
  private long refused = Long.MAX_VALUE;

  private record Slab(long address, long bytes) {}

  /** Part of a slab. */
  private static final class Place {
    final Slab slab;
    final long address;
    final long bytes;

    /** By stream: the last operation that used it; null where none can be pending. */
    final long @Nullable [] uses;

    /** Number of the release that made it what it is. */
    final long since;

    Place(Slab slab, long address, long bytes, long @Nullable [] uses, long since) {
      this.slab = slab;
      this.address = address;
      this.bytes = bytes;
      this.uses = uses;
      this.since = since;
    }

    long end() {
      return address + bytes;
    }

    boolean isWholeSlab() {
      return bytes == slab.bytes;
    }
  }

  /**
   * Memory of a device.
   *
   * @param order all streams of the device, now and later
   * @param capacity bytes that blocks take together at most
   * @param managed whether slabs are managed memory
   */
  public Slabs(GpuLibrary library, StreamOrder order, long capacity, boolean managed) {
    this.managed = managed;
    this.library = library;
    this.order = order;
    this.capacity = capacity;
  }

  /**
   * Allocates a block. The device must be current.
   *
   * @throws OutOfDeviceMemoryException when the driver has no memory left and no free place is
   *     large enough
   */
  public GpuMemory allocate(ElementAccess owner, long bytes) {
    long least = Math.max(1, bytes);
    if (off) {
      return new GpuMemory(owner, allocated(least), bytes);
    }
    long size = roundUp(least, ALIGNMENT);
    Place place = smallest(size);
    if (place == null) {
      place = newSlab(size);
    } else {
      free.remove(place.address);
    }
    if (place.bytes > size) {
      put(new Place(place.slab, place.address + size, place.bytes - size, place.uses, place.since));
    }
    used.put(place.address, new Place(place.slab, place.address, size, null, 0));
    GpuMemory block = new GpuMemory(owner, place.address, bytes);
    block.follows(place.uses == null ? null : order.pending(place.uses));
    return block;
  }

  /** Frees a block while work on it may be pending in any stream of the device. */
  public void free(GpuMemory memory) {
    long address = memory.address();
    if (off) {
      await(memory);
      library.free(address);
      return;
    }
    Place block = used.remove(address);
    if (block == null) {
      throw new IllegalArgumentException("no block at 0x" + Long.toHexString(address));
    }
    Place place =
        new Place(
            block.slab, block.address, block.bytes, order.pending(memory.usesOfPlace()), ++freed);
    Map.Entry<Long, Place> before = free.lowerEntry(address);
    if (before != null && before.getValue().slab.equals(block.slab)) {
      Place left = before.getValue();
      if (left.end() == address) {
        free.remove(left.address);
        place = joined(left, place);
      }
    }
    Place right = free.get(place.end());
    if (right != null && right.slab.equals(block.slab)) {
      free.remove(right.address);
      place = joined(place, right);
    }
    put(place);
  }

  /** Makes the host wait for the work on a block. */
  public void await(GpuMemory memory) {
    long[] uses = memory.usesOfPlace();
    for (int stream = 0; stream < uses.length; stream++) {
      if (uses[stream] > order.done(stream)) {
        order.stream(stream).awaitOperation(uses[stream]);
      }
    }
  }

  private void put(Place place) {
    free.put(place.address, place);
  }

  private static Place joined(Place left, Place right) {
    long[] uses = left.uses;
    if (uses == null) {
      uses = right.uses;
    } else if (right.uses != null) {
      uses = StreamOrder.later(uses.clone(), right.uses);
    }
    return new Place(
        left.slab, left.address, left.bytes + right.bytes, uses, Math.max(left.since, right.since));
  }

  private @Nullable Place smallest(long size) {
    Place best = null;
    for (Place place : free.values()) {
      if (place.bytes >= size
          && (best == null
              || place.bytes < best.bytes
              || (place.bytes == best.bytes && place.since < best.since))) {
        best = place;
      }
    }
    return best;
  }

  /** A free place that is a new slab, as large as wanted or as small as needed. */
  private Place newSlab(long size) {
    long least = roundUp(size, UNIT);
    long rest = Math.max(0, capacity - total);
    long wanted =
        roundUp(Math.max(size, Math.min(rest, Math.max(LEAST_SLAB, BLOCKS_OF_SLAB * size))), UNIT);
    Slab slab = wanted > least ? fromDriver(wanted) : null;
    if (slab == null) {
      slab = fromDriver(least);
    }
    if (slab == null && giveBackEmpty()) {
      slab = fromDriver(least);
    }
    if (slab == null) {
      throw new OutOfDeviceMemoryException(
          "no memory is left on the device: bytes=" + size + " slabs=" + total, size);
    }
    return new Place(slab, slab.address, slab.bytes, null, 0);
  }

  private long allocated(long bytes) {
    return managed ? library.allocateManaged(bytes) : library.allocate(bytes);
  }

  private @Nullable Slab fromDriver(long bytes) {
    if (bytes >= refused) {
      return null;
    }
    try {
      Slab slab = new Slab(allocated(bytes), bytes);
      slabs.put(slab.address, slab);
      total += bytes;
      return slab;
    } catch (OutOfDeviceMemoryException e) {
      refused = bytes;
      return null;
    }
  }

  /** Gives slabs without blocks back, for which the host waits for the device. */
  private boolean giveBackEmpty() {
    List<Place> empty = new ArrayList<>();
    for (Place place : free.values()) {
      if (place.isWholeSlab()) {
        empty.add(place);
      }
    }
    if (empty.isEmpty()) {
      return false;
    }
    for (GpuStream stream : order.streams()) {
      stream.end().synchronize();
    }
    for (Place place : empty) {
      library.free(place.address);
      free.remove(place.address);
      slabs.remove(place.address);
      total -= place.bytes;
    }
    refused = Long.MAX_VALUE;
    return true;
  }

  /** Bytes taken from the driver. */
  public long bytes() {
    return total;
  }

  private static long roundUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  /** Gives everything back; the host must have waited for the device. */
  public void close(Closing closing) {
    for (long slab : slabs.keySet()) {
      closing.run(() -> library.free(slab));
    }
  }
}
