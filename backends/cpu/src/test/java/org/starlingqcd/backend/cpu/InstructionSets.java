package org.starlingqcd.backend.cpu;

import org.starlingqcd.backend.cpu.blas.VectorLoops;

/** Sets of vector instructions that tests run on; what the processor lacks is left out of them. */
public final class InstructionSets {
  public static final int BASELINE = 0;
  static final int AVX2 = 1;
  public static final int AVX512 = 2;

  private InstructionSets() {}

  /** Takes at most this one from now on. */
  public static void limit(int level) {
    if (VectorLoops.isAvailable()) {
      VectorLoops.limitInstructions(level);
    }
  }
}
