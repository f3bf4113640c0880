package org.starlingqcd.backend.cpu;

import org.starlingqcd.backend.cpu.blas.VectorLoops;

/** Sets of vector instructions for tests, without those that the processor lacks. */
public final class InstructionSets {
  public static final int BASELINE = 0;
  static final int AVX2 = 1;
  public static final int AVX512 = 2;

  private InstructionSets() {}

  /** Limits the vector instructions used from now on. */
  public static void limit(int level) {
    if (VectorLoops.isAvailable()) {
      VectorLoops.limitInstructions(level);
    }
  }
}
