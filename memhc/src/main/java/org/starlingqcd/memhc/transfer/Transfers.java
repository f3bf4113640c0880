package org.starlingqcd.memhc.transfer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.HostMemoryBudget;
import org.starlingqcd.backend.MatrixOperations;
import org.starlingqcd.backend.MatrixOperations.Place;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.memhc.access.InputSource;
import org.starlingqcd.memhc.cache.Counters;

/**
 * Copies between host and device on two streams of their own, so that they overlap with each other
 * and with kernels. Events alone keep the order between streams; the calling thread waits only for
 * staging buffers, for data that it needs next, and in the {@code synchronize} methods.
 *
 * <p>Files are read and written on a thread of their own ({@link InputLoads}, {@link SpillWrites}).
 */
public final class Transfers implements AutoCloseable {
  private final Device device;
  private final DeviceStream toDevice;
  private final DeviceStream toHost;
  private final Counters counters;
  private final DeviceIntervals toDeviceTimes;
  private final DeviceIntervals toHostTimes;
  private final DeviceIntervals waits;
  private final FileThread files = new FileThread();
  private final InputLoads loads;
  private final SpillWrites spills;

  /** Copies that the next kernels wait for. */
  private final List<DeviceEvent> awaited = new ArrayList<>();

  public Transfers(Device device, Counters counters, HostMemoryBudget budget) {
    this.device = device;
    this.counters = counters;
    toDevice = device.openStream();
    toHost = device.openStream();
    toDeviceTimes = new DeviceIntervals(device, true);
    toHostTimes = new DeviceIntervals(device, true);
    waits = new DeviceIntervals(device, false);
    loads = new InputLoads(device, this, files, counters, budget);
    spills = new SpillWrites(device, files, budget);
  }

  /** Loads the data of a source into {@code block}; {@link #beforeReading} waits for them. */
  public void load(int element, InputSource source, DeviceBlock block) {
    counters.bytesToDevice += block.bytes;
    loads.add(new InputLoads.Load(element, source, block));
  }

  /**
   * Copies {@code source} into {@code block}, ordered by the events of the block.
   *
   * @param form of the source, as of {@link Device#save}; null is host layout
   */
  DeviceEvent upload(HostMemory source, @Nullable Object form, DeviceBlock block) {
    counters.bytesToDevice += block.bytes;
    return copyIn(source, 0, form, block);
  }

  /** Like {@link #upload}, without counting, from byte {@code from} of {@code source} on. */
  DeviceEvent copyIn(HostMemory source, long from, @Nullable Object form, DeviceBlock block) {
    DeviceEvent begin = begin(toDevice, block);
    if (block.allocations.size() == 1) {
      device.restore(source, from, form, block.memory, block.shape, toDevice);
    } else {
      TensorShape spin = spin(block);
      for (int s = 0; s < block.allocations.size(); s++) {
        device.upload(source, from + s * spin.bytes(), block.allocations.get(s), spin, toDevice);
      }
    }
    return filled(block, begin, toDevice);
  }

  private static TensorShape spin(DeviceBlock block) {
    TensorShape shape = block.shape;
    return new TensorShape(1, shape.rank(), shape.extent(), shape.precision());
  }

  /** Begins a copy to or from a block, after everything that uses it. */
  private DeviceEvent begin(DeviceStream stream, DeviceBlock block) {
    if (stream == toHost) {
      finishLoading(block);
    }
    waitFor(stream, block);
    return device.recordTime(stream);
  }

  private void waitFor(DeviceStream stream, DeviceBlock block) {
    waitFor(stream, block.used);
    waitFor(stream, block.filled);
    waitFor(stream, block.drained);
  }

  private DeviceEvent end(DeviceEvent begin, DeviceStream stream) {
    DeviceEvent end = device.recordTime(stream);
    (stream == toDevice ? toDeviceTimes : toHostTimes).add(begin, end);
    return end;
  }

  private DeviceEvent filled(DeviceBlock block, DeviceEvent begin, DeviceStream stream) {
    DeviceEvent filled = end(begin, stream);
    block.filled = filled;
    block.filledAwaited = false;
    return filled;
  }

  private DeviceEvent drained(DeviceBlock block, DeviceEvent begin) {
    DeviceEvent drained = end(begin, toHost);
    block.drained = drained;
    return drained;
  }

  /**
   * Copies the block of another device into one of this device, beside the kernels of both. Later
   * users of either block wait for it.
   */
  public void copyFrom(Transfers other, DeviceBlock source, DeviceBlock block) {
    other.finishLoading(source);
    other.waitFor(other.toHost, source.used);
    other.waitFor(other.toHost, source.filled);
    waitFor(toDevice, block.used);
    // The block may be one whose last contents are still being copied to the host.
    waitFor(toDevice, device.record(toHost));
    device.copyFrom(block.memory, toDevice, other.device, source.memory, other.toHost, block.shape);
    source.drained = other.device.record(other.toHost);
    block.filled = device.record(toDevice);
    block.filledAwaited = false;
  }

  /** Copies {@code block} to byte {@code offset} of {@code target}, in stream order. */
  public DeviceEvent download(DeviceBlock block, HostMemory target, long offset) {
    return copyOut(block, target, offset, null);
  }

  /** Copies {@code block} to {@code target} as it lies on the device, in stream order. */
  DeviceEvent save(DeviceBlock block, HostMemory target, HostCopy copy) {
    return copyOut(block, target, 0, copy);
  }

