package org.starlingqcd.hadron.execute;

import java.util.ArrayList;
import java.util.List;
import org.starlingqcd.backend.Device;
import org.starlingqcd.backend.DeviceEvent;

/**
 * How long the compute stream of a device was busy with the nodes, products and traces of a queue.
 */
final class StageTimes {
  /** What a queue does. */
  enum Stage {
    NODES,
    PRODUCTS,
    TRACES
  }

  private final Device device;
  private final DeviceEvent begin;
  private final List<Stage> stages = new ArrayList<>();
  private final List<DeviceEvent> ends = new ArrayList<>();

  /** Begins now. */
  StageTimes(Device device) {
    this.device = device;
    begin = device.recordTime(device.computeStream());
  }

  /** Assigns everything put into the compute stream since the last call to a stage. */
  void end(Stage stage) {
    int last = stages.size() - 1;
    DeviceEvent event = device.recordTime(device.computeStream());
    if (last >= 0 && stages.get(last) == stage) {
      ends.set(last, event);
    } else {
      stages.add(stage);
      ends.add(event);
    }
  }

  /**
   * Seconds of a stage, with the device's waits for its inputs; 0 where the device keeps no time.
   * The stream must have been synchronized.
   */
  double seconds(Stage stage) {
    double sum = 0;
    for (int k = 0; k < stages.size(); k++) {
      if (stages.get(k) == stage) {
        sum += device.secondsBetween(k == 0 ? begin : ends.get(k - 1), ends.get(k)).orElse(0);
      }
    }
    return sum;
  }
}
