package org.starlingqcd.memhc;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;

/**
 * Copies between host and device on two streams of their own, so that they overlap with each other
 * and with the kernels. Order between streams is kept by events alone; the calling thread waits
 * only for a staging buffer, for host data it needs itself, or where it asks to.
 *
 * <p>Inputs pass through a ring of staging buffers (page-locked where the device has it): one is
 * filled by the source while the others are being copied.
 */
final class Transfers implements AutoCloseable {
  private static final int STAGING_BUFFERS = 3;

  private final Device device;
  private final DeviceStream toDevice;
  private final DeviceStream toHost;
  private final Counters counters;
  private final @Nullable HostMemory[] staging = new HostMemory[STAGING_BUFFERS];
  private final @Nullable DeviceEvent[] stagingRead = new DeviceEvent[STAGING_BUFFERS];
  private int nextStaging;

  Transfers(Device device, Counters counters) {
    this.device = device;
    this.counters = counters;
    toDevice = device.openStream();
    toHost = device.openStream();
  }

  /** Loads an input through a staging buffer into {@code block}. */
  void load(int element, InputSource source, DeviceBlock block, TensorShape shape) {
    int slot = takeStaging(shape.bytes());
    HostMemory buffer = stagingBuffer(slot);
    source.load(element, buffer, 0);
    upload(buffer, block, shape);
    stagingRead[slot] = block.filled;
  }

  /** Copies {@code source} into {@code block}; the marks of the block keep the order. */
  void upload(HostMemory source, DeviceBlock block, TensorShape shape) {
    waitFor(toDevice, block.used);
    waitFor(toDevice, block.drained);
    if (block.allocations.size() == 1) {
      device.upload(source, 0, block.memory, shape, toDevice);
    } else {
      TensorShape spin = new TensorShape(1, shape.rank(), shape.extent());
      List<DeviceMemory> parts = block.allocations;
      for (int s = 0; s < parts.size(); s++) {
        device.upload(source, s * spin.bytes(), parts.get(s), spin, toDevice);
      }
    }
    block.filled = device.record(toDevice);
    block.filledAwaited = false;
    counters.bytesToDevice += shape.bytes();
  }

  /** Copies {@code block} to byte {@code offset} of {@code target}, in stream order. */
  DeviceEvent download(DeviceBlock block, HostMemory target, long offset, TensorShape shape) {
    waitFor(toHost, block.used);
    waitFor(toHost, block.filled);
    if (block.allocations.size() == 1) {
      device.download(block.memory, target, offset, shape, toHost);
    } else {
      TensorShape spin = new TensorShape(1, shape.rank(), shape.extent());
      List<DeviceMemory> parts = block.allocations;
      for (int s = 0; s < parts.size(); s++) {
        device.download(parts.get(s), target, offset + s * spin.bytes(), spin, toHost);
      }
    }
    DeviceEvent done = device.record(toHost);
    block.drained = done;
    counters.bytesToHost += shape.bytes();
    return done;
  }

  /** Lets the kernels that come wait until the data of {@code block} have arrived. */
  void beforeReading(DeviceBlock block) {
    if (!block.filledAwaited) {
      waitFor(device.computeStream(), block.filled);
      block.filledAwaited = true;
    }
  }

  /** Lets the kernels that come wait until nobody copies to or from {@code block} any more. */
  void beforeWriting(DeviceBlock block) {
    beforeReading(block);
    waitFor(device.computeStream(), block.drained);
    block.drained = null;
  }

  /** Lets later copies from the device wait for {@code event}. */
  void drainAfter(@Nullable DeviceEvent event) {
    waitFor(toHost, event);
  }

  /** Lets later copies to the device wait for {@code event}. */
  void fillAfter(@Nullable DeviceEvent event) {
    waitFor(toDevice, event);
  }

  void synchronize(@Nullable DeviceEvent event) {
    if (event != null) {
      device.synchronize(event);
    }
  }

  /** Waits until everything has run. */
  void synchronizeAll() {
    device.synchronize(toDevice);
    device.synchronize(device.computeStream());
    device.synchronize(toHost);
  }

  /** A free staging buffer of at least {@code bytes}; its number. */
  int takeStaging(long bytes) {
    int slot = nextStaging;
    nextStaging = (nextStaging + 1) % STAGING_BUFFERS;
    synchronize(stagingRead[slot]);
    stagingRead[slot] = null;
    HostMemory buffer = staging[slot];
    if (buffer == null || buffer.bytes() < bytes) {
      if (buffer != null) {
        buffer.close();
      }
      staging[slot] = device.allocateHost(bytes);
    }
    return slot;
  }

  HostMemory stagingBuffer(int slot) {
    HostMemory buffer = staging[slot];
    if (buffer == null) {
      throw new IllegalStateException("no staging buffer: slot=" + slot);
    }
    return buffer;
  }

  private void waitFor(DeviceStream stream, @Nullable DeviceEvent event) {
    if (event != null) {
      device.waitFor(stream, event);
    }
  }

  /** Waits for all copies and frees the staging buffers. */
  @Override
  public void close() {
    synchronizeAll();
    for (int slot = 0; slot < STAGING_BUFFERS; slot++) {
      HostMemory buffer = staging[slot];
      if (buffer != null) {
        buffer.close();
        staging[slot] = null;
      }
    }
  }
}
