package org.starlingqcd.memhc.access;

import java.util.List;
import org.starlingqcd.backend.DeviceMemory;

/** Runs a step of the queue again that makes an element alone, see {@link AccessQueue#maker}. */
@FunctionalInterface
public interface Recomputation {
  /**
   * Puts the kernels that compute {@code element} into the device's compute stream.
   *
   * @param inputs the memory of the inputs of the step, in their order
   * @param destination the memory to overwrite
   */
  void launch(int element, List<DeviceMemory> inputs, DeviceMemory destination);
}
