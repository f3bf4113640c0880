package org.starlingqcd.backend.gpu;

import org.starlingqcd.backend.DeviceEvent;
import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.backend.TensorShape;
import org.starlingqcd.backend.gpu.memory.ElementAccess;
import org.starlingqcd.backend.gpu.memory.GpuEvent;
import org.starlingqcd.backend.gpu.memory.GpuMemory;
import org.starlingqcd.backend.gpu.memory.GpuStream;

/**
 * Checks that memory, streams and events passed to a device belong to it, and that memory is alive
 * and large enough.
 *
 * @param device the device that must own them
 */
record Ownership(ElementAccess device) {
  /** The operand, of at least {@code bytes} bytes; {@code what} names it in messages. */
  GpuMemory use(String what, DeviceMemory memory, long bytes, GpuStream stream) {
    GpuMemory block = use(memory, stream);
    if (block.bytes() < bytes) {
      throw new IllegalArgumentException(
          what + " is too small: bytes=" + block.bytes() + " needed=" + bytes);
    }
    return block;
  }

  /** The operand, large enough for the shape; {@code what} names it in messages. */
  GpuMemory use(String what, DeviceMemory memory, TensorShape shape, GpuStream stream) {
    GpuMemory block = use(memory, stream);
    if (shape.precision() != device.precision()) {
      throw new IllegalArgumentException(
          what + " must have precision " + device.precision() + ": shape=" + shape);
    }
    if (block.bytes() < shape.bytes()
        || (block.isComposed() && block.parts().size() != shape.spins())) {
      throw new IllegalArgumentException(
          what + " does not fit: bytes=" + block.bytes() + " shape=" + shape);
    }
    return block;
  }

  /** The operand, alive and of this device. */
  GpuMemory use(DeviceMemory memory, GpuStream stream) {
    GpuMemory block = own(memory);
    block.use(stream);
    return block;
  }

  /** The block, alive and of this device. */
  GpuMemory own(DeviceMemory memory) {
    if (!(memory instanceof GpuMemory block) || block.owner != device) {
      throw new IllegalArgumentException("memory belongs to another device: " + memory);
    }
    block.checkAlive();
    return block;
  }

  /** The stream, of this device. */
  GpuStream own(DeviceStream stream) {
    if (!(stream instanceof GpuStream mine) || mine.owner != device) {
      throw new IllegalArgumentException("stream belongs to another device: " + stream);
    }
    return mine;
  }

  GpuEvent own(DeviceEvent event) {
    if (!(event instanceof GpuEvent mark) || mark.stream().owner != device) {
      throw new IllegalArgumentException("event belongs to another device: " + event);
    }
    return mark;
  }

  /** Checks that an element of the shape lies within host memory at {@code offset} bytes. */
  static void checkHost(String what, HostMemory memory, long offset, TensorShape shape) {
    if (offset < 0 || offset > memory.bytes() - shape.bytes()) {
      throw new IndexOutOfBoundsException(
          what + ": bytes " + offset + " to " + (offset + shape.bytes()) + " of " + memory.bytes());
    }
  }
}
