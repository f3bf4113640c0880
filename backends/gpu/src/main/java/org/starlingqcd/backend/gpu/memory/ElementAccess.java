package org.starlingqcd.backend.gpu.memory;

import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.Precision;

/** The part of the device that launches need. */
public interface ElementAccess {
  /**
   * The stream, of this device, in which an operation begins; makes the device current.
   *
   * @throws IllegalArgumentException when the stream belongs to another device
   */
  GpuStream begin(DeviceStream stream);

  /**
   * The block, alive and of this device, for the present operation of a stream.
   *
   * @throws IllegalArgumentException when the block belongs to another device
   */
  GpuMemory use(DeviceMemory memory, GpuStream stream);

  /**
   * Returns the block of an element of this device, for the present operation of a stream.
   *
   * @param what the operand, for messages
   * @param spins components of the element, each a matrix of {@code height} × {@code width}
   * @throws IllegalArgumentException when the block belongs to another device or is too small
   */
  GpuMemory use(
      String what, DeviceMemory memory, int spins, int height, int width, GpuStream stream);

  /** The precision of all elements. */
  Precision precision();

  /** Sets an element to zero, in stream order. */
  void clear(GpuMemory target, GpuStream stream);

  /** Page-locked host memory. */
  HostMemory allocateHost(long bytes);
}
