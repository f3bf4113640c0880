package org.starlingqcd.memhc.access;

import java.util.List;
import org.starlingqcd.backend.DeviceMemory;

/**
 * How to compute an intermediate again from other elements, instead of keeping a copy of it on the
 * host when it is evicted.
 *
 * @param inputs the elements it is computed from; until its last use each must be an input or an
 *     intermediate that is alive
 * @param costBytes cost of the kernel, as the number of bytes that could be copied in that time
 * @param kernel puts the work into the compute stream
 */
public record Recomputation(List<Integer> inputs, long costBytes, Kernel kernel) {
  /** Copies the list and checks the range. */
  public Recomputation {
    inputs = List.copyOf(inputs);
    if (costBytes < 0) {
      throw new IllegalArgumentException("must be >= 0: costBytes=" + costBytes);
    }
  }

  /** The work that computes the element. */
  @FunctionalInterface
  public interface Kernel {
    /**
     * Puts the kernels that compute {@code element} into the device's compute stream.
     *
     * @param inputs the memory of the inputs, in the order of {@link Recomputation#inputs}
     * @param destination the memory to overwrite
     */
    void launch(int element, List<DeviceMemory> inputs, DeviceMemory destination);
  }
}
