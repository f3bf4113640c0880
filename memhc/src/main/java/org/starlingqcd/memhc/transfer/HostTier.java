package org.starlingqcd.memhc.transfer;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.cache.Counters;

/**
 * Host copies of evicted intermediates, in host memory up to a bound and beyond it in a spill file.
 * A copy stays until its element is written again or dies, so a second eviction copies nothing. At
 * the bound, the copy whose element has the furthest next use goes to the file. Host blocks are
 * kept by size and reused.
 */
public final class HostTier implements AutoCloseable {
  /**
   * Bounds on the tiers beneath the device.
   *
   * @param memoryBytes host memory for copies of evicted intermediates, in bytes
   * @param spillDirectory folder of the spill file that takes what exceeds {@code memoryBytes};
   *     null: exceeding them is an error
   * @param spillBytes bound on the spill file, in bytes
   */
  public record Bounds(long memoryBytes, @Nullable Path spillDirectory, long spillBytes) {
    /** Checks the ranges. */
    public Bounds {
      if (memoryBytes < 0 || spillBytes < 0) {
        throw new IllegalArgumentException(
            "must be >= 0: hostBytes=" + memoryBytes + " spillBytes=" + spillBytes);
      }
    }
  }

  private final Device device;
  private final Transfers transfers;
  private final Counters counters;
  private final Bounds bounds;
  private final IntUnaryOperator nextUse;
  private final Map<Long, ArrayDeque<HostCopy>> spare = new HashMap<>();

  /** The copy of each element that has one. */
  private @Nullable HostCopy[] copies = new HostCopy[64];

  private @Nullable SpillFile spillFile;
  private long heldBytes;
  private long allowedBytes;

  /**
   * A tier without copies.
   *
   * @param nextUse the step that uses an element next
   */
  public HostTier(
      Device device,
      Transfers transfers,
      Counters counters,
      Bounds bounds,
      IntUnaryOperator nextUse) {
    this.device = device;
    this.transfers = transfers;
    this.counters = counters;
    this.bounds = bounds;
    this.nextUse = nextUse;
    if (bounds.spillDirectory() != null) {
      SpillFile.deleteAbandoned(bounds.spillDirectory());
    }
  }

  /**
   * Copies a resident element to the host in stream order, and on to the spill file if necessary.
   */
  public void store(int element, DeviceBlock block) {
    HostCopy home = find(element);
    if (home != null && home.isHome()) {
      home.written =
          transfers.copyHome(Objects.requireNonNull(home.memory), home, block, /* back= */ true);
      home.current = true;
      home.arrivals++;
      return;
    }
    HostCopy copy = new HostCopy(block.shape);
    if (takeMemory(copy, element)) {
      copy.written = transfers.save(block, Objects.requireNonNull(copy.memory), copy);
    } else {
      SpillFile file = spillTo(copy);
      HostMemory buffer = transfers.spills().takeBuffer(copy.bytes);
      transfers.spills().add(file, buffer, copy, transfers.save(block, buffer, copy));
    }
    put(element, copy);
  }

  private void put(int element, HostCopy copy) {
    if (element >= copies.length) {
      copies = Arrays.copyOf(copies, Math.max(element + 1, 2 * copies.length));
    }
    copies[element] = copy;
  }

  /** Allows so much memory beyond the bound: what the tier above could not take. */
  public void allow(long bytes) {
    allowedBytes = bytes;
  }

  /** Bound on host memory, in bytes. */
  public long boundBytes() {
    return Math.max(bounds.memoryBytes(), bounds.memoryBytes() + allowedBytes);
  }

