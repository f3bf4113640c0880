package org.starlingqcd.memhc.access;

import java.util.List;
import org.starlingqcd.backend.DeviceMemory;

/**
 * How an intermediate can be made again from other elements, as an alternative to keeping a copy of
 * it on the host when it is evicted. Offered by whoever runs the contractions.
 *
 * @param inputs the elements it is made of; while it may have to be made again each must be an
 *     input, or an intermediate that is still alive
 * @param costBytes what running the kernel costs, as the bytes that could be copied in that time
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

  /** The work that makes the element. */
  @FunctionalInterface
  public interface Kernel {
    /**
     * Puts the kernels that make {@code element} into the device's compute stream.
     *
     * @param inputs the memory of the inputs, in the order of {@link Recomputation#inputs}
     * @param destination the memory to overwrite
     */
    void launch(int element, List<DeviceMemory> inputs, DeviceMemory destination);
  }
}
