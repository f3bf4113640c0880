package org.starlingqcd.correlators.run;

import java.util.List;
import java.util.stream.IntStream;
import org.starlingqcd.correlators.InputException;

/**
 * Divides the processor among units that are computed side by side. Each has its part of the
 * threads and of the memory, and a device of its own; they share the data that are read. Few
 * threads a unit wait less for each other than many.
 */
final class UnitsAtOnce {
  private static final String OPTION = "--units-at-once ";
  private static final String CPU = "cpu";

  private UnitsAtOnce() {}

  /**
   * The settings for each unit.
   *
   * @param settings more than one unit at once
   * @throws InputException when they cannot be divided
   */
  static List<DeviceSettings> divide(DeviceSettings settings) {
    int count = settings.unitsAtOnce();
    if (!settings.isOneDevice() || settings.devicesPerUnit() > 1) {
      throw new InputException(
          OPTION
              + count
              + " divides one device: it goes neither with several devices nor with"
              + " --devices-per-unit");
    }
    String backend = Backends.select(settings.backend(), settings.device()).name();
    if (!backend.equals(CPU)) {
      throw new InputException(
          OPTION
              + count
              + " divides the processor: it needs --backend cpu, not "
              + backend
              + ". Several GPUs compute units side by side with --device 0,1");
    }
    if (settings.trace() != null) {
      throw new InputException(
          "--trace records the accesses of one unit at a time: leave out --units-at-once");
    }
    if (settings.cache().tiers().isAsked()) {
      throw new InputException(
          OPTION + count + " divides memory of one kind: it does not go with fast and slow memory");
    }
    int threads =
        settings.threads() > 0 ? settings.threads() : Runtime.getRuntime().availableProcessors();
    if (count > threads) {
      throw new InputException(
          OPTION
              + count
              + " needs a thread for each unit, and there are "
              + threads
              + (settings.threads() > 0 ? " (--threads)" : ", one for each processor"));
    }
    return IntStream.range(0, count)
        .mapToObj(
            unit -> settings.withThreads(threads * (unit + 1) / count - threads * unit / count))
        .toList();
  }
}
