package org.starlingqcd.simulator.check;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.TensorShape;

/** Elements of random numbers on a device, for measurements. */
public class RandomNodes implements AutoCloseable {
  private final Device device;
  private final List<DeviceMemory> allocated = new ArrayList<>();

  /** Elements on this device, which stays open. */
  public RandomNodes(Device device) {
    this.device = device;
  }

  /** The device. */
  public final Device device() {
    return device;
  }

  /** An element of random numbers. */
  public final DeviceMemory random(TensorShape shape) {
    DeviceMemory memory = device.allocate(shape.bytes());
    allocated.add(memory);
    device.fillRandom(memory, shape, allocated.size(), device.computeStream());
    return memory;
  }

  /** Elements of random numbers. */
  public final List<DeviceMemory> random(TensorShape shape, int count) {
    List<DeviceMemory> elements = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      elements.add(random(shape));
    }
    return elements;
  }

  /** Waits for everything in the compute stream. */
  public final void synchronize() {
    device.synchronize(device.computeStream());
  }

  /** Frees all elements; more may be made. */
  public final void free() {
    synchronize();
    allocated.forEach(device::free);
    allocated.clear();
  }

  @Override
  public void close() {
    free();
  }
}
