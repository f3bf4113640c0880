package org.starlingqcd.memhc.policy;

import org.jspecify.annotations.Nullable;

/** A policy that uses {@link Residency} in its choices. */
abstract class OpenedPolicy implements EvictionPolicy {
  private @Nullable Residency residency;

  @Override
  public void open(Residency newResidency, long seed) {
    residency = newResidency;
  }

  final Residency residency() {
    if (residency == null) {
      throw new IllegalStateException("policy " + name() + " is not open");
    }
    return residency;
  }
}
