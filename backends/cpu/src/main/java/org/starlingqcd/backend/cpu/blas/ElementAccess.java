package org.starlingqcd.backend.cpu.blas;

import org.starlingqcd.backend.DeviceMemory;
import org.starlingqcd.backend.DeviceStream;
import org.starlingqcd.backend.Precision;

/** The part of the device that work needs to resolve elements to addresses and to run. */
public interface ElementAccess {
  /**
   * Starts an operation in a stream: the memory it uses is noted until the operation is put into
   * the stream. Memory noted by an operation that failed before that is forgotten.
   */
  void begin(DeviceStream stream);

  /** Puts work into the stream of the operation that has begun. */
  void put(DeviceStream stream, Runnable work);

  /**
   * Returns the block of an element of this device and notes that the next work put into a stream
   * uses it.
   *
   * @throws IllegalArgumentException when the memory belongs to another device
   */
  CpuMemory own(DeviceMemory memory);

  /**
   * The kernel for products with this length of the summed index; a conventional one where only
   * such products are allowed.
   */
  KernelChoice choice(int inner);

  /** The precision of all elements. */
  Precision precision();

  /** Most eigenvectors for which pairs of lines use the loops in C++; 0 for never. */
  int mostInPairLoops();

  /** The threads that compute. */
  Team team();
}
