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
  private double seconds;

  private record Interval(DeviceEvent begin, DeviceEvent end) {}

  DeviceIntervals(Device device) {
    this.device = device;
  }

  void add(DeviceEvent begin, DeviceEvent end) {
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