  private DeviceEvent copyOut(
      DeviceBlock block, HostMemory target, long offset, @Nullable HostCopy copy) {
    counters.bytesToHost += block.bytes;
    DeviceEvent begin = begin(toHost, block);
    if (block.allocations.size() > 1) {
      TensorShape spin = spin(block);
      for (int s = 0; s < block.allocations.size(); s++) {
        device.download(block.allocations.get(s), target, offset + s * spin.bytes(), spin, toHost);
      }
    } else if (copy != null) {
      copy.form = device.save(block.memory, target, offset, block.shape, toHost);
    } else {
      device.download(block.memory, target, offset, block.shape, toHost);
    }
    return drained(block, begin);
  }

  /**
   * Copies a home as it is to the start of {@code block}, or {@code back}, in stream order and
   * ordered by the events of the block.
   */
  DeviceEvent copyHome(HostMemory memory, HostCopy home, DeviceBlock block, boolean back) {
    DeviceStream stream = back ? toHost : toDevice;
    DeviceEvent begin = begin(stream, block);
    MatrixOperations matrices = device.matrices().orElseThrow();
    for (long done = 0; done < home.bytes; done += home.piece) {
      counters.homeCopies++;
      long bytes = Math.min(home.piece, home.bytes - done);
      Place place = new Place(block.memory, done);
      if (back) {
        matrices.toHost(place, memory, home.offset + done, bytes, stream);
      } else {
        matrices.toDevice(memory, home.offset + done, place, bytes, stream);
      }
    }
    counters.bytesToHost += back ? home.bytes : 0;
    counters.bytesToDevice += back ? 0 : home.bytes;
    return back ? drained(block, begin) : filled(block, begin, stream);
  }

  /** Copies a block of slow memory into one of fast memory, ordered by the events of both. */
  public void moveIn(DeviceBlock slow, DeviceBlock fast) {
    move(slow, fast, toDevice);
    counters.bytesToDevice += fast.bytes;
  }

  /** Copies a block of fast memory into one of slow memory, ordered by the events of both. */
  public void moveOut(DeviceBlock fast, DeviceBlock slow) {
    move(fast, slow, toHost);
    counters.bytesToHost += fast.bytes;
  }

  private void move(DeviceBlock from, DeviceBlock to, DeviceStream stream) {
    finishLoading(from);
    waitFor(stream, from);
    DeviceEvent begin = begin(stream, to);
    device.move(from.memory, to.memory, stream);
    from.drained = filled(to, begin, stream);
  }

  /** Makes kernels after {@link #beforeKernels} wait until the data of a block have arrived. */
  public void beforeReading(DeviceBlock block) {
    finishLoading(block);
    if (!block.filledAwaited) {
      awaitCopy(block.filled);
      block.filledAwaited = true;
    }
  }

  private void finishLoading(DeviceBlock block) {
    InputLoads.Load loading = block.loading;
    if (loading != null) {
      loads.finish(loading);
    }
  }

  /** Drops data on their way into a block whose element leaves it. */
  public void abandon(DeviceBlock block) {
    InputLoads.Load loading = block.loading;
    if (loading != null) {
      loads.abandon(loading);
    }
  }

  /** Continues the work between files and the device; never waits. */
  public void advance() {
    loads.advance();
    spills.advance();
  }

  /** Waits until all requested data have been read. */
  public void drainLoads() {
    loads.drain();
  }

  /** Makes kernels after {@link #beforeKernels} wait for all copies to and from a block. */
  public void beforeWriting(DeviceBlock block) {
    beforeReading(block);
    awaitCopy(block.drained);
    block.drained = null;
  }

  /** Makes later copies from the device wait for {@code event}. */
  void drainAfter(@Nullable DeviceEvent event) {
    waitFor(toHost, event);
  }

  /** Makes later copies to the device wait for {@code event}. */
  void fillAfter(@Nullable DeviceEvent event) {
    waitFor(toDevice, event);
  }

  /** Reads the data of a source to byte {@code offset} of {@code target} and waits for them. */
  public void read(int element, InputSource source, HostMemory target, long offset) {
    FileThread.join(files.submit(() -> source.load(element, target, offset)));
  }

  FileThread files() {
    return files;
  }

  SpillWrites spills() {
    return spills;
  }

  public void synchronize(@Nullable DeviceEvent event) {
    if (event != null) {
      device.synchronize(event);
    }
  }

  /** Waits until everything has run. */
  public void synchronizeAll() {
    device.synchronize(toDevice);
    device.synchronize(device.computeStream());
    device.synchronize(toHost);
  }

  private void awaitCopy(@Nullable DeviceEvent copy) {
    if (copy != null) {
      awaited.add(copy);
    }
  }

  /**
   * Makes later kernels wait for the copies that {@link #beforeReading} and {@link #beforeWriting}
   * were told of since the last call, and times the wait.
   */
  public void beforeKernels() {
    if (awaited.isEmpty()) {
      return;
    }
    DeviceStream compute = device.computeStream();
    DeviceEvent begin = device.recordTime(compute);
    // The last copy of a stream first: the others come before it.
    for (int k = awaited.size() - 1; k >= 0; k--) {
      device.waitFor(compute, awaited.get(k));
    }
    awaited.clear();
    waits.add(begin, device.recordTime(compute));
  }

  /** Seconds that the device took for copies that have run. */
  public double copySeconds() {
    return toDeviceTimes.seconds() + toHostTimes.seconds();
  }

  /** Seconds for which kernels waited for copies, of waits that are over. */
  public double waitSeconds() {
    return waits.seconds();
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
    loads.close();
    spills.close();
    files.close();
  }
}
