package org.starlingqcd.backend;

import java.util.List;
import java.util.Map;

/**
 * One device of a backend.
 *
 * @param index number of the device within its backend, from 0
 * @param name the vendor's name of the device
 * @param totalBytes memory of the device
 * @param freeBytes memory that was free when the device was probed
 * @param details further facts in the order in which they are printed: versions, core type, threads
 * @param memories memories of the machine that a device which computes in RAM can use, by number;
 *     empty for other devices
 */
public record DeviceInfo(
    int index,
    String name,
    long totalBytes,
    long freeBytes,
    Map<String, String> details,
    List<MemoryInfo> memories) {
  /** Copies the list. */
  public DeviceInfo {
    memories = List.copyOf(memories);
  }

  /** A device with a memory of its own. */
  public DeviceInfo(
      int index, String name, long totalBytes, long freeBytes, Map<String, String> details) {
    this(index, name, totalBytes, freeBytes, details, List.of());
  }
}
