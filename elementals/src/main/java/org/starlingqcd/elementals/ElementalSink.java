package org.starlingqcd.elementals;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.ElementalName;

/** Receives elementals as they are computed. */
interface ElementalSink {
  /** An elemental at one time, row-major, interleaved complex; valid only during the call. */
  void accept(boolean baryon, ElementalName name, int time, HostMemory numbers);
}
