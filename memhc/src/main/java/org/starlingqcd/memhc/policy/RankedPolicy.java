package org.starlingqcd.memhc.policy;

import org.jspecify.annotations.Nullable;
import org.starlingqcd.memhc.EvictionPolicy;
import org.starlingqcd.memhc.Residency;

/** A policy that keeps the resident elements in one order of rank. */
abstract class RankedPolicy implements EvictionPolicy {
  final RankedElements ranked = new RankedElements();
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

  @Override
  public void removed(int element, boolean evicted) {
    ranked.remove(element);
  }

  @Override
  public int victim() {
    return ranked.firstEvictable(residency());
  }
}
