package org.starlingqcd.memhc.transfer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;

/**
 * Copies from the device through a few staging buffers to the spill file. The device fills a buffer
 * and the file thread writes it. The thread that uses MemHC hands buffers from one to the other at
 * every call of {@link #advance}; it waits only when all buffers are busy.
 */
final class SpillWrites implements AutoCloseable {
  private static final int BUFFERS = 3;

  /** A buffer with the value of a copy, from {@code arrived} on. */
  private record Write(SpillFile file, HostMemory buffer, HostCopy copy, DeviceEvent arrived) {}

  private final Device device;
  private final FileThread files;
  private final StagingBuffers buffers;
  private final Deque<Write> arriving = new ArrayDeque<>();
  private final Deque<Write> writing = new ArrayDeque<>();

  SpillWrites(Device device, FileThread files, HostMemoryBudget budget) {
    this.device = device;
    this.buffers = new StagingBuffers(device, budget, BUFFERS);
    this.files = files;
  }

  /**
   * A buffer for the next copy; waits while all are busy.
   *
   * @throws SpillException when an earlier copy could not be written
   */
  HostMemory takeBuffer(long bytes) {
    advance();
    HostMemory buffer = buffers.take(bytes);
    while (buffer == null) {
      if (writing.isEmpty()) {
        device.synchronize(arriving.element().arrived());
      } else {
        FileThread.join(writtenBy(writing.element()));
      }
      advance();
      buffer = buffers.take(bytes);
    }
    return buffer;
  }

  /**
   * Writes a buffer of {@link #takeBuffer} to the place of a copy once the device has filled it.
   */
  void add(SpillFile file, HostMemory buffer, HostCopy copy, DeviceEvent arrived) {
    arriving.add(new Write(file, buffer, copy, arrived));
    advance();
  }

  /** Starts the writings that can start now; never waits. */
  void advance() {
    while (!arriving.isEmpty() && device.isReached(arriving.element().arrived())) {
      Write next = arriving.remove();
      if (!next.copy().current) {
        // Another copy may own its place in the file by now.
        buffers.giveBack(next.buffer());
      } else {
        next.copy().write(files, next.file(), next.buffer());
        writing.add(next);
      }
    }
    while (!writing.isEmpty() && writtenBy(writing.element()).isDone()) {
      buffers.giveBack(writing.remove().buffer());
    }
  }

  private static Future<?> writtenBy(Write write) {
    Future<?> written = write.copy().writing;
    if (written == null) {
      throw new IllegalStateException("not being written: place=" + write.copy().spillPlace);
    }
    return written;
  }

  /** Waits until the writing of a copy has begun, so that the file thread can read it later. */
  void start(HostCopy copy) {
    while (copy.writing == null) {
      Write next = arriving.peek();
      if (next == null) {
        throw new IllegalStateException("no writing was requested: place=" + copy.spillPlace);
      }
      device.synchronize(next.arrived());
      advance();
    }
  }

  /** Frees the buffers; everything in flight on the device has run. */
  @Override
  public void close() {
    advance();
    files.drain();
    writing.forEach(write -> buffers.giveBack(write.buffer()));
    arriving.forEach(write -> buffers.giveBack(write.buffer()));
    writing.clear();
    arriving.clear();
    buffers.close();
  }
}
