package org.starlingqcd.backend;

/** The two tiers of memory that kernels of a device can use. */
public enum MemoryKind {
  /** The memory that kernels reach fastest: HBM, or that of a GPU. */
  FAST,
  /** Larger memory that kernels can use in place, at a lower rate. */
  SLOW
}
