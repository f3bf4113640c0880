package org.starlingqcd.backend;

/**
 * A block of device memory, owned by the device that made it. Its contents have whatever layout the
 * device prefers; only {@link Device#upload} and {@link Device#download} translate.
 */
public interface DeviceMemory {
  /** Size of the block in bytes. */
  long bytes();
}