  /**
   * Gives a new copy its memory.
   *
   * @return false if it must go to the spill file
   */
  private boolean takeMemory(HostCopy copy, int element) {
    while (true) {
      ArrayDeque<HostCopy> sameSize = spare.get(copy.bytes);
      if (sameSize != null && !sameSize.isEmpty()) {
        HostCopy old = sameSize.remove();
        copy.memory = old.memory;
        awaitWriting(old);
        transfers.drainAfter(old.read);
        return true;
      }
      if (copy.bytes <= boundBytes() - heldBytes) {
        copy.memory = device.allocateHost(copy.bytes);
        heldBytes += copy.bytes;
        counters.peakHostBytes = Math.max(counters.peakHostBytes, heldBytes);
        return true;
      }
      if (freeSpare()) {
        continue;
      }
      int furthest = element;
      for (int other = 0; other < copies.length; other++) {
        HostCopy held = copies[other];
        if (isHeld(held) && nextUse.applyAsInt(other) > nextUse.applyAsInt(furthest)) {
          furthest = other;
        }
      }
      if (furthest == element) {
        return false;
      }
      HostCopy leaving = copyOf(furthest);
      HostMemory memory = Objects.requireNonNull(leaving.memory);
      SpillFile file = spillTo(leaving);
      transfers.synchronize(leaving.written);
      leaving.write(transfers.files(), file, memory);
      HostCopy block = new HostCopy(leaving.bytes);
      block.memory = memory;
      block.writing = leaving.writing;
      block.read = leaving.read;
      leaving.memory = null;
      keepSpare(block);
    }
  }

  /** Whether a copy takes memory of this tier. */
  private static boolean isHeld(@Nullable HostCopy copy) {
    return copy != null && copy.memory != null && !copy.isHome();
  }

  /** Waits until the memory of a spare block has been written to the spill file. */
  private static void awaitWriting(HostCopy spare) {
    if (spare.writing != null) {
      FileThread.join(spare.writing);
      spare.writing = null;
    }
  }

  /** Finds a place in the spill file. */
  private SpillFile spillTo(HostCopy copy) {
    if (spillFile == null) {
      if (bounds.spillDirectory() == null) {
        throw new SpillException(
            null,
            "no room for an evicted element of %s bytes: %s of %s bytes of host memory are in use"
                + " and there is no spill directory; name one, or allow more host or device memory",
            copy.bytes,
            heldBytes,
            boundBytes());
      }
      spillFile = new SpillFile(bounds.spillDirectory(), bounds.spillBytes());
    }
    copy.spillPlace = spillFile.place(copy.bytes);
    counters.spilledBytes += copy.bytes;
    return spillFile;
  }

  private void keepSpare(HostCopy block) {
    spare.computeIfAbsent(block.bytes, size -> new ArrayDeque<>()).add(block);
  }

  /** Frees one unused host block; false if there is none. */
  private boolean freeSpare() {
    for (ArrayDeque<HostCopy> blocks : spare.values()) {
      HostCopy block = blocks.poll();
      if (block != null) {
        awaitWriting(block);
        transfers.synchronize(block.written);
        transfers.synchronize(block.read);
        Objects.requireNonNull(block.memory).close();
        heldBytes -= block.bytes;
        return true;
      }
    }
    return false;
  }

  /** Copies the host copy of an element into {@code block}, in stream order. */
  public void fetch(int element, DeviceBlock block) {
    HostCopy copy = copyOf(element);
    HostMemory memory = copy.memory;
    if (memory != null) {
      transfers.fillAfter(copy.written);
      copy.read =
          copy.isHome()
              ? transfers.copyHome(memory, copy, block, /* back= */ false)
              : transfers.upload(memory, copy.form, block);
    } else {
      transfers.load(element, unspilling(copy), block);
    }
  }

  /** Copies the host copy of an element to {@code target}. */
  public void read(int element, HostMemory target, long offset) {
    HostCopy copy = copyOf(element);
    HostMemory memory = copy.memory;
    transfers.synchronize(copy.written);
    if (memory != null && copy.isHome()) {
      memory.copyTo(copy.offset, target, offset, copy.bytes);
    } else if (memory != null) {
      unpack(copy, memory, target, offset);
    } else if (copy.form == null) {
      transfers.read(element, unspilling(copy), target, offset);
    } else {
      try (HostMemory saved = HostMemory.allocate(copy.bytes)) {
        transfers.read(element, unspilling(copy), saved, 0);
        unpack(copy, saved, target, offset);
      }
    }
  }

