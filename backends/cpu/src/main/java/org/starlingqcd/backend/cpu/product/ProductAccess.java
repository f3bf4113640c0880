package org.starlingqcd.backend.cpu.product;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.cpu.memory.ElementAccess;

/** What contractions ask of the device beyond its elements. */
public interface ProductAccess extends ElementAccess {
  /** The plan of a mapping, made once. */
  MappingPlan plan(BatchSpinMapping mapping);
}
