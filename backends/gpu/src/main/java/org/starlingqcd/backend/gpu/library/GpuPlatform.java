package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.DeviceInfo;

/** A vendor's loaded libraries, which count, describe and open devices. */
public interface GpuPlatform {
  /** Number of visible devices. */
  int deviceCount();

  /** Describes a device without opening it for work. */
  DeviceInfo describe(int device);

  /** The calls of a device, opened for work. */
  GpuCalls calls(int device);
}
