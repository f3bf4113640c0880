package org.starlingqcd.backend.gpu.memory;

import java.util.OptionalDouble;
import org.starlingqcd.backend.DeviceEvent;

/**
 * A mark in a stream. The marks of a stream are numbered. Once one is reached, so are all before
 * it, and their native events are reused. The handle of a mark that is known to be reached may
 * therefore belong to a later mark; {@link GpuStream} takes care of that, and notes the mark's time
 * before.
 */
public final class GpuEvent implements DeviceEvent {
  private final GpuStream stream;
  private final long number;
  private final long handle;
  private OptionalDouble seconds = OptionalDouble.empty();

  GpuEvent(GpuStream stream, long number, long handle) {
    this.stream = stream;
    this.number = number;
    this.handle = handle;
  }

  /** The stream that it was recorded in. */
  public GpuStream stream() {
    return stream;
  }

  /** Its number in the stream, from 1. */
  long number() {
    return number;
  }

  /** Its native event while it is not known to be reached. */
  long handle() {
    return handle;
  }

  /** Time on the device, in seconds since some mark of the stream; empty before it is reached. */
  public OptionalDouble seconds() {
    return seconds;
  }

  void reachedAt(double time) {
    seconds = OptionalDouble.of(time);
  }
}
