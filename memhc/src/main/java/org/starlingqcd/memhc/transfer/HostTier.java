package org.starlingqcd.memhc.transfer;

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
  private final Device device;
  private final Transfers transfers;
  private final Counters counters;
  private final HostBounds bounds;
  private final IntUnaryOperator nextUse;
  private final Map<Long, ArrayDeque<HostCopy>> spare = new HashMap<>();

  /** Where the elements live that the host owns. */
  private @Nullable HomeCopy[] homes = new HomeCopy[0];

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
      HostBounds bounds,
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
    HomeCopy home = findHome(element);
    if (home != null) {
      home.written = transfers.downloadHome(block, home);
      home.current = true;
      home.arrivals++;
      return;
    }
    HostCopy copy = new HostCopy(block.shape);
    if (takeMemory(copy, element)) {
      HostMemory memory = Objects.requireNonNull(copy.memory);
      copy.written = transfers.save(block, memory, copy);
    } else {
      SpillFile file = spillTo(copy);
      HostMemory buffer = transfers.spills().takeBuffer(copy.bytes);
      transfers.spills().add(file, buffer, copy, transfers.save(block, buffer, copy));
    }
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
        if (held != null
            && held.memory != null
            && nextUse.applyAsInt(other) > nextUse.applyAsInt(furthest)) {
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
            "no room for an evicted element of "
                + copy.bytes
                + " bytes: "
                + heldBytes
                + " of "
                + boundBytes()
                + " bytes of host memory are in use and there is no spill directory; name one, or"
                + " allow more host or device memory");
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
    HomeCopy home = findHome(element);
    if (home != null) {
      transfers.fillAfter(home.written);
      home.read = transfers.uploadHome(home, block);
      return;
    }
    HostCopy copy = copyOf(element);
    HostMemory memory = copy.memory;
    if (memory != null) {
      transfers.fillAfter(copy.written);
      transfers.upload(memory, copy.form, block);
      copy.read = block.filled;
    } else {
      transfers.load(element, unspilling(copy), block);
    }
  }

  /** Copies the host copy of an element to {@code target}. */
  public void read(int element, HostMemory target, long offset) {
    HomeCopy home = findHome(element);
    if (home != null) {
      transfers.synchronize(home.written);
      home.memory.copyTo(home.offset, target, offset, home.bytes);
      return;
    }
    HostCopy copy = copyOf(element);
    HostMemory memory = copy.memory;
    if (memory != null) {
      transfers.synchronize(copy.written);
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
    HomeCopy home = findHome(element);
    if (home != null) {
      home.current = false;
      return;
    }
    HostCopy copy = find(element);
    if (copy == null) {
      return;
    }
    copies[element] = null;
    if (copy.memory != null) {
      keepSpare(copy);
    } else {
      copy.dropped = true;
      Objects.requireNonNull(spillFile).release(copy.spillPlace, copy.bytes);
    }
  }

  /** Whether the host has the value of an element. */
  public boolean has(int element) {
    HomeCopy home = findHome(element);
    return home != null ? home.current : find(element) != null;
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
    if (element >= homes.length) {
      homes = Arrays.copyOf(homes, Math.max(element + 1, 2 * homes.length));
    }
    homes[element] = new HomeCopy(memory, offset, bytes, piece);
  }

  private @Nullable HomeCopy findHome(int element) {
    return element < homes.length ? homes[element] : null;
  }

  /** Forgets the home of an element once all copies to and from it have run. */
  public void removeHome(int element) {
    awaitHome(element);
    homes[element] = null;
  }

  /** Waits until nothing is copied to or from the home of an element. */
  public void awaitHome(int element) {
    HomeCopy home = home(element);
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

  private HomeCopy home(int element) {
    HomeCopy home = findHome(element);
    if (home == null) {
      throw new IllegalArgumentException("the host does not own it: element=" + element);
    }
    return home;
  }

  /** Bytes of host memory held, counted anew, for the audit. */
  public long countBytes() {
    long sum = 0;
    for (HostCopy copy : copies) {
      sum += copy != null && copy.memory != null ? copy.bytes : 0;
    }
    for (ArrayDeque<HostCopy> blocks : spare.values()) {
      sum += blocks.stream().mapToLong(block -> block.bytes).sum();
    }
    return sum;
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
