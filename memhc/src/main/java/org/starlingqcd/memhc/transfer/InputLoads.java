package org.starlingqcd.memhc.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.memhc.access.HeldInput;
import org.starlingqcd.memhc.cache.Counters;

/**
 * Loads blocks. Where the source has them in page-locked memory, or has such memory to read them
 * into, the device copies out of it ({@link HeldInput}); as many loads as wanted are on their way
 * then. Others go through a few staging buffers, page-locked where the device supports it: the
 * source fills one on the file thread while others are copied to the device.
 *
 * <p>The thread that uses MemHC starts the copies in the order of the requests, at every call of
 * {@link #advance}, and gives memory back some calls after the device has copied it. It waits only
 * for data that it needs next.
 */
final class InputLoads implements AutoCloseable {
  private static final int BUFFERS = 4;

  /** Asking the device costs a call of its driver. */
  private static final int CALLS_BETWEEN_LOOKS = 64;

  /** A buffer that is being copied to the device. */
  private record Draining(HostMemory buffer, DeviceEvent read) {}

  /** Memory of a source that is being copied to the device. */
  private record Held(HeldInput input, DeviceEvent read) {}

  private final Device device;
  private final Transfers transfers;
  private final FileThread files;
  private final Counters counters;
  private final StagingBuffers buffers;
  private final Deque<Draining> draining = new ArrayDeque<>();
  private final List<Held> held = new ArrayList<>();

  /** Loads that have memory, then those that wait for a buffer. */
  private final Deque<PendingLoad> started = new ArrayDeque<>();

  private final Deque<PendingLoad> waiting = new ArrayDeque<>();
  private int untilLook;

  InputLoads(
      Device device,
      Transfers transfers,
      FileThread files,
      Counters counters,
      HostMemoryBudget budget) {
    this.device = device;
    this.buffers = new StagingBuffers(device, budget, BUFFERS);
    this.transfers = transfers;
    this.files = files;
    this.counters = counters;
  }

  /** Requests a load; its block may be used after {@link #finish}. */
  void add(PendingLoad load) {
    load.block.loading = load;
    waiting.add(load);
    advance();
  }

  /** Starts the copies and readings that can start now; never waits. */
  void advance() {
    PendingLoad head = started.peek();
    while (head != null && isRead(head)) {
      complete(head, false);
      head = started.peek();
    }
    if (--untilLook <= 0) {
      giveBackHalf();
    }
    while (!waiting.isEmpty()) {
      PendingLoad next = waiting.element();
      if (!next.abandoned && !start(next)) {
        return;
      }
      waiting.remove();
    }
  }

  /**
   * Gives back the older half of the memory out of which inputs are copied, if they have been;
   * whether it did.
   */
  private boolean giveBackHalf() {
    untilLook = CALLS_BETWEEN_LOOKS;
    int half = (held.size() + 1) / 2;
    if (half == 0 || !device.isReached(held.get(half - 1).read())) {
      return false;
    }
    List<Held> copied = held.subList(0, half);
    copied.forEach(entry -> entry.input().close());
    copied.clear();
    return true;
  }

  /** Starts the reading of a load; false while there is no buffer for it. */
  private boolean start(PendingLoad load) {
    HeldInput input = load.source.hold(load.element);
    if (input == null && giveBackHalf()) {
      input = load.source.hold(load.element);
    }
    if (input != null) {
      load.held = input;
      load.reading = read(load, input);
    } else {
      HostMemory buffer = buffer(load.block.bytes);
      if (buffer == null) {
        return false;
      }
      load.buffer = buffer;
      load.reading = read(load, buffer);
    }
    started.add(load);
    return true;
  }

  /** A free buffer; the device is asked which are only where none is known. */
  private @Nullable HostMemory buffer(long bytes) {
    HostMemory buffer = buffers.take(bytes);
    while (buffer == null && !draining.isEmpty() && device.isReached(draining.element().read())) {
      buffers.giveBack(draining.remove().buffer());
      buffer = buffers.take(bytes);
    }
    return buffer;
  }

  private Future<?> read(PendingLoad load, HeldInput input) {
    if (input.isRead()) {
      input.read();
      return CompletableFuture.completedFuture(null);
    }
    return files.submit(
        () -> {
          if (!load.abandoned) {
            input.read();
          }
        });
  }

  private Future<?> read(PendingLoad load, HostMemory buffer) {
    if (load.source.isImmediate()) {
      load.source.load(load.element, buffer, 0);
      return CompletableFuture.completedFuture(null);
    }
    return files.submit(() -> load.source.load(load.element, buffer, 0));
  }

  private static boolean isRead(PendingLoad load) {
    Future<?> reading = load.reading;
    return reading != null && reading.isDone();
  }

  /**
   * Waits for the reading of the first load that has memory and starts its copy.
   *
   * @param wanted whether to throw a failure of the reading; it is kept for {@link #finish} if not
   */
  private void complete(PendingLoad head, boolean wanted) {
    Future<?> reading = head.reading;
    if (reading == null) {
      throw new IllegalStateException("has not begun: element=" + head.element);
    }
    boolean failed = true;
    try {
      FileThread.join(reading);
      failed = false;
    } catch (RuntimeException failure) {
      if (wanted) {
        throw failure;
      }
    } finally {
      started.remove();
      if (failed || head.abandoned) {
        giveBack(head);
      } else {
        head.block.loading = null;
        copy(head);
      }
    }
  }

  private void giveBack(PendingLoad load) {
    if (load.held != null) {
      load.held.close();
    } else if (load.buffer != null) {
      buffers.giveBack(load.buffer);
    }
  }

  private void copy(PendingLoad load) {
    HeldInput input = load.held;
    HostMemory buffer = load.buffer;
    if (input != null) {
      held.add(
          new Held(
              input,
              transfers.copyIn(input.memory(), input.offset(), load.source.form(), load.block)));
    } else if (buffer != null) {
      draining.add(
          new Draining(buffer, transfers.copyIn(buffer, 0, load.source.form(), load.block)));
    }
  }

  /**
   * Waits until the data of a block have been read and starts their copy.
   *
   * @throws RuntimeException what the source threw
   */
  void finish(PendingLoad wanted) {
    advance();
    while (wanted.block.loading == wanted) {
      if (wanted.reading != null && !started.contains(wanted)) {
        // The reading failed before the data were needed.
        FileThread.join(wanted.reading);
      }
      PendingLoad head = started.peek();
      if (head != null) {
        if (!isRead(head)) {
          giveBackHalf();
        }
        long begin = System.nanoTime();
        try {
          complete(head, head == wanted);
        } finally {
          counters.waitedNanos += System.nanoTime() - begin;
        }
      } else {
        device.synchronize(draining.element().read());
      }
      advance();
    }
  }

  /** Drops a load whose block goes to another element. */
  void abandon(PendingLoad load) {
    load.abandoned = true;
    load.block.loading = null;
  }

  /** Waits until all requested data have been read; does not throw failures. */
  void drain() {
    advance();
    while (!started.isEmpty() || !waiting.isEmpty()) {
      PendingLoad head = started.peek();
      if (head != null) {
        complete(head, false);
      } else {
        device.synchronize(draining.element().read());
      }
      advance();
    }
  }

  /** Frees the buffers once all work in flight has run. */
  @Override
  public void close() {
    drain();
    draining.forEach(entry -> buffers.giveBack(entry.buffer()));
    draining.clear();
    held.forEach(entry -> entry.input().close());
    held.clear();
    buffers.close();
  }
}
