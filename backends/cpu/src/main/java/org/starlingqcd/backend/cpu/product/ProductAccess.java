package org.starlingqcd.backend.cpu.product;

import org.starlingqcd.backend.BatchSpinMapping;
import org.starlingqcd.backend.cpu.memory.ElementAccess;

/** The part of the device that contractions need, beyond access to elements. */
public interface ProductAccess extends ElementAccess {
  /** The plan of a mapping, which is computed once. */
  MappingPlan plan(BatchSpinMapping mapping);
}
