package org.starlingqcd.memhc.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.memhc.access.HeldInput;
import org.starlingqcd.memhc.access.InputSource;
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

  /** Data on their way from a source into a block. */
  static final class Load {
    final int element;
    final InputSource source;
    final DeviceBlock block;

    /** The memory out of which they are copied; null while it waits for some. */
    @Nullable HeldInput input;

    @Nullable Future<?> reading;

    /** The block belongs to another element; the data are no longer needed. */
    volatile boolean abandoned;

    Load(int element, InputSource source, DeviceBlock block) {
      this.element = element;
      this.source = source;
      this.block = block;
    }

    boolean isRead() {
      return reading != null && reading.isDone();
    }
  }

  /** An input that its source reads into a staging buffer. */
  private final class Staged implements HeldInput {
    private final Load load;
    private final HostMemory buffer;

    Staged(Load load, HostMemory buffer) {
      this.load = load;
      this.buffer = buffer;
    }

    @Override
    public boolean isRead() {
      return load.source.isImmediate();
    }

    @Override
    public void read() {
      load.source.load(load.element, buffer, 0);
    }

    @Override
    public HostMemory memory() {
      return buffer;
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public void close() {
      buffers.giveBack(buffer);
    }
  }

  /** Memory that is being copied to the device. */
  private record Copying(HeldInput input, DeviceEvent read) {}

  private final Device device;
  private final Transfers transfers;
  private final FileThread files;
  private final Counters counters;
  private final StagingBuffers buffers;
  private final Deque<Copying> draining = new ArrayDeque<>();
  private final List<Copying> held = new ArrayList<>();

  /** Loads that have memory, then those that wait for a buffer. */
  private final Deque<Load> started = new ArrayDeque<>();

  private final Deque<Load> waiting = new ArrayDeque<>();
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
  void add(Load load) {
    load.block.loading = load;
    waiting.add(load);
    advance();
  }

  /** Starts the copies and readings that can start now; never waits. */
  void advance() {
    for (Load head = started.peek(); head != null && head.isRead(); head = started.peek()) {
      complete(head, false);
    }
    if (--untilLook <= 0) {
      giveBackHalf();
    }
    while (!waiting.isEmpty() && (waiting.element().abandoned || start(waiting.element()))) {
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
    List<Copying> copied = held.subList(0, half);
    copied.forEach(entry -> entry.input().close());
    copied.clear();
    return true;
  }

  /** Starts the reading of a load; false while there is no buffer for it. */
  private boolean start(Load load) {
    HeldInput input = load.source.hold(load.element);
    if (input == null && giveBackHalf()) {
      input = load.source.hold(load.element);
    }
    if (input == null) {
      HostMemory buffer = buffer(load.block.bytes);
      if (buffer == null) {
        return false;
      }
      input = new Staged(load, buffer);
    }
    load.input = input;
    load.reading = read(load, input);
    started.add(load);
    return true;
  }

  /** A free buffer; the device is asked which are only where none is known. */
  private @Nullable HostMemory buffer(long bytes) {
    HostMemory buffer = buffers.take(bytes);
    while (buffer == null && !draining.isEmpty() && device.isReached(draining.element().read())) {
      draining.remove().input().close();
      buffer = buffers.take(bytes);
    }
    return buffer;
  }

  private Future<?> read(Load load, HeldInput input) {
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

  /**
   * Waits for the reading of the first load that has memory and starts its copy.
   *
   * @param wanted whether to throw a failure of the reading; it is kept for {@link #finish} if not
   */
  private void complete(Load head, boolean wanted) {
    Future<?> reading = Objects.requireNonNull(head.reading);
    HeldInput input = Objects.requireNonNull(head.input);
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
        input.close();
      } else {
        head.block.loading = null;
        DeviceEvent read =
            transfers.copyIn(input.memory(), input.offset(), head.source.form(), head.block);
        (input instanceof Staged ? draining : held).add(new Copying(input, read));
      }
    }
  }

  /**
   * Waits until the data of a block have been read and starts their copy.
   *
   * @throws RuntimeException what the source threw
   */
  void finish(Load wanted) {
    advance();
    while (wanted.block.loading == wanted) {
      if (wanted.reading != null && !started.contains(wanted)) {
        // The reading failed before the data were needed.
        FileThread.join(wanted.reading);
      }
      Load head = started.peek();
      if (head != null && !head.isRead()) {
        giveBackHalf();
      }
      long begin = System.nanoTime();
      try {
        completeOrWait(head, head == wanted);
      } finally {
        counters.waitedNanos += head == null ? 0 : System.nanoTime() - begin;
      }
      advance();
    }
  }

  private void completeOrWait(@Nullable Load head, boolean wanted) {
    if (head != null) {
      complete(head, wanted);
    } else {
      device.synchronize(draining.element().read());
    }
  }

  /** Drops a load whose block goes to another element. */
  void abandon(Load load) {
    load.abandoned = true;
    load.block.loading = null;
  }

  /** Waits until all requested data have been read; does not throw failures. */
  void drain() {
    advance();
    while (!started.isEmpty() || !waiting.isEmpty()) {
      completeOrWait(started.peek(), false);
      advance();
    }
  }

  /** Frees the buffers once all work in flight has run. */
  @Override
  public void close() {
    drain();
    draining.forEach(entry -> entry.input().close());
    held.forEach(entry -> entry.input().close());
    draining.clear();
    held.clear();
    buffers.close();
  }
}