  private void unpack(HostCopy copy, HostMemory saved, HostMemory target, long offset) {
    device.unpack(saved, 0, copy.form, target, offset, Objects.requireNonNull(copy.shape));
  }

  /** A source that reads a copy from the spill file once it has been written. */
  private InputSource unspilling(HostCopy copy) {
    transfers.spills().start(copy);
    counters.unspilledBytes += copy.bytes;
    SpillFile file = Objects.requireNonNull(spillFile);
    Future<?> written = Objects.requireNonNull(copy.writing);
    long place = copy.spillPlace;
    return new InputSource() {
      @Override
      public void load(int number, HostMemory target, long offset) {
        FileThread.join(written);
        file.read(place, target, offset, copy.bytes);
      }

      @Override
      public @Nullable Object form() {
        return copy.form;
      }
    };
  }

  /** Drops the copy of an element, if there is one. */
  public void drop(int element) {
    HostCopy copy = find(element);
    if (copy == null) {
      return;
    }
    if (copy.isHome()) {
      copy.current = false;
      return;
    }
    copies[element] = null;
    if (copy.memory != null) {
      keepSpare(copy);
    } else {
      copy.current = false;
      Objects.requireNonNull(spillFile).release(copy.spillPlace, copy.bytes);
    }
  }

  /** Whether the host has the value of an element. */
  public boolean has(int element) {
    HostCopy copy = find(element);
    return copy != null && copy.current;
  }

  private @Nullable HostCopy find(int element) {
    return element < copies.length ? copies[element] : null;
  }

  private HostCopy copyOf(int element) {
    HostCopy copy = find(element);
    if (copy == null) {
      throw new IllegalStateException("no host copy: element=" + element);
    }
    return copy;
  }

  /**
   * Gives an element a home in the host's own memory, which has its value.
   *
   * @param piece most bytes that one copy moves
   */
  public void addHome(int element, HostMemory memory, long offset, long bytes, long piece) {
    put(element, new HostCopy(memory, offset, bytes, piece));
  }

  /** Forgets the home of an element once all copies to and from it have run. */
  public void removeHome(int element) {
    awaitHome(element);
    copies[element] = null;
  }

  /** Waits until nothing is copied to or from the home of an element. */
  public void awaitHome(int element) {
    HostCopy home = home(element);
    transfers.synchronize(home.written);
    transfers.synchronize(home.read);
    home.written = null;
    home.read = null;
  }

  /** How often the device's value of an element was copied to its home. */
  public long homeArrivals(int element) {
    return home(element).arrivals;
  }

  /** Notes that the host has written to the home of an element, whose value is there now. */
  public void homeWritten(int element) {
    home(element).current = true;
  }

  private HostCopy home(int element) {
    HostCopy home = find(element);
    if (home == null || !home.isHome()) {
      throw new IllegalArgumentException("the host does not own it: element=" + element);
    }
    return home;
  }

  /** Bytes of host memory held, counted anew, for the audit. */
  public long countBytes() {
    long sum = 0;
    for (HostCopy copy : copies) {
      sum += copy != null && isHeld(copy) ? copy.bytes : 0;
    }
    return sum
        + spare.values().stream().flatMap(ArrayDeque::stream).mapToLong(free -> free.bytes).sum();
  }

  /** Bytes of host memory held. */
  public long heldBytes() {
    return heldBytes;
  }

  /** Frees all host memory and deletes the spill file once all work in flight has run. */
  @Override
  public void close() {
    for (int element = 0; element < copies.length; element++) {
      drop(element);
    }
    transfers.files().drain();
    // Nobody wants to know any more what could not be written.
    spare.values().forEach(blocks -> blocks.forEach(block -> block.writing = null));
    while (freeSpare()) {}
    if (spillFile != null) {
      spillFile.close();
      spillFile = null;
    }
  }
}
