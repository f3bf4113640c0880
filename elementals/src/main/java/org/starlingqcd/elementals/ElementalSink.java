package org.starlingqcd.elementals;

import org.starlingqcd.backend.HostMemory;
import org.starlingqcd.hadron.data.ElementalName;
import org.starlingqcd.hadron.data.Rows;

/** Receives elementals as they are computed. */
interface ElementalSink {
  /**
   * An elemental at one time, row-major, interleaved complex; valid only during the call.
   *
   * @param kind its group in a file
   * @param rows those of its first index that there are
   */
  void accept(String kind, ElementalName name, int time, Rows rows, HostMemory numbers);
}
