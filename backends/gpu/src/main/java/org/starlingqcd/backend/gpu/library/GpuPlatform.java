package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.DeviceInfo;

/** A vendor's loaded libraries, which count, describe and open devices. */
public interface GpuPlatform {
  /** Number of visible devices. */
  int deviceCount();

  /** Describes a device without opening it for work. */
  DeviceInfo describe(int device);

  /** Opens device {@code device}. */
  GpuLibrary open(int device);
}
