package org.starlingqcd.backend.cpu;

/** Sets of vector instructions that tests run on; what the processor lacks is left out of them. */
final class InstructionSets {
  static final int BASELINE = 0;
  static final int AVX2 = 1;
  static final int AVX512 = 2;

  private InstructionSets() {}

  /** Takes at most this one from now on. */
  static void limit(int level) {
    if (VectorLoops.isAvailable()) {
      VectorLoops.limitInstructions(level);
    }
  }
}
