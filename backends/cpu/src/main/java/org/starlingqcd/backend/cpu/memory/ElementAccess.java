package org.starlingqcd.backend.cpu.memory;

import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.cpu.blas.KernelChoice;

/** What work asks of the device while it resolves elements to addresses. */
public interface ElementAccess {
  /**
   * The block of an element of this device. The work that is put into a stream next uses it.
   *
   * @throws IllegalArgumentException when the memory belongs to another device
   */
  CpuMemory own(DeviceMemory memory);

  /** How products with this length of the summed index run. */
  KernelChoice choice(int inner);

  /** Whether products are conventional ones. */
  boolean isExact();

  /** Most eigenvectors for which loops in C++ serve pairs of lines; 0 for none. */
  int mostInPairLoops();

  /** Threads that compute. */
  int threads();
}
