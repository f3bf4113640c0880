package org.starlingqcd.correlators.definition;

/** An operator that vanishes: its seed has no part in the irrep, or all of its terms cancel. */
public final class VanishingOperatorException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  VanishingOperatorException(String message) {
    super(message);
  }
}
