package org.starlingqcd.memhc.replay;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.memhc.access.InputSource;

/** A source without data: loading does nothing. */
public enum NoData implements InputSource {
  INSTANCE;

  @Override
  public void load(int element, HostMemory target, long offset) {}

  @Override
  public boolean isImmediate() {
    return true;
  }
}
