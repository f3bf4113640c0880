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
 * unit. A block that is freed here is available at once: the streams that may still use it are
 * marked, and whoever gets its place makes every stream wait for the marks, on the device.
 *
 * <p>A slab holds eight blocks of the size that asks for it, at least 64 MiB, and no more than the
 * capacity leaves. The smallest place that is large enough is taken, and neighbouring free places
 * are joined. Slabs are given back when the driver has no memory for another and at the end. Free
 * places are searched one by one, of which there are a few dozen.
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
  private final List<GpuStream> streams;
  private final long capacity;
  private final boolean off = System.getProperty(SLABS, "").equals("off");
  private final Map<Long, Slab> slabs = new HashMap<>();
  private final TreeMap<Long, Place> free = new TreeMap<>();
  private final Map<Long, Place> used = new HashMap<>();
  private long total;

  /** The least size that the driver has refused since it last got memory back. */
  private long refused = Long.MAX_VALUE;

  private record Slab(long address, long bytes) {}

  /** Part of a slab, with the latest mark of each stream that may still use it. */
  private record Place(Slab slab, long address, long bytes, Map<GpuStream, GpuEvent> marks) {
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
   * @param streams all streams of the device, now and later
   * @param capacity bytes that blocks take together at most
   */
  public Slabs(GpuLibrary library, List<GpuStream> streams, long capacity) {
    this.library = library;
    this.streams = streams;
    this.capacity = capacity;
  }

  /**
   * Address of a block of at least this size. The device must be current.
   *
   * @throws OutOfDeviceMemoryException when the driver has no memory left and no free place is
   *     large enough
   */
  public long allocate(long bytes) {
    if (off) {
      return library.allocate(bytes);
    }
    long size = roundUp(Math.max(1, bytes), ALIGNMENT);
    Place place = smallest(size);
    if (place == null) {
      place = newSlab(size);
    } else {
      free.remove(place.address);
    }
    if (place.bytes > size) {
      put(new Place(place.slab, place.address + size, place.bytes - size, place.marks));
    }
    for (GpuEvent mark : place.marks.values()) {
      for (GpuStream stream : streams) {
        stream.waitFor(mark);
      }
    }
    used.put(place.address, new Place(place.slab, place.address, size, Map.of()));
    return place.address;
  }

  /** Frees a block while work on it may be pending in any stream of the device. */
  public void free(long address) {
    if (off) {
      for (GpuStream stream : streams) {
        stream.synchronize();
      }
      library.free(address);
      return;
    }
    Place block = used.remove(address);
    if (block == null) {
      throw new IllegalArgumentException("no block at 0x" + Long.toHexString(address));
    }
    Map<GpuStream, GpuEvent> marks = new HashMap<>();
    for (GpuStream stream : streams) {
      marks.put(stream, stream.record());
    }
    Place place = new Place(block.slab, block.address, block.bytes, marks);
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

  private void put(Place place) {
    free.put(place.address, place);
  }

  private static Place joined(Place left, Place right) {
    Map<GpuStream, GpuEvent> marks = new HashMap<>(left.marks);
    right.marks.forEach(
        (stream, mark) -> marks.merge(stream, mark, (a, b) -> a.number() > b.number() ? a : b));
    return new Place(left.slab, left.address, left.bytes + right.bytes, marks);
  }

  private @Nullable Place smallest(long size) {
    Place best = null;
    for (Place place : free.values()) {
      if (place.bytes >= size && (best == null || place.bytes < best.bytes)) {
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
    return new Place(slab, slab.address, slab.bytes, Map.of());
  }

  private @Nullable Slab fromDriver(long bytes) {
    if (bytes >= refused) {
      return null;
    }
    try {
      Slab slab = new Slab(library.allocate(bytes), bytes);
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
    for (GpuStream stream : streams) {
      stream.synchronize();
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
