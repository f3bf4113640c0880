package org.starlingqcd.memhc.transfer;

import java.util.ArrayDeque;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;

/** The sum of intervals of a device's time, each between two events of one stream. */
final class DeviceIntervals {
  /** Intervals above which those that have passed are summed and dropped. */
  private static final int MOST_PENDING = 64;

  private final Device device;
  private final ArrayDeque<Interval> pending = new ArrayDeque<>();
  private final boolean joins;
  private double seconds;

  private record Interval(DeviceEvent begin, DeviceEvent end) {}

  /**
   * No intervals.
   *
   * @param joins whether intervals that follow each other are one, because nobody else asks for the
   *     times of their events
   */
  DeviceIntervals(Device device, boolean joins) {
    this.device = device;
    this.joins = joins;
  }

  void add(DeviceEvent begin, DeviceEvent end) {
    if (begin == end) {
      return;
    }
    Interval last = pending.peekLast();
    if (joins && last != null && last.end == begin) {
      pending.removeLast();
      device.forgetTime(begin);
      pending.add(new Interval(last.begin, end));
      return;
    }
    pending.add(new Interval(begin, end));
    if (pending.size() > MOST_PENDING) {
      seconds();
    }
  }

  /** Seconds of the intervals whose ends have been reached; 0 where the device keeps no time. */
  double seconds() {
    while (!pending.isEmpty() && device.isReached(pending.getFirst().end)) {
      Interval passed = pending.removeFirst();
      seconds += device.secondsBetween(passed.begin, passed.end).orElse(0);
    }
    return seconds;
  }
}
