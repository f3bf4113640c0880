package org.starlingqcd.backend.gpu.memory;

import java.util.OptionalDouble;
import org.starlingqcd.backend.DeviceEvent;

/**
 * A mark in a stream. It knows the work that comes before it, in its own stream and in those that
 * its stream has waited for.
 *
 * <p>The marks of a stream are numbered. Once one is reached, so are all before it, and their
 * native events are reused. The handle of a mark that is known to be reached may therefore belong
 * to a later mark; {@link GpuStream} takes care of that, and notes the mark's time before.
 */
public final class GpuEvent implements DeviceEvent {
  private final GpuStream stream;
  private final long number;
  private final long handle;
  private final long[] before;
  private OptionalDouble seconds = OptionalDouble.empty();
  private final boolean timer;
  private boolean timed;

  GpuEvent(GpuStream stream, long number, long handle, boolean timer, long[] before) {
    this.stream = stream;
    this.timer = timer;
    this.before = before;
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

  /** By stream: the number of the last operation that comes before this mark. */
  long[] before() {
    return before;
  }

  /** Number of the last operation of its own stream that comes before it. */
  long covers() {
    return before[stream.index()];
  }

  /** No work was put into the stream since, so it covers what has ended by now. */
  void coversUpTo(long operation) {
    before[stream.index()] = Math.max(covers(), operation);
  }

  /** Its native event while it is not known to be reached. */
  long handle() {
    return handle;
  }

  /** Time on the device, in seconds since some mark of the stream; empty before it is reached. */
  public OptionalDouble seconds() {
    return seconds;
  }

  /** Whether its native event keeps a time. */
  boolean hasTimer() {
    return timer;
  }

  /** Whether its time will be asked for. */
  boolean isTimed() {
    return timed;
  }

  public void keepTime(boolean keeps) {
    timed = keeps;
  }

  void reachedAt(double time) {
    seconds = OptionalDouble.of(time);
  }
}
