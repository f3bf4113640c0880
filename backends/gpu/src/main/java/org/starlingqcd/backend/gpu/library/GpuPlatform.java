package org.starlingqcd.backend.gpu.library;

import org.starlingqcd.backend.DeviceInfo;

/** A vendor's libraries, loaded: how many devices they see, and the way to open one. */
public interface GpuPlatform {
  /** Number of visible devices. */
  int deviceCount();

  /** What device {@code device} is, without opening it for work. */
  DeviceInfo describe(int device);

  /** Opens device {@code device}. */
  GpuLibrary open(int device);
}
